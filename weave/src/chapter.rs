//! From a woven page to its listings, examples and references.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::anchors::pattern;
use crate::book::{Chapter, Example, Kind, Listing, Reference};
use crate::expand::Page;
use crate::fault::{Fault, What};
use crate::figures::{self, Drawing, Figure, FigureReference};
use crate::includes::{self, Braces, Includes};
use crate::library::Library;
use crate::markdown::{self, Caption, Piece};
use crate::summary::Entry;

/// Reads one chapter; returns it with the files it includes.
pub(crate) fn read(
    root: &Path,
    entry: Entry,
    page: Page,
    library: &Library,
    faults: &mut Vec<Fault>,
) -> (Chapter, Vec<PathBuf>) {
    let file = Path::new("book").join(&entry.path);
    let includes = includes::check(root, &file, &page, library, faults);
    let pieces = markdown::read(&page.woven);
    let mut reader = Reader::new(&file, &page, library, &includes, faults);
    reader.pieces(&pieces);
    reader.unused_rust();
    reader.front_matter();
    reader.ids(&pieces);
    reader.footnotes(&pieces);
    let (references, figure_references) = reader.references(&pieces);
    for (at, _) in page.woven.match_indices(STAMP) {
        reader.fault(What::Stamp, page.line(at));
    }
    let (mut listings, examples) = (reader.listings, reader.examples);
    let figures = reader.figures;
    for listing in &mut listings {
        listing.chapter.clone_from(&entry.path);
    }
    let chapter = Chapter {
        path: entry.path,
        title: entry.title,
        number: entry.number,
        source: page.source,
        woven: page.woven,
        listings,
        references,
        figures,
        figure_references,
        examples,
    };
    (chapter, includes.files)
}

/// Reads a page that nothing expands; returns its runnable blocks.
pub(crate) fn examples(file: &Path, text: &str, faults: &mut Vec<Fault>) -> Vec<Example> {
    let page = Page::plain(text.to_owned());
    let (library, includes) = (Library::default(), Includes::default());
    let pieces = markdown::read(text);
    let mut reader = Reader::new(file, &page, &library, &includes, faults);
    reader.pieces(&pieces);
    reader.front_matter();
    reader.footnotes(&pieces);
    let examples = reader.examples;
    for (span, _) in includes::braces(text) {
        if !is_code(&pieces, &span) {
            let line = page.line(span.start);
            faults.push(What::Unexpanded(text[span].to_owned()).at(file, line));
        }
    }
    examples
}

/// Whether a span lies in a code block or in inline code.
fn is_code(pieces: &[Piece], span: &Range<usize>) -> bool {
    let contains = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    pieces.iter().any(|piece| match piece {
        Piece::Code(code) => contains(&code.span),
        Piece::InlineCode(inline) => contains(inline),
        _ => false,
    })
}

/// Whether a span lies in inline code.
fn is_inline_code(pieces: &[Piece], span: &Range<usize>) -> bool {
    let contains = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    pieces.iter().any(|piece| matches!(piece, Piece::InlineCode(inline) if contains(inline)))
}

/// Whether a link may take the place of a span: in running text, and not after
/// what would make it an image, another link's address or a heading's attribute.
fn is_prose(page: &Page, pieces: &[Piece], span: &Range<usize>) -> bool {
    let before = &page.woven[..span.start];
    let line = before.rsplit('\n').next().unwrap_or_default();
    !before.ends_with('!')
        && !before.ends_with("](")
        && line.rfind('{') <= line.rfind('}')
        && pieces.iter().any(|piece| match piece {
            Piece::Text(text) => text.start <= span.start && span.end <= text.end,
            _ => false,
        })
}

/// A listing fence that waits for its caption.
pub(crate) struct Pending {
    pub(crate) line: usize,
    /// Where the fence ends, on the woven page.
    pub(crate) end: usize,
    pub(crate) anchor: Option<String>,
    /// None when its include is at fault already.
    pub(crate) listing: Option<Listing>,
    /// Whether the fence is known to be meant for a listing, which has a caption.
    pub(crate) sound: bool,
}

