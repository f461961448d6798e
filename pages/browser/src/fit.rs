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

/// How long a key may take to scroll a box.
const SCROLL: Duration = Duration::from_millis(500);

/// Where the parts of a step stand, each with its top and its bottom.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Places {
    details: (i64, i64),
    graph: (i64, i64),
    lit: (i64, i64),
    keys: (i64, i64),
}

impl Places {
    async fn of(tab: &Tab<'_>) -> Result<Self> {
        tab.call(include_str!("probes/places.js"), ()).await
    }

    /// Whether one window shows the details, below them the lit edge, and below it the keys.
    fn are_in_one(&self, height: i64) -> bool {
        let Places { details, graph, lit, keys } = self;
        let order = [0, details.0, details.1, graph.0, lit.0, lit.1, keys.0, keys.1, height];
        order.is_sorted()
    }
}

/// The faults of a ledger whose step does not fit into one window of a phone, jumps from one step to
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
            if (now.details, now.graph) != (start.details, start.graph) {
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
        tab.press("ArrowDown").await?;
        if !tab.comes_within(&format!("{top} > {before}"), SCROLL).await {
            found.push("no key scrolls the box of the graph".to_string());
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
