//! Listings: their place and their text.

use super::{expect, more, region, PAGE};
use crate::mini::Mini;

#[test]
fn a_listing_and_its_place() {
    let sound = region("pub fn x() {}");
    expect(&[
        ("a sound one", sound.clone(), &[]),
        (
            "no caption",
            sound.clone().edit(PAGE, "Listing: X.\n", "The X.\n"),
            &["book/ch02-shapes.md:43: the listing has no caption; a line `Listing: ...` or \
               `Excerpt: ...` follows its fence (x)"],
        ),
        (
            "no caption at the end of a page",
            sound.clone().edit(PAGE, "Listing: X.\n", ""),
            &["book/ch02-shapes.md:43: the listing has no caption; a line `Listing: ...` or \
               `Excerpt: ...` follows its fence (x)"],
        ),
        (
            "an empty caption",
            sound.clone().edit(PAGE, "Listing: X.\n", "Listing: \n"),
            &["book/ch02-shapes.md:43: the listing has no caption; a line `Listing: ...` or \
               `Excerpt: ...` follows its fence (x)"],
        ),
        (
            "a caption under no listing",
            more("```text\none\n```\nListing: One.\n"),
            &["book/ch02-shapes.md:44: this caption follows no listing"],
        ),
        (
            "two listings without prose",
            sound.clone().edit(PAGE, "Now this.\n", "## Only a heading\n\n---\n"),
            &["book/ch02-shapes.md:45: no prose stands between this listing and the one before \
               it (x)"],
        ),
        (
            "a listing in a list",
            sound.clone().edit(PAGE, "Now this.\n\n````rust\n{{#include ../src/sums.rs:x}}\n````",
                "- Now this.\n\n  ````rust\n  {{#include ../src/sums.rs:x}}\n  ````"),
            &[
                "book/ch02-shapes.md:43: a listing stands at the top level, outside lists and \
                 quotations (x)",
                "src/sums.rs:1: no chapter prints this anchor (x)",
                "tests/listings/x.rs:1: no listing has this name, so nothing runs this check",
            ],
        ),
        (
            "the same anchor twice",
            more("Again.\n\n````rust\n{{#include ../src/shapes/error.rs:shape-error}}\n````\nExcerpt: E.\n"),
            &["book/ch02-shapes.md:43: this anchor is already printed at \
               book/ch02-shapes.md:22 (shape-error)"],
        ),
        (
            "the same line in two full listings",
            Mini::clean().edit(PAGE, "Excerpt: The product.", "Listing: The product."),
            &["book/ch02-shapes.md:15: line 20 of src/shapes/mod.rs is already printed in full \
               by `shape-area`; mark one of the two as an excerpt (area-product)"],
        ),
    ]);
}