/// Walks over a page's pieces in order.
pub(crate) struct Reader<'a> {
    pub(crate) file: &'a Path,
    pub(crate) page: &'a Page,
    pub(crate) library: &'a Library,
    pub(crate) includes: &'a Includes,
    pub(crate) faults: &'a mut Vec<Fault>,
    /// The includes that a Rust block has answered for, by their start.
    pub(crate) used: Vec<usize>,
    pub(crate) heading: String,
    /// Whether prose stands between here and the listing before.
    pub(crate) prose: bool,
    pub(crate) pending: Option<Pending>,
    pub(crate) listings: Vec<Listing>,
    pub(crate) figures: Vec<Figure>,
    pub(crate) examples: Vec<Example>,
    /// The elements of raw HTML that are open, each with its line.
    pub(crate) open: Vec<(String, usize)>,
}

/// The name of a setting, as front matter writes it.
static KEY: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[A-Za-z_][\w-]*[ \t]*[:=]"));

/// How the comment begins by which the build tells a page that went through its preprocessor.
const STAMP: &str = "<!-- woven by mdbook-pullback";

impl<'a> Reader<'a> {
    fn new(
        file: &'a Path,
        page: &'a Page,
        library: &'a Library,
        includes: &'a Includes,
        faults: &'a mut Vec<Fault>,
    ) -> Reader<'a> {
        Reader {
            file,
            page,
            library,
            faults,
            used: Vec::new(),
            includes,
            heading: String::new(),
            prose: true,
            pending: None,
            listings: Vec::new(),
            figures: Vec::new(),
            examples: Vec::new(),
            open: Vec::new(),
        }
    }

    pub(crate) fn fault(&mut self, what: What, line: usize) {
        self.faults.push(what.at(self.file, line));
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            let caption = match piece {
                Piece::Caption(caption) if !caption.text.is_empty() => Some(caption),
                _ => None,
            };
            match (self.pending.take(), caption) {
                (Some(pending), caption) => self.settle(pending, caption, Some(piece)),
                (None, Some(caption)) => {
                    self.fault(What::StrayCaption, self.page.line(caption.span.start));
                }
                (None, None) => {}
            }
            match piece {
                Piece::Code(code) => self.code(code),
                Piece::Heading(heading) => self.heading.clone_from(&heading.text),
                Piece::Prose(_) => self.prose = true,
                Piece::Html(html) => self.html(html),
                Piece::HeadingAttribute(span) => {
                    self.fault(What::HeadingAttribute, self.page.line(span.start));
                }
                Piece::Link(span, address) => self.link(span, address),
                // An escaped one is left in the page, which the search for braces reports.
                Piece::Figure(placed) if self.is_escaped(&placed.span) => {}
                Piece::Figure(placed) => self.figure(placed),
                Piece::StrayFigureCaption(span) => {
                    self.fault(What::StrayFigureCaption, self.page.line(span.start));
                }
                Piece::Caption(_)
                | Piece::InlineCode(_)
                | Piece::Text(_)
                | Piece::FootnoteMark(..)
                | Piece::FootnoteText(..) => {}
            }
        }
        if let Some(pending) = self.pending.take() {
            self.settle(pending, None, None);
        }
        self.unclosed();
    }

    /// Puts a listing on record; without caption it is at fault, and still
    /// counts, so that no later rule misses it.
    fn settle(&mut self, pending: Pending, caption: Option<&Caption>, next: Option<&Piece>) {
        // Anything between the two would go from the page with the text of both.
        let page = self.page;
        let caption =
            caption.filter(|caption| page.woven[pending.end..caption.span.start].trim().is_empty());
        if caption.is_none() && pending.sound {
            let meant = next.and_then(|piece| markdown::like_caption(&self.page.woven, piece));
            let fault = match meant {
                Some((at, start)) => What::LikeCaption(start).at(self.file, self.page.line(at)),
                None => What::NoCaption.at(self.file, pending.line),
            };
            self.faults.push(match pending.anchor {
                Some(anchor) => fault.on(anchor),
                None => fault,
            });
        }
        let Some(mut listing) = pending.listing else {
            return;
        };
        if let Some(caption) = caption {
            listing.kind = if caption.full { Kind::Full } else { Kind::Excerpt };
            listing.caption.clone_from(&caption.text);
            listing.woven_span.end = caption.span.end;
        }
        listing.number = self.listings.len() + 1;
        self.listings.push(listing);
    }

    /// Rust that is included outside of any listing.
    fn unused_rust(&mut self) {
        for directive in &self.includes.rust {
            if !self.used.contains(&directive.source.start) {
                let line = self.page.source_line(directive.source.start);
                let text = self.page.source[directive.source.clone()].to_owned();
                self.fault(What::NotWholeBody(text), line);
            }
        }
    }

    /// Settings between two lines of dashes, before anything else.
    fn front_matter(&mut self) {
        let source = &self.page.source;
        let start = source.len() - source.trim_start().len();
        let mut lines = source[start..].lines();
        let Some(mark @ ("---" | "+++")) = lines.next().map(str::trim_end) else {
            return;
        };
        let lines: Vec<&str> = lines.map(str::trim_end).collect();
        let closed = lines.iter().any(|line| *line == mark || *line == "...");
        let first = lines.iter().find(|line| !line.is_empty());
        if closed && first.is_some_and(|line| KEY.is_match(line)) {
            self.fault(What::FrontMatter, self.page.source_line(start));
        }
    }

    /// Whether a backslash, which mdBook has dropped, says to leave it alone.
    fn is_escaped(&self, span: &Range<usize>) -> bool {
        let mut directives = self.page.directives.iter();
        directives.any(|one| one.kind.is_empty() && one.woven.contains(&span.start))
    }

    /// The references in the prose; every other `{{#` is a fault.
    fn references(&mut self, pieces: &[Piece]) -> (Vec<Reference>, Vec<FigureReference>) {
        let mut references = Vec::new();
        let mut found_figures = Vec::new();
        let placed = |span: &Range<usize>| {
            pieces.iter().any(
                |piece| matches!(piece, Piece::Figure(placed) if placed.span.start == span.start),
            )
        };
        for (woven_span, found) in includes::braces(&self.page.woven) {
            let line = self.page.line(woven_span.start);
            let text = self.page.woven[woven_span.clone()].to_owned();
            match found {
                _ if self.includes.is_remnant(self.page, woven_span.start) => {}
                Braces::Reference(_) | Braces::Figure(_) if self.is_escaped(&woven_span) => {
                    self.fault(What::Leftover(text), line);
                }
                Braces::Figure(_) if placed(&woven_span) => {}
                Braces::Figure(name) if is_prose(self.page, pieces, &woven_span) => {
                    if figures::is_captioned(&self.page.woven, &woven_span) {
                        self.fault(What::FigureContained, line);
                        continue;
                    }
                    match Drawing::named(&name) {
                        Ok(drawing) => {
                            found_figures.push(FigureReference { drawing, woven_span, line })
                        }
                        Err(what) => self.fault(what, line),
                    }
                }
                Braces::Reference(anchor) if is_prose(self.page, pieces, &woven_span) => {
                    references.push(Reference { anchor, woven_span, line });
                }
                Braces::Reference(_) | Braces::Figure(_) => {
                    self.fault(What::NoLinkHere(text), line);
                }
                // Between backticks in a line this may be what it looks like.
                Braces::Misspelt if is_inline_code(pieces, &woven_span) => {}
                // An included text is not this page's to spell.
                Braces::Misspelt if !self.page.is_typed(woven_span.start) => {}
                Braces::Left | Braces::Misspelt => self.fault(What::Leftover(text), line),
            }
        }
        (references, found_figures)
    }
}
