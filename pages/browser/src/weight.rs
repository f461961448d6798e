//! What a page weighs.

use anyhow::{Context, Result};

use crate::browser::Browser;
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::Event;
use crate::view::View;

/// What a page itself may weigh, in bytes.
const HEAVIEST_PAGE: i64 = 350_000;

/// What a page and all that comes with it may weigh before anybody does anything.
const HEAVIEST_LOAD: i64 = 500_000;

/// What a page loads before anybody does anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// The bytes of the page itself.
    pub page: i64,
    /// The requests, the page's own among them.
    pub requests: usize,
    /// The bytes of all of them.
    pub total: i64,
    /// The milliseconds to the first paint.
    pub paint: f64,
}

/// Weighs a page as it comes to somebody who never was here.
///
/// # Errors
///
/// If it does not come.
pub async fn weigh(browser: &Browser, site: &Site, page: &str, view: View) -> Result<Weight> {
    let mut tab = browser.open(view).await?;
    let address = site.address(page);
    tab.load_all(&address).await?;
    let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
    let paint = tab.value(paint).await.context("no first paint")?;
    let events = tab.happened().await?;
    tab.close().await?;
    let answered = |event: &&Event| matches!(event, Event::Response { .. });
    let bytes = |event: &Event| match event {
        Event::Data { address: of, bytes } => Some((*of == address, *bytes)),
        _ => None,
    };
    let bytes: Vec<(bool, i64)> = events.iter().filter_map(bytes).collect();
    Ok(Weight {
        page: bytes.iter().filter(|(own, _)| *own).map(|(_, bytes)| bytes).sum(),
        requests: events.iter().filter(answered).count(),
        total: bytes.iter().map(|(_, bytes)| bytes).sum(),
        paint,
    })
}

/// The faults of what a page weighs.
pub fn too_heavy(page: &str, weight: &Weight) -> Vec<Fault> {
    let limits = [
        (weight.page, HEAVIEST_PAGE, "weighs"),
        (weight.total, HEAVIEST_LOAD, "with all it loads weighs"),
    ];
    let over = limits.into_iter().filter(|(bytes, limit, _)| bytes > limit);
    let told = |(bytes, limit, how)| format!("{how} {bytes} bytes, more than {limit}");
    over.map(|fault| Fault { place: page.to_string(), what: told(fault) }).collect()
}
