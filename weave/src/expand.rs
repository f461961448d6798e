//! Expansion by mdBook's `links` step, with a map back to the author's lines.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mdbook_driver::book::{Book, BookItem, Chapter};
use mdbook_driver::builtin_preprocessors::LinkPreprocessor;
use mdbook_driver::config::Config;
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use regex::Regex;

use crate::anchors::pattern;
use crate::includes;
use crate::text::Lines;

/// The pattern by which `links` finds its directives. It only locates them;
/// what each expands to, mdBook says. A difference between the two shows as a
/// page that is not the sum of its parts ([`Page::faithful`]).
static DIRECTIVE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\\\{\{#.*\}\}|\{\{\s*#([a-zA-Z0-9_]+)\s+([^}]+)\}\}"));

/// One directive and what stands in its place.
#[derive(Debug, Clone)]
pub(crate) struct Directive {
    /// `include`, `playground`, ...; empty for one escaped by a backslash.
    pub(crate) kind: String,
    /// All after the kind, trimmed.
    pub(crate) argument: String,
    pub(crate) source: Range<usize>,
    pub(crate) woven: Range<usize>,
}

impl Directive {
    /// The path and what follows its first colon.
    pub(crate) fn target(&self) -> (&str, &str) {
        let first = self.argument.split_whitespace().next().unwrap_or_default();
        first.split_once(':').unwrap_or((first, ""))
    }

    /// The anchor, unless the include goes by lines or takes the whole file.
    pub(crate) fn anchor(&self) -> Option<&str> {
        let part = self.target().1.split(':').next().unwrap_or_default();
        (!part.is_empty() && part.parse::<usize>().is_err()).then_some(part)
    }
}

/// A page before and after its expansion.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) source: String,
    pub(crate) woven: String,
    pub(crate) directives: Vec<Directive>,
    /// Whether the woven page is the source with each directive replaced.
    pub(crate) faithful: bool,
    lines: Lines,
}

impl Page {
    /// A page that nothing expands.
    pub(crate) fn plain(source: String) -> Page {
        Page::new(source.clone(), source, Vec::new(), true)
    }

    fn new(source: String, woven: String, directives: Vec<Directive>, faithful: bool) -> Page {
        Page { lines: Lines::new(&source), source, woven, directives, faithful }
    }

    /// The line of the source that offset `at` of the woven page comes from;
    /// inside an expansion, the line of its directive.
    pub(crate) fn line(&self, at: usize) -> usize {
        let before = self.directives.iter().rev().find(|one| one.woven.start <= at);
        self.lines.of(match before {
            None => at,
            Some(one) if at < one.woven.end => one.source.start,
            Some(one) => at - one.woven.end + one.source.end,
        })
    }

    /// Whether offset `at` of the woven page is the author's own text, and no expansion.
    pub(crate) fn is_typed(&self, at: usize) -> bool {
        !self.directives.iter().any(|one| one.woven.contains(&at))
    }

    /// The line of an offset of the source.
    pub(crate) fn source_line(&self, at: usize) -> usize {
        self.lines.of(at)
    }
}

/// Expands every page (path relative to `book/`, source) in one run of mdBook, but for the
/// directives that would unfold further ones: each is a fault, and a page that takes in itself would
/// double with every step. Those leave nothing.
pub(crate) fn expand(root: &Path, pages: Vec<(PathBuf, String)>) -> Vec<Page> {
    let mut items = Vec::new();
    let mut found = Vec::new();
    for (path, source) in &pages {
        let directives: Vec<Directive> =
            DIRECTIVE.captures_iter(source).filter_map(locate).collect();
        let mut kept = source.clone();
        let mut parts = Vec::new();
        for directive in directives.iter().rev() {
            let mut part = source[directive.source.clone()].to_owned();
            if includes::unfolds(root, path, directive) {
                kept.replace_range(directive.source.clone(), "");
                part.clear();
            }
            parts.push(item(path, part));
        }
        items.push(item(path, kept));
        items.extend(parts.into_iter().rev());
        found.push(directives);
    }

    // Only `links` runs: a preprocessor of the project, started by cargo from
    // within a build script, would wait for cargo's lock for ever.
    let mut config = Config::default();
    config.book.src = PathBuf::from("book");
    let context = PreprocessorContext::new(root.to_path_buf(), config, "html".to_owned());
    let book = Book::new_with_items(items);
    let expanded = match LinkPreprocessor::new().run(&context, book) {
        Ok(book) => book,
        // `links` reports nothing as an error today; if it ever does, every
        // page comes out as unfaithful.
        Err(_) => Book::new(),
    };
    let mut texts = expanded.items.into_iter().map(|item| match item {
        BookItem::Chapter(chapter) => chapter.content,
        BookItem::Separator | BookItem::PartTitle(_) => String::new(),
    });

    let mut done = Vec::new();
    for ((_, source), mut directives) in pages.into_iter().zip(found) {
        let woven = texts.next().unwrap_or_default();
        let mut sum = String::new();
        let mut end = 0;
        for directive in &mut directives {
            sum.push_str(&source[end..directive.source.start]);
            let start = sum.len();
            sum.push_str(&texts.next().unwrap_or_default());
            directive.woven = start..sum.len();
            end = directive.source.end;
        }
        sum.push_str(&source[end..]);
        let faithful = sum == woven;
        done.push(Page::new(source, sum, directives, faithful));
    }
    done
}

fn item(path: &Path, content: String) -> BookItem {
    BookItem::Chapter(Chapter::new("", content, path, Vec::new()))
}

/// The directive of one match, unless mdBook leaves its kind alone.
fn locate(found: regex::Captures<'_>) -> Option<Directive> {
    let whole = found.get(0)?;
    let part = |index: usize| found.get(index).map_or("", |part| part.as_str()).trim();
    let kind = part(1);
    let known = ["", "include", "rustdoc_include", "playground", "playpen", "title"];
    known.contains(&kind).then(|| Directive {
        kind: kind.to_owned(),
        argument: part(2).to_owned(),
        source: whole.range(),
        woven: 0..0,
    })
}
