//! Names in listings that lead to their definition.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::Tab;
use crate::view::View;

/// The first two names of the first listing that has two, as expressions.
const FIRST: &str = "window.names[0]";
const SECOND: &str = "window.names[1]";

/// How a name is written.
#[derive(Debug, Deserialize)]
struct Written {
    line: String,
    ink: String,
    around: String,
    focused: bool,
    stop: bool,
}

/// The faults of the names in listings: one tab stop for each listing, arrow keys between its
/// names, a dotted line under them and a plain one on focus.
pub async fn check_names(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page}, names"), async |tab, found| {
        let address = site.address(page);
        tab.load(&address).await?;
        let mut stops: Vec<usize> = tab.call(include_str!("probes/names.js"), ()).await?;
        if stops.is_empty() || stops.iter().any(|&count| count != 1) {
            stops.sort_unstable();
            stops.dedup();
            found.push(format!("listings with names have {stops:?} tab stops for them"));
        }
        tab.move_mouse(0.0, 0.0, 1).await?;
        let plain = written(tab, FIRST).await?;
        if plain.line != "underline dotted" {
            found.push("a name that leads somewhere has no dotted line".to_string());
        }
        if plain.ink != plain.around {
            found.push("a name that leads somewhere has a colour of its own".to_string());
        }
        tab.focus(FIRST).await?;
        tab.press("ArrowRight").await?;
        let next = written(tab, SECOND).await?;
        if !next.focused || !next.stop || tab.address().await? != address {
            found.push("an arrow key does not lead from one name to the next".to_string());
        }
        if next.line != "underline solid" {
            found.push("the focused name has no plain line".to_string());
        }
        for _ in 0..2 {
            tab.press("ArrowLeft").await?;
        }
        let back = written(tab, FIRST).await.map(|first| first.focused).unwrap_or(false);
        if !back || tab.address().await? != address {
            found.push("an arrow key at the first name turns the page".to_string());
        }
        let target: String = tab.value(&format!("{FIRST}.getAttribute('href')")).await?;
        tab.press("Enter").await?;
        let arrived = tab.wait_for_address(|address| address.ends_with(&target)).await;
        arrived.map(|_| ()).with_context(|| format!("{target} is not where Enter leads"))
    })
    .await
}

async fn written(tab: &Tab<'_>, name: &str) -> Result<Written> {
    tab.value(&format!("({})({name})", include_str!("probes/name.js"))).await
}
