//! From woven chapters to the chapters that mdBook renders.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use mdbook_markdown::pulldown_cmark::{Event, HeadingLevel, Tag};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};
use mdbook_preprocessor::book::Book;
use mdbook_preprocessor::errors::{Error, Result};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use pullback_weave::Chapter;

use crate::addresses;
use crate::boxes;
use crate::comments::line_of;
use crate::drawing;
use crate::figure::{figure, reference_link, stray_numbers};
use crate::glossary;
use crate::head;
use crate::listings;
use crate::math::{formulas, open_signs, Converter, OpenSign};
use crate::settings::Written;
use crate::source::{self, slashed, Repository, SourceLinks};
use crate::stamp::stamp;

/// The preprocessor. It runs after mdBook's own `links`.
#[derive(Debug, Clone, Default)]
pub struct Pullback {
    repository: Option<Repository>,
}

impl Pullback {
    /// The name of its table in `book.toml`.
    pub const NAME: &'static str = "pullback";

    /// Links listings to `repository`, or without one to pages of the book itself.
    pub fn new(repository: Option<Repository>) -> Self {
        Pullback { repository }
    }
}

impl Preprocessor for Pullback {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let woven = pullback_weave::load(&context.root)?;
        let url = context.config.get::<String>("output.html.git-repository-url")?;
        let links = SourceLinks::new(url, self.repository.as_ref());
        let converter = Converter::new();

        let mut faults = addresses::faults(&Written::read(&context.root)?, &woven);
        faults.extend(glossary::faults(&woven, &context.config.book.src));
        let first = book.chapters().find_map(|chapter| chapter.source_path.clone());
        book.for_each_chapter_mut(|chapter| {
            let path = chapter.source_path.clone().unwrap_or_default();
            let file = context.config.book.src.join(&path);
            match woven.chapter(&path) {
                Some(page) if page.woven == chapter.content => {
                    faults.extend(references_in_formulas(page, &file));
                    faults.extend(dollar_signs(page, &file));
                    let is_front = head::is_front(&path) && first.as_ref() == Some(&path);
                    let taken = if is_front { None } else { taken(&path) };
                    faults.extend(taken.map(|what| PageFault {
                        file: file.clone(),
                        line: 1,
                        what,
                    }));
                    let own = head::faults(&page.source).into_iter();
                    let own = own.chain(stray_numbers(&page.source));
                    faults.extend(own.map(|(line, what)| PageFault {
                        file: file.clone(),
                        line,
                        what,
                    }));
                    let mut edits = edits(&woven, page, &links);
                    edits.extend(drawings(&woven, page, &file, &mut faults));
                    let content = replace(&page.woven, edits);
                    let content = replace(&content, boxes::edits(&content));
                    chapter.content = render_formulas(&content, page, &file, &converter)
                        .unwrap_or_else(|found| {
                            faults.extend(found);
                            content
                        });
                    if let Some(number) = &page.number {
                        number_title(&mut chapter.content, number);
                    }
                }
                Some(_) => faults.push(PageFault {
                    file,
                    line: 1,
                    what: "mdBook's text of this chapter is not the text that was checked; \
                           if the file was just saved, build again, else look for a \
                           preprocessor between `links` and `pullback`"
                        .to_string(),
                }),
                None => faults.push(PageFault {
                    file,
                    line: 1,
                    what: "mdBook renders this chapter, but the checks do not know it".to_string(),
                }),
            }
        });
        if !faults.is_empty() {
            return Err(Error::new(PageFaults(faults)));
        }

        book.push_item(listings::chapter(&woven, &converter)?);
        book.push_item(source::pages(&woven).map_err(|(file, error)| {
            let what = format!("cannot read it: {error}");
            Error::new(PageFaults(vec![PageFault { file, line: 1, what }]))
        })?);
        book.for_each_chapter_mut(stamp);
        Ok(book)
    }
}

/// Gives a chapter's title its number, as an attribute that the style sheet shows: the title's
/// text, and with it its address and its line in the search, stay what they are.
fn number_title(content: &mut String, number: &str) {
    let options = MarkdownOptions::default();
    let title = new_cmark_parser(content, &options).into_offset_iter().find_map(|(event, span)| {
        let Event::Start(Tag::Heading { level: HeadingLevel::H1, id, classes, attrs }) = event
        else {
            return None;
        };
        let braces = id.is_some() || !classes.is_empty() || !attrs.is_empty();
        Some((span.start + end_of_line(&content[span]), braces))
    });
    match title {
        Some((end, true)) => content.insert_str(end - 1, &format!(" data-number={number}")),
        Some((end, false)) => content.insert_str(end, &format!(" {{data-number={number}}}")),
        None => {}
    }
}

/// Where a heading's own line ends: the words of one without number signs stand above another.
fn end_of_line(heading: &str) -> usize {
    let heading = heading.trim_end();
    let lines = if heading.starts_with('#') { None } else { heading.rfind('\n') };
    lines.map_or(heading.len(), |line| heading[..line].trim_end().len())
}

