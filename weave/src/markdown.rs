//! What stands on a woven page, read by the parser and options of mdBook.

use std::ops::Range;
use std::sync::LazyLock;

use mdbook_markdown::pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};
use regex::Regex;

use crate::anchors::pattern;
use crate::figures::{self, Placed};

/// One piece of a page, in order.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    Code(Code),
    Caption(Caption),
    Figure(Placed),
    /// A caption of a figure that is not there.
    StrayFigureCaption(Range<usize>),
    Heading(Heading),
    /// A paragraph, list item or table: something a reader reads.
    Prose(Range<usize>),
    Html(Html),
    /// A heading with more in its braces than a name.
    HeadingAttribute(Range<usize>),
    /// The mark of a footnote in the text.
    FootnoteMark(String, Range<usize>),
    /// A footnote itself.
    FootnoteText(String, Range<usize>),
    /// A link or an image and where it leads.
    Link(Range<usize>, String),
    InlineCode(Range<usize>),
    /// Running text outside code, HTML, headings and links: where a link may stand.
    Text(Range<usize>),
}

/// A heading.
#[derive(Debug, Clone)]
pub(crate) struct Heading {
    /// Its plain text.
    pub(crate) text: String,
    /// The name that its braces give it.
    pub(crate) id: Option<String>,
    pub(crate) span: Range<usize>,
}

/// Raw HTML: a block, or one tag or comment in a line.
#[derive(Debug, Clone)]
pub(crate) struct Html {
    pub(crate) span: Range<usize>,
    /// Its text, without the marks of a quotation or a list around it.
    pub(crate) text: String,
}

/// A code block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Code {
    /// The info string; none for an indented block.
    pub(crate) info: Option<String>,
    /// From the opening fence to the closing one.
    pub(crate) span: Range<usize>,
    /// The text between the fences; empty where there is none.
    pub(crate) content: Range<usize>,
    pub(crate) text: String,
    pub(crate) closed: bool,
    /// Whether it stands inside a list, a quotation or a footnote.
    pub(crate) contained: bool,
}

/// A paragraph that opens with `Listing: ` or `Excerpt: `.
#[derive(Debug, Clone)]
pub(crate) struct Caption {
    pub(crate) full: bool,
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
}

/// Reads a page.
pub(crate) fn read(page: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut code: Option<Code> = None;
    let mut heading: Option<Heading> = None;
    let mut html: Option<Html> = None;
    let mut depth = 0_usize;
    let mut links = 0_usize;
    for (event, span) in new_cmark_parser(page, &MarkdownOptions::default()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => Some(info.trim().to_owned()),
                    CodeBlockKind::Indented => None,
                };
                let closed = info.is_none() || is_closed(&page[span.clone()]);
                let contained = depth > 0;
                code = Some(Code { info, span, closed, contained, ..Code::default() });
            }
            Event::End(TagEnd::CodeBlock) => pieces.extend(code.take().map(Piece::Code)),
            Event::Start(Tag::Heading { id, classes, attrs, .. }) => {
                let id = id.map(|id| id.to_string());
                heading = Some(Heading { text: String::new(), id, span: span.clone() });
                if !classes.is_empty() || !attrs.is_empty() {
                    pieces.push(Piece::HeadingAttribute(span));
                }
            }
            Event::End(TagEnd::Heading(_)) => pieces.extend(heading.take().map(Piece::Heading)),
            Event::Start(Tag::Paragraph) => {
                let caption = (depth == 0).then(|| caption(page, &span)).flatten();
                let piece = || match figures::paragraph(page, &span, depth > 0) {
                    figures::Paragraph::Placed(placed) => Piece::Figure(placed),
                    figures::Paragraph::StrayCaption => Piece::StrayFigureCaption(span.clone()),
                    figures::Paragraph::Prose => Piece::Prose(span.clone()),
                };
                pieces.push(caption.map_or_else(piece, Piece::Caption));
            }
            // Whole, since a tag may go on in the next line.
            Event::Start(Tag::HtmlBlock) => html = Some(Html { span, text: String::new() }),
            Event::Html(text) => {
                if let Some(html) = &mut html {
                    html.text.push_str(&text);
                }
            }
            Event::End(TagEnd::HtmlBlock) => pieces.extend(html.take().map(Piece::Html)),
            Event::Start(tag) => {
                if let Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } = &tag {
                    pieces.push(Piece::Link(span.clone(), dest_url.to_string()));
                }
                if let Tag::FootnoteDefinition(name) = &tag {
                    pieces.push(Piece::FootnoteText(name.to_string(), span.clone()));
                }
                if matches!(tag, Tag::Item | Tag::Table(_) | Tag::DefinitionListDefinition) {
                    pieces.push(Piece::Prose(span));
                }
                depth += usize::from(contains(&tag.to_end()));
                links += usize::from(is_link(&tag.to_end()));
            }
            Event::End(tag) => {
                depth -= usize::from(contains(&tag));
                links -= usize::from(is_link(&tag));
            }
            Event::FootnoteReference(name) => {
                pieces.push(Piece::FootnoteMark(name.into_string(), span));
            }
            Event::InlineHtml(text) => {
                pieces.push(Piece::Html(Html { span, text: text.into_string() }));
            }
            Event::Text(text) => {
                if let Some(code) = &mut code {
                    if code.text.is_empty() {
                        code.content = span.clone();
                    }
                    code.content.end = span.end;
                    code.text.push_str(&text);
                    continue;
                }
                if let Some(heading) = &mut heading {
                    // mdBook makes a link of the whole heading.
                    heading.text.push_str(&text);
                    continue;
                }
                match pieces.last_mut() {
                    _ if links > 0 => {}
                    // The parser cuts running text into pieces of its own.
                    Some(Piece::Text(before)) if before.end == span.start => before.end = span.end,
                    _ => pieces.push(Piece::Text(span)),
                }
            }
            Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.text.push_str(&text);
                }
                pieces.push(Piece::InlineCode(span));
            }
            _ => {}
        }
    }
    pieces
}

