//! The picture that stands for the book where somebody shares a link. It needs the DejaVu fonts.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::access::crate_folder;
use crate::browser::Browser;
use crate::fault::{faults_at, Fault};
use crate::picture::Picture;
use crate::tab::quoted;
use crate::view::View;

/// The size that those who show such pictures ask for.
const SIZE: View = View::sized(1200, 630);

/// A file of the book's style.
fn style(name: &str) -> PathBuf {
    crate_folder().join("../../book/style").join(name)
}

/// The picture that the book keeps.
pub fn kept() -> PathBuf {
    style("preview.png")
}

/// Draws `book/style/preview.svg`.
///
/// # Errors
///
/// If there is no such file, or the browser does not draw it.
pub async fn preview(browser: &Browser) -> Result<Vec<u8>> {
    let drawing = fs::read_to_string(style("preview.svg")).context("preview.svg")?;
    let page = format!("<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}");
    let tab = browser.open(SIZE).await?;
    tab.run(&format!("document.documentElement.innerHTML = {}", quoted(&page))).await?;
    let picture = tab.window().await?;
    tab.close().await?;
    Ok(picture)
}

/// The fault of a kept picture that is not what the drawing shows.
pub async fn check_preview(browser: &Browser) -> Vec<Fault> {
    let mut found = Vec::new();
    let outcome = async {
        let drawn = Picture::read(&preview(browser).await?)?;
        let kept = Picture::read(&fs::read(kept()).context("preview.png")?)?;
        if !drawn.shows_the_same_as(&kept) {
            found.push("is not what preview.svg shows".to_string());
        }
        Ok(())
    };
    let outcome = outcome.await;
    faults_at("preview.png", found, outcome)
}
