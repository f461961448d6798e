//! Arrow keys in boxes that scroll.

use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::{first, Tab};
use crate::view::View;

/// How long a box may take to scroll.
const SCROLL: Duration = Duration::from_millis(300);

/// Gives a box the focus and presses an arrow key: whether it scrolled.
pub(crate) async fn scrolls(tab: &Tab<'_>, selector: &str) -> Result<bool> {
    let scrolled = first(selector);
    tab.focus(&scrolled).await?;
    tab.press("ArrowRight").await?;
    sleep(SCROLL).await;
    Ok(tab.value::<f64>(&format!("{scrolled}?.scrollLeft ?? 0")).await? > 0.0)
}

/// The faults of the arrow keys in the first box that scrolls on a page.
pub async fn check_keys(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}", view.words()), async |tab, found| {
        let address = site.address(page);
        tab.load(&address).await?;
        let scrolled = scrolls(tab, "[tabindex='0']:is(pre > code, .table-box)").await?;
        if tab.address().await? != address {
            found.push("an arrow key in a box that scrolls turns the page".to_string());
        } else if !scrolled {
            found.push("an arrow key does not scroll the box".to_string());
        }
        Ok(())
    })
    .await
}
