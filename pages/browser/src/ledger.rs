//! The reverse ledger, as a reader steps through it.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{anyhow, bail, Result};
use serde::Deserialize;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::keyboard::scrolls;
use crate::serve::Site;
use crate::tab::{first, quoted, Instead, Tab};
use crate::view::View;

/// The figure.
pub(crate) const LEDGER: &str = "[data-drawing='reverse-ledger']";

/// The milliseconds between two steps of Play.
const PAUSE: usize = 3000;

/// What the ledger shows, and what its table says.
#[derive(Debug, Deserialize)]
struct State {
    rows: Vec<Row>,
    current: i64,
    stepper: bool,
    graph: bool,
    said: String,
    labels: Vec<String>,
    heads: Vec<String>,
    shown: Vec<String>,
    adjoints: Vec<String>,
    last: Vec<String>,
    back: Vec<String>,
    forth: Vec<String>,
    edge: Vec<String>,
    child: Vec<String>,
    parent: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Row {
    edge: String,
    child: String,
    parent: String,
    cells: Vec<String>,
}

/// A ledger under the hands of a reader.
struct Reader<'a, 'b> {
    tab: &'a mut Tab<'b>,
    /// What an independent source says that each step sends back.
    sent: &'a [&'a str],
}

/// The faults of a ledger that a reader steps through by mouse, by keyboard, and by itself.
///
/// `sent` is what each step must send back.
pub async fn check_ledger(
    browser: &Browser,
    site: &Site,
    page: &str,
    view: View,
    sent: &[&str],
) -> Vec<Fault> {
    on_tab(
        browser,
        view.still(),
        &format!("{page} {}, ledger", view.words()),
        async |tab, found| {
            tab.load(&site.address(page)).await?;
            // The page stays, whatever a key wants of it.
            let held = tab.hold(&["*"], Instead::Nothing).await?;
            let mut reader = Reader { tab, sent };
            let outcome = reader.step_through(found).await;
            if held.navigated.load(Ordering::SeqCst) {
                found.insert(0, "an arrow key in the ledger turns the page".to_string());
            }
            outcome
        },
    )
    .await
}

impl Reader<'_, '_> {
    async fn state(&self) -> Result<State> {
        self.tab.call(include_str!("probes/ledger.js"), ()).await
    }

    async fn step_through(&mut self, found: &mut Vec<String>) -> Result<()> {
        let first = self.state().await?;
        if !first.stepper || !first.graph || first.rows.len() != self.sent.len() {
            bail!("the ledger has no steps, no graph or other rows");
        }
        // A step changes graph and details: the keys are beside both, or stay in sight.
        if self.tab.call(include_str!("probes/ledger_keys.js"), ()).await? {
            found.push("the ledger's buttons are out of sight beside its graph".to_string());
        }
        // One wrong step is enough: those after it only follow.
        self.by_mouse().await?;
        self.by_keys().await?;
        self.by_itself(found).await
    }

    /// A button that has nothing to do says so, and may be pressed all the same.
    async fn by_mouse(&mut self) -> Result<()> {
        let last = self.last();
        self.at(0, "at first").await?;
        self.click("Previous").await?;
        self.at(0, "before the first").await?;
        for step in 1..=last {
            self.click("Next").await?;
            self.at(step, "by mouse").await?;
        }
        self.click("Next").await?;
        self.at(last, "after the last").await?;
        self.click("Previous").await?;
        self.at(last - 1, "back by mouse").await
    }

    /// The keys, from a button inside the figure; elsewhere they are not its own.
    async fn by_keys(&mut self) -> Result<()> {
        let last = self.last();
        self.focus("Next").await?;
        self.tab.press("ArrowRight").await?;
        self.at(last, "by ArrowRight").await?;
        self.tab.press("ArrowRight").await?;
        self.at(last, "by ArrowRight after the last").await?;
        for step in (0..last).rev() {
            self.tab.press("ArrowLeft").await?;
            self.at(step, "by ArrowLeft").await?;
        }
        self.tab.press("Enter").await?;
        self.at(1, "by Enter on Next").await?;
        self.focus("Previous").await?;
        self.tab.press("Space").await?;
        self.at(0, "by Space on Previous").await?;
        self.tab.run("document.activeElement.blur()").await?;
        self.tab.click_anyway(&first(&format!("{LEDGER} .stepper-edge"))).await?;
        self.tab.press("ArrowRight").await?;
        self.at(1, "by ArrowRight after a click beside the buttons").await?;
        self.tab.press("ArrowLeft").await?;
        self.at(0, "by ArrowLeft after a click beside the buttons").await?;
        let alone = "document.activeElement.blur(); addEventListener('keydown', (event) => \
            event.stopImmediatePropagation(), { capture: true })";
        self.tab.run(alone).await?;
        self.tab.press("ArrowRight").await?;
        self.at(0, "by a key outside").await
    }

