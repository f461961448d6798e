//! Where the source of a listing can be read: at the commit, or on a page of the book; and the
//! pages of the checks.

use std::fs;
use std::path::{Path, PathBuf};

use mdbook_preprocessor::book::{BookItem, Chapter};
use pullback_weave::{Book, Kind, Listing};

use crate::boxes::{code, reachable};
use crate::colour;
use crate::figure::{checks, label, target};
use crate::links::rust_files;

/// The folder of the book's pages that show whole source files.
pub(crate) const FOLDER: &str = "source";

/// A public copy of the repository, at the commit that is being built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The address of the repository's page; none leaves it to `book.toml`.
    pub url: Option<String>,
    /// The full hash of the commit.
    pub commit: String,
}

impl Repository {
    /// Reads the variables that GitHub sets for a workflow.
    ///
    /// A build on somebody's own machine has no commit that is known to be
    /// public, hence no repository: its links lead to the book's own pages.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let url = set("GITHUB_SERVER_URL")
            .zip(set("GITHUB_REPOSITORY"))
            .map(|(server, name)| format!("{}/{name}", server.trim_end_matches('/')));
        Some(Repository { url, commit: set("GITHUB_SHA")? })
    }
}

/// Knows the address of every line of the source.
#[derive(Debug, Clone)]
pub(crate) struct SourceLinks {
    /// The address below which the repository's paths lie at the built commit.
    base: Option<String>,
}

impl SourceLinks {
    /// `configured` is the repository address of `book.toml`, which has the first word.
    pub(crate) fn new(configured: Option<String>, repository: Option<&Repository>) -> Self {
        let base = repository.and_then(|repository| {
            let url = configured.or_else(|| repository.url.clone())?;
            Some(format!("{}/blob/{}", url.trim_end_matches('/'), repository.commit))
        });
        SourceLinks { base }
    }

    /// The link from the chapter at `from` to the lines of a listing.
    pub(crate) fn lines(&self, listing: &Listing, from: &Path) -> String {
        let page = match &self.base {
            Some(base) => format!("{base}/{}", slashed(&listing.source)),
            None => relative(from, &page_path(&listing.source)),
        };
        format!("{page}#{}", fragment(listing))
    }
}

/// The address of a listing's lines below the book's own folder.
pub(crate) fn source_address(listing: &Listing) -> String {
    let page = page_path(&listing.source).with_extension("html");
    format!("{}#{}", slashed(&page), fragment(listing))
}

/// The address of a listing's check below the book's own folder.
pub(crate) fn check_address(listing: &Listing) -> String {
    slashed(&page_path(&listing.check).with_extension("html"))
}

/// The lines of a listing in an address, as a forge writes them and our own pages do.
fn fragment(listing: &Listing) -> String {
    match (listing.first_line, listing.last_line) {
        (first, last) if first == last => format!("L{first}"),
        (first, last) => format!("L{first}-L{last}"),
    }
}

/// The lines of a listing in words.
pub(crate) fn lines(listing: &Listing) -> String {
    match (listing.first_line, listing.last_line) {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first}–{last}"),
    }
}

/// The address of a line below the book's own folder.
pub(crate) fn line_address(file: &Path, line: usize) -> String {
    format!("{}#L{line}", slashed(&page_path(file).with_extension("html")))
}

/// The pages that show every file of the library, and every check, under one heading page.
pub(crate) fn pages(woven: &Book) -> Result<BookItem, (PathBuf, std::io::Error)> {
    let folder = woven.root.join("src");
    let files = rust_files(&folder).map_err(|error| (folder, error))?;

    let index_path = Path::new(FOLDER).join("index.md");
    let mut index = String::from(
        "<!-- description: Every file of the library, whole. -->\n\n\
         <div class=\"source-page\">\n\n# Source files\n\n\
         The files of the library, of which this book prints parts, as they were when it was built.\n\n",
    );
    let mut sub_items = Vec::new();
    let mut add = |index: &mut String, file: &Path, content: String| {
        let (name, path) = (slashed(file), page_path(file));
        index.push_str(&format!("- [`{name}`]({})\n", relative(&index_path, &path)));
        let mut chapter = synthetic(&name, content, path);
        chapter.parent_names = vec!["Source files".to_string()];
        sub_items.push(BookItem::Chapter(chapter));
    };
    for path in &files {
        let file = path.strip_prefix(&woven.root).unwrap_or(path);
        let text = fs::read_to_string(path).map_err(|error| (file.to_path_buf(), error))?;
        add(&mut index, file, page(woven, file, &text));
    }
    index.push_str("\nWhat checks the listings:\n\n");
    for listing in woven.listings() {
        add(&mut index, &listing.check, check_page(woven, listing));
    }
    index.push_str("\n</div>\n");
    let mut chapter = synthetic("Source files", index, index_path);
    chapter.sub_items = sub_items;
    Ok(BookItem::Chapter(chapter))
}

/// The link from the chapter at `from` to the page of a listing's check.
pub(crate) fn check_link(listing: &Listing, from: &Path) -> String {
    relative(from, &page_path(&listing.check))
}

/// The check of one listing, and which one that is.
fn check_page(woven: &Book, listing: &Listing) -> String {
    let chapter = relative(&page_path(&listing.check), &listing.chapter);
    let (label, target) = (label(woven, listing), target(&listing.anchor));
    let intro = format!("Checks [{label}]({chapter}#{target}).\n\n");
    let description = format!("What checks {label}, {}.", listing.anchor);
    file_page(&slashed(&listing.check), &description, &intro, "", &listing.check_text)
}

