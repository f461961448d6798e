//! Addresses that stay: those in `a/`, and those that no page has.

use std::collections::BTreeSet;

use anyhow::Result;
use reqwest::StatusCode;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::search::{look_up, RESULT, SCRIPTS};
use crate::serve::Site;
use crate::tab::{first, Event, Instead};
use crate::view::View;

/// The fewest pages that a lost reader is led to.
const FEWEST: usize = 3;

/// The faults of the addresses in `a/`: each leads on to the listing it names.
pub async fn check_addresses(
    browser: &Browser,
    site: &Site,
    anchors: &[&str],
    view: View,
) -> Vec<Fault> {
    let mut all = Vec::new();
    for anchor in anchors {
        let place = format!("a/{anchor}.html {}", view.words());
        all.extend(
            on_tab(browser, view, &place, async |tab, found| {
                tab.load(&site.address(&format!("a/{anchor}.html"))).await?;
                let there = tab.wait_for_address(|address| address.contains("#listing-")).await?;
                // The place of a former name stands before the listing.
                let target =
                    first(":target:is(figure.listing), :target:not(figure) + figure.listing");
                if !tab.comes(&target).await {
                    found.push(format!("leads to no listing but to {there}"));
                }
                Ok(())
            })
            .await,
        );
    }
    all
}

/// The faults of the page that is shown for an address far below, where nothing is.
pub async fn check_lost(browser: &Browser, site: &Site, page: &str, view: View) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page} {}, lost", view.words()), async |tab, found| {
        let address = site.address(page);
        let scripts = tab.hold(&SCRIPTS, Instead::Later).await?;
        tab.load_all(&address).await?;
        for event in tab.happened().await? {
            match event {
                Event::Response { address: of, status: 404 } if of == address => {}
                Event::Response { address: of, status } if of == address => {
                    found.push(format!("is served with status {status}"));
                }
                Event::Response { address, status } if status >= 400 => {
                    found.push(format!("needs {address}, which is not there"));
                }
                _ => {}
            }
        }
        let links = "[...document.querySelectorAll(':is(main, #mdbook-sidebar) a[href]')]\
            .map((link) => link.href.split('#')[0])";
        let links: BTreeSet<String> = tab.value(links).await?;
        let others: Vec<&String> = links.iter().filter(|link| **link != address).collect();
        if others.len() < FEWEST {
            found.push(format!("leads to {} pages", others.len()));
        }
        for link in others {
            if !exists(link).await? {
                found.push(format!("its link to {link} leads nowhere"));
            }
        }
        scripts.shut();
        tab.click(&first("#mdbook-search-toggle")).await?;
        look_up(tab, "adjoint", &scripts).await?;
        tab.click(&first(RESULT)).await?;
        let path = |address: &str| address.split(['?', '#']).next().map(str::to_string);
        let other = |there: &str| !there.is_empty() && path(there) != path(&address);
        let there = tab.wait_for_address(other).await?;
        if !exists(&there).await? {
            found.push(format!("its search leads to {there}, which is not there"));
        }
        Ok(())
    })
    .await
}

async fn exists(address: &str) -> Result<bool> {
    Ok(reqwest::get(address).await?.status() == StatusCode::OK)
}
