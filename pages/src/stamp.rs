//! The stamp on every page, and the output that looks for it.

use std::fs;
use std::path::PathBuf;

use mdbook_renderer::book::Chapter;
use mdbook_renderer::errors::{Error, Result};
use mdbook_renderer::{RenderContext, Renderer};

use crate::epub;
use crate::finish::finish;
use crate::links::Definitions;

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

/// The last output of the book: it fails where a stamp is missing, and finishes the pages of the
/// HTML output.
///
/// Its setting `api` names the folder with the library's documentation, if that is going to stand
/// in `api/` beside the pages: names in listings lead there too. With `epub.file`, it also makes a
/// volume of the finished pages; `epub.modified` is when the book was last changed.
///
/// It looks at the chapters mdBook hands to it and at the pages the HTML output
/// has written beside it, since mdBook asks for each output anew whether the
/// preprocessor supports it.
#[derive(Debug, Clone, Copy, Default)]
pub struct StampCheck;

impl StampCheck {
    /// The name of its table in `book.toml`.
    pub const NAME: &'static str = "pullback-stamp";
}

impl Renderer for StampCheck {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn render(&self, context: &RenderContext) -> Result<()> {
        let pages = context.destination.with_file_name("html");
        let mut unstamped = Vec::new();
        for chapter in context.book.chapters() {
            let Some(path) = &chapter.path else { continue };
            let page = fs::read_to_string(pages.join(path.with_extension("html")));
            if !chapter.content.contains(STAMP) || !page.is_ok_and(|page| page.contains(STAMP)) {
                unstamped.push(context.config.book.src.join(path).display().to_string());
            }
        }
        if !unstamped.is_empty() {
            return Err(Error::msg(format!(
                "these pages went out without the book's preprocessor: {}\n\
                 mdBook leaves a preprocessor out when its command fails; \
                 `cargo build -p mdbook-pullback` shows why",
                unstamped.join(", ")
            )));
        }
        let woven = pullback_weave::load(&context.root)?;
        let api = context.config.get::<PathBuf>(&format!("output.{}.api", Self::NAME))?;
        let api = api.map(|folder| context.root.join(folder));
        let definitions = Definitions::new(&woven, api.as_deref())
            .map_err(|(path, error)| Error::msg(format!("{}: {error}", path.display())))?;
        finish(&pages, &woven, &definitions)?;
        match epub::Settings::read(&context.config, Self::NAME, &context.root)? {
            Some(settings) => epub::write(context, &pages, &woven, &settings),
            None => Ok(()),
        }
    }
}
