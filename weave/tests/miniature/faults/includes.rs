//! Directives.

use super::{expect, more, PAGE};
use crate::mini::Mini;

/// What is said of braces that nothing expands, at this line of the chapter.
fn left(line: usize, braces: &str) -> String {
    format!(
        "book/ch02-shapes.md:{line}: `{braces}` is left in the page; a directive is written \
         `{{{{#include PATH:ANCHOR}}}}`, `{{{{#listing ANCHOR}}}}` or `{{{{#figure NAME}}}}`"
    )
}

#[test]
fn an_include() {
    let text = |directive: &str| more(&format!("```text\n{directive}\n```\n"));
    expect(&[
        (
            "a missing file",
            text("{{#include ../tests/recorded.txt}}"),
            &["book/ch02-shapes.md:42: the included file `../tests/recorded.txt` does not exist"],
        ),
        (
            "a listing of a missing file",
            Mini::clean().edit(PAGE, "../src/main.rs:", "../src/mian.rs:"),
            &[
                "book/ch02-shapes.md:37: the included file `../src/mian.rs` does not exist \
                 (program-output)",
                "src/main.rs:14: no chapter prints this anchor (program-output)",
                "tests/listings/program-output.rs:1: no listing has this name, so nothing runs \
                 this check",
            ],
        ),
        (
            "a file of another project",
            text("{{#include ../../other/notes.txt}}"),
            &["book/ch02-shapes.md:42: the included file `../../other/notes.txt` lies outside \
               this repository"],
        ),
        (
            "a missing anchor",
            text("{{#include ../book.toml:build}}"),
            &["book/ch02-shapes.md:42: `book.toml` has no such anchor (build)"],
        ),
        (
            "an unclosed anchor in a file that is no source",
            text("{{#include ../book.toml:build}}").append("book.toml", "# ANCHOR: build\n"),
            &["book/ch02-shapes.md:42: nothing closes this anchor (build)"],
        ),
        (
            "a misspelt anchor",
            Mini::clean().edit(PAGE, "main.rs:program-output", "main.rs:program-ouput"),
            &[
                "book/ch02-shapes.md:37: `src/main.rs` has no such anchor (program-ouput)",
                "src/main.rs:14: no chapter prints this anchor (program-output)",
                "tests/listings/program-output.rs:1: no listing has this name, so nothing runs \
                 this check",
            ],
        ),
        (
            "a directive in an included file",
            text("{{#include ../nested.txt}}")
                .with("nested.txt", "{{#rustdoc_include src/sums.rs:3}}\n"),
            &["book/ch02-shapes.md:42: `nested.txt` holds a directive of its own, which would \
               reach the page unchecked"],
        ),
        (
            "an include of nothing",
            text("{{#include ../empty.txt}}").with("empty.txt", "\n \n"),
            &["book/ch02-shapes.md:42: the include of `empty.txt` is empty"],
        ),
        (
            "lines that the file does not have",
            text("{{#include ../book.toml:100:120}}"),
            &["book/ch02-shapes.md:42: the include of `book.toml` is empty"],
        ),
        (
            "directives whose Rust no test compiles",
            more("{{#playground ../src/sums.rs}}\n\n{{#rustdoc_include ../src/sums.rs:3}}\n"),
            &[
                "book/ch02-shapes.md:41: `{{#playground}}` prints Rust that no test compiles; \
                 use `{{#include}}` and an anchor",
                "book/ch02-shapes.md:43: `{{#rustdoc_include}}` prints Rust that no test \
                 compiles; use `{{#include}}` and an anchor",
            ],
        ),
        (
            "braces that mdBook leaves",
            more("A {{#inclde x}}, \\{{#listing shape-area}} and {{#open\n\nor \\{{#include y}}\n"),
            &[
                &left(41, "{{#inclde x}}"),
                &left(41, "{{#listing shape-area}}"),
                &left(41, "{{#open"),
                &left(43, "{{#include y}}"),
            ],
        ),
        (
            "braces in an included text",
            text("{{#include ../note.txt}}").with("note.txt", "{{#nothing here}}\n"),
            &["book/ch02-shapes.md:42: `note.txt` holds a directive of its own, which would reach \
               the page unchecked"],
        ),
        (
            "a directive in an included text, as only mdBook writes it",
            text("{{#include ../note.txt}}").with("note.txt", "{{ #include book.toml }}\n"),
            &["book/ch02-shapes.md:42: `note.txt` holds a directive of its own, which would reach \
               the page unchecked"],
        ),
        (
            "a fence in an included page",
            more("{{#include ../notes.md}}\n").with("notes.md", "One\n\n```rs\nlet x = 1;\n```\n"),
            &["book/ch02-shapes.md:41: a block marked `rs` may hide untested Rust; use `rust`"],
        ),
        (
            "braces in a page that nothing expands",
            Mini::clean().append("README.md", "\n{{#listing shape-area}}, `{{#listing x}}`\n"),
            &["README.md:9: nothing expands `{{#listing shape-area}}` in this file"],
        ),
        (
            "a reference to no listing",
            more("See {{#listing shape-aera}}.\n"),
            &["book/ch02-shapes.md:41: no listing has this anchor (shape-aera)"],
        ),
    ]);
}

