//! Builds books in this process, the way `mdbook build` does.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use mdbook_driver::config::Config;
use mdbook_driver::MDBook;
use mdbook_pullback::{Finish, Pullback, Repository};
use scraper::{ElementRef, Html, Selector};
use tempfile::TempDir;

/// A built book, read back.
pub struct Site {
    /// Where the HTML stands.
    pub root: PathBuf,
    /// The pages by their path below `root`, with forward slashes.
    pub pages: BTreeMap<String, Page>,
}

/// A page of a built book, parsed when a test first looks at it: a document belongs to the thread
/// that parsed it, so that each test would parse all of them for the few it asks about.
pub struct Page {
    text: String,
    html: OnceCell<Html>,
}

impl Deref for Page {
    type Target = Html;

    fn deref(&self) -> &Html {
        self.html.get_or_init(|| Html::parse_document(&self.text))
    }
}

impl Site {
    /// Reads all pages of a finished build.
    pub fn read(root: PathBuf) -> Self {
        let mut pages = BTreeMap::new();
        for file in files(&root) {
            if file.extension().is_some_and(|extension| extension == "html") {
                let name = slashed(file.strip_prefix(&root).unwrap());
                let text = fs::read_to_string(&file).unwrap();
                pages.insert(name, Page { text, html: OnceCell::new() });
            }
        }
        Site { root, pages }
    }

    /// What comes when somebody unfolds the check of a listing.
    pub fn check(&self, anchor: &str) -> Html {
        let script = self.root.join("source/tests/listings").join(anchor).with_extension("js");
        let script = fs::read_to_string(script).unwrap();
        let json = script.strip_prefix("document.currentScript.check = ").unwrap();
        let html: String = serde_json::from_str(json.strip_suffix(";\n").unwrap()).unwrap();
        Html::parse_fragment(&html)
    }

    /// The page at this path.
    pub fn page(&self, path: &str) -> &Page {
        self.pages.get(path).unwrap_or_else(|| panic!("there is no page {path}"))
    }
}

/// Builds the book at `root` into `folder`, with preprocessor and stamp check in this process,
/// and returns where the HTML stands.
pub fn build(
    root: &Path,
    folder: &Path,
    repository: Option<Repository>,
) -> Result<PathBuf, String> {
    build_with(root, folder, repository, |_| ())
}

/// The same, and the volume `file`, as old as `modified` says.
pub fn build_volume(
    root: &Path,
    folder: &Path,
    file: &Path,
    modified: &str,
) -> Result<PathBuf, String> {
    build_with(root, folder, None, |config| {
        let setting = |name: &str| format!("output.{}.epub.{name}", Finish::NAME);
        config.set(setting("file"), file).unwrap();
        config.set(setting("modified"), modified).unwrap();
    })
}

fn build_with(
    root: &Path,
    folder: &Path,
    repository: Option<Repository>,
    settings: impl FnOnce(&mut Config),
) -> Result<PathBuf, String> {
    let mut config = Config::from_disk(root.join("book.toml")).unwrap();
    config.build.build_dir = folder.to_path_buf();
    settings(&mut config);
    let mut book = MDBook::load_with_config(root, config).map_err(|error| format!("{error:#}"))?;
    book.with_preprocessor(Pullback::new(repository)).with_renderer(Finish);
    book.build().map_err(|error| format!("{error:#}"))?;
    Ok(folder.join("html"))
}

/// A book of two short chapters over a library of two functions, in a folder of its own.
pub struct Mini {
    folder: TempDir,
}

impl Mini {
    /// Writes the book.
    pub fn new() -> Self {
        let mini = Mini { folder: tempfile::tempdir().unwrap() };
        for (path, text) in [
            ("README.md", "# Mini\n"),
            ("book.toml", BOOK),
            ("book/SUMMARY.md", SUMMARY),
            ("book/front.md", "# Front\n\nSee {{#listing twice}}.\n"),
            ("book/one.md", ONE),
            ("book/two.md", TWO),
            ("src/lib.rs", LIBRARY),
            ("src/deep/mod.rs", DEEP),
            ("tests/listings/twice.rs", CHECK),
            ("tests/listings/twice-core.rs", CHECK),
            ("tests/listings/thrice.rs", CHECK),
        ] {
            mini.write(path, text);
        }
        mini
    }

