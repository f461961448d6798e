//! The lines of the source that an address names.

use anyhow::Result;
use serde::Deserialize;

use crate::browser::{on_tab, Browser};
use crate::colours::{contrast, painted, Paint, OF_LINES, OF_TEXT};
use crate::fault::Fault;
use crate::serve::Site;
use crate::view::{View, LAPTOP};

#[derive(Debug, Deserialize)]
struct Named {
    hash: String,
    mark: Option<Mark>,
}

/// Heights are those of the upper and of the lower edge.
#[derive(Debug, Deserialize)]
struct Mark {
    single: bool,
    first: [f64; 2],
    last: [f64; 2],
    heights: [f64; 2],
    width: f64,
    file: f64,
    bar: f64,
    window: f64,
    colour: Paint,
    texts: Vec<Ink>,
    edge: Ink,
}

#[derive(Debug, Deserialize)]
struct Ink {
    name: String,
    ink: Paint,
    ground: Paint,
}

/// Where the links of a page's listings to their source lead, as far as that is inside the site.
///
/// # Errors
///
/// If the page does not load.
pub async fn source_links(browser: &Browser, site: &Site, page: &str) -> Result<Vec<String>> {
    let mut tab = browser.open(LAPTOP).await?;
    tab.load(&site.address(page)).await?;
    let links = "[...document.querySelectorAll('.listing-place a')].map(String)";
    let links: Vec<String> = tab.value(links).await?;
    tab.close().await?;
    let inside = links.iter().filter_map(|link| link.strip_prefix(&site.address("")));
    Ok(inside.map(str::to_string).collect())
}

/// The faults of the mark on the lines that an address names.
pub async fn check_mark(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        let named: Named = painted(tab, include_str!("probes/mark.js")).await?;
        match &named.mark {
            Some(mark) => found.extend(unmarked(mark)),
            None => found.push(format!("{} is no place on this page", named.hash)),
        }
        Ok(())
    })
    .await
}

fn unmarked(mark: &Mark) -> Vec<String> {
    let middle = |[top, bottom]: [f64; 2]| (top + bottom) / 2.0;
    let [top, bottom] = mark.heights;
    let (first, last) = (middle(mark.first), middle(mark.last));
    // The mark of one line belongs to its number, and has no box of its own.
    let starts = mark.single || (first >= top && first <= top + 20.0);
    let ends = mark.single || (last <= bottom && last >= bottom - 20.0);
    let in_sight = mark.first[0] >= mark.bar.max(0.0) && mark.first[1] <= mark.window;
    let edge = contrast(mark.edge.ink, mark.edge.ground);
    let faults = [
        (!starts, "the mark does not start at the first line".to_string()),
        (!ends, "the mark does not end at the last line".to_string()),
        (mark.width < 0.95 * mark.file, "the mark is narrower than the file".to_string()),
        (!in_sight, "the first line is out of sight".to_string()),
        (mark.colour[3] == 0, "the mark has no colour".to_string()),
        (edge < OF_LINES, format!("the line around the mark has a contrast of {edge:.2}")),
    ];
    let mut found: Vec<String> =
        faults.into_iter().filter(|(wrong, _)| *wrong).map(|(_, what)| what).collect();
    let texts = mark.texts.iter().map(|ink| (contrast(ink.ink, ink.ground), &ink.name));
    if let Some((contrast, name)) = texts.min_by(|one, other| one.0.total_cmp(&other.0)) {
        if contrast < OF_TEXT {
            found.push(format!("marked text has a contrast of {contrast:.2} ({name})"));
        }
    }
    found
}