#[test]
fn chapters_that_take_in_chapters() {
    let message = |line: usize, file: &str| {
        format!(
            "book/ch02-shapes.md:{line}: `{file}` is a page of the book and stands in it by \
             itself; link to it"
        )
    };
    // By mdBook's own steps, ten deep, these would come to a thousand pages and more.
    for kind in ["include", "rustdoc_include"] {
        let mini = more(&format!("{{{{#{kind} ch02-shapes.md}}}}\n").repeat(2));
        let faults = mini.faults();
        assert_eq!(faults.len(), 2, "{faults:#?}");
    }
    let itself = more(&"{{#include ch02-shapes.md}}\n".repeat(2));
    assert_eq!(itself.faults(), [41, 42].map(|line| message(line, "book/ch02-shapes.md")));
    let other = more("{{#include ../book/intro.md}}\n\n```rs\n```\n");
    assert_eq!(
        other.faults(),
        [
            message(41, "book/intro.md"),
            "book/ch02-shapes.md:43: a block marked `rs` may hide untested Rust; use `rust`"
                .to_owned()
        ]
    );
    // Nor does another text take in itself.
    let note = "{{#include note.txt}}\n".repeat(3);
    let nested = more("{{#include ../note.txt}}\n").with("note.txt", &note);
    assert_eq!(
        nested.faults(),
        ["book/ch02-shapes.md:41: `note.txt` holds a directive of its own, which would reach the \
          page unchecked"]
    );
}

#[test]
fn references_and_their_place() {
    let here = "{{#listing shape-area}}";
    for text in [
        "See HERE, *HERE*; (HERE) -- **HERE**'s \"HERE\".",
        "- in HERE\n\n> as HERE",
        "| HERE |\n|---|\n| HERE |",
        "A note.[^1]\n\n[^1]: HERE.",
        "<div>\n\nText with <b>HERE</b>.\n\n</div>",
        "Listed at [HERE].",
    ] {
        let mini = more(&format!("{}\n", text.replace("HERE", here)));
        assert_eq!(mini.faults(), [""; 0], "{text}");
    }
    for text in [
        "The `HERE` of it.",
        "```text\nHERE\n```",
        "A <span title=\"HERE\">word</span>.",
        "<div title=\"HERE\">\n\nText.\n\n</div>",
        "<p>HERE</p>",
        "<!-- HERE -->",
        "As [told in HERE](ch02-shapes.md).",
        "![HERE](x.svg)",
        "As [told](HERE).",
        "As [told](<HERE>).",
        "As [told](ch02-shapes.md \"HERE\").",
        "As [told].\n\n[told]: <HERE>",
        "Look!HERE",
        "## A heading with HERE",
        "HERE\n====",
        "## A heading {#HERE}",
    ] {
        let mini = more(&format!("{}\n", text.replace("HERE", here)));
        let line = 41 + text.lines().position(|line| line.contains("HERE")).unwrap();
        let message = format!(
            "book/ch02-shapes.md:{line}: `{here}` cannot become a link here; it stands in \
             running text, outside code, HTML, \
                   headings and other links"
        );
        assert_eq!(mini.faults(), [message], "{text}");
    }
}

#[test]
fn directives_that_lack_a_mark() {
    for text in [
        "{{listing shape-area}}",
        "{{ figure forward-graph }}",
        "{{include ../README.md}}",
        "{#listing shape-area}",
        "{ # figure forward-graph }",
        "{{Listing shape-area}",
        "{{#Listing shape-area}}",
        "{{#listing shape-area}",
        "{inlcude ../README.md}",
    ] {
        let shown = text.strip_suffix('}').filter(|_| text.starts_with("{{#l")).unwrap_or(text);
        assert_eq!(more(&format!("As in {text}.\n")).faults(), [left(41, shown)], "{text}");
    }
    for text in ["`{{listing x}}`", "A {listing} of {figure}s.", "As {x} and {y ..z}."] {
        assert_eq!(more(&format!("{text}\n")).faults(), [""; 0], "{text}");
    }
}

