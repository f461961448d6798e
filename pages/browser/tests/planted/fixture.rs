//! A folder that is served, and words for what a check must find.

use std::fs;

use pullback_browser::{Browser, Fault, Site};
use regex::Regex;
use tempfile::TempDir;

pub struct Fixture<'a> {
    pub browser: &'a Browser,
    pub folder: TempDir,
    pub site: Site,
}

impl<'a> Fixture<'a> {
    pub async fn new(browser: &'a Browser) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let site = Site::serve(folder.path()).await.expect("a site");
        Self { browser, folder, site }
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Writes `page.html`.
    pub fn page(&self, head: &str, body: &str) {
        self.write("page.html", &html(head, body));
    }
}

/// A page without a fault of its own.
pub fn html(head: &str, body: &str) -> String {
    format!(
        r#"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="icon" href="data:,">{head}</head><body>{body}</body></html>"#
    )
}

/// A script or style of the book.
pub fn style(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/style/");
    fs::read_to_string(format!("{folder}{name}")).expect(name)
}

/// A text with one of its parts, which stands there once, put another way.
pub fn changed(text: &str, [part, other]: [&str; 2]) -> String {
    assert_eq!(text.matches(part).count(), 1, "{part} stands once in the text");
    text.replace(part, other)
}

/// The faults, one a line.
pub fn told(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n")
}

#[track_caller]
pub fn none(faults: &[Fault]) {
    assert_eq!(told(faults), "");
}

/// There are faults, and they read like this.
#[track_caller]
pub fn some(pattern: &str, faults: &[Fault]) {
    let told = told(faults);
    assert!(Regex::new(pattern).expect(pattern).is_match(&told), "{pattern} is not in: {told}");
}

/// There is one fault, and it reads like this.
#[track_caller]
pub fn one(pattern: &str, faults: &[Fault]) {
    some(pattern, faults);
    assert_eq!(faults.len(), 1, "{}", told(faults));
}
