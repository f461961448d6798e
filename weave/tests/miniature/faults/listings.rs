//! Listings: their place and their text.

use super::{expect, more, region, CHECK, PAGE};
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
            "a link's address before the caption",
            sound.clone().edit(PAGE, "Listing: X.\n", "[to]: intro.md\n\nListing: X.\n"),
            &["book/ch02-shapes.md:43: the listing has no caption; a line `Listing: ...` or \
               `Excerpt: ...` follows its fence (x)"],
        ),
        (
            "a rule before the caption",
            sound.clone().edit(PAGE, "Listing: X.\n", "***\n\nListing: X.\n"),
            &["book/ch02-shapes.md:43: the listing has no caption; a line `Listing: ...` or \
               `Excerpt: ...` follows its fence (x)"],
        ),
        (
            "blank lines before the caption",
            sound.clone().edit(PAGE, "Listing: X.\n", "\n \nListing: X.\n"),
            &[],
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
fn a_caption_that_is_spelt_otherwise() {
    let sound = region("pub fn x() {}");
    for (text, start) in [
        ("**Listing:** X.", "**Listing:**"),
        ("*Listing: X.*", "*Listing:"),
        ("listing: X.", "listing:"),
        ("LISTING: X.", "LISTING:"),
        ("Listing X.", "Listing"),
        ("Listing : X.", "Listing :"),
        ("Listing. X.", "Listing."),
        ("Listing 3: X.", "Listing 3:"),
        ("Lisitng: X.", "Lisitng:"),
        ("Excerpts: X.", "Excerpts:"),
        ("_excerpt_: X.", "_excerpt_:"),
        ("Caption: X.", "Caption:"),
        ("> Listing: X.", "Listing:"),
        ("- Listing: X.", "- Listing:"),
        ("### Listing: One.", "### Listing:"),
    ] {
        let message = format!(
            "book/ch02-shapes.md:46: `{start}` begins no caption; in the line after the fence \
             stands `Listing: ...` or `Excerpt: ...`, in these letters, without marks and with a \
             colon (x)"
        );
        let mini = sound.clone().edit(PAGE, "Listing: X.\n", &format!("{text}\n"));
        assert_eq!(mini.faults(), [message], "{text}");
    }
}

#[test]
fn the_text_of_a_listing() {
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
        (
            "a module declaration",
            Mini::clean()
                .edit("src/lib.rs", "pub mod sums;", "// ANCHOR: x\npub mod sums;\n// ANCHOR_END: x")
                .append(PAGE, "\nNow.\n\n```rust\n{{#include ../src/lib.rs:x}}\n```\nListing: X.\n")
                .with("tests/listings/x.rs", CHECK),
            &["book/ch02-shapes.md:43: `mod sums;` stands inside a listing; keep it outside the \
               anchors (x)"],
        ),
    ]);
}

#[test]
fn a_listing_that_no_compiler_need_read() {
    let conditional = "book/ch02-shapes.md:43: what stands under `cfg`, `cfg_attr` or `test` may \
                       be no part of the listing's test, so nothing runs it (x)";
    let in_macro = "book/ch02-shapes.md:43: the region lies in the braces of a macro, which may \
                    drop it unread; print the whole of the macro, or plain code (x)";
    // The region in the place of `HERE`.
    let around = |text: &str| {
        let mark = "// ANCHOR: x\nfn one() {}\n// ANCHOR_END: x\n";
        region("").with("src/sums.rs", &text.replace("HERE", mark))
    };
    for text in [
        "#[cfg(any())]\npub fn x() {}",
        "#[cfg(not(test))]\npub fn x() {}",
        "pub fn x() {}\n#[cfg(all(test, unix))]\n#[inline]\npub fn y() {\n}",
        "pub fn x() {\n#[cfg(test)]\ny();\n}",
        "pub fn x() {\n#[inline]\n#[cfg_attr(all(), cfg(any()))]\nfn y() {}\n}",
        "pub struct X {\n#[cfg(windows)]\nx: u8,\n}",
        "pub fn x(y: u8) {\nmatch y {\n#[cfg(any())]\n0 => panic!(),\n_ => {}\n}\n}",
        "pub fn x() {\n#![cfg(any())]\n}",
        "#[test]\nfn x() {}",
        "#[core::prelude::v1::test]\nfn x() {}",
        "#[r#cfg(any())]\npub fn x() {}",
    ] {
        assert_eq!(region(text).faults(), [conditional], "{text}");
    }
    for text in [
        "#[cfg(test)]\nmod tests {\nHERE}\n",
        "#[cfg(any())]\nHERE",
        "#[cfg(any())]\nimpl X<{ 1 }> for [u8; 2] {\nHERE}\n",
        "#[cfg(feature = \"x\")]\nmod x {\nHERE}\n",
        "mod x {\n#![cfg(any())]\nHERE}\n",
        "fn x() {\n#[cfg(any())]\nif true {\n} else {\nHERE}\n}\n",
        "#![cfg_attr(all(), cfg(any()))]\nHERE",
        "#[test]\nfn x() {\nHERE}\n",
    ] {
        assert_eq!(around(text).faults(), [conditional], "{text}");
    }
    for text in [
        "macro_rules! never {\n() => {\nHERE};\n}\n",
        "pub fn x() {\nstringify!(\nHERE);\n}\n",
        "impl X {\nnever! {\nHERE}\n}\n",
    ] {
        assert_eq!(around(text).faults(), [in_macro], "{text}");
    }
    for text in [
        "#[cfg(any())]\nmod one {}\nHERE#[cfg(test)]\n#[path = \"x.rs\"]\nmod check_x;\n",
        "/// #[cfg(any())]\nHERE",
        "#[doc(cfg)]\nHERE",
        "pub fn x() {\none!();\nif a != (b) {\nHERE}\ntwo!(\n);\n}\n",
    ] {
        assert_eq!(around(text).faults(), [""; 0], "{text}");
    }
    let whole = region("macro_rules! x {\n() => {};\n}");
    assert_eq!(whole.faults(), [""; 0]);
}