    /// By itself it goes no further than to the end, and not at all for who wants no motion.
    async fn by_itself(&mut self, found: &mut Vec<String>) -> Result<()> {
        let last = self.last();
        self.click("Play").await?;
        self.at(1, "at the start of Play").await?;
        self.click("Pause").await?;
        self.pass(3 * PAUSE).await?;
        self.at(1, "after Pause").await?;
        self.click("Previous").await?;
        self.click("Play").await?;
        self.pass(PAUSE + 100).await?;
        self.at(2, "by Play").await?;
        self.pass(PAUSE * (last + 2)).await?;
        self.at(last, "after all of Play").await?;
        let play = button("Play");
        if !self.tab.value(&format!("Boolean({play})")).await? {
            found.push("at its end Play does not stop".to_string());
        }
        self.tab.emulate(self.tab.view().calm()).await?;
        // The change is told with the next frame.
        if !self.tab.comes_within(&format!("!({play})"), Duration::from_secs(1)).await {
            found.push("it offers to move by itself to a reader who wants no motion".to_string());
        }
        self.click("Previous").await?;
        self.at(last - 1, "with reduced motion").await
    }

    fn last(&self) -> usize {
        self.sent.len().saturating_sub(1)
    }

    async fn click(&mut self, name: &str) -> Result<()> {
        self.tab.click_anyway(&button(name)).await
    }

    async fn focus(&self, name: &str) -> Result<()> {
        self.tab.focus(&button(name)).await
    }

    /// Lets time pass.
    async fn pass(&self, milliseconds: usize) -> Result<()> {
        self.tab.run(&format!("clock({milliseconds})")).await
    }

    async fn at(&self, step: usize, how: &str) -> Result<()> {
        let wrong = wrong_at(step, &self.state().await?, self.sent)?;
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(anyhow!("{how}, step {step}: {}", wrong.join("; "))),
        }
    }
}

/// The expression for a button of the ledger that can be seen.
pub(crate) fn button(name: &str) -> String {
    let name = quoted(name);
    format!(
        "[...document.querySelectorAll(\"{LEDGER} button\")].find((button) => \
         button.checkVisibility() && button.textContent.trim() === {name})"
    )
}

/// What is wrong with the step that a ledger shows.
fn wrong_at(step: usize, now: &State, sent: &[&str]) -> Result<Vec<String>> {
    let column = |name: &str| {
        let found = now.heads.iter().position(|head| head == name);
        found.ok_or_else(|| anyhow!("the table has no column {name}"))
    };
    let (contribution, upstream) = (column("contribution")?, column("upstream u")?);
    let row = &now.rows[step];
    let after = |row: &Row| row.cells.last().cloned().unwrap_or_default();
    let mut wrong = Vec::new();
    expect(&mut wrong, "the marked row", &now.current, &(step as i64));
    expect(&mut wrong, "the labels", &now.labels[..], &now.heads[1..]);
    expect(&mut wrong, "what is shown", &now.shown[..], &row.cells[1..]);
    let shown = now.shown.get(contribution - 1).map(String::as_str).unwrap_or_default();
    expect(&mut wrong, "the contribution", shown, sent[step]);

    let done = &now.rows[..=step];
    let met: BTreeSet<&str> = done.iter().flat_map(|row| [&*row.child, &*row.parent]).collect();
    let adjoint = |node: usize| {
        let node = node.to_string();
        let reached = done.iter().rev().find(|row| row.parent == node).map(after);
        match met.contains(&*node) {
            true => format!("adjoint {}", reached.unwrap_or(now.rows[0].cells[upstream].clone())),
            false => "adjoint 0, nothing yet".to_string(),
        }
    };
    let adjoints: Vec<String> = (0..now.last.len()).map(adjoint).collect();
    expect(&mut wrong, "the adjoints in the graph", &now.adjoints, &adjoints);
    if step == now.rows.len() - 1 {
        expect(&mut wrong, "the adjoints at the end", &now.adjoints, &now.last);
    }

    let only = |name: &String| vec![name.clone()];
    expect(&mut wrong, "the edge whose arrow points back", &now.back, &only(&row.edge));
    let forth = now.rows.len() - 1;
    expect(&mut wrong, "the number of arrows that point forth", &now.forth.len(), &forth);
    expect(&mut wrong, "the marked edge", &now.edge, &only(&row.edge));
    expect(&mut wrong, "the marked child", &now.child, &only(&row.child));
    expect(&mut wrong, "the marked parent", &now.parent, &only(&row.parent));
    let [_, edge, slot, ..] = &row.cells[..] else {
        bail!("a row has {} cells", row.cells.len());
    };
    let told = format!(": {edge}, slot {slot}; the parent’s adjoint is now {}", after(row));
    if !now.said.contains(&format!("Step {step} ")) || !now.said.ends_with(&told) {
        wrong.push(format!("it is announced as {:?}", now.said));
    }
    Ok(wrong)
}

fn expect<T: Debug + PartialEq + ?Sized>(
    wrong: &mut Vec<String>,
    what: &str,
    found: &T,
    right: &T,
) {
    if found != right {
        wrong.push(format!("{what} is {found:?}, not {right:?}"));
    }
}

/// The faults of the arrow keys in a box of the ledger that scrolls: they scroll, and do not step.
pub async fn check_ledger_box(
    browser: &Browser,
    site: &Site,
    page: &str,
    view: View,
) -> Vec<Fault> {
    on_tab(
        browser,
        view,
        &format!("{page} {}, ledger's table", view.words()),
        async |tab, found| {
            tab.load(&site.address(page)).await?;
            if !scrolls(tab, &format!("{LEDGER} .table-box:has(tr[data-edge])")).await? {
                found.push("an arrow key does not scroll the ledger's table".to_string());
            }
            let state: State = tab.call(include_str!("probes/ledger.js"), ()).await?;
            if state.current != 0 {
                found.push("an arrow key in the table that scrolls takes a step".to_string());
            }
            Ok(())
        },
    )
    .await
}
