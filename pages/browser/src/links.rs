//! Every link inside a site, from every page, to files and places on pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{anyhow, Context, Result};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{parse_document, ParseOpts};
use regex::Regex;
use scraper::{Html, HtmlTreeSink, Selector};
use url::Url;
use walkdir::WalkDir;

use crate::fault::{faults_at, Fault};
use crate::serve::root_of;

/// A host for addresses that are only compared.
const HOST: &str = "http://site";

/// The attributes that hold an address.
const ATTRIBUTES: [&str; 4] = ["href", "src", "data", "poster"];

/// The addresses that a page names, and the places it has.
#[derive(Debug, Default)]
struct Named {
    links: Vec<String>,
    places: BTreeSet<String>,
}

/// The files of a folder, relative to it and parted by `/`, in order.
pub(crate) fn files_of(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            let file = entry.path().strip_prefix(folder)?;
            let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
            files.push(parts.join("/"));
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// The pages of a built book, relative to its folder.
///
/// `404.html` is left out: a host serves it for any address, so its own links are absolute.
/// `toc.html` is a frame of the other pages, those in `a/` lead on at once, and those in `api/` are
/// rustdoc's.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn pages_of(folder: &Path) -> Result<Vec<String>> {
    let other = Regex::new(r"^(404|toc)\.html$|^(a|api)/")?;
    let page = |file: &String| file.ends_with(".html") && !other.is_match(file);
    Ok(files_of(folder)?.into_iter().filter(page).collect())
}

/// The faults of all links inside a site.
///
/// A file of rustdoc is held to what leads out of its folder, and to what leads into it.
pub fn check_links(folder: &Path) -> Vec<Fault> {
    let mut found = Vec::new();
    match astray(folder) {
        Ok(links) => found.extend(links),
        Err(error) => found.extend(faults_at("links", Vec::new(), Err(error))),
    }
    found
}

fn astray(folder: &Path) -> Result<Vec<Fault>> {
    let base = root_of(folder)?;
    let files: BTreeSet<String> = files_of(folder)?.into_iter().collect();
    let mut pages = BTreeMap::new();
    for file in files.iter().filter(|file| file.ends_with(".html")) {
        let html = fs::read_to_string(folder.join(file)).with_context(|| file.clone())?;
        pages.insert(file.as_str(), named(&html)?);
    }
    let mut found = Vec::new();
    let mut inside = 0;
    for (&file, page) in &pages {
        let from = Url::parse(&format!("{HOST}{base}{file}"))?;
        for link in &page.links {
            let to = from.join(link).with_context(|| format!("{file}: {link}"))?;
            let outcome = match target(&from, &to, &base)? {
                Some(target) if file.starts_with("api/") && target.starts_with("api/") => None,
                Some(target) => {
                    inside += 1;
                    lost(&to, &target, &files, &pages)?
                }
                None if to.origin() == from.origin() => Some("leaves the site".to_string()),
                None => None,
            };
            let what = outcome.map(|what| format!("{link} {what}"));
            found.extend(what.map(|what| Fault { place: file.to_string(), what }));
        }
    }
    if inside == 0 {
        let place = folder.display().to_string();
        found.push(Fault { place, what: "has no link inside".to_string() });
    }
    Ok(found)
}

/// The addresses that a page names, and its places.
fn named(html: &str) -> Result<Named> {
    // Without scripts, what stands in for them holds links, too.
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..Default::default() };
    let options = ParseOpts { tree_builder, ..Default::default() };
    let page = parse_document(HtmlTreeSink::new(Html::new_document()), options).one(html);
    let refresh = Regex::new("(?i)^.*?url=")?;
    let mut named = Named::default();
    for element in page.select(&selector("*")?) {
        let value = element.value();
        named
            .links
            .extend(ATTRIBUTES.iter().filter_map(|name| value.attr(name)).map(str::to_string));
        named.places.extend(value.id().map(str::to_string));
        if value.name() == "meta" && value.attr("http-equiv") == Some("refresh") {
            let content = value.attr("content").unwrap_or_default();
            named.links.push(refresh.replace(content, "").into_owned());
        }
    }
    Ok(named)
}

fn selector(text: &str) -> Result<Selector> {
    Selector::parse(text).map_err(|error| anyhow!("{text}: {error}"))
}

/// The file inside the site to which an address leads, if it leads there.
fn target(from: &Url, to: &Url, base: &str) -> Result<Option<String>> {
    if to.origin() != from.origin() {
        return Ok(None);
    }
    let Some(path) = to.path().strip_prefix(base) else {
        return Ok(None);
    };
    let path = decoded(path)?;
    let whole = path.is_empty() || path.ends_with('/');
    Ok(Some(if whole { format!("{path}index.html") } else { path }))
}

/// What is wrong with an address inside the site.
fn lost(
    to: &Url,
    target: &str,
    files: &BTreeSet<String>,
    pages: &BTreeMap<&str, Named>,
) -> Result<Option<String>> {
    if !files.contains(target) {
        return Ok(Some("leads to no file".to_string()));
    }
    let place = decoded(to.fragment().unwrap_or_default())?;
    let missing = |page: &&Named| !place.is_empty() && !page.places.contains(&place);
    Ok(pages.get(target).filter(missing).map(|_| format!("leads to no place on {target}")))
}

fn decoded(text: &str) -> Result<String> {
    Ok(percent_encoding::percent_decode_str(text).decode_utf8()?.into_owned())
}
