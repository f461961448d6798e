//! Pictures of the pages for a person to look at.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::browser::Browser;
use crate::serve::Site;
use crate::tab::{Clip, Tab};
use crate::view::{View, LAPTOP, PHONE};

/// A picture taller than this is cut into several.
const TALLEST: u32 = 6000;

/// How pages are pictured.
pub const PICTURED: [(&str, View); 5] = [
    ("laptop-light", LAPTOP.theme("light")),
    ("laptop-navy", LAPTOP.theme("navy")),
    ("phone-light", PHONE.theme("light")),
    ("phone-navy", PHONE.theme("navy")),
    ("phone-ayu", PHONE.theme("ayu")),
];

/// Pictures a whole page in one of the ways of [`PICTURED`].
///
/// # Errors
///
/// If the browser or the disk fails.
pub async fn picture_page(
    browser: &Browser,
    site: &Site,
    page: &str,
    (words, view): (&str, View),
    folder: &Path,
) -> Result<()> {
    let name = page.trim_end_matches(".html");
    let mut tab = browser.open(view).await?;
    tab.load(&site.address(page)).await?;
    slices(&tab, &folder.join(format!("{name}-{words}"))).await?;
    tab.close().await
}

/// Prints a page.
///
/// # Errors
///
/// If the browser or the disk fails.
pub async fn print_page(browser: &Browser, site: &Site, page: &str, folder: &Path) -> Result<()> {
    let name = page.trim_end_matches(".html");
    let mut tab = browser.open(LAPTOP.printed()).await?;
    tab.load(&site.address(page)).await?;
    fs::write(folder.join(format!("{name}.pdf")), tab.pdf().await?)?;
    tab.close().await
}

/// Pictures a whole page, cut into slices.
async fn slices(tab: &Tab<'_>, start: &Path) -> Result<()> {
    let height: u32 = tab.value("document.documentElement.scrollHeight").await?;
    let tops = (0..height).step_by(TALLEST as usize);
    for (part, top) in (1..).zip(tops) {
        let width = tab.view().width as f64;
        let clip = Clip { x: 0.0, y: top.into(), width, height: TALLEST.min(height - top).into() };
        fs::write(format!("{}-{part:02}.png", start.display()), tab.picture(clip).await?)?;
    }
    Ok(())
}

/// Pictures the marked lines of a source page, to which a link of a chapter leads.
///
/// # Errors
///
/// If the browser or the disk fails.
pub async fn picture_mark(
    browser: &Browser,
    site: &Site,
    chapter: &str,
    address: &str,
    folder: &Path,
) -> Result<()> {
    let name = chapter.trim_end_matches(".html");
    for (words, view) in PICTURED {
        let mut tab = browser.open(view).await?;
        tab.load(&site.address(address)).await?;
        fs::write(folder.join(format!("{name}-source-{words}.png")), tab.window().await?)?;
        tab.close().await?;
    }
    Ok(())
}
