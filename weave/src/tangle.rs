//! Pages to doctests.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proc_macro2::{TokenStream, TokenTree};

use crate::blocks::visible;
use crate::book::{Book, Example, Listing};
use crate::fault::{Faults, What};
use crate::host;
use crate::source::is;
use crate::summary::test_name;

/// The template of an example without a `main`, named like no anchor can be.
const WRAPPED: &str = "Wrapped";

/// Writes one Markdown file per page with Rust on it into `out`, with skeptic's
/// templates beside it, and returns the files to hand to skeptic.
///
/// Before each block stands a heading that gives the test its name: a listing's
/// anchor, or the heading and line an example has in its chapter. A listing's
/// block is the text as the page prints it, and its template the library
/// around it. An example without `fn main` is put into one, as mdBook and
/// rustdoc do.
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
        if has_main(&example.text) {
            return self.block(&heading, "rust", &example.text);
        }
        let info = format!("rust,skt-{WRAPPED}");
        self.block(&heading, &info, &example.text);
        if !self.templates.contains(&info) {
            fence(&mut self.templates, &info, "fn main() {{\n{}\n}}\n");
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

/// Whether an example has a `main` of its own, beside other items and not inside one.
fn has_main(example: &str) -> bool {
    let tokens: Vec<TokenTree> =
        visible(example).parse::<TokenStream>().map_or_else(|_| Vec::new(), Vec::from_iter);
    tokens.windows(2).any(|pair| is(&pair[0], "fn") && is(&pair[1], "main"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_is_a_function_beside_the_others() {
        for example in
            ["fn main() {}", "# fn main() {\nlet x = 1;\n# }", "use a;\npub fn  main() {}"]
        {
            assert!(has_main(example), "{example}");
        }
        for example in [
            "fn maintain() {}",
            "fn main_loop() {}",
            "// Unlike the `fn main` of the last.\nlet x = 1;",
            "let x = \"fn main() {}\";",
            "mod inner { fn main() {} }",
            "let domain = 1;",
        ] {
            assert!(!has_main(example), "{example}");
        }
    }
}
