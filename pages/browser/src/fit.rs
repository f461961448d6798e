//! Figures in a window that is small for them.

use std::time::Duration;

use anyhow::Result;
use serde::Deserialize;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::ledger::{button, LEDGER};
use crate::serve::Site;
use crate::tab::{first, Tab};
use crate::view::View;

/// How long a key may take to scroll a box, on a busy machine too.
const SCROLL: Duration = Duration::from_secs(2);

/// How often the key is pressed: a busy browser loses one now and then.
const PRESSES: usize = 4;

/// Where a part stands in the window.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Place {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Place {
    fn is_above(&self, other: &Place) -> bool {
        self.bottom <= other.top
    }

    fn is_beside(&self, other: &Place) -> bool {
        self.right <= other.left || other.right <= self.left
    }

    fn holds(&self, other: &Place) -> bool {
        self.top <= other.top && other.bottom <= self.bottom
    }
}

/// Where the parts of a step stand.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Places {
    details: Place,
    graph: Place,
    lit: Place,
    keys: Place,
}

impl Places {
    async fn of(tab: &Tab<'_>) -> Result<Self> {
        tab.call(include_str!("probes/places.js"), ()).await
    }

    /// Whether one window shows the details, below or beside them the keys, and below or beside
    /// these the lit edge.
    fn are_in_one(&self, height: i64) -> bool {
        let Places { details, graph, lit, keys } = self;
        let shown = |part: &Place| 0 <= part.top && part.bottom <= height;
        shown(details)
            && shown(graph)
            && (details.is_above(graph) || details.is_beside(graph))
            && graph.holds(lit)
            && graph.holds(keys)
            && (keys.is_above(lit) || keys.is_beside(lit))
    }
}

/// The faults of a ledger whose step does not fit into one window, jumps from one step to
/// the next, or has a graph that no key scrolls.
pub async fn check_together(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    let what = format!("{page} at {} x {} px, ledger", view.width, view.height);
    on_tab(browser, view.calm(), &what, async |tab, found| {
        tab.load(&site.address(page)).await?;
        let stepper = first(&format!("{LEDGER} .stepper"));
        tab.wait_for(&stepper).await?;
        tab.run(&format!("{stepper}.scrollIntoView({{ behavior: 'instant' }})")).await?;
        let rows = format!("document.querySelectorAll(\"{LEDGER} tr[data-edge]\").length");
        let steps: usize = tab.value(&rows).await?;
        let start = Places::of(tab).await?;
        for step in 0..steps {
            let now = Places::of(tab).await?;
            if !now.are_in_one(view.height) {
                found.push(format!("step {step} is not in one window: {now:?}"));
            }
            if (&now.details, &now.graph) != (&start.details, &start.graph) {
                found.push(format!("step {step} jumps: {now:?}, at first {start:?}"));
            }
            // One wrong step is enough: those after it only follow.
            if !found.is_empty() {
                return Ok(());
            }
            tab.click_anyway(&button("Next")).await?;
        }
        let top = format!("{}.scrollTop", first(&format!("{LEDGER} .stepper-graph")));
        let before: f64 = tab.value(&top).await?;
        tab.focus(&button("Previous")).await?;
        for _ in 0..PRESSES {
            tab.press("ArrowDown").await?;
            if tab.comes_within(&format!("{top} > {before}"), SCROLL).await {
                return Ok(());
            }
        }
        found.push("no key scrolls the box of the graph".to_string());
        Ok(())
    })
    .await
}

/// The faults of a ledger to which its own address leads: what says that it has steps is in sight.
pub async fn check_arrival(
    browser: &Browser,
    site: &Site,
    page: &str,
    id: &str,
    view: View,
) -> Vec<Fault> {
    let what = format!("{page}#{id} at {} x {} px", view.width, view.height);
    on_tab(browser, view.calm(), &what, async |tab, found| {
        tab.load(&site.address(&format!("{page}#{id}"))).await?;
        let keys = first(&format!("{LEDGER} .stepper-keys"));
        tab.wait_for(&keys).await?;
        let seen = format!(
            "(() => {{ const {{ top, bottom }} = {keys}.getBoundingClientRect();
            const bar = document.getElementById('mdbook-menu-bar')?.getBoundingClientRect();
            return scrollY > 0 && (bar?.bottom ?? 0) <= top && bottom <= innerHeight }})()"
        );
        if !tab.comes_within(&seen, SCROLL).await {
            found.push("the keys of the ledger are not in the window".to_string());
        }
        Ok(())
    })
    .await
}

/// The faults of the figures' tables in a window: boxes that cut a column or a row.
pub async fn check_tables(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}, tables", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        let cut: Vec<String> = tab.call(include_str!("probes/cut.js"), ()).await?;
        found.extend(cut.iter().map(|name| format!("the box {name:?} cuts its table")));
        Ok(())
    })
    .await
}
