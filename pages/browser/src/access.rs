//! What axe-core finds wrong with a page for those who hear it, see little of it, or use keys
//! alone.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use tokio::time::sleep;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::{first, Tab};
use crate::view::View;

/// How long axe-core may take: one page holds the whole book.
const LONGEST: Duration = Duration::from_secs(900);

/// What axe-core found.
#[derive(Debug, Deserialize)]
struct Broken {
    violations: Vec<Violation>,
    error: Option<String>,
}

/// A rule that is broken.
#[derive(Debug, Deserialize)]
struct Violation {
    id: String,
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    html: String,
    any: Vec<Reason>,
    all: Vec<Reason>,
    none: Vec<Reason>,
}

#[derive(Debug, Deserialize)]
struct Reason {
    message: String,
}

/// The switch of the sidebar.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Switch {
    focused: bool,
    on: bool,
    told: Option<String>,
}

/// The folder of this crate, where `npm ci` puts what is no Rust.
pub(crate) fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// axe-core itself, at the version that `package-lock.json` pins.
///
/// # Errors
///
/// If it was not installed.
pub fn axe() -> Result<String> {
    let file = crate_folder().join("node_modules/axe-core/axe.min.js");
    let hint = || format!("{} is missing: run npm ci in pages/browser", file.display());
    fs::read_to_string(&file).with_context(hint)
}

/// The faults that axe-core finds on a page, with everything unfolded.
pub async fn check_access(
    browser: &Browser,
    site: &Site,
    page: &str,
    view: View,
    axe: &str,
) -> Vec<Fault> {
    // Nothing is half faded in.
    let view = view.calm();
    on_tab(browser, view, &format!("{page} {}, axe-core", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        tab.unfold().await?;
        sleep(Duration::from_millis(200)).await;
        tab.value::<()>(&format!("(() => {{ {axe}\n return null }})()")).await?;
        tab.call::<()>(include_str!("probes/axe.js"), ()).await?;
        ensure!(tab.comes_within("window.broken", LONGEST).await, "axe-core does not end");
        let Broken { violations, error } = tab.value("window.broken").await?;
        found.extend(violations.iter().filter_map(told).chain(error));
        Ok(())
    })
    .await
}

/// A broken rule, with the first element that breaks it and why.
fn told(Violation { id, nodes }: &Violation) -> Option<String> {
    let (Node { html, any, all, none }, more) = nodes.split_first()?;
    let html: String =
        html.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(120).collect();
    let why = any.iter().chain(all).chain(none).map(|reason| reason.message.as_str());
    let why = why.collect::<Vec<_>>().join("; ");
    let more = match more.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Some(format!("{id}: {html}: {why}{more}"))
}

/// The faults of the switch of the sidebar: keys must reach it and press it.
pub async fn check_switch(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(
        browser,
        view,
        &format!("{page} {}, switch of the sidebar", view.words()),
        async |tab, found| {
            tab.load(&site.address(page)).await?;
            tab.focus(&first("#mdbook-sidebar-toggle")).await?;
            if !switch(tab).await?.focused {
                found.push("no key reaches it".to_string());
            }
            for key in ["Enter", "Space"] {
                let before = switch(tab).await?;
                tab.press(key).await?;
                let after = switch(tab).await?;
                if after.on == before.on {
                    found.push(format!("{key} does not press it"));
                }
                if after.told != Some(after.on.to_string()) {
                    found.push(format!("after {key} it says the opposite of what it did"));
                }
            }
            Ok(())
        },
    )
    .await
}

async fn switch(tab: &Tab<'_>) -> Result<Switch> {
    tab.call(include_str!("probes/switch.js"), ()).await
}
