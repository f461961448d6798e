//! Figures where nothing moves: without a script, and on paper.

use serde::Deserialize;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::view::View;

#[derive(Debug, Deserialize)]
struct Still {
    rows: usize,
    figures: Vec<Figure>,
}

#[derive(Debug, Deserialize)]
struct Figure {
    id: String,
    hidden: Vec<String>,
    steps: bool,
    wide: bool,
}

/// The faults of the figures where no script helps; the ledger must show this many rows.
pub async fn check_still(
    browser: &Browser,
    site: &Site,
    page: &str,
    view: View,
    rows: usize,
) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} still, {}", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        let still: Still = tab.call(include_str!("probes/still.js"), ()).await?;
        found.extend(incomplete(&still, rows, view.print));
        Ok(())
    })
    .await
}

fn incomplete(still: &Still, rows: usize, paper: bool) -> Vec<String> {
    let mut found = Vec::new();
    if still.figures.is_empty() {
        found.push("there is no figure".to_string());
    }
    if still.rows != rows {
        found.push(format!("the ledger shows {} rows, not {rows}", still.rows));
    }
    for Figure { id, hidden, steps, wide } in &still.figures {
        if let [one, ..] = &hidden[..] {
            found.push(format!("{id} hides {} parts, one a {one}", hidden.len()));
        }
        if *steps {
            found.push(format!("{id} has steps that nothing can take"));
        }
        if paper && *wide {
            found.push(format!("{id} is wider than the paper"));
        }
    }
    found
}
