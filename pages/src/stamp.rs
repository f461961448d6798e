//! The stamp on every page, by which the last output tells that the preprocessor ran.

use std::fs;
use std::path::Path;

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
        if !chapter.content.contains(STAMP) || !page.is_ok_and(|page| page.contains(STAMP)) {
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