/// Whether blocks inside this element are no longer at the top level.
fn contains(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::List(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
    )
}

fn is_link(tag: &TagEnd) -> bool {
    matches!(tag, TagEnd::Link | TagEnd::Image)
}

/// Whether the last line of a fenced block is a fence as long as the first.
/// (The parser closes an open fence at the end of its container.)
fn is_closed(block: &str) -> bool {
    let mut lines = block.trim_end().lines();
    let fence = |line: &str| {
        let line = line.trim_start_matches(['>', ' ', '\t']);
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let rest = line.trim_start_matches(mark);
        Some((mark, line.len() - rest.len(), rest.trim().is_empty()))
    };
    let Some((mark, length, _)) = lines.next().and_then(fence) else {
        return false;
    };
    let last = lines.last().and_then(fence);
    last.is_some_and(|(other, long, bare)| other == mark && long >= length && bare)
}

/// Reads a paragraph as a caption.
fn caption(page: &str, span: &Range<usize>) -> Option<Caption> {
    let text = page[span.clone()].trim_end();
    let full = text.strip_prefix("Listing:");
    let rest = full.or_else(|| text.strip_prefix("Excerpt:"))?;
    Some(Caption {
        full: full.is_some(),
        text: rest.trim().to_owned(),
        span: span.start..span.start + text.len(),
    })
}

/// How a caption may begin that is spelt otherwise: its word in other letters, between marks or
/// without colon, another word for it, or any word and a colon.
static LIKE_CAPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^ [>\#\-*_`\[\ ]* (?: (?i: listings? | excerpts? | exerpts? | caption | fig(?:ure)? | code ) \b
            (?: \s+ \d [\d.-]* )? | \w+ \s? : ) [*_`\s]* [:.\u{ff1a}]? [*_`]*",
    )
});

/// Where a piece that follows a listing reads like its caption, and how it begins.
pub(crate) fn like_caption(page: &str, piece: &Piece) -> Option<(usize, String)> {
    let span = match piece {
        Piece::Prose(span) => span,
        Piece::Heading(heading) => &heading.span,
        _ => return None,
    };
    let found = LIKE_CAPTION.find(page[span.clone()].lines().next()?)?;
    Some((span.start, found.as_str().trim().to_owned()))
}
