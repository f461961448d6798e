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
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
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

/// The parts of `book.toml` that this crate reads, with the place of each word.
#[derive(Debug, Default, Deserialize)]
struct Settings {
    #[serde(default)]
    output: Outputs,
    #[serde(default, rename = "preprocessor")]
    _preprocessor: Preprocessors,
}

#[derive(Debug, Default, Deserialize)]
struct Outputs {
    #[serde(default, rename = "pullback-site")]
    site: Table,
}

#[derive(Debug, Default, Deserialize)]
struct Preprocessors {
    #[serde(default, rename = "pullback")]
    _pullback: Preprocessing,
}

/// The table of the last output. A key that nobody reads is a slip, and would do nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    renamed: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(rename = "short-title")]
    _short_title: Option<String>,
    #[serde(rename = "api")]
    _api: Option<PathBuf>,
    #[serde(rename = "epub")]
    _epub: Option<Volume>,
    #[serde(rename = "command")]
    _command: Option<String>,
    #[serde(default, rename = "optional", deserialize_with = "mandatory")]
    _optional: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Volume {
    #[serde(rename = "file")]
    _file: Option<PathBuf>,
    #[serde(rename = "modified")]
    _modified: Option<String>,
}

/// The table of the preprocessor: it has only mdBook's own keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Preprocessing {
    #[serde(rename = "command")]
    _command: Option<String>,
    #[serde(default, rename = "optional", deserialize_with = "mandatory")]
    _optional: bool,
    #[serde(rename = "before")]
    _before: Option<Vec<String>>,
    #[serde(rename = "after")]
    _after: Option<Vec<String>>,
    #[serde(rename = "renderers")]
    _renderers: Option<Vec<String>>,
}

/// mdBook leaves out what is optional and cannot start, and builds the book without its checks.
fn mandatory<'de, D: Deserializer<'de>>(value: D) -> std::result::Result<bool, D::Error> {
    let optional = bool::deserialize(value)?;
    let refused = "without this program nothing checks the pages; take the line out";
    if optional {
        Err(D::Error::custom(refused))
    } else {
        Ok(optional)
    }
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
        let table = settings.output.site.renamed;
        let later: BTreeMap<String, String> =
            table.iter().map(|(old, new)| (old.get_ref().clone(), new.get_ref().clone())).collect();
        let mut renamed = BTreeMap::new();
        let mut faults = Vec::new();
        for (old, new) in table {
            let (place, old, new) = (old.span(), old.into_inner(), new.into_inner());
            if !is_name(&old) {
                let what = format!(
                    "`{old}` was never the name of a listing; such a name is lower-case words with \
                     `-` between them"
                );
                faults.push(fault(place, what));
            } else if woven.listing(&old).is_some() {
                let what = format!(
                    "`{old}` is the name of a listing today, so nothing renamed it; take the line \
                     out"
                );
                faults.push(fault(place, what));
            } else if old == new {
                faults.push(fault(place, format!("`{old}` leads to itself; name its listing")));
            } else if let (None, Some(newer)) = (woven.listing(&new), later.get(&new)) {
                let what = format!(
                    "`{new}` is a former name itself, of `{newer}`; lead `{old}` straight to the \
                     listing of today"
                );
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
    fn a_key_that_nobody_reads_is_refused() {
        let read = |text: &str| {
            toml::from_str::<Settings>(text).map_err(|error| {
                let line = text[..error.span().unwrap_or_default().start].matches('\n').count() + 1;
                format!("{line}: {}", error.message())
            })
        };
        let site = "command = \"x\"\noptional = false\nshort-title = \"x\"\napi = \"x\"\n\
                    epub = { file = \"x\", modified = \"x\" }\nrenamed = { a = \"b\" }";
        let own = "command = \"x\"\noptional = false\nbefore = []\nafter = []\nrenderers = []";
        let sound = format!(
            "[output.html]\nx = 1\n[preprocessor.links]\ny = 1\n[output.pullback-site]\n{site}\n\
             [preprocessor.pullback]\n{own}\n"
        );
        assert_eq!(read(&sound).err(), None);
        for (text, says) in [
            ("[output.pullback-site]\nshort_title = \"x\"", "2: unknown field `short_title`"),
            ("[output.pullback-site.rename]\na = \"b\"", "1: unknown field `rename`"),
            ("[output.pullback-site.epub]\nfiles = \"x\"", "2: unknown field `files`"),
            ("[output.pullback-site]\nafter = []", "2: unknown field `after`"),
            ("[preprocessor.pullback]\nafer = []", "2: unknown field `afer`"),
            ("[output.pullback-site.renamed]\na = 1", "2: invalid type: integer `1`"),
        ] {
            let error = read(text).err().unwrap_or_default();
            assert!(error.starts_with(says) && error.contains("expected"), "{text}: {error}");
        }
        for table in ["output.pullback-site", "preprocessor.pullback"] {
            let error = read(&format!("[{table}]\noptional = true")).err().unwrap_or_default();
            assert!(error.starts_with("2: without this program"), "{table}: {error}");
        }
    }

    #[test]
    fn a_name_has_the_form_of_an_anchor() {
        assert!(is_name("tensor-reverse-pass") && is_name("x2"));
        for word in ["", "-a", "1a", "a-", "a--b", "a_b", "a b", "é", "A", "../a", "a.b", "a/b"] {
            assert!(!is_name(word), "{word}");
        }
    }
}
