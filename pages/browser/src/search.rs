//! The search: when its scripts come, what it finds, and where that leads.

use std::time::Duration;

use anyhow::{Context, Result};
use regex::Regex;

use crate::browser::{on_tab, Browser};
use crate::fault::Fault;
use crate::serve::Site;
use crate::tab::{first, quoted, Event, Held, Instead, Tab};
use crate::view::View;

const FIELD: &str = "#mdbook-searchbar";
pub(crate) const RESULT: &str = "#mdbook-searchresults a";

/// The scripts of the search, which come when it is opened. While they come, a letter that is typed
/// may be lost; a check therefore types before they do.
pub(crate) const SCRIPTS: [&str; 4] =
    ["*elasticlunr*.js", "*/mark*.js", "*searcher*.js", "*searchindex*.js"];

/// The book's own addition to them, which any of mdBook's may overtake.
const OWN_SCRIPT: &str = "*/style/search-*.js";

/// How long scripts may take to do what they do when they start.
const START: Duration = Duration::from_secs(1);

/// How long a page may take to scroll to a place, on a busy machine too.
const SCROLL: Duration = Duration::from_secs(5);

/// The faults of the search: its scripts come when it is opened, and what was typed before they
/// came is searched for.
pub async fn check_search(
    browser: &Browser,
    site: &Site,
    page: &str,
    words: &str,
    view: View,
) -> Vec<Fault> {
    on_tab(browser, view, &format!("{page}, search, {}", site.origin), async |tab, found| {
        let address = site.address(page);
        // What was typed before the scripts came must not be lost, however slow they are.
        let scripts = tab.hold(&SCRIPTS, Instead::Later).await?;
        let openings = [Some("/"), Some("s"), None];
        for key in openings {
            load(tab, &address, found).await?;
            scripts.shut();
            let how = match key {
                Some(key) => {
                    tab.press(key).await?;
                    format!("the key {key}")
                }
                None => {
                    tab.click(&first("#mdbook-search-toggle")).await?;
                    "the button".to_string()
                }
            };
            tab.type_text(words).await?;
            scripts.open();
            results(tab, words, &how, found).await?;
        }
        let own = tab.hold(&[OWN_SCRIPT], Instead::Later).await?;
        load(tab, &address, found).await?;
        own.shut();
        tab.press("/").await?;
        let closed = format!("{}.classList.contains('hidden')", first("#mdbook-search-wrapper"));
        if tab.comes_within(&closed, START).await {
            found.push("the search closes again while the last of its scripts comes".to_string());
        }
        tab.type_text(words).await?;
        own.open();
        results(tab, words, "a slow last script", found).await?;
        // Pasted words bring no key. Words of before would not be looked up again.
        tab.run("document.querySelector('#mdbook-searchresults').replaceChildren()").await?;
        let mut others = words.to_string();
        others.pop();
        tab.fill(&first(FIELD), &others).await?;
        results(tab, &others, "what is pasted", found).await?;
        tab.press("Escape").await?;
        if tab.value(&format!("{}.checkVisibility()", first("#mdbook-search-wrapper"))).await? {
            found.push("Escape does not close the search".to_string());
        }
        // A result marks the words where it leads, and an address may name words.
        tab.load(&format!("{address}?search={words}")).await?;
        tab.click(&first(RESULT)).await?;
        if !tab.comes(&first("main mark")).await {
            found.push("a result does not mark the words".to_string());
        }
        Ok(())
    })
    .await
}

/// Loads a page, which must not load the search.
async fn load(tab: &mut Tab<'_>, address: &str, found: &mut Vec<String>) -> Result<()> {
    tab.happened().await?;
    tab.load(address).await?;
    let script = Regex::new(r"(elasticlunr|mark|searcher|searchindex)[^/]*\.js$")?;
    let asked = |event: &Event| matches!(event, Event::Request(of) if script.is_match(of));
    let early = tab.happened().await?.iter().filter(|event| asked(event)).count();
    if early > 0 {
        found.push(format!("loads {early} scripts of the search that nobody asked for"));
    }
    Ok(())
}

/// Notes that there are no results for words that were typed, or that they did not arrive whole.
async fn results(tab: &Tab<'_>, words: &str, how: &str, found: &mut Vec<String>) -> Result<()> {
    if !tab.comes(&format!("{}?.checkVisibility()", first(RESULT))).await {
        found.push(format!("{how} finds nothing"));
    }
    if !tab.comes(&format!("{}.value === {}", first(FIELD), quoted(words))).await {
        let typed: String = tab.value(&format!("{}.value", first(FIELD))).await?;
        found.push(format!("{how}: of {words:?} arrived {typed:?}"));
    }
    Ok(())
}

/// The faults of a search for a word: its first result must end in this place, and lead there.
pub async fn check_found(
    browser: &Browser,
    site: &Site,
    page: &str,
    view: View,
    words: &[(&str, &str)],
) -> Vec<Fault> {
    let mut all = Vec::new();
    for (word, place) in words {
        let what = format!("{page} {}, search for {word}", view.words());
        all.extend(
            on_tab(browser, view, &what, async |tab, found| {
                let scripts = tab.hold(&SCRIPTS, Instead::Later).await?;
                tab.load(&site.address(page)).await?;
                scripts.shut();
                tab.press("/").await?;
                look_up(tab, word, &scripts).await?;
                let wrong = follow(tab, place).await?;
                found.extend(wrong);
                Ok(())
            })
            .await,
        );
    }
    all
}

/// Looks a word up in the search that was opened.
pub(crate) async fn look_up(tab: &Tab<'_>, word: &str, scripts: &Held) -> Result<()> {
    tab.fill(&first(FIELD), word).await?;
    // Only a key makes the search look.
    tab.press("End").await?;
    scripts.open();
    tab.wait_for(&first(RESULT)).await
}

/// Follows the first result.
async fn follow(tab: &mut Tab<'_>, place: &str) -> Result<Option<String>> {
    let address: String = tab.value(&format!("{}.getAttribute('href')", first(RESULT))).await?;
    if !address.ends_with(place) {
        return Ok(Some(format!("leads to {address} and not to {place}")));
    }
    tab.press("Enter").await?;
    let (_, name) = place.split_once('#').context("a place on a page")?;
    tab.wait_for_address(|address| address.ends_with(name)).await?;
    tab.wait_for(&format!("document.readyState === 'complete' && {}", first("main, p"))).await?;
    let top = "document.querySelector(':target')?.getBoundingClientRect().top ?? -999";
    let in_sight = format!("({top}) >= -1 && ({top}) < innerHeight");
    if tab.comes_within(&in_sight, SCROLL).await {
        return Ok(None);
    }
    let stands: f64 = tab.value(&format!("Math.round({top})")).await?;
    Ok(Some(format!("leads to a place out of sight, at {stands} px: {}", quoted(place))))
}