#[test]
fn the_text_of_a_listing() {
    let test_only = "book/ch02-shapes.md:43: what stands under `cfg(test)` is no part of the \
                     listing's test, so nothing runs it (x)";
    // One of the two is the region.
    let tested = |before: &str, inside: &str| {
        let text = format!("{before}{inside}");
        let mark = |part: &str| match part {
            "" => String::new(),
            part => format!("// ANCHOR: x\n{part}\n// ANCHOR_END: x\n"),
        };
        let (before, inside) = (mark(before), mark(inside));
        region(&text)
            .with("src/sums.rs", &format!("{before}#[cfg(test)]\nmod tests {{\n{inside}}}\n"))
    };
    let long = "pub fn x() {}\n".repeat(121);
    let wide = format!("pub fn é() {{}} //{}", "é".repeat(84));
    expect(&[
        ("120 lines of 100 columns", region(&format!("{wide}\n{}", &long[28..].trim_end())), &[]),
        (
            "a long listing",
            region(long.trim_end()),
            &["book/ch02-shapes.md:43: the listing has 121 lines; at most 120 (x)"],
        ),
        (
            "a wide line",
            region(&format!("\n{wide}é")),
            &["book/ch02-shapes.md:43: line 3 of src/sums.rs is 101 columns wide; at most 100 (x)"],
        ),
        (
            "lines that the page would hide",
            region("pub const X: &str = \"\n # one\n#\n## two\n#[three]\";"),
            &[
                "book/ch02-shapes.md:43: line 3 of src/sums.rs starts with `#`, which hides or \
                 changes it on the page (x)",
                "book/ch02-shapes.md:43: line 4 of src/sums.rs starts with `#`, which hides or \
                 changes it on the page (x)",
                "book/ch02-shapes.md:43: line 5 of src/sums.rs starts with `#`, which hides or \
                 changes it on the page (x)",
            ],
        ),
        (
            "a fence in the text",
            region("pub const X: &str = \"\n````\n\";"),
            &[
                "book/ch02-shapes.md:43: the listing's text closes its fence; use a longer one (x)",
                "book/ch02-shapes.md:43: the listing has no caption; a line `Listing: ...` or \
                 `Excerpt: ...` follows its fence (x)",
                "book/ch02-shapes.md:45: a block without a language may hide untested Rust; use \
                 rust, text, console, toml, sh, json, python or markdown",
                "book/ch02-shapes.md:45: nothing closes this fence",
                "src/sums.rs:1: no chapter prints this anchor (x)",
                "tests/listings/x.rs:1: no listing has this name, so nothing runs this check",
            ],
        ),
        (
            "a directive in the text",
            region("pub const X: &str = \"{{#include ../book.toml}}\";"),
            &["book/ch02-shapes.md:43: the page prints other text than the region at \
               src/sums.rs:2 (x)"],
        ),
        (
            "text that ends skeptic's string",
            region("pub const X: &str = r####\"\"####;"),
            &[
                "book/ch02-shapes.md:43: `\"####` ends the string that skeptic puts this text \
                 into (x)",
                "src/sums.rs:2: `\"####` ends the string that skeptic puts this text into",
            ],
        ),
        (
            "relative includes",
            region("pub const X: &str = include_str!(\"x.txt\");")
                .append("src/sums.rs", "const Y: &[u8] = include_bytes!(r\"y.txt\");\n")
                .append("src/sums.rs", "const Z: &str = include_str!(concat!(env!(\"D\"), \"/z\"));\n")
                .append("tests/listings/x.rs", "const W: &str = include_str!(\"../w.txt\");\n"),
            &[
                "src/sums.rs:2: `include_str!` of a relative path cannot be resolved in the \
                 listing's test",
                "src/sums.rs:4: `include_bytes!` of a relative path cannot be resolved in the \
                 listing's test",
                "tests/listings/x.rs:4: `include_str!` of a relative path cannot be resolved in \
                 the listing's test",
            ],
        ),
        (
            "feature gates",
            region("#[cfg(not(feature = \"x\"))]\npub fn x() {}\npub fn feature() {}"),
            &["book/ch02-shapes.md:43: a `cfg(feature)` inside a listing is off in its test; gate \
               the whole module (x)"],
        ),
        ("a test beside the region", tested("pub fn x() {}", ""), &[]),
        ("a gate that holds without tests", region("#[cfg(not(test))]\npub fn x() {}"), &[]),
        (
            "code for tests only",
            region("pub fn x() {}\n#[cfg(all(test, unix))]\n#[inline]\npub fn y() {\n}"),
            &[test_only],
        ),
        ("a statement for tests only", region("pub fn x() {\n#[cfg(test)]\ny();\n}"), &[test_only]),
        ("a region among the tests", tested("", "pub fn x() {}"), &[test_only]),
        (
            "a module declaration",
            Mini::clean()
                .edit("src/lib.rs", "pub mod sums;", "// ANCHOR: x\npub mod sums;\n// ANCHOR_END: x")
                .append(PAGE, "\nNow.\n\n```rust\n{{#include ../src/lib.rs:x}}\n```\nListing: X.\n")
                .with("tests/listings/x.rs", "pub(crate) fn check() {\n    assert!(true);\n}\n"),
            &["book/ch02-shapes.md:43: `mod sums;` stands inside a listing; keep it outside the \
               anchors (x)"],
        ),
    ]);
}
