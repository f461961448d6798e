//! What stands around the text of a page: the way past the menu, the switch of the sidebar, and the
//! landmarks.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Result;
use chromiumoxide::types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::{sleep, Instant};

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::Tab;
use crate::view::View;

/// How long the sidebar may take to slide.
const SLIDE: Duration = Duration::from_millis(600);

/// The most tab stops before the switch of the sidebar.
const STOPS: usize = 100;

/// What has the focus.
#[derive(Debug, Deserialize)]
struct Focused {
    skips: bool,
    in_text: bool,
    switches: bool,
    name: Option<String>,
    outlined: bool,
    told: String,
    sidebar: bool,
}

/// The faults of the keyboard's first steps on a page: past the menu, and to the sidebar.
pub async fn check_frame(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}, frame", view.words()), async |tab, found| {
        let address = site.address(page);
        tab.load(&address).await?;
        tab.press("Tab").await?;
        sleep(Duration::from_millis(50)).await;
        if !focused(tab).await?.skips {
            found.push("the first tab stop is no skip link in sight".to_string());
            return Ok(());
        }
        tab.press("Enter").await?;
        tab.press("Tab").await?;
        if !focused(tab).await?.in_text {
            found.push("the skip link does not lead into the text".to_string());
        }
        tab.load(&address).await?;
        found.extend(misled(tab).await?);
        Ok(())
    })
    .await
}

/// What is wrong with the switch of the sidebar.
async fn misled(tab: &Tab<'_>) -> Result<Vec<String>> {
    let mut stops = 0;
    let switch = loop {
        tab.press("Tab").await?;
        let focused = focused(tab).await?;
        if focused.switches {
            break focused;
        }
        stops += 1;
        if stops == STOPS {
            return Ok(vec!["no tab stop is the switch of the sidebar".to_string()]);
        }
    };
    sleep(SLIDE).await;
    let before = focused(tab).await?.sidebar;
    tab.press("Space").await?;
    let after = slid(tab, !before).await?;
    tab.press("Space").await?;
    let again = slid(tab, before).await?;
    let faults = [
        (switch.name.unwrap_or_default().is_empty(), "the switch has no name"),
        (!switch.outlined, "the switch does not show that it has the focus"),
        (after.sidebar == before, "the space bar does not switch the sidebar"),
        (
            after.told != (!before).to_string(),
            "a screen reader is not told that the sidebar was switched",
        ),
        (again.sidebar != before, "a second space bar does not switch the sidebar back"),
    ];
    let wrong = faults.into_iter().filter(|(wrong, _)| *wrong);
    Ok(wrong.map(|(_, what)| what.to_string()).collect())
}

/// Waits until the sidebar is in sight, or out of it.
async fn slid(tab: &Tab<'_>, wanted: bool) -> Result<Focused> {
    let end = Instant::now() + tab.patience();
    loop {
        sleep(SLIDE).await;
        let now = focused(tab).await?;
        if now.sidebar == wanted || Instant::now() > end {
            return Ok(now);
        }
    }
}

async fn focused(tab: &Tab<'_>) -> Result<Focused> {
    tab.call(include_str!("probes/focused.js"), ()).await
}

/// The command for the whole accessibility tree. The crate's own type for the answer fails on words
/// that a newer browser knows.
#[derive(Debug, Serialize)]
struct GetTree {}

impl Method for GetTree {
    fn identifier(&self) -> MethodId {
        "Accessibility.getFullAXTree".into()
    }
}

impl Command for GetTree {
    type Response = Value;
}

/// The faults of the landmarks of a page, as a browser tells them to a screen reader.
pub async fn check_landmarks(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}, landmarks", view.words()), async |tab, found| {
        tab.load(&site.address(page)).await?;
        found.extend(astray(&tab.ask(GetTree {}).await?));
        Ok(())
    })
    .await
}

fn astray(tree: &Value) -> Vec<String> {
    let nodes = tree["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<&Value> = nodes.iter().filter(|node| node["ignored"] != true).collect();
    let roles = |role: &str| shown.iter().filter(|node| node["role"]["value"] == role).count();
    let mut found = Vec::new();
    for role in ["banner", "main"] {
        if roles(role) != 1 {
            found.push(format!("{} landmarks are a {role}", roles(role)));
        }
    }
    let name = |node: &&Value| node["name"]["value"].as_str().unwrap_or_default().to_string();
    let navigations = shown.iter().filter(|node| node["role"]["value"] == "navigation");
    let names: Vec<String> = navigations.map(name).collect();
    let own: BTreeSet<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    if own.len() != names.len() {
        found.push(format!("navigations have no names of their own: {}", names.join(", ")));
    }
    let first = |node: &&&Value| {
        let properties = node["properties"].as_array().map(Vec::as_slice).unwrap_or_default();
        let level = |one: &Value| one["name"] == "level" && one["value"]["value"] == 1;
        node["role"]["value"] == "heading" && properties.iter().any(level)
    };
    let titles = shown.iter().filter(first).count();
    if titles != 1 {
        found.push(format!("{titles} headings are the title of the page"));
    }
    found
}
