//! Formulas: MathML has no bar that grows, and a style draws it.

use anyhow::Result;
use serde::Deserialize;
use tokio::time::Instant;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::picture::Picture;
use crate::serve::Site;
use crate::tab::{Clip, Tab};
use crate::view::View;

/// What stands under a bar, from the page's corner, and what it says.
#[derive(Debug, Deserialize)]
struct Barred {
    #[serde(flatten)]
    clip: Clip,
    text: String,
}

/// The faults of a page's formulas: a bar with a gap.
pub async fn check_math(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        tab.unfold().await?;
        tab.value::<()>("document.fonts.ready.then(() => null)").await?;
        let bars: usize = tab.call(include_str!("probes/bars.js"), ()).await?;
        for number in 0..bars {
            found.extend(gap(tab, number).await?);
        }
        Ok(())
    })
    .await
}

/// What is wrong with one bar, once the page has come to rest.
async fn gap(tab: &Tab<'_>, number: usize) -> Result<Option<String>> {
    let end = Instant::now() + tab.patience();
    loop {
        let Barred { clip: Clip { x, y, width, .. }, text } =
            tab.call(include_str!("probes/bar.js"), number).await?;
        // Above what is under the bar; the corner to the left of the picture is bare.
        let clip = Clip { x: x + 1.0, y: y - 12.0, width: width - 2.0, height: 14.0 };
        if Picture::read(&tab.picture(clip).await?)?.has_bar() {
            return Ok(None);
        }
        if Instant::now() > end {
            return Ok(Some(format!("an overline has gaps: {text}")));
        }
    }
}