#[test]
fn directives_in_code_that_lack_a_mark() {
    let path = "../src/sums.rs:x";
    for text in [
        format!("{{#include {path}}}"),
        format!("{{{{include {path}}}}}"),
        format!("{{ #include {path} }}"),
        format!("{{{{ include {path}}}"),
        format!("{{{{#inlcude {path}}}}}"),
        format!("{{{{inlcude {path}}}}}"),
        format!("{{{{# include {path}}}}}"),
        format!("{{{{#include: {path}}}}}"),
        format!("{{{{#include {path}}}"),
        format!("#include {path}"),
        format!("# include {path}"),
    ] {
        // Without its last brace where `{{#` opens it: no one knows which is its end.
        let open = text.starts_with("{{#") && !text.ends_with("}}");
        let shown = if open { text.trim_end_matches('}') } else { &text };
        for language in ["rust", "text", "sh", "markdown"] {
            let block = format!("````{language}\n{text}\n````\n");
            assert_eq!(more(&block).faults(), [left(42, shown)], "{language}: {text}");
        }
        let captioned = more(&format!("````rust\n{text}\n````\nListing: X.\n"));
        assert_eq!(captioned.faults(), [left(42, shown)], "{text}");
    }
    for text in [
        "```rust\nlet x = 1;\nassert!((..1).contains(&x) ^ { x == 1 });\n```",
        "```json\n{ \"listing\": 1 }\n```",
        "```sh\ncp {one,two} ../here # include that\n```",
        "```text\n{{ x }} {# a remark #}\n```",
    ] {
        let found = more(&format!("{text}\n")).faults();
        assert!(!found.iter().any(|one| one.contains("left in the page")), "{text}: {found:?}");
    }
    let included = more("```text\n{{#include ../note.txt}}\n```\n");
    assert_eq!(included.with("note.txt", "{#include x}\n").faults(), [""; 0]);
}

#[test]
fn rust_that_is_included_but_no_listing() {
    let body = "must be the whole body of a `rust` fence of its own";
    let whole = format!("book/ch02-shapes.md:42: `{{{{#include ../src/sums.rs}}}}` {body}");
    let prose = format!("book/ch02-shapes.md:41: `{{{{#include ../src/sums.rs}}}}` {body}");
    let with_more =
        format!("book/ch02-shapes.md:41: `{{{{#include ../src/sums.rs:x}}}}` {body} (x)");
    let sums = |text: &str| {
        more(text).edit(
            "src/sums.rs",
            "//! Sums.",
            "//! Sums.\n// ANCHOR: x\nuse std::fs;\n// ANCHOR_END: x",
        )
    };
    let unprinted = "src/sums.rs:2: no chapter prints this anchor (x)";
    expect(&[
        ("in a text fence", more("```text\n{{#include ../src/sums.rs}}\n```\n"), &[&whole]),
        ("in the prose", more("{{#include ../src/sums.rs}}\n"), &[&prose]),
        (
            "with a line beside it",
            sums("```rust\n{{#include ../src/sums.rs:x}}\nlet x = 1;\n```\nListing: X.\n"),
            &[&with_more, unprinted],
        ),
        (
            "with a line before it",
            sums("```rust\n# hidden\n{{#include ../src/sums.rs:x}}\n```\nListing: X.\n"),
            &[&with_more, unprinted],
        ),
        (
            "by lines",
            more("```rust\n{{#include ../src/sums.rs:3:7}}\n```\nListing: X.\n"),
            &["book/ch02-shapes.md:41: `{{#include ../src/sums.rs:3:7}}` names no anchor; a \
               listing prints a region that edits cannot shift"],
        ),
        (
            "as a whole",
            more("```rust\n{{#include ../src/sums.rs}}\n```\nListing: X.\n"),
            &["book/ch02-shapes.md:41: `{{#include ../src/sums.rs}}` names no anchor; a listing \
               prints a region that edits cannot shift"],
        ),
        (
            "from outside src",
            more("Now this.\n\n```rust\n{{#include ../examples/x.rs:x}}\n```\nListing: X.\n")
                .with("examples/x.rs", "// ANCHOR: x\nfn main() {}\n// ANCHOR_END: x\n"),
            &["book/ch02-shapes.md:43: `examples/x.rs` is not below src/; a listing prints the \
               library (x)"],
        ),
    ]);
}
