//! One miniature book per fault, with every message it must give.

mod blocks;
mod docs;
mod figures;
mod includes;
mod listings;
mod pages;
mod sources;

use crate::mini::Mini;

/// The chapter that most of the books change.
const PAGE: &str = "book/ch02-shapes.md";

/// The check of a listing in [`region`], by the names that such a listing has.
const CHECK: &str =
    "pub(crate) fn check() {\n    assert!(holds(x, X, Y, É, C, f, é, one, never, fs, io, sums));\n}\n";

/// A book's name, the book, and its messages.
type Case<'a> = (&'a str, Mini, &'a [&'a str]);

/// Loads each book and compares its messages.
fn expect(cases: &[Case]) {
    let mut wrong = String::new();
    for (name, mini, messages) in cases {
        let found = mini.faults();
        if found != *messages {
            wrong.push_str(&format!("{name}\n  expected {messages:#?}\n  found {found:#?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The clean book with more text at the end of its chapter, from line 41 on.
fn more(text: &str) -> Mini {
    Mini::clean().append(PAGE, &format!("\n{text}"))
}

/// The clean book with a region `x` in sums.rs around these lines, printed.
fn region(lines: &str) -> Mini {
    more("Now this.\n\n````rust\n{{#include ../src/sums.rs:x}}\n````\nListing: X.\n")
        .with("src/sums.rs", &format!("// ANCHOR: x\n{lines}\n// ANCHOR_END: x\n"))
        .with("tests/listings/x.rs", CHECK)
}

#[test]
fn the_clean_book_has_no_fault() {
    expect(&[("clean", Mini::clean(), &[])]);
}

#[test]
fn every_fault_is_reported_at_once() {
    let mini = Mini::clean()
        .edit(PAGE, "Listing: The error.", "The error.")
        .append("book/intro.md", "\n```\none\n```\n")
        .append("src/words.rs", "// ANCHOR: x\nuse std::fs;\n// ANCHOR_END: x\n")
        .without("tests/listings/shape-area.rs");
    let files: Vec<String> =
        mini.faults().iter().map(|one| one.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(
        files,
        ["book/ch02-shapes.md:7", "book/ch02-shapes.md:22", "book/intro.md:5", "src/words.rs:4"]
    );
}
