//! An address for every listing that stays when the listing moves or gets another name.
//!
//! `a/ANCHOR.html` leads to the place where the anchor is printed. A listing that was renamed
//! is entered in `book.toml`, old name before new, and then keeps its old address, too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mdbook_renderer::errors::Result;
use pullback_weave::{Book, Listing};

use crate::boxes::escaped;
use crate::figure::{label, target};
use crate::finish::write;
use crate::head::Site;
use crate::preprocessor::PageFault;
use crate::settings::Written;
use crate::source::relative;

/// The folder of the addresses.
const FOLDER: &str = "a";

/// The addresses of a book without faults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Addresses {
    /// What a listing was called, and what it is called now.
    renamed: BTreeMap<String, String>,
}

/// What is wrong with the table of former names, held to the listings that the book prints.
pub(crate) fn faults(book_toml: &Written, woven: &Book) -> Vec<PageFault> {
    let renamed = &book_toml.renamed;
    let later: BTreeMap<&str, &str> =
        renamed.iter().map(|(old, new)| (old.get_ref().as_str(), new.get_ref().as_str())).collect();
    let mut faults = Vec::new();
    for (old, new) in renamed {
        let (place, old, new) = (old.span(), old.get_ref().as_str(), new.get_ref().as_str());
        let what = if !is_name(old) {
            format!(
                "`{old}` was never the name of a listing; such a name is lower-case words with \
                 `-` between them"
            )
        } else if woven.listing(old).is_some() {
            format!(
                "`{old}` is the name of a listing today, so nothing renamed it; take the line out"
            )
        } else if old == new {
            format!("`{old}` leads to itself; name its listing")
        } else if woven.listing(new).is_some() {
            continue;
        } else if let Some(newer) = later.get(new) {
            format!(
                "`{new}` is a former name itself, of `{newer}`; lead `{old}` straight to the \
                 listing of today"
            )
        } else {
            format!("no listing is called `{new}`, to which the address of `{old}` should lead")
        };
        faults.push(book_toml.fault(place, what));
    }
    faults.sort_by_key(|fault| fault.line);
    faults
}

impl Addresses {
    pub(crate) fn new(renamed: BTreeMap<String, String>) -> Self {
        Addresses { renamed }
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
    word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.split('-').all(|part| !part.is_empty() && part.chars().all(form))
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
        for word in ["", "-a", "1a", "a-", "a--b", "a_b", "a b", "é", "A", "../a", "a.b", "a/b"] {
            assert!(!is_name(word), "{word}");
        }
    }
}
