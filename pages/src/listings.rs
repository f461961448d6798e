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
use crate::links::Definitions;
use crate::math::{formulas, Converter};
use crate::pattern::pattern;
use crate::preprocessor::replace;
use crate::source::{line_address, relative, slashed};

/// The page, relative to the book's pages.
const PAGE: &str = "listings.md";

/// The section of names that no listing prints.
pub(crate) const NAMES: &str = "names-outside-of-the-listings";

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
         The name of a listing stays when chapters are reordered<span class=\"address\">, and so \
         does its address here: cite that</span>.\n\n<div class=\"listings-page\">\n\n",
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
    page.push_str(&unprinted(woven)?);
    let mut chapter = Chapter::new("List of listings", page, PAGE, Vec::new());
    chapter.source_path = None;
    Ok(BookItem::Chapter(chapter))
}

/// The section of the public names that no listing prints.
fn unprinted(woven: &Book) -> Result<String> {
    let definitions = Definitions::new(woven, None)
        .map_err(|(path, error)| Error::msg(format!("{}: {error}", path.display())))?;
    let names = definitions.unprinted();
    if names.is_empty() {
        return Ok(String::new());
    }
    let mut section = format!(
        "\n<div class=\"unprinted\">\n\n## Names outside of the listings {{#{NAMES}}}\n\nWhat the \
         source marks `pub` and no chapter prints yet, each with the line that defines it.\n",
    );
    for in_file in names.chunk_by(|one, next| one.file == next.file) {
        let file = slashed(&in_file[0].file);
        let id = file.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        section.push_str(&format!("\n### `{file}` {{#names-{id}}}\n"));
        for of_type in in_file.chunk_by(|one, next| one.host == next.host) {
            let host = of_type[0].host.as_ref().map(|host| format!("`{host}`: "));
            let links: Vec<String> = of_type
                .iter()
                .map(|one| format!("[`{}`]({})", one.name, line_address(&one.file, one.line)))
                .collect();
            section.push_str(&format!("\n{}{}\n", host.unwrap_or_default(), links.join(" ")));
        }
    }
    section.push_str("\n</div>\n");
    Ok(section)
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
