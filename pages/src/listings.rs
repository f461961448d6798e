//! The list of listings: a page of the book, and what leads a search to a listing itself.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use mdbook_preprocessor::book::{BookItem, Chapter};
use mdbook_renderer::errors::{Error, Result};
use pullback_weave::{Book, FigureReference, Listing, Reference};
use regex::Regex;

use crate::addresses;
use crate::drawing;
use crate::figure::{label, target, with_references};
use crate::math::{formulas, Converter};
use crate::pattern::pattern;
use crate::preprocessor::replace;
use crate::source::relative;

/// The page, relative to the book's pages.
const PAGE: &str = "listings.md";

/// A line that defines something which has a name.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^ \s* (?: pub (?: \( [^)]* \) )? \s+ )? (?: (?: const | async | unsafe ) \s+ )*
            (?: fn | struct | enum | trait | type | const | static | mod | macro_rules! ) \s+ (\w+)",
    )
});

/// The page that lists every listing with its address and what it defines.
pub(crate) fn chapter(woven: &Book, converter: &Converter) -> Result<BookItem> {
    let mut page = String::from(
        "<!-- description: Every listing of the book with its address and what it defines. -->\n\n\
         # List of listings\n\n\
         The name of a listing stays when chapters are reordered, and so does its address here: \
         cite that.\n\n<div class=\"listings-page\">\n\n",
    );
    for listing in woven.listings() {
        let (name, label) = (&listing.anchor, label(woven, listing));
        let there = relative(Path::new(PAGE), &listing.chapter);
        let address = addresses::page(name).to_string_lossy().replace('\\', "/");
        page.push_str(&format!(
            "## {label}: {name} {{#{name}}}\n\n{} \
             [Go there]({there}#{})<span class=\"address\"> · Address: [`{address}`]({address})\
             </span>{}\n\n",
            caption(woven, listing, converter),
            target(name),
            defined(listing),
        ));
    }
    page.push_str("</div>\n");
    let mut chapter = Chapter::new("List of listings", page, PAGE, Vec::new());
    chapter.source_path = None;
    Ok(BookItem::Chapter(chapter))
}

/// A caption with labels in place of references: this list leads to one listing, not on to others.
fn caption(woven: &Book, listing: &Listing, converter: &Converter) -> String {
    let labelled = |reference: &Reference| {
        woven.listing(&reference.anchor).map_or_else(String::new, |other| label(woven, other))
    };
    let drawn = |reference: &FigureReference| {
        let figure = woven.figure(reference.drawing);
        figure.map_or_else(String::new, |(chapter, figure)| drawing::label(chapter, figure))
    };
    let caption = match woven.chapter(&listing.chapter) {
        Some(chapter) => {
            with_references(chapter, &listing.woven_span, &listing.caption, labelled, drawn)
        }
        None => listing.caption.clone(),
    };
    // A formula that is at fault has been reported where it was typed.
    let rendered = formulas(&caption)
        .into_iter()
        .filter_map(|formula| Some((formula.span.clone(), converter.convert(&formula).ok()?)))
        .collect();
    replace(&caption, rendered)
}

/// The names that a listing defines, in its order.
fn defined(listing: &Listing) -> String {
    let mut names: Vec<String> = Vec::new();
    for line in listing.text.lines() {
        let name = ITEM.captures(line).map(|found| format!("`{}`", &found[1]));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    match names.is_empty() {
        true => String::new(),
        false => format!("\n\nDefines {}", names.join(" ")),
    }
}

/// Makes the search lead from an entry of the list straight to the listing.
///
/// mdBook's search leads to headings, and a listing is none. The list has a heading for each;
/// so the addresses that the search holds for them are exchanged.
pub(crate) fn lead_search_to_listings(folder: &Path, woven: &Book) -> Result<()> {
    let mut indexes = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| name.starts_with("searchindex") && name.ends_with(".js")) {
            indexes.push(path);
        }
    }
    for path in indexes {
        let mut index = fs::read_to_string(&path)?;
        for listing in woven.listings() {
            let html =
                |page: &Path| page.with_extension("html").to_string_lossy().replace('\\', "/");
            let old = format!("\"{}#{}\"", html(Path::new(PAGE)), listing.anchor);
            let new = format!("\"{}#{}\"", html(&listing.chapter), target(&listing.anchor));
            if index.matches(&old).count() != 1 {
                let name = path.display();
                return Err(Error::msg(format!("{name}: the search does not hold {old} once")));
            }
            index = index.replacen(&old, &new, 1);
        }
        fs::write(&path, index)?;
    }
    Ok(())
}
