//! An address for every listing that stays when the listing moves or gets another name.
//!
//! `a/ANCHOR.html` leads to the place where the anchor is printed. A listing that was renamed
//! is entered in `book.toml`, old name before new, and then keeps its old address, too.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use mdbook_renderer::errors::{Error, Result};
use pullback_weave::{Book, Listing};
use serde::Deserialize;
use toml::Spanned;

use crate::boxes::escaped;
use crate::figure::{label, target};
use crate::finish::write;
use crate::head::Site;
use crate::preprocessor::{PageFault, PageFaults};
use crate::source::relative;

/// The folder of the addresses.
const FOLDER: &str = "a";

/// The table of `book.toml` that a build without faults has read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Addresses {
    /// What a listing was called, and what it is called now.
    renamed: BTreeMap<String, String>,
}

/// The part of `book.toml` that holds the table, with the place of each word.
#[derive(Debug, Default, Deserialize)]
struct Settings {
    #[serde(default)]
    output: Outputs,
}

#[derive(Debug, Default, Deserialize)]
struct Outputs {
    #[serde(default, rename = "pullback-site")]
    site: Table,
}

#[derive(Debug, Default, Deserialize)]
struct Table {
    #[serde(default)]
    renamed: BTreeMap<Spanned<String>, Spanned<String>>,
}

impl Addresses {
    /// Reads the table, and holds it to the listings that the book prints.
    pub(crate) fn read(woven: &Book) -> Result<Self> {
        let file = Path::new("book.toml");
        let text = fs::read_to_string(woven.root.join(file))?;
        let fault = |at: Range<usize>, what: String| PageFault {
            file: file.to_path_buf(),
            line: text[..at.start].matches('\n').count() + 1,
            what,
        };
        let settings: Settings = toml::from_str(&text).map_err(|error| {
            let what = error.message().to_string();
            Error::new(PageFaults(vec![fault(error.span().unwrap_or_default(), what)]))
        })?;
        let mut renamed = BTreeMap::new();
        let mut faults = Vec::new();
        for (old, new) in settings.output.site.renamed {
            let (place, old, new) = (old.span(), old.into_inner(), new.into_inner());
            if !is_name(&old) {
                let what = format!("`{old}` was never the name of a listing");
                faults.push(fault(place, what));
            } else if woven.listing(&old).is_some() {
                let what = format!("`{old}` is the name of a listing today, so nothing renamed it");
                faults.push(fault(place, what));
            } else if woven.listing(&new).is_none() {
                let what = format!(
                    "no listing is called `{new}`, to which the address of `{old}` should lead"
                );
                faults.push(fault(place, what));
            } else {
                renamed.insert(old, new);
            }
        }
        if !faults.is_empty() {
            faults.sort_by_key(|fault| fault.line);
            return Err(Error::new(PageFaults(faults)));
        }
        Ok(Addresses { renamed })
    }

    /// The former names of a listing.
    fn former<'this>(&'this self, anchor: &'this str) -> impl Iterator<Item = &'this str> {
        self.renamed.iter().filter(move |(_, new)| *new == anchor).map(|(old, _)| old.as_str())
    }

    /// Gives a written page the places of former names, for links to a place on the page.
    pub(crate) fn mark_former(&self, page: &str) -> String {
        let mut page = page.to_string();
        for (old, new) in &self.renamed {
            let id = format!(" id=\"{}\"", target(new));
            let figure = page.find(&id).and_then(|at| page[..at].rfind("<figure"));
            if let Some(at) = figure {
                page.insert_str(at, &format!("<span id=\"{}\"></span>", target(old)));
            }
        }
        page
    }

    /// Writes a page for each address.
    pub(crate) fn write(&self, woven: &Book, folder: &Path, site: &Site) -> Result<()> {
        for listing in woven.listings() {
            for name in std::iter::once(listing.anchor.as_str()).chain(self.former(&listing.anchor))
            {
                write(&folder.join(page(name)), &redirect(woven, listing, site))?;
            }
        }
        Ok(())
    }
}

/// Whether a word has the form of an anchor.
fn is_name(word: &str) -> bool {
    let form = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    !word.is_empty() && word.split('-').all(|part| !part.is_empty() && part.chars().all(form))
}

/// The page of an address, relative to the site.
pub(crate) fn page(anchor: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{anchor}.html"))
}

/// A page that leads on by itself, without a script, and has a link for whoever stops that.
fn redirect(woven: &Book, listing: &Listing, site: &Site) -> String {
    let chapter = relative(&page(&listing.anchor), &listing.chapter.with_extension("html"));
    let place = escaped(&format!("{chapter}#{}", target(&listing.anchor)));
    let name = format!("{}: {}", label(woven, listing), listing.anchor);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{}</title>\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"../style/favicon.svg\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={place}\">\n\
         <main><h1>{name}</h1>\n<p>This listing is printed <a href=\"{place}\">here</a>.</p></main>\n",
        escaped(&site.title_of(&name)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_former_name_is_a_place_before_the_figure() {
        let renamed = BTreeMap::from([("old".to_string(), "new".to_string())]);
        let page = "<p></p><figure class=\"listing\" id=\"listing-new\">";
        assert_eq!(
            Addresses { renamed }.mark_former(page),
            "<p></p><span id=\"listing-old\"></span><figure class=\"listing\" id=\"listing-new\">"
        );
        assert_eq!(Addresses::default().mark_former(page), page);
    }

    #[test]
    fn a_name_has_the_form_of_an_anchor() {
        assert!(is_name("tensor-reverse-pass") && is_name("x2"));
        for word in ["", "-a", "a--b", "A", "../a", "a.b", "a/b"] {
            assert!(!is_name(word), "{word}");
        }
    }
}
