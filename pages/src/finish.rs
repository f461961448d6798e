//! The last output of the book, which finishes the pages that mdBook has written.
//!
//! mdBook has no place for what these steps add: a description of its own for every page, an
//! address for every listing. It has a template, which would have to be copied whole and kept
//! up with every release. So the written pages are edited, and a page that does not look as
//! this crate's pinned mdBook writes it fails the build.

use std::fs;
use std::path::{Path, PathBuf};

use mdbook_renderer::errors::{Error, Result};
use mdbook_renderer::{RenderContext, Renderer};

use crate::addresses::Addresses;
use crate::epub;
use crate::frame;
use crate::glossary;
use crate::head::{is_front, Head, Site};
use crate::links::Definitions;
use crate::listings;
use crate::settings::Settings;
use crate::stamp;
use crate::trim::trim;

/// The last output. It fails where a page lacks the preprocessor's stamp, and finishes the rest.
///
/// Its setting `api` names the folder with the library's documentation, if that is going to stand
/// in `api/` beside the pages: names in listings lead there too. With `epub.file`, it also makes a
/// volume of the finished pages; `epub.modified` is when the book was last changed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Finish;

impl Finish {
    /// The name of its table in `book.toml`.
    pub const NAME: &'static str = "pullback-site";
}

impl Renderer for Finish {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn render(&self, context: &RenderContext) -> Result<()> {
        let folder = context.destination.with_file_name("html");
        stamp::check(context, &folder)?;
        let woven = pullback_weave::load(&context.root)?;
        let settings = Settings::of(&context.config)?;
        let api = settings.api.map(|folder| context.root.join(folder));
        let definitions = Definitions::new(&woven, api.as_deref())
            .map_err(|(path, error)| Error::msg(format!("{}: {error}", path.display())))?;
        trim(&folder, &woven, &definitions)?;

        let addresses = Addresses::new(settings.renamed);
        let site = Site::new(&context.config, settings.short_title)?;

        let mut first = true;
        for chapter in context.book.chapters() {
            let Some(path) = &chapter.path else { continue };
            let mut head = Head::of(chapter);
            if is_front(path) {
                (head, first) = (head.of_book(&site), false);
            }
            let path = path.with_extension("html");
            let file = folder.join(&path);
            edit(&file, |page| {
                let page = frame::breakable(&addresses.mark_former(&page));
                frame::finish(&site.head(&page, &path, &head)?, site.short())
            })?;
            // mdBook shows the first chapter at the address of the whole book, whatever its own.
            if std::mem::take(&mut first) {
                let index = Path::new("index.html");
                edit(&folder.join(index), |page| {
                    let page = addresses.mark_former(&page);
                    frame::finish(&site.head(&page, index, &head.of_book(&site))?, site.short())
                })?;
            }
        }
        let whole = Head::new("Print the book", "All chapters of the book on one page.");
        let print = Path::new("print.html");
        if folder.join(print).is_file() {
            edit(&folder.join(print), |page| {
                frame::finish(&site.head(&page, print, &whole)?, site.short())
            })?;
        }
        let lost = Head::new("Page not found", "This address leads to no page of the book.");
        edit(&folder.join("404.html"), |page| {
            let page =
                frame::finish(&site.head(&page, Path::new("404.html"), &lost)?, site.short())?;
            Ok(frame::from_anywhere(&page, site.path()))
        })?;

        addresses.write(&woven, &folder, &site)?;
        listings::lead_search_to_listings(&folder, &woven)?;
        glossary::write_script(context, &folder)?;
        match epub::Settings::new(settings.epub, &context.root)? {
            Some(settings) => epub::write(context, &folder, &woven, &settings),
            None => Ok(()),
        }
    }
}

/// Rewrites a file that mdBook wrote.
fn edit(file: &Path, change: impl FnOnce(String) -> Result<String>) -> Result<()> {
    let failed = |error: Error| Error::msg(format!("{}: {error:#}", file.display()));
    let page = fs::read_to_string(file).map_err(|error| failed(error.into()))?;
    let page = change(page).map_err(failed)?;
    write(file, &page)
}

/// Writes a file of the site, and its folder.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    let failed = |error: std::io::Error| Error::msg(format!("{}: {error}", file.display()));
    fs::create_dir_all(file.parent().map_or_else(PathBuf::new, Path::to_path_buf))
        .map_err(failed)?;
    fs::write(file, text).map_err(failed)
}

/// Replaces what a page of the pinned mdBook contains once.
pub(crate) fn replace_once(page: &str, old: &str, new: &str) -> Result<String> {
    match page.matches(old).count() {
        1 => Ok(page.replacen(old, new, 1)),
        count => Err(Error::msg(format!(
            "`{old}` is there {count} times, where the mdBook that this book pins writes it once"
        ))),
    }
}