/// The figures and links of a chapter, each with the bytes it replaces.
fn edits(
    woven: &pullback_weave::Book,
    page: &Chapter,
    links: &SourceLinks,
) -> Vec<(Range<usize>, String)> {
    let figures = page
        .listings
        .iter()
        .map(|listing| (listing.woven_span.clone(), figure(woven, page, listing, links)));
    // What stands in a caption is turned into a link with the caption.
    let listings = page.listings.iter().map(|listing| &listing.woven_span);
    let captions: Vec<_> =
        listings.chain(page.figures.iter().map(|figure| &figure.woven_span)).collect();
    let in_prose =
        |span: &Range<usize>| !captions.iter().any(|caption| caption.contains(&span.start));
    let references = page
        .references
        .iter()
        .map(|reference| (reference.woven_span.clone(), reference_link(woven, page, reference)));
    let to_figures = page.figure_references.iter().map(|reference| {
        (reference.woven_span.clone(), drawing::link(woven, page, reference.drawing))
    });
    let links = references.chain(to_figures).filter(|(span, _)| in_prose(span));
    figures.chain(links).collect()
}

/// The drawn figures of a chapter, each with the bytes it replaces.
fn drawings(
    woven: &pullback_weave::Book,
    page: &Chapter,
    file: &Path,
    faults: &mut Vec<PageFault>,
) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    for figure in &page.figures {
        match drawing::drawn(woven, page, figure) {
            Ok(drawn) => edits.push((figure.woven_span.clone(), drawn)),
            Err(error) => faults.push(PageFault {
                file: file.to_path_buf(),
                line: figure.line,
                what: format!("the figure `{}` cannot be drawn: {error}", figure.drawing.name()),
            }),
        }
    }
    edits
}

/// Replaces ranges of the text that do not overlap, in whatever order they come.
pub(crate) fn replace(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut replaced = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for (range, new) in edits {
        replaced.push_str(&text[done..range.start]);
        replaced.push_str(&new);
        done = range.end;
    }
    replaced.push_str(&text[done..]);
    replaced
}

/// The references between two dollar signs: a formula is no place for a link.
fn references_in_formulas<'a>(
    page: &'a Chapter,
    file: &'a Path,
) -> impl Iterator<Item = PageFault> + 'a {
    let formulas = formulas(&page.woven);
    let listings = page.references.iter().map(|one| (&one.woven_span, one.line));
    let figures = page.figure_references.iter().map(|one| (&one.woven_span, one.line));
    // A figure itself, too, where a dollar sign in the prose opens a formula that ends behind it.
    let placed = page.figures.iter().map(|one| (&one.woven_span, one.line));
    let inside = move |(span, _): &(&Range<usize>, usize)| {
        formulas.iter().any(|formula| formula.span.contains(&span.start))
    };
    listings.chain(figures).chain(placed).filter(inside).map(|(span, line)| PageFault {
        file: file.to_path_buf(),
        line,
        what: format!(
            "`{}` stands in a formula, between two `$`; a dollar sign in prose is `\\$`",
            page.woven[span.clone()].lines().next().unwrap_or_default()
        ),
    })
}

/// What is wrong with the name of a chapter whose page would stand where one that is made does.
fn taken(path: &Path) -> Option<String> {
    let page = slashed(&path.with_extension("html"));
    let folders = ["a/", "api/", "source/"];
    let pages = ["404.html", "index.html", "listings.html", "print.html", "toc.html"];
    let lower = page.to_lowercase();
    let taken = pages.contains(&&*lower) || folders.iter().any(|folder| lower.starts_with(folder));
    taken.then(|| {
        format!("the book makes a page at `{page}` itself; give this chapter another name")
    })
}

/// The dollar signs that a page would show as such, in the lines of the author's file.
fn dollar_signs<'a>(page: &'a Chapter, file: &'a Path) -> impl Iterator<Item = PageFault> + 'a {
    open_signs(&page.source).into_iter().map(|(at, sign)| PageFault {
        file: file.to_path_buf(),
        line: line_of(&page.source, at),
        what: match sign {
            OpenSign::InText => {
                "this `$` opens no formula: close it, balance its braces, or write `\\$`"
            }
            OpenSign::InHtml => {
                "in a block of HTML a `$` opens no formula: part the block by empty lines around \
                 the formula, or write `&#36;`"
            }
        }
        .to_string(),
    })
}

/// Turns the formulas of a chapter into MathML.
fn render_formulas(
    content: &str,
    page: &Chapter,
    file: &Path,
    converter: &Converter,
) -> Result<String, Vec<PageFault>> {
    let mut edits = Vec::new();
    let mut faults = Vec::new();
    for (index, formula) in formulas(content).into_iter().enumerate() {
        match converter.convert(&formula) {
            Ok(html) => edits.push((formula.span, html)),
            Err(why) => faults.push(PageFault {
                file: file.to_path_buf(),
                line: line_of_formula(&page.source, index),
                what: format!("this formula is not valid TeX: {why} (${}$)", formula.tex.trim()),
            }),
        }
    }
    if faults.is_empty() {
        Ok(replace(content, edits))
    } else {
        Err(faults)
    }
}

/// The line in the author's file of the formula with this index in the page.
///
/// Includes make a page longer than its file, but bring no formula with them.
fn line_of_formula(source: &str, index: usize) -> usize {
    formulas(source).get(index).map_or(1, |formula| line_of(source, formula.span.start))
}

/// What is wrong with a page beyond the weave's own checks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}: {what}", file.display())]
pub struct PageFault {
    /// The chapter's file, relative to the root of the book.
    pub file: PathBuf,
    /// The line in it, counted from 1.
    pub line: usize,
    /// What is wrong, in words.
    pub what: String,
}

/// Every such fault of a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct PageFaults(pub Vec<PageFault>);

impl fmt::Display for PageFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(PageFault::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}