    /// The folder of the book.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file of the book.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces text in a file of the book that must be there.
    pub fn replace(&self, path: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.root().join(path)).unwrap();
        assert!(text.contains(old), "{path} has no {old:?}");
        self.write(path, &text.replace(old, new));
    }

    /// Builds it with links to pages of its own.
    pub fn build(&self) -> Result<Site, String> {
        self.build_at(None)
    }

    /// Builds it with links to a repository.
    pub fn build_at(&self, repository: Option<Repository>) -> Result<Site, String> {
        build(self.root(), &self.root().join("target/book"), repository).map(Site::read)
    }
}

const BOOK: &str = r#"[build]
build-dir = "target/book"
create-missing = false

[book]
title = "Mini"
src = "book"

[preprocessor.pullback]
command = "unused in this process"
after = ["links"]

[output.html]

[output.html.playground]
runnable = false

[output.pullback-site]
command = "unused in this process"
"#;

const SUMMARY: &str = "# Summary\n\n[Front](front.md)\n\n# Part\n\n- [Not yet]()\n\
    - [One](one.md)\n- [Two](two.md)\n";

const ONE: &str = r#"# One

The factor is $f = 2$, not \$2 or `$f$`; {{#listing thrice}} has another.

````rust
{{#include ../src/deep/mod.rs:twice}}
````
Listing: Doubling, *without* multiplying: $x + x$ is {{#listing twice}},
told over two lines.

The core of it:

````rust
{{#include ../src/deep/mod.rs:twice-core}}
````
Excerpt: The sum.

$$
\bar{x} = 2 \bar{y}
$$
"#;

const TWO: &str = r#"# Two

As in {{#listing twice}}.

````rust
{{#include ../src/lib.rs:thrice}}
````
Listing: Three.
"#;

const LIBRARY: &str = "pub mod deep;\n\n// ANCHOR: thrice\n\
    /// Three times `x`, by [`deep::twice`].\npub fn thrice(x: i64) -> i64 {\n    \
    deep::twice(x) + x\n}\n// ANCHOR_END: thrice\n";

const DEEP: &str = "// ANCHOR: twice\n/// Two times `x`: `x + x`, so 2 < 3 & 4 > 3.\n///\n\
    /// ```\n/// assert_eq!(mini::deep::twice(2), 4);\n/// ```\npub fn twice(x: i64) -> i64 {\n    \
    // ANCHOR: twice-core\n    x + x\n    // ANCHOR_END: twice-core\n}\n\
    // ANCHOR_END: twice\n";

const CHECK: &str = "use super::*;\n\n/// It counts.\n#[cfg_attr(test, test)]\n\
    pub(crate) fn check() {\n    assert!(twice(1) < thrice(1) && 0.0 < Pair::LIMIT);\n}\n";

/// All files below a folder, in order.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The path as addresses write it.
pub fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The elements that a CSS selector finds.
pub fn all<'html>(html: &'html Html, selector: &str) -> Vec<ElementRef<'html>> {
    html.select(&Selector::parse(selector).unwrap()).collect()
}

/// The one element that a CSS selector finds below another.
pub fn one<'html>(element: ElementRef<'html>, selector: &str) -> ElementRef<'html> {
    let selected = Selector::parse(selector).unwrap();
    let found: Vec<_> = element.select(&selected).collect();
    assert_eq!(found.len(), 1, "{selector} in {}", element.html());
    found[0]
}

/// The text of an element, as it is.
pub fn text(element: ElementRef<'_>) -> String {
    element.text().collect()
}

/// The text of an element as a reader sees it: white space collapsed, no annotations.
pub fn words(element: ElementRef<'_>) -> String {
    let mut found = String::new();
    for node in element.descendants() {
        let annotation = |node: scraper::node::Node| {
            node.as_element().is_some_and(|element| element.name() == "annotation")
        };
        if let Some(text) = node.value().as_text() {
            if !node.ancestors().any(|node| annotation(node.value().clone())) {
                found.push_str(text);
            }
        }
    }
    found.split_whitespace().collect::<Vec<_>>().join(" ")
}
