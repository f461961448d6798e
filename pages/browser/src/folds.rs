//! The folded checks of listings.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use tokio::time::sleep;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::page::misfits;
use crate::serve::Site;
use crate::tab::{first, quoted, Event, Instead, Tab};
use crate::view::View;

const FOLDS: &str = "details.check";

/// What a fold holds that was closed and opened again.
#[derive(Debug, Deserialize)]
struct Held {
    checks: usize,
    buttons: usize,
}

/// The faults of the folded checks: each comes when it is unfolded, and a page stands in for it
/// where that fails.
pub async fn check_folds(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page}, checks, {}", site.origin), async |tab, found| {
        let address = site.address(page);
        tab.load(&address).await?;
        let mut events = tab.happened().await?;
        let outcome = unfold(tab, &events, found).await;
        events.extend(tab.happened().await?);
        for event in events {
            if let Event::Exception(text) = event {
                found.push(format!("script: {text}"));
            }
        }
        outcome?;
        tab.hold(&["*tests/listings*"], Instead::Refuse).await?;
        tab.load(&address).await?;
        tab.click(&first("details.check > summary")).await?;
        tab.wait_for(&format!("{}?.checkVisibility()", first("details.check > p > a"))).await
    })
    .await
}

async fn unfold(tab: &mut Tab<'_>, loaded: &[Event], found: &mut Vec<String>) -> Result<()> {
    let count: usize = tab.value(&format!("document.querySelectorAll('{FOLDS}').length")).await?;
    let asked =
        |event: &Event| matches!(event, Event::Request(of) if of.contains("tests/listings"));
    let early = loaded.iter().filter(|event| asked(event)).count();
    if count == 0 || early > 0 {
        found.push(format!("{count} folds, {early} checks loaded before they are unfolded"));
    }
    for number in 0..count {
        let fold = format!("document.querySelectorAll('{FOLDS}')[{number}]");
        tab.focus(&format!("{fold}.querySelector('summary')")).await?;
        tab.press("Enter").await?;
        tab.wait_for(&format!("{fold}.querySelector('pre > code')?.checkVisibility()")).await?;
    }
    let codes = quoted("details.check > pre > code");
    let texts = format!("[...document.querySelectorAll({codes})].map((code) => code.textContent)");
    for text in tab.value::<Vec<String>>(&texts).await? {
        if !text.contains("fn check()") {
            let start: String = text.chars().take(40).collect();
            found.push(format!("no check in a fold: {start}"));
        }
    }
    found.extend(misfits(tab, true).await?);
    // Closed and opened again it is there once.
    for _ in 0..2 {
        tab.click(&first("details.check > summary")).await?;
    }
    let fold = first(FOLDS);
    let count = |selector: &str| format!("{fold}.querySelectorAll('{selector}').length");
    let held = format!("({{ checks: {}, buttons: {} }})", count("pre"), count(".clip-button"));
    // A second copy would take its time.
    sleep(Duration::from_millis(100)).await;
    let Held { checks, buttons } = tab.value(&held).await.context("a fold")?;
    if (checks, buttons) != (1, 1) {
        found.push(format!("{checks} checks with {buttons} buttons to copy in one fold"));
    }
    Ok(())
}
