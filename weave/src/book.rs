//! The loaded book: plain data, already held to every rule.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::figures::{Drawing, Figure, FigureReference};
use crate::library::Library;

/// The whole book, expanded and free of faults.
#[derive(Debug, Clone)]
pub struct Book {
    /// The folder that holds `book/`, `src/` and `tests/listings/`, absolute.
    pub root: PathBuf,
    /// The written chapters in the order of `SUMMARY.md`; drafts are left out.
    pub chapters: Vec<Chapter>,
    /// `README.md`, which nothing expands.
    pub readme: String,
    /// Every file that a page includes or a doctest needs, relative to `root`.
    pub inputs: Vec<PathBuf>,
    pub(crate) readme_examples: Vec<Example>,
    pub(crate) library: Library,
}

impl Book {
    /// All listings in reading order.
    pub fn listings(&self) -> impl Iterator<Item = &Listing> {
        self.chapters.iter().flat_map(|chapter| &chapter.listings)
    }

    /// The listing that prints `anchor`.
    pub fn listing(&self, anchor: &str) -> Option<&Listing> {
        self.listings().find(|listing| listing.anchor == anchor)
    }

    /// The chapter that shows a figure, and the figure.
    pub fn figure(&self, drawing: Drawing) -> Option<(&Chapter, &Figure)> {
        self.chapters.iter().find_map(|chapter| {
            let figure = chapter.figures.iter().find(|figure| figure.drawing == drawing)?;
            Some((chapter, figure))
        })
    }

    /// The chapter at `path`, relative to `book/`.
    pub fn chapter(&self, path: impl AsRef<Path>) -> Option<&Chapter> {
        let path = path.as_ref();
        self.chapters.iter().find(|chapter| chapter.path == path)
    }
}

/// One written chapter.
#[derive(Debug, Clone)]
pub struct Chapter {
    /// The file, relative to `book/`.
    pub path: PathBuf,
    /// The title `SUMMARY.md` gives it.
    pub title: String,
    /// Its number without a final dot (`"15"`); none for a prefix or suffix chapter.
    pub number: Option<String>,
    /// The Markdown as the author wrote it.
    pub source: String,
    /// The Markdown with every include expanded, byte for byte what mdBook's
    /// `links` step hands to the next preprocessor.
    pub woven: String,
    /// The listings in order.
    pub listings: Vec<Listing>,
    /// The `{{#listing ANCHOR}}` references in order; each anchor is known.
    pub references: Vec<Reference>,
    /// The figures in order.
    pub figures: Vec<Figure>,
    /// The `{{#figure NAME}}` references in order; each figure stands in some chapter.
    pub figure_references: Vec<FigureReference>,
    /// The Rust blocks that are no listing, in order.
    pub(crate) examples: Vec<Example>,
}

/// Whether a listing counts as the place where its lines are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The one full printing of its lines.
    Full,
    /// A part shown again while the text discusses it.
    Excerpt,
}

/// A piece of `src/` as a page prints it.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The name of its region, unique in the repository.
    pub anchor: String,
    /// Full listing or excerpt.
    pub kind: Kind,
    /// The source file, relative to the root (`src/autograd/reverse.rs`).
    pub source: PathBuf,
    /// First line of the region in `source`, counted from 1, marker excluded.
    pub first_line: usize,
    /// Last line of the region in `source`, marker excluded.
    pub last_line: usize,
    /// The lines of `source` that the page prints: the region without the
    /// markers of other anchors inside it.
    pub lines: Vec<usize>,
    /// Exactly what the page prints between its fences, ending in a newline.
    pub text: String,
    /// The caption's Markdown, without the leading `Listing: ` or `Excerpt: `.
    pub caption: String,
    /// The chapter's file, relative to `book/`.
    pub chapter: PathBuf,
    /// The line of the opening fence in that file, counted from 1.
    pub chapter_line: usize,
    /// The bytes of [`Chapter::woven`] from the opening fence to the end of the
    /// caption: what a page replaces by its figure.
    pub woven_span: Range<usize>,
    /// Its place among the chapter's listings, counted from 1.
    pub number: usize,
    /// The check file, relative to the root (`tests/listings/ANCHOR.rs`).
    pub check: PathBuf,
    /// The text of that file.
    pub check_text: String,
}

/// The id of the listing of this anchor in its page.
pub fn listing_id(anchor: &str) -> String {
    format!("listing-{anchor}")
}

/// A `{{#listing ANCHOR}}` in the prose.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The listing it names.
    pub anchor: String,
    /// Its bytes in [`Chapter::woven`], braces included.
    pub woven_span: Range<usize>,
    /// Its line in the chapter's file, counted from 1.
    pub line: usize,
}

/// A runnable Rust block.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) text: String,
    /// The nearest heading above, plain text.
    pub(crate) heading: String,
    pub(crate) line: usize,
}
