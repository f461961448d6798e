//! Pages to doctests.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::book::{Book, Example, Listing};
use crate::fault::{Faults, What};
use crate::host;
use crate::program::Program;
use crate::summary::test_name;

/// Writes one Markdown file per page with Rust on it into `out`, with skeptic's
/// templates beside it, and returns the files to hand to skeptic.
///
/// Before each block stands a heading that gives the test its name: a listing's
/// anchor, or the heading and line an example has in its chapter. A listing's
/// block is the text as the page prints it, and its template the library
/// around it. An example without `fn main` is put into one, as rustdoc does: one
/// that ends in `Ok::<(), E>(())` may use `?`.
///
/// # Errors
///
/// A file that cannot be written.
pub fn tangle(book: &Book, out: impl AsRef<Path>) -> Result<Vec<PathBuf>, Faults> {
    let mut pages: Vec<(String, Woven)> = Vec::new();
    for chapter in &book.chapters {
        let mut woven = Woven::default();
        let mut listings = chapter.listings.iter().peekable();
        for example in &chapter.examples {
            while let Some(one) = listings.next_if(|one| one.chapter_line < example.line) {
                woven.listing(book, one);
            }
            woven.example(example);
        }
        listings.for_each(|one| woven.listing(book, one));
        pages.push((test_name(&chapter.path), woven));
    }
    let mut readme = Woven::default();
    book.readme_examples.iter().for_each(|one| readme.example(one));
    pages.push(("readme".to_owned(), readme));

    let out = out.as_ref();
    let mut written = Vec::new();
    for (name, woven) in pages.iter().filter(|(_, woven)| !woven.page.is_empty()) {
        let page = out.join(format!("{name}.md"));
        let templates = out.join(format!("{name}.md.skt.md"));
        for (file, text) in [(&page, &woven.page), (&templates, &woven.templates)] {
            if let Err(error) = write_old(file, text) {
                return Err(Faults(vec![What::Unreadable(error.to_string()).at(file, 1)]));
            }
        }
        written.push(page);
    }
    Ok(written)
}

/// The text of every listing's test: its anchor and the whole program.
pub fn programs(book: &Book) -> impl Iterator<Item = (&str, String)> {
    book.listings().map(|listing| {
        let (before, after) = host::around(&book.root, &book.library, listing);
        (listing.anchor.as_str(), format!("{before}{}{after}", listing.text))
    })
}

/// A page for skeptic and its templates.
#[derive(Default)]
struct Woven {
    page: String,
    templates: String,
}

impl Woven {
    fn listing(&mut self, book: &Book, listing: &Listing) {
        let (before, after) = host::around(&book.root, &book.library, listing);
        let template = format!("{}{{}}{}", doubled(&before), doubled(&after));
        self.block(&listing.anchor, &format!("rust,skt-{}", listing.anchor), &listing.text);
        fence(&mut self.templates, &format!("rust,skt-{}", listing.anchor), &template);
    }

    fn example(&mut self, example: &Example) {
        let heading = format!("{} at {}", example.heading.replace(['\n', '\r'], " "), example.line);
        let Some((name, template)) = Program::of(&example.text).template() else {
            return self.block(&heading, "rust", &example.text);
        };
        let info = format!("rust,skt-{name}");
        self.block(&heading, &info, &example.text);
        if !self.templates.contains(&format!("{info}\n")) {
            fence(&mut self.templates, &info, template);
        }
    }

    fn block(&mut self, heading: &str, info: &str, text: &str) {
        // Letters and digits only: the heading is no Markdown, only a name.
        let plain: String = heading
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { ' ' })
            .collect();
        self.page.push_str(&format!("## {}\n\n", plain.trim()));
        fence(&mut self.page, info, text);
    }
}

/// A fenced block with a fence longer than any run of backticks in it.
fn fence(page: &mut String, info: &str, text: &str) {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    page.push_str(&format!("{fence}{info}\n{text}{end}{fence}\n\n"));
}

/// skeptic hands its templates to `format!`.
fn doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Writes a file that looks older than any build: skeptic lists these files as
/// reasons to run the build script again, and new ones would always be one.
fn write_old(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)?;
    let day = Duration::from_secs(24 * 60 * 60);
    File::options().write(true).open(file)?.set_modified(SystemTime::UNIX_EPOCH + day)
}