/// The script beside that page, which gives the check to the page of the listing. A script, since
/// a page that is opened from a disk may read no other page.
pub(crate) fn check_script(woven: &Book, listing: &Listing) -> String {
    let html = format!(
        "<pre><code class=\"language-rust\"{}>{}</code></pre>",
        reachable("region", &checks(woven, listing)),
        colour::html(listing.check_text.trim_end(), &[], &[]),
    );
    format!("document.currentScript.check = {};\n", serde_json::Value::from(html))
}

/// A chapter without a file behind it.
fn synthetic(name: &str, content: String, path: PathBuf) -> Chapter {
    let mut chapter = Chapter::new(name, content, path, Vec::new());
    chapter.source_path = None;
    chapter
}

/// One file with line numbers, and where the book prints it.
fn page(woven: &Book, file: &Path, text: &str) -> String {
    let mut printed: Vec<&Listing> =
        woven.listings().filter(|listing| listing.source == file).collect();
    printed.sort_by_key(|listing| (listing.first_line, listing.last_line));
    let from = page_path(file);
    let mut places = String::new();
    for listing in printed.iter().filter(|listing| listing.kind == Kind::Full) {
        let chapter = relative(&from, &listing.chapter);
        let (lines, fragment) = (lines(listing), fragment(listing));
        let (label, target) = (label(woven, listing), target(&listing.anchor));
        places.push_str(&format!("- [{lines}](#{fragment}): [{label}]({chapter}#{target})\n"));
    }
    // What a link to several lines leads to: an empty box over them, which shows when it is
    // the target. A line of its own is marked at its number.
    let mut regions = String::new();
    printed.dedup_by_key(|listing| (listing.first_line, listing.last_line));
    for listing in printed.iter().filter(|listing| listing.first_line != listing.last_line) {
        let (first, count) = (listing.first_line, listing.last_line - listing.first_line + 1);
        regions.push_str(&format!(
            "<span id=\"{}\" style=\"--first: {first}; --count: {count}\"></span>",
            fragment(listing)
        ));
    }
    let places = if places.is_empty() {
        String::new()
    } else {
        format!("Printed in the book:\n\n{places}\n")
    };
    let name = slashed(file);
    let description = format!("{name} with line numbers, and where the book prints it.");
    file_page(&name, &description, &places, &regions, text)
}

/// A page with a file's lines and their numbers.
fn file_page(name: &str, description: &str, intro: &str, regions: &str, text: &str) -> String {
    let mut numbers = String::new();
    for number in 1..=text.lines().count() {
        numbers.push_str(&format!("<span id=\"L{number}\">{number}</span>\n"));
    }
    format!(
        "<!-- description: {description} -->

\
         <div class=\"source-page\">

# `{name}`

{intro}\
         <div class=\"source-file\">\n<div class=\"line-regions\">{regions}</div>\n\
         <pre class=\"line-numbers\" aria-hidden=\"true\">{numbers}</pre>\n\n\
         {}\n</div>\n\n</div>\n",
        code("rust", text, name)
    )
}

/// The page of a source file, relative to the book's pages.
fn page_path(file: &Path) -> PathBuf {
    Path::new(FOLDER).join(file).with_extension("md")
}

/// A relative link from one chapter to another, as chapters name each other.
pub(crate) fn relative(from: &Path, to: &Path) -> String {
    let up = "../".repeat(from.components().count().saturating_sub(1));
    format!("{up}{}", slashed(to))
}

pub(crate) fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Option<Repository> {
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        Repository::from_environment(|name| {
            pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
        })
    }

    #[test]
    fn a_repository_needs_a_commit() {
        assert_eq!(environment(&[]), None);
        assert_eq!(
            environment(&[
                ("GITHUB_SERVER_URL", "https://github.com"),
                ("GITHUB_REPOSITORY", "who/what"),
                ("GITHUB_SHA", ""),
            ]),
            None
        );
        assert_eq!(
            environment(&[("GITHUB_SHA", "abc")]),
            Some(Repository { url: None, commit: "abc".to_string() })
        );
        assert_eq!(
            environment(&[
                ("GITHUB_SERVER_URL", "https://github.com/"),
                ("GITHUB_REPOSITORY", "who/what"),
                ("GITHUB_SHA", "abc"),
            ]),
            Some(Repository {
                url: Some("https://github.com/who/what".to_string()),
                commit: "abc".to_string()
            })
        );
    }

    #[test]
    fn the_book_s_own_address_goes_before_the_environment_s() {
        let at = |url: Option<&str>| Repository {
            url: url.map(str::to_string),
            commit: "abc".to_string(),
        };
        let base = |configured: Option<&str>, repository: Option<Repository>| {
            SourceLinks::new(configured.map(str::to_string), repository.as_ref()).base
        };
        assert_eq!(base(Some("https://a.example/b/"), None), None);
        assert_eq!(base(None, Some(at(None))), None);
        assert_eq!(
            base(Some("https://a.example/b/"), Some(at(Some("https://c.example/d")))).as_deref(),
            Some("https://a.example/b/blob/abc")
        );
        assert_eq!(
            base(None, Some(at(Some("https://c.example/d")))).as_deref(),
            Some("https://c.example/d/blob/abc")
        );
    }

    #[test]
    fn links_between_pages_are_relative() {
        let link = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(link("a.md", "b.md"), "b.md");
        assert_eq!(link("a.md", "source/src/x.md"), "source/src/x.md");
        assert_eq!(link("source/src/x.md", "a.md"), "../../a.md");
    }
}
