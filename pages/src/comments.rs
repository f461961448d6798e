//! The comments by which a chapter speaks to this program and not to its readers.

use mdbook_markdown::pulldown_cmark::{Event, Tag, TagEnd};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};
use strsim::osa_distance;

/// So many wrong letters make one word of another, as a rule; fewer are a slip.
const SLIPS: usize = 3;

/// The comments of a chapter that are blocks of their own, each with its place: code which shows
/// one is none.
pub(crate) fn comments(markdown: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let options = MarkdownOptions::default();
    for (event, span) in new_cmark_parser(markdown, &options).into_offset_iter() {
        match event {
            Event::Start(Tag::HtmlBlock) if depth == 0 => {
                let block = markdown[span.clone()].trim();
                if block.starts_with("<!--") {
                    found.push((span.start, block));
                }
            }
            Event::Start(tag) => depth += usize::from(tag != Tag::HtmlBlock),
            Event::End(tag) => depth -= usize::from(tag != TagEnd::HtmlBlock),
            _ => {}
        }
    }
    found
}

/// The line of a place, counted from 1.
pub(crate) fn line_of(markdown: &str, at: usize) -> usize {
    markdown[..at].matches('\n').count() + 1
}

/// What a comment says, of one that is not closed all that follows.
pub(crate) fn inner(comment: &str) -> &str {
    let said = comment.strip_prefix("<!--").unwrap_or(comment);
    said.split_once("-->").map_or(said, |(said, _)| said)
}

/// Whether somebody meant a word and did not quite write it. Only the letters count.
pub(crate) fn nearly(written: &str, meant: &str) -> bool {
    let letters: String = written.chars().filter(|letter| letter.is_alphabetic()).collect();
    osa_distance(&letters.to_lowercase(), meant) <= SLIPS
}
