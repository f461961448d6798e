//! The stamp on every page, by which the last output tells that the preprocessor ran.

use std::fs;
use std::path::Path;

use mdbook_markdown::pulldown_cmark::{Event, Tag};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};
use mdbook_renderer::book::Chapter;
use mdbook_renderer::errors::{Error, Result};
use mdbook_renderer::RenderContext;

/// What [`Pullback`](crate::Pullback) writes at the end of each chapter: an HTML comment.
pub const STAMP: &str =
    concat!("<!-- woven by mdbook-pullback ", env!("CARGO_PKG_VERSION"), " -->");

/// Adds the stamp to a chapter.
pub(crate) fn stamp(chapter: &mut Chapter) {
    // A blank line ends whatever block the chapter ends with.
    chapter.content.push_str("\n\n");
    chapter.content.push_str(STAMP);
    chapter.content.push('\n');
}

/// Fails where a stamp is missing.
///
/// It looks at the chapters mdBook hands to the last output and at the `pages` that the
/// HTML output has written beside it, since mdBook asks for each output anew whether the
/// preprocessor supports it.
pub(crate) fn check(context: &RenderContext, pages: &Path) -> Result<()> {
    let mut unstamped = Vec::new();
    for chapter in context.book.chapters() {
        let Some(path) = &chapter.path else { continue };
        let page = fs::read_to_string(pages.join(path.with_extension("html")));
        if !is_stamped(&chapter.content) || !page.is_ok_and(|page| holds_comment(&page)) {
            unstamped.push(context.config.book.src.join(path).display().to_string());
        }
    }
    if unstamped.is_empty() {
        return Ok(());
    }
    Err(Error::msg(format!(
        "these pages went out without the book's preprocessor: {}\n\
         mdBook leaves a preprocessor out when its command fails; \
         `cargo build -p mdbook-pullback` shows why",
        unstamped.join(", ")
    )))
}

/// Whether a chapter ends in the stamp: a block of its own, not a part of another one.
fn is_stamped(markdown: &str) -> bool {
    let blocks = new_cmark_parser(markdown, &MarkdownOptions::default()).into_offset_iter();
    let mut html = blocks.filter(|(event, _)| matches!(event, Event::Start(Tag::HtmlBlock)));
    html.any(|(_, span)| markdown[span].trim_end() == STAMP)
}

/// Whether the stamp is a comment of this page, and no part of another comment, which would hide
/// it with all that stands between.
fn holds_comment(page: &str) -> bool {
    let mut rest = page;
    while let Some(at) = rest.find("<!--") {
        rest = &rest[at..];
        if rest.starts_with(STAMP) {
            return true;
        }
        rest = rest.find("-->").map_or("", |end| &rest[end..]);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_a_comment_of_its_own() {
        for before in ["# One\n", "# One\n\n<!-- two -->\n", "- one\n", ""] {
            let markdown = format!("{before}\n\n{STAMP}\n");
            assert!(is_stamped(&markdown), "{markdown}");
        }
        for before in ["<!-- one", "```text\none", "<script>\none", "<?php"] {
            let markdown = format!("{before}\n\n{STAMP}\n");
            assert!(!is_stamped(&markdown), "{markdown}");
        }
        for page in [format!("<p>{STAMP}</p>"), format!("<!-- one --><p></p>{STAMP}")] {
            assert!(holds_comment(&page), "{page}");
        }
        for page in [format!("<!-- one <p>{STAMP}</p>"), STAMP.replace('<', "&lt;"), String::new()]
        {
            assert!(!holds_comment(&page), "{page}");
        }
    }
}
