//! The rules for directives: each names something that exists and is tested.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::anchors::{self, pattern};
use crate::expand::{Directive, Page};
use crate::fault::{Fault, What};
use crate::figures;
use crate::library::Library;
use crate::text::{normalize, read, slashed};

/// Anything that looks like a directive.
static BRACES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\{\{\s*#[^}\n]*(\}\})?"));
/// A directive that lacks its mark, its word or one of its braces: it would stand in the page as
/// typed. What names a file by its way from here is one, whatever its word.
static MISSPELT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?xim) \{\{ \s* (?:listing|figure|include) \s [^}\n]* \}?\}?
            | \{ \s* \# \s* (?:listing|figure|include) \s [^}\n]* \}?\}?
            | \{ \{? \s* \#? \s* \w+ :? [\ \t]+ \.\.?/ [^}\s]* \s* \}?\}?
            | ^ [\ \t]* \# \ ? include [\ \t]+ \.\.?/ [^\n]*",
    )
});
/// A reference to a listing, which a later step turns into a link.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\{\{#listing ([^\s}]+)\}\}$"));

/// What the directives of one page come to.
#[derive(Debug, Default)]
pub(crate) struct Includes {
    /// The sound includes of Rust, which a listing must consume.
    pub(crate) rust: Vec<Directive>,
    /// The included files, relative to the root.
    pub(crate) files: Vec<PathBuf>,
    /// The directives that are faults already, by their start.
    faulty: Vec<usize>,
}

impl Includes {
    /// Whether a fault is already reported for this directive.
    pub(crate) fn is_faulty(&self, directive: &Directive) -> bool {
        self.faulty.contains(&directive.source.start)
    }

    /// Whether `at`, on the woven page, lies in what such a directive left.
    pub(crate) fn is_remnant(&self, page: &Page, at: usize) -> bool {
        let mut directives = page.directives.iter();
        directives.any(|one| one.woven.contains(&at) && self.is_faulty(one))
    }
}

/// Checks the directives of `page`, found at `file`.
pub(crate) fn check(
    root: &Path,
    file: &Path,
    page: &Page,
    library: &Library,
    faults: &mut Vec<Fault>,
) -> Includes {
    let mut includes = Includes::default();
    if !page.faithful {
        faults.push(What::Expansion.at(file, 1));
    }
    for directive in &page.directives {
        let (written, _) = directive.target();
        let (written, anchor) = (written.to_owned(), directive.anchor());
        let fault = match directive.kind.as_str() {
            // An escaped one is left in the page, which the search for braces reports; a title
            // prints nothing.
            "" | "title" => continue,
            "include" => {
                let folder = file.parent().unwrap_or(Path::new(""));
                match normalize(&folder.join(&written)) {
                    None => Some(What::OutsideFile(written)),
                    Some(path) if !root.join(&path).is_file() => Some(What::MissingFile(written)),
                    Some(path) => {
                        let Some(text) = read(root, &path, faults) else {
                            includes.faulty.push(directive.source.start);
                            continue;
                        };
                        let what = inspect(&path, &text, directive, page, library);
                        includes.files.push(path);
                        what
                    }
                }
            }
            other => Some(What::Directive(other.to_owned())),
        };
        match fault {
            Some(what) => {
                let fault = what.at(file, page.source_line(directive.source.start));
                faults.push(match anchor {
                    Some(anchor) => fault.on(anchor),
                    None => fault,
                });
                includes.faulty.push(directive.source.start);
            }
            None if directive.target().0.ends_with(".rs") => includes.rust.push(directive.clone()),
            None => {}
        }
    }
    includes
}

/// Whether mdBook would find further directives in what this one, of the page at `path` below
/// `book/`, takes in.
pub(crate) fn unfolds(root: &Path, path: &Path, directive: &Directive) -> bool {
    if matches!(directive.kind.as_str(), "" | "title") {
        return false;
    }
    let folder = Path::new("book").join(path.parent().unwrap_or(Path::new("")));
    let Some(target) = normalize(&folder.join(directive.target().0)) else {
        return false;
    };
    let text = || fs::read_to_string(root.join(&target)).unwrap_or_default();
    is_chapter(&target) || !slashed(&target).ends_with(".rs") && BRACES.is_match(&text())
}

/// Whether a file is a page of the book.
fn is_chapter(path: &Path) -> bool {
    let markdown = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("md"));
    markdown && path.starts_with("book")
}

/// What is wrong with an include of a file that exists.
fn inspect(
    path: &Path,
    text: &str,
    directive: &Directive,
    page: &Page,
    library: &Library,
) -> Option<What> {
    let name = || slashed(path);
    if is_chapter(path) {
        return Some(What::IncludedChapter(name()));
    }
    // mdBook expands what it has included once more. In a listing, that shows as another text.
    if BRACES.is_match(text) && !name().ends_with(".rs") {
        return Some(What::NestedDirective(name()));
    }
    if let Some(anchor) = directive.anchor() {
        let known = library.regions.get(anchor);
        if known.is_none_or(|region| region.file != path) {
            match anchors::has(text, anchor) {
                (false, _) => return Some(What::MissingAnchor(name())),
                (true, false) => return Some(What::UnclosedAnchor),
                (true, true) => {}
            }
        }
    }
    let printed = &page.woven[directive.woven.clone()];
    printed.trim().is_empty().then(|| What::EmptyInclude(name()))
}

/// What braces on a woven page are.
pub(crate) enum Braces {
    /// A reference to the listing of this anchor.
    Reference(String),
    /// The place of a figure, or a reference to it.
    Figure(String),
    /// Something that mdBook should have expanded.
    Left,
    /// What was meant for a directive.
    Misspelt,
}

/// Every `{{#` on a page, with its bytes.
pub(crate) fn braces(page: &str) -> Vec<(std::ops::Range<usize>, Braces)> {
    let found = BRACES.find_iter(page).map(|found| {
        let figure = || match figures::reference(found.as_str()) {
            Some(name) => Braces::Figure(name.to_owned()),
            None => Braces::Left,
        };
        let what = REFERENCE
            .captures(found.as_str())
            .map_or_else(figure, |reference| Braces::Reference(reference[1].to_owned()));
        (found.range(), what)
    });
    let mut found: Vec<_> = found.collect();
    for misspelt in MISSPELT.find_iter(page) {
        let known = |one: &std::ops::Range<usize>| one.contains(&misspelt.start());
        let inner = misspelt.start().checked_sub(1);
        let inner = inner.is_some_and(|at| found.iter().any(|(one, _)| one.contains(&at)));
        if !inner && !found.iter().any(|(one, _)| known(one)) {
            found.push((misspelt.range(), Braces::Misspelt));
        }
    }
    found.sort_by_key(|(span, _)| span.start);
    found
}
