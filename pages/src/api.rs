//! Links between the book and the documentation that rustdoc writes, in both directions.
//!
//! A link typed into a docstring would stand in the listing that it leads to, and no build checks
//! it. rustdoc says for every item in which lines its source stands; the weave knows which listing
//! prints them. So the written pages are joined by these two facts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mdbook_renderer::errors::{Error, Result};
use pullback_weave::{Book, Kind, Listing};
use regex::Regex;

use crate::addresses;
use crate::boxes::escaped;
use crate::figure::{label, target};
use crate::pattern::pattern;
use crate::source::relative;

/// Where a site has the documentation.
const FOLDER: &str = "api";

/// How many links were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ApiLinks {
    /// Links from an item of the documentation to the listing that prints it.
    pub to_listings: usize,
    /// Links from a listing to a page of the documentation.
    pub to_items: usize,
}

/// A link to the source on a page of rustdoc: its attributes, how far up the root is, the crate,
/// the file below the crate's `src`, the first line.
static SOURCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r##"(?x) <a\ class="(src[^"]*)"
            \ href="(?:\.\./)+src/(\w+)/([^"\#]+\.rs)\.html\#(\d+)[^"]*">Source</a>"##,
    )
});

/// A place on a page that a link can name.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<section id="method\.(\w+)" class="method">$"#));

/// A page of one item: what it is, and its name.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:struct|enum|union|trait|fn|macro|constant|static|type)\.(\w+)\.html$")
});

/// What a listing defines: by the name of its page, how it is called and where it is documented.
/// Of the methods of one type that it prints, the first one stands for all.
type Places = BTreeMap<String, (String, String)>;

/// Links the documentation of a built site with the book whose root is given.
///
/// # Errors
///
/// A file that cannot be read or written, a page of the documentation whose item has no
/// link to its source, and a site in which nothing is linked.
pub fn link_api(root: &Path, site: &Path) -> Result<ApiLinks> {
    let woven = pullback_weave::load(root)?;
    let mut links = ApiLinks::default();
    let mut places: BTreeMap<&str, Places> = BTreeMap::new();
    for path in pages(site, &Path::new(FOLDER).join(crate_name(root)?))? {
        let page = fs::read_to_string(site.join(&path))?;
        // The place where an item is defined leads to the place where it is public.
        if page.contains("http-equiv=\"refresh\"") {
            continue;
        }
        let file = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let name = ITEM.captures(&file).map(|found| found[1].to_string());
        let mut linked = String::new();
        let (mut done, mut first) = (0, true);
        for found in SOURCE.captures_iter(&page) {
            let Some(whole) = found.get(0) else { continue };
            linked.push_str(&page[done..whole.end()]);
            done = whole.end();
            let is_item = std::mem::take(&mut first);
            let line = found[4].parse()?;
            let Some(listing) = printing(&woven, Path::new(&found[3]), line) else { continue };
            let address = relative(&path, &addresses::page(&listing.anchor));
            linked.push_str(&format!(
                " <a class=\"{}\" href=\"{address}\">{}</a>",
                &found[1],
                label(&woven, listing)
            ));
            links.to_listings += 1;
            let Some(name) = &name else { continue };
            let method = PLACE.captures(&page[..whole.start()]).map(|found| found[1].to_string());
            let item = match (is_item, method) {
                (true, _) => (name.clone(), slashed(&path)),
                (false, Some(method)) => {
                    (format!("{name}::{method}"), format!("{}#method.{method}", slashed(&path)))
                }
                // An impl is documented with its type.
                (false, None) => continue,
            };
            places.entry(&listing.anchor).or_default().entry(name.clone()).or_insert(item);
        }
        if name.is_some() && first {
            let path = path.display();
            return Err(Error::msg(format!("{path}: no link to the source, as rustdoc writes it")));
        }
        linked.push_str(&page[done..]);
        fs::write(site.join(&path), linked)?;
    }
    for chapter in woven.chapters.iter().filter(|chapter| !chapter.listings.is_empty()) {
        let path = chapter.path.with_extension("html");
        let mut files = BTreeSet::from([path.clone()]);
        if woven.chapters.first().is_some_and(|first| first.path == chapter.path) {
            files.insert(PathBuf::from("index.html"));
        }
        for file in files {
            let mut page = fs::read_to_string(site.join(&file))?;
            for listing in &chapter.listings {
                let Some(places) = places.get(listing.anchor.as_str()) else { continue };
                links.to_items += places.len();
                page = with_items(&page, &file, listing, places)?;
            }
            fs::write(site.join(&file), page)?;
        }
    }
    if links.to_listings == 0 || links.to_items == 0 {
        return Err(Error::msg("no item of the documentation stands in a listing"));
    }
    Ok(links)
}

/// The name of the crate at a root, as paths of the documentation have it.
fn crate_name(root: &Path) -> Result<String> {
    let manifest: toml::Table = toml::from_str(&fs::read_to_string(root.join("Cargo.toml"))?)?;
    let name = manifest.get("package").and_then(|package| package.get("name")?.as_str());
    let name = name.ok_or_else(|| Error::msg("Cargo.toml names no package"))?;
    Ok(name.replace('-', "_"))
}

/// The full listing that prints a line of a file below `src`.
fn printing<'book>(woven: &'book Book, file: &Path, line: usize) -> Option<&'book Listing> {
    let file = Path::new("src").join(file);
    woven.listings().find(|listing| {
        listing.kind == Kind::Full && listing.source == file && listing.lines.contains(&line)
    })
}

/// The page with links to what a listing defines at the end of its caption.
fn with_items(page: &str, path: &Path, listing: &Listing, places: &Places) -> Result<String> {
    let id = format!(" id=\"{}\"", target(&listing.anchor));
    let end = page.find(&id).and_then(|at| Some(at + page[at..].find("</figcaption>")?));
    let end = end.ok_or_else(|| {
        Error::msg(format!("{}: no caption for {}", path.display(), listing.anchor))
    })?;
    let items: Vec<String> = places
        .values()
        .map(|(name, place)| {
            let address = escaped(&relative(path, Path::new(place)));
            format!("<a href=\"{address}\">{name}</a>")
        })
        .collect();
    let items = items.join(", ");
    Ok(format!("{}<p class=\"api\">API: {items}</p>\n{}", &page[..end], &page[end..]))
}

/// All pages below a folder of the site, relative to the site, in order.
fn pages(site: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(site.join(folder))? {
        let path = folder.join(entry?.file_name());
        if site.join(&path).is_dir() {
            found.extend(pages(site, &path)?);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rustdoc_s_links_and_places_are_read() -> Result<()> {
        let link =
            "<a class=\"src rightside\" href=\"../../src/x/deep/mod.rs.html#5-7\">Source</a>";
        let found =
            SOURCE.captures(link).map(|found| [1, 2, 3, 4].map(|part| found[part].to_string()));
        let wanted = ["src rightside", "x", "deep/mod.rs", "5"].map(str::to_string);
        assert_eq!(found, Some(wanted));
        assert!(PLACE.is_match("<p><section id=\"method.add\" class=\"method\">"));
        assert!(!PLACE.is_match("<section id=\"method.clone\" class=\"method trait-impl\">"));
        assert!(!PLACE.is_match("<section id=\"method.add\" class=\"method\"><p>"));
        Ok(())
    }
}
