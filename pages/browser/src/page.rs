//! What every page is held to, whatever is on it.

use std::time::Duration;

use anyhow::Result;
use regex::Regex;
use serde::Deserialize;
use tokio::time::{sleep, Instant};

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::{Event, Tab};
use crate::view::View;

/// The columns of the source, which fit a laptop and the paper.
pub(crate) const COLUMNS: usize = 100;

/// How often one looks whether scripts have seen what scrolls and what does not.
const PAUSE: Duration = Duration::from_millis(50);

/// The narrowest window of a laptop.
const WIDE: i64 = 1280;

/// That every folded check has come.
const CHECKS_CAME: &str =
    "[...document.querySelectorAll('details.check')].every((fold) => fold.children.length > 1)";

/// What ends beyond the window's right edge.
#[derive(Debug, Deserialize)]
struct Overflow {
    limit: f64,
    document: f64,
    loose: Vec<Loose>,
}

#[derive(Debug, Deserialize)]
struct Loose {
    name: String,
    right: f64,
    text: String,
}

/// A box that scrolls to the side or is a tab stop.
#[derive(Debug, Deserialize)]
struct ScrollBox {
    name: String,
    scrolls: bool,
    stop: bool,
    role: Option<String>,
    label: Option<String>,
    text: String,
}

#[derive(Debug, Deserialize)]
struct Shown {
    codes: Vec<Code>,
    listing: Option<String>,
    titles: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Code {
    start: String,
    text: String,
    printed: bool,
    copied: bool,
    scrolls: bool,
    rust: bool,
    coloured: bool,
}

/// The faults of a page: what the browser reports, what does not fit, what no key reaches, and what
/// code and titles show.
pub async fn check_page(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    let place = format!("{page} {}", view.words());
    on_tab(browser, view, &place, async |tab, found| {
        let outcome = look(tab, &site.address(page), found).await;
        let told = reported(&tab.happened().await?, site);
        found.splice(0..0, told);
        outcome
    })
    .await
}

async fn look(tab: &mut Tab<'_>, address: &str, found: &mut Vec<String>) -> Result<()> {
    let View { width, scripted, .. } = tab.view();
    tab.load(address).await?;
    // What is folded must be right once it unfolds.
    tab.unfold().await?;
    if scripted {
        tab.wait_for(CHECKS_CAME).await?;
    }
    found.extend(misfits(tab, scripted).await?);
    let shown: Shown = tab.call(include_str!("probes/code.js"), ()).await?;
    found.extend(misshown(&shown, width >= WIDE)?);
    Ok(())
}

/// What the browser reports while a page is loaded.
pub(crate) fn reported(events: &[Event], site: &Site) -> Vec<String> {
    let fault = |event: &Event| match event {
        Event::Console(text) => Some(format!("console: {text}")),
        Event::Exception(text) => Some(format!("script: {text}")),
        Event::Request(address) => {
            site.is_outside(address).then(|| format!("leaves the site: {address}"))
        }
        Event::Response { address, status } => {
            (*status >= 400).then(|| format!("status {status}: {address}"))
        }
        Event::Failed { address, why } => Some(format!("failed: {address} {why}")),
        Event::Data { .. } => None,
    };
    events.iter().filter_map(fault).collect()
}

/// What does not fit, and which boxes no key reaches, once the page has come to rest.
pub(crate) async fn misfits(tab: &Tab<'_>, scripted: bool) -> Result<Vec<String>> {
    let end = Instant::now() + tab.patience();
    loop {
        sleep(PAUSE).await;
        let overflow: Overflow = tab.call(include_str!("probes/overflow.js"), ()).await?;
        let boxes: Vec<ScrollBox> = tab.call(include_str!("probes/boxes.js"), ()).await?;
        let mut found = overflows(&overflow);
        found.extend(unreachable(&boxes, scripted));
        if found.is_empty() || Instant::now() > end {
            return Ok(found);
        }
    }
}

/// What sticks out of the window to the right.
fn overflows(overflow: &Overflow) -> Vec<String> {
    let &Overflow { limit, document, ref loose } = overflow;
    let whole = (document > limit).then(|| format!("the document is {document} px wide"));
    // Half a pixel is rounding.
    let parts = loose.iter().filter(|part| part.right > limit + 0.5);
    let told =
        parts.map(|Loose { name, right, text }| format!("{name} ends at {right:.0} px: {text}"));
    whole.into_iter().chain(told).collect()
}

/// Which boxes scroll to the side, and no key gets there or no name says what they are; and, with a
/// script that can tell, which are a tab stop for nothing.
fn unreachable(boxes: &[ScrollBox], scripted: bool) -> Vec<String> {
    let wrong = |one: &ScrollBox| {
        let &ScrollBox { scrolls, stop, ref role, ref label, .. } = one;
        let role = matches!(role.as_deref(), Some("region" | "group"));
        let named = label.as_ref().is_some_and(|label| !label.is_empty());
        let faults = [
            (scrolls && !stop, "scrolls and is no tab stop"),
            (scrolls && !role, "scrolls and has no role"),
            (!named, "has no name"),
            (scripted && stop && !scrolls, "is a tab stop and does not scroll"),
        ];
        let told = faults.into_iter().filter(|(wrong, _)| *wrong);
        told.map(|(_, what)| format!("{} {what}: {}", one.name, one.text)).collect::<Vec<_>>()
    };
    boxes.iter().flat_map(wrong).collect()
}

/// What a listing, a chapter's title or a command shows that it should not, or does not show.
fn misshown(shown: &Shown, laptop: bool) -> Result<Vec<String>> {
    let command = Regex::new(r"(?m)^\$ ")?;
    let words = Regex::new(r"\b(fn|let|use) ")?;
    let mut found = Vec::new();
    for code in &shown.codes {
        let widest = code.text.split('\n').map(|line| line.chars().count()).max().unwrap_or(0);
        let is_command = command.is_match(&code.text);
        let is_rust = code.rust && words.is_match(&code.text);
        let faults = [
            // A laptop's window is wide enough for the columns of the source.
            (
                laptop && code.printed && code.scrolls && widest <= COLUMNS,
                format!("code of {widest} columns scrolls"),
            ),
            (!code.copied, "a copy of a listing is not its text".to_string()),
            (is_command && code.coloured, "words of a command have colours".to_string()),
            (is_rust && !code.coloured, "code has no colours".to_string()),
        ];
        let told = faults.into_iter().filter(|(wrong, _)| *wrong);
        found.extend(told.map(|(_, what)| format!("{what}: {}", code.start)));
    }
    let number = Regex::new(r" (\d+)-")?;
    let listing = shown.listing.as_deref().and_then(|listing| number.captures(listing));
    if let Some(chapter) = listing.map(|found| found[1].to_string()) {
        if !shown.titles.contains(&format!("\"{chapter}\"")) {
            found.push(format!("the title of chapter {chapter} shows no number"));
        }
    }
    Ok(found)
}
