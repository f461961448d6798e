//! Definitions of terms, shown where a link leads to the glossary.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use tokio::time::sleep;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::{first, Clip, Tab};
use crate::view::View;

/// The first link that goes to the glossary.
const TERM: &str = "main a[href*='glossary.html#']";

/// How long a definition may take to show, and how long to go.
const SHOW: Duration = Duration::from_millis(200);
const GO: Duration = Duration::from_millis(500);

/// What shows of a definition.
#[derive(Debug, Deserialize)]
struct Definition {
    text: Option<String>,
    inside: bool,
    told: bool,
    focused: bool,
    term: String,
    #[serde(rename = "box")]
    clip: Option<Clip>,
}

/// The faults of the first definition of a page: shown on hover, on focus and by a tap.
pub async fn check_terms(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}, terms", view.words()), async |tab, found| {
        let address = site.address(page);
        tab.load(&address).await?;
        tab.wait_for(&first(TERM)).await?;
        match view.touch {
            true => by_taps(tab, &address, found).await,
            false => by_mouse_and_keys(tab, found).await,
        }
    })
    .await
}

async fn by_taps(tab: &Tab<'_>, address: &str, found: &mut Vec<String>) -> Result<()> {
    tab.tap(&first(TERM)).await?;
    expect(tab, "after a tap", true, found).await?;
    if tab.address().await? != address {
        found.push("a first tap follows the link".to_string());
    }
    tab.tap(&first(TERM)).await?;
    tab.wait_for_address(|address| address.contains("glossary.html#")).await?;
    Ok(())
}

async fn by_mouse_and_keys(tab: &mut Tab<'_>, found: &mut Vec<String>) -> Result<()> {
    let link = first(TERM);
    tab.hover(&link).await?;
    expect(tab, "under the pointer", true, found).await?;
    let Clip { x, y, width, height } = look(tab).await?.clip.context("no definition shows")?;
    tab.move_mouse(x + width / 2.0, y + height / 2.0, 5).await?;
    sleep(GO).await;
    expect(tab, "with the pointer in the definition", true, found).await?;
    tab.press("Escape").await?;
    expect(tab, "after Escape", false, found).await?;
    tab.move_mouse(0.0, 0.0, 1).await?;
    tab.hover(&link).await?;
    tab.move_mouse(0.0, 0.0, 1).await?;
    expect(tab, "after the pointer has left", false, found).await?;
    tab.focus(&link).await?;
    expect(tab, "with the focus", true, found).await?;
    tab.press("Tab").await?;
    sleep(GO).await;
    let left = look(tab).await?;
    if left.told {
        found.push(format!(
            "after the next tab stop: the definition of {} is still there",
            left.term
        ));
    }
    tab.press("Shift+Tab").await?;
    expect(tab, "with the focus again", true, found).await?;
    tab.press("Escape").await?;
    expect(tab, "after Escape", false, found).await?;
    if !look(tab).await?.focused {
        found.push("Escape takes the focus away".to_string());
    }
    Ok(())
}

/// Notes that the definition does not show where it is wanted, or shows where it is not.
async fn expect(tab: &Tab<'_>, when: &str, wanted: bool, found: &mut Vec<String>) -> Result<()> {
    sleep(if wanted { SHOW } else { GO }).await;
    let Definition { text, inside, told, term, .. } = look(tab).await?;
    let text = text.filter(|text| !text.is_empty());
    let wrong = match (&text, wanted) {
        (None, true) => Some("not there".to_string()),
        (Some(_), true) if !inside => Some("outside the window".to_string()),
        (Some(text), false) => Some(format!("{text:?}")),
        _ => None,
    };
    found.extend(wrong.map(|wrong| format!("{when}: the definition of {term} is {wrong}")));
    if wanted && !told {
        found.push(format!("{when}: a screen reader is not told the definition"));
    }
    Ok(())
}

async fn look(tab: &Tab<'_>) -> Result<Definition> {
    tab.call(include_str!("probes/definition.js"), TERM).await
}
