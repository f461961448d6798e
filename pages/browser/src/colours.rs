//! Contrast, as WCAG defines it, of what a page shows.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::de::DeserializeOwned;
use serde::Deserialize;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::Tab;
use crate::view::View;

/// The least contrast of text (WCAG 2.1, 1.4.3).
pub(crate) const OF_TEXT: f64 = 4.5;

/// The least contrast of what is no text and means something (1.4.11).
pub(crate) const OF_LINES: f64 = 3.0;

/// Red, green, blue and opacity, each up to 255.
pub(crate) type Paint = [u8; 4];

/// A colour of a text in code.
#[derive(Debug, Deserialize)]
struct Ink {
    name: String,
    ink: Paint,
    ground: Paint,
}

/// A colour of a text or line in a figure.
#[derive(Debug, Deserialize)]
struct FigureInk {
    what: String,
    name: String,
    ink: Paint,
    ground: Paint,
}

fn luminance([red, green, blue, _]: Paint) -> f64 {
    let linear = |value: u8| match f64::from(value) / 255.0 {
        value if value <= 0.04045 => value / 12.92,
        value => ((value + 0.055) / 1.055).powf(2.4),
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// The contrast of two colours, 1 to 21.
pub(crate) fn contrast(one: Paint, other: Paint) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Calls a probe that paints.
pub(crate) async fn painted<T: DeserializeOwned>(tab: &Tab<'_>, probe: &str) -> Result<T> {
    let paint = include_str!("probes/paint.js");
    tab.value(&format!("(() => {{ const paint = {paint}; return ({probe})() }})()")).await
}

/// The faults of the colours of a page's code.
pub async fn check_colours(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        let inks: Vec<Ink> = painted(tab, include_str!("probes/inks.js")).await?;
        let contrasts = inks.iter().map(|ink| (contrast(ink.ink, ink.ground), &ink.name));
        let pale = contrasts.filter(|(contrast, _)| *contrast < OF_TEXT);
        let told = |(contrast, name)| format!("code has a contrast of {contrast:.2}: {name}");
        found.extend(pale.map(told));
        Ok(())
    })
    .await
}

/// The faults of the contrast in a page's figures.
pub async fn check_contrast(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        let inks: Vec<FigureInk> = painted(tab, include_str!("probes/figure_inks.js")).await?;
        found.extend(faint(&inks));
        Ok(())
    })
    .await
}

/// The palest of each kind, as far as it is too pale.
fn faint(inks: &[FigureInk]) -> Vec<String> {
    let mut palest: BTreeMap<&str, (f64, &str)> = BTreeMap::new();
    for FigureInk { what, name, ink, ground } in inks {
        let contrast = contrast(*ink, *ground);
        let least = palest.entry(what).or_insert((contrast, name));
        if contrast < least.0 {
            *least = (contrast, name);
        }
    }
    let limit = |what: &str| if what.starts_with("text") { OF_TEXT } else { OF_LINES };
    let pale = palest.into_iter().filter(|(what, (contrast, _))| *contrast < limit(what));
    let told = |(what, (contrast, name))| format!("{what} has a contrast of {contrast:.2}: {name}");
    pale.map(told).collect()
}
