//! The figures that the pages draw, and where a page asks for one.
//!
//! `{{#figure NAME}}` alone on a line, with `Figure: caption` in the lines below it, is where the
//! figure stands. In running text the same braces are a reference, which a later step turns into a
//! link. What a figure shows, the pages take from the library's records when they are built.

use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::anchors::pattern;
use crate::book::Chapter;
use crate::chapter::Reader;
use crate::fault::{Fault, What};
use crate::text::slashed;

/// A figure that the pages can draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drawing {
    /// The worked graph: nodes in topological order and every edge.
    ForwardGraph,
    /// Its first pass, edge by edge.
    ReverseLedger,
    /// Stored gradients from pass to pass, and the checks and refusals beside them.
    StoredGradients,
    /// Two walks and the storage they project to.
    OffsetWalk,
}

impl Drawing {
    /// Every figure there is.
    pub const ALL: [Drawing; 4] = [
        Drawing::ForwardGraph,
        Drawing::ReverseLedger,
        Drawing::StoredGradients,
        Drawing::OffsetWalk,
    ];

    /// What a page calls it.
    pub fn name(self) -> &'static str {
        match self {
            Drawing::ForwardGraph => "forward-graph",
            Drawing::ReverseLedger => "reverse-ledger",
            Drawing::StoredGradients => "stored-gradients",
            Drawing::OffsetWalk => "offset-walk",
        }
    }

    /// Its id in its page; those of its parts go on with a dash.
    pub fn id(self) -> String {
        format!("figure-{}", self.name())
    }

    /// The figure of this name.
    pub(crate) fn named(name: &str) -> Result<Drawing, What> {
        let found = Drawing::ALL.into_iter().find(|one| one.name() == name);
        let names = || Drawing::ALL.map(Drawing::name).join(", ");
        found.ok_or_else(|| What::UnknownFigure(name.to_owned(), names()))
    }
}

/// A figure on a page.
#[derive(Debug, Clone)]
pub struct Figure {
    /// What it shows.
    pub drawing: Drawing,
    /// The caption's Markdown, without the leading `Figure: `.
    pub caption: String,
    /// The bytes of [`Chapter::woven`] from the directive to the end of the caption: what a page
    /// replaces by the figure.
    pub woven_span: Range<usize>,
    /// The line of the directive in the chapter's file, counted from 1.
    pub line: usize,
    /// Its place among the chapter's figures, counted from 1.
    pub number: usize,
}

/// A `{{#figure NAME}}` in the prose.
#[derive(Debug, Clone)]
pub struct FigureReference {
    /// The figure it names.
    pub drawing: Drawing,
    /// Its bytes in [`Chapter::woven`], braces included.
    pub woven_span: Range<usize>,
    /// Its line in the chapter's file, counted from 1.
    pub line: usize,
}

/// A paragraph that opens with a directive alone on its line.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) name: String,
    /// None if no `Figure: ` follows.
    pub(crate) caption: Option<String>,
    pub(crate) span: Range<usize>,
    /// Whether it stands inside a list or a quotation.
    pub(crate) contained: bool,
}

static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\{\{#figure ([^\s}]+)\}\}$"));

/// How the caption of a figure begins.
const CAPTION: &str = "Figure:";

/// What a paragraph that is no listing's caption has to do with figures.
pub(crate) enum Paragraph {
    Placed(Placed),
    /// A caption that no directive announces.
    StrayCaption,
    Prose,
}

/// Reads a paragraph.
pub(crate) fn paragraph(page: &str, span: &Range<usize>, contained: bool) -> Paragraph {
    let text = page[span.clone()].trim_end();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rest = rest.trim_start_matches(['>', ' ', '\t']);
    if text.starts_with(CAPTION) {
        return Paragraph::StrayCaption;
    }
    match DIRECTIVE.captures(first.trim_end()) {
        // Whatever follows: a caption under another word would make a reference of the figure.
        Some(found) => {
            let caption = rest.strip_prefix(CAPTION).map(str::trim);
            let caption = caption.filter(|caption| !caption.is_empty()).map(str::to_owned);
            let span = span.start..span.start + text.len();
            Paragraph::Placed(Placed { name: found[1].to_owned(), caption, span, contained })
        }
        None => Paragraph::Prose,
    }
}

/// The figure a directive names, where it stands in the prose.
pub(crate) fn reference(text: &str) -> Option<&str> {
    DIRECTIVE.captures(text).and_then(|found| found.get(1)).map(|name| name.as_str())
}

/// What reads like a caption, whatever the word before its colon.
static LIKE_CAPTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[*_]*\w+[*_]*\s?:|(?i:[*_]*fig))"));

/// Whether a directive stands alone on its line and the next one reads like its caption, although
/// no paragraph starts with the two: an item of a list without blank lines has none.
pub(crate) fn is_captioned(page: &str, span: &Range<usize>) -> bool {
    let before = page[..span.start].rsplit('\n').next().unwrap_or_default();
    let rest = page[span.end..].split_once('\n').filter(|(line, _)| line.trim().is_empty());
    let alone = !before.contains(|letter: char| letter.is_alphanumeric());
    rest.is_some_and(|(_, next)| {
        let next = next.trim_start_matches(['>', ' ', '\t']);
        next.starts_with(CAPTION) || alone && LIKE_CAPTION.is_match(next)
    })
}

impl Reader<'_> {
    /// Files a figure.
    pub(crate) fn figure(&mut self, placed: &Placed) {
        let line = self.page.line(placed.span.start);
        let drawing = match Drawing::named(&placed.name) {
            Ok(drawing) => Some(drawing),
            Err(what) => {
                self.fault(what, line);
                None
            }
        };
        if placed.contained {
            self.fault(What::FigureContained, line);
        }
        if placed.caption.is_none() {
            self.fault(What::NoFigureCaption, line);
        }
        if !self.prose {
            self.fault(What::NoProseBeforeFigure, line);
        }
        self.prose = false;
        if let (Some(drawing), Some(caption)) = (drawing, placed.caption.clone()) {
            let (woven_span, number) = (placed.span.clone(), self.figures.len() + 1);
            self.figures.push(Figure { drawing, caption, woven_span, line, number });
        }
    }
}

/// Every figure stands in one place of the book, and every reference leads there.
pub(crate) fn check(chapters: &[Chapter], faults: &mut Vec<Fault>) {
    let file = |chapter: &Chapter| Path::new("book").join(&chapter.path);
    let mut placed: Vec<(Drawing, String)> = Vec::new();
    for chapter in chapters {
        for figure in &chapter.figures {
            match placed.iter().find(|(drawing, _)| *drawing == figure.drawing) {
                Some((_, first)) => {
                    let what = What::FigureTwice(figure.drawing.name(), first.clone());
                    faults.push(what.at(file(chapter), figure.line));
                }
                None => {
                    let place = format!("{}:{}", slashed(&file(chapter)), figure.line);
                    placed.push((figure.drawing, place));
                }
            }
        }
    }
    for chapter in chapters {
        for reference in &chapter.figure_references {
            if !placed.iter().any(|(drawing, _)| *drawing == reference.drawing) {
                let what = What::FigureNowhere(reference.drawing.name());
                faults.push(what.at(file(chapter), reference.line));
            }
        }
    }
}
