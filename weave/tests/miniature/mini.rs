//! A miniature book that is right, and ways to make it wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pullback_weave::{load, Book, Faults};
use tempfile::TempDir;

/// Files by path, relative to the root.
#[derive(Clone)]
pub struct Mini {
    files: BTreeMap<String, String>,
}

const SETTINGS: &str = "[book]\nsrc = \"book\"\n[build]\nbuild-dir = \"target/book\"\n";

const SUMMARY: &str = "\
# Summary

[Introduction](intro.md)

- [To come]()
- [Shapes](ch02-shapes.md)
";

const SHAPES_PAGE: &str = "\
# Shapes

## Areas

First the area, see {{#listing shape-error}}.

````rust
{{#include ../src/shapes/mod.rs:shape-area}}
````
Listing: The *area* of a
rectangle.

One line of it decides:

````rust
{{#include ../src/shapes/mod.rs:area-product}}
````
Excerpt: The product.

Then the error.

````rust
{{#include ../src/shapes/error.rs:shape-error}}
````
Listing: The error.

Use it:

```rust
# use pullback::area;
assert_eq!(area(2, 3), Some(6));
```

The program prints it.

````rust
{{#include ../src/main.rs:program-output}}
````
Listing: The output.
";

const LIBRARY: &str = "\
//! Shapes.
#![doc = include_str!(\"../README.md\")]
#![deny(missing_docs)]

#[cfg(feature = \"shapes\")]
mod shapes;
pub mod sums;

#[cfg(feature = \"shapes\")]
pub use shapes::{area, ShapeError};
";

const SHAPES: &str = "\
//! Shapes, with a { in their docs.
mod error;

pub use error::ShapeError;

macro_rules! product {
    ($one:expr, $other:expr) => {{
        $one.checked_mul($other)
    }};
}

// ANCHOR: shape-area
/// The area of a rectangle.
///
/// ```
/// assert_eq!(pullback::area(2, 3), Some(6));
/// ```
pub fn area(width: u32, height: u32) -> Option<u32> {
    // ANCHOR: area-product
    product!(width, height)
    // ANCHOR_END: area-product
}
// ANCHOR_END: shape-area

/// Never printed.
fn unit() -> u32 {
    1
}

#[cfg(test)]
#[path = \"../../tests/listings/shape-area.rs\"]
mod check_shape_area;
";

const ERROR: &str = "\
//! Errors.

// ANCHOR: shape-error
/// What can go wrong.
#[derive(Debug, PartialEq)]
pub struct ShapeError(pub u32);
// ANCHOR_END: shape-error
";

const PROGRAM: &str = "\
//! The program.
use std::io::{self, Write};

mod words;

use pullback::area;

fn main() -> io::Result<()> {
    run(&mut io::stdout())
}

fn run(out: &mut impl Write) -> io::Result<()> {
    let name = crate::words::name();
    // ANCHOR: program-output
    writeln!(out, \"{name}: {}\", area(2, 3).unwrap_or_default())?;
    // ANCHOR_END: program-output
    Ok(())
}
";

const WORDS: &str = "\
pub(crate) fn name() -> &'static str {
    r#\"the \"area\"\"#
}
";

const SUMS: &str = "\
//! Sums.

/// The sum of all areas.
pub fn total(sides: &[(u32, u32)]) -> u32 {
    sides.iter().filter_map(|(width, height)| crate::area(*width, *height)).sum()
}
";

fn check(body: &str) -> String {
    format!("use super::*;\n\n/// What it does.\npub(crate) fn check() {{\n    {body}\n}}\n")
}

impl Mini {
    /// The book without fault.
    pub fn clean() -> Mini {
        let readme = "# Mini\n\n```rust\nfn main() {\n    let _ = pullback::area(1, 2);\n}\n```\n";
        let product =
            check("assert_eq!(area(2, 3), Some(6)); assert_eq!(area(u32::MAX, 2), None);");
        let files = [
            ("README.md", readme.to_owned()),
            ("book.toml", SETTINGS.to_owned()),
            ("book/SUMMARY.md", SUMMARY.to_owned()),
            ("book/intro.md", "# Introduction\n\nStart at {{#listing shape-area}}.\n".to_owned()),
            ("book/ch02-shapes.md", SHAPES_PAGE.to_owned()),
            ("src/lib.rs", LIBRARY.to_owned()),
            ("src/main.rs", PROGRAM.to_owned()),
            ("src/words.rs", WORDS.to_owned()),
            ("src/sums.rs", SUMS.to_owned()),
            ("src/shapes/mod.rs", SHAPES.to_owned()),
            ("src/shapes/error.rs", ERROR.to_owned()),
            ("tests/listings/shape-area.rs", product.clone()),
            ("tests/listings/area-product.rs", product),
            ("tests/listings/shape-error.rs", check("assert_eq!(ShapeError(2), ShapeError(2));")),
            (
                "tests/listings/program-output.rs",
                check(
                    "let mut out = Vec::new(); run(&mut out).unwrap(); \
                     assert_eq!(out, b\"the \\\"area\\\": 6\\n\");",
                ),
            ),
        ];
        Mini { files: files.map(|(name, text)| (name.to_owned(), text)).into() }
    }

    /// With this file written anew.
    #[must_use]
    pub fn with(mut self, file: &str, text: &str) -> Mini {
        self.files.insert(file.to_owned(), text.to_owned());
        self
    }

    /// The text of a file.
    pub fn text(&self, file: &str) -> &str {
        &self.files[file]
    }

    /// Without this file.
    #[must_use]
    pub fn without(mut self, file: &str) -> Mini {
        assert!(self.files.remove(file).is_some(), "{file} is no file of the miniature");
        self
    }

    /// With the one place that reads `from` changed.
    #[must_use]
    pub fn edit(mut self, file: &str, from: &str, to: &str) -> Mini {
        let Some(text) = self.files.get_mut(file) else {
            panic!("{file} is no file of the miniature");
        };
        assert_eq!(text.matches(from).count(), 1, "`{from}` in {file}");
        *text = text.replace(from, to);
        self
    }

    /// With this text at the end of a file.
    #[must_use]
    pub fn append(mut self, file: &str, text: &str) -> Mini {
        self.files.entry(file.to_owned()).or_default().push_str(text);
        self
    }

    /// Writes the files to a folder of their own.
    pub fn write(&self) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (name, text) in &self.files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap_or(Path::new(""))).unwrap();
            fs::write(file, text).unwrap();
        }
        folder
    }

    /// Writes and loads.
    pub fn load(&self) -> Result<(TempDir, Book), Faults> {
        let folder = self.write();
        load(folder.path()).map(|book| (folder, book))
    }

    /// The messages of a book that has faults.
    pub fn faults(&self) -> Vec<String> {
        match self.load() {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(ToString::to_string).collect(),
        }
    }
}
