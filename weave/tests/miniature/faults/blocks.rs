//! Code blocks.

use super::{expect, more, PAGE};
use crate::mini::Mini;

#[test]
fn rust_that_would_go_untested() {
    let marked = |word: &str| {
        format!(
            "book/ch02-shapes.md:41: a block marked `{word}` may hide untested Rust; use rust, \
             text, console, toml, sh, json, python or markdown"
        )
    };
    for word in [
        "rs",
        "Rust",
        "rust,ignore",
        "rust,no_run",
        "rust,should_panic",
        "rust,compile_fail",
        "rust no_run",
        "ignore",
        "c++",
        "rust,skt-x",
        "{.rust}",
    ] {
        for fence in ["```", "~~~", "`````"] {
            let mini = more(&format!("{fence}{word}\nlet x = 1;\n{fence}\n"));
            assert_eq!(mini.faults(), [marked(word)], "{fence}{word}");
        }
    }
    let no_language = "a block without a language may hide untested Rust; use rust, text, \
                       console, toml, sh, json, python or markdown";
    let (first, third) = (
        format!("book/ch02-shapes.md:41: {no_language}"),
        format!("book/ch02-shapes.md:43: {no_language}"),
    );
    expect(&[
        ("no language", more("```\nlet x = 1;\n```\n"), &[&first]),
        ("no language in a quotation", more("> ~~~\n> let x = 1;\n> ~~~\n"), &[&first]),
        ("no language in a list", more("- one\n\n  ```\n  let x = 1;\n  ```\n"), &[&third]),
        (
            "a marked fence around an include",
            Mini::clean().edit(
                PAGE,
                "````rust\n{{#include ../src/main",
                "````rs\n{{#include ../src/main",
            ),
            &[
                "book/ch02-shapes.md:36: a block marked `rs` may hide untested Rust; use rust, \
                 text, console, toml, sh, json, python or markdown",
                "book/ch02-shapes.md:39: this caption follows no listing",
                "src/main.rs:14: no chapter prints this anchor (program-output)",
                "tests/listings/program-output.rs:1: no listing has this name, so nothing runs \
                 this check",
            ],
        ),
        (
            "indented code",
            more("    let x = 1;\n"),
            &["book/ch02-shapes.md:41: indented code is never tested; use a fence"],
        ),
        (
            "indented code in a list",
            more("- one\n\n      let x = 1;\n"),
            &["book/ch02-shapes.md:43: indented code is never tested; use a fence"],
        ),
        (
            "hidden lines",
            more(
                "```rust\n# use shapes::*;\n# fn main() {\nlet x = 1;\n# /*\nlet y = x;\n# */\n\
                 # return;\n#\n# }\n```\n",
            ),
            &[
                "book/ch02-shapes.md:45: the hidden line `# /*` may switch off what the page \
                 shows; hide only `use` without `as`, `fn main() {` and its end",
                "book/ch02-shapes.md:47: the hidden line `# */` may switch off what the page \
                 shows; hide only `use` without `as`, `fn main() {` and its end",
                "book/ch02-shapes.md:48: the hidden line `# return;` may switch off what the page \
                 shows; hide only `use` without `as`, `fn main() {` and its end",
            ],
        ),
        (
            "raw HTML",
            more("<div>\n<PRE>let x = 1;</PRE>\n</div>\n\nIn a <code class=\"x\">line</code>.\n\n<Xmp>\nlet x;\n</Xmp>\n"),
            &[
                "book/ch02-shapes.md:42: raw `<pre>` is never tested; use a fence",
                "book/ch02-shapes.md:45: raw `<code>` is never tested; use a fence",
                "book/ch02-shapes.md:47: raw `<xmp>` is never tested; use a fence",
            ],
        ),
        (
            "a fence that HTML swallows",
            more("<details>\n```rust\nlet x: u8 = \"\";\n```\n</details>\n"),
            &[
                "book/ch02-shapes.md:42: a fence inside HTML is plain text; put a blank line \
                 before it",
                "book/ch02-shapes.md:44: a fence inside HTML is plain text; put a blank line \
                 before it",
            ],
        ),
        (
            "an open fence",
            more("````rust\nfn main() {}\n```\n"),
            &["book/ch02-shapes.md:41: nothing closes this fence"],
        ),
        (
            "an open fence in a quotation",
            more("> ```text\n> one\n\nprose\n"),
            &["book/ch02-shapes.md:41: nothing closes this fence"],
        ),
        (
            "an empty block",
            more("```rust\n\n```\n"),
            &["book/ch02-shapes.md:41: this block is empty"],
        ),
        (
            "a block that ends skeptic's string",
            more("```rust\nlet x = r####\"\"####;\n```\n"),
            &["book/ch02-shapes.md:41: `\"####` ends the string that skeptic puts this text into"],
        ),
        (
            "Rust in the README",
            Mini::clean().append("README.md", "\n```rust,no_run\nlet x = 1;\n```\n"),
            &["README.md:9: a block marked `rust,no_run` may hide untested Rust; use rust, text, \
               console, toml, sh, json, python or markdown"],
        ),
    ]);
}

#[test]
fn hidden_lines_that_begin_like_harmless_ones() {
    let hidden = |line: &str| more(&format!("```rust\n{line}\nassert_eq!(1, 1);\n```\n"));
    for line in [
        "# use std::stringify as assert_eq;",
        "# use std::{stringify\tas assert_eq};",
        "# use std::stringify/**/as/**/assert_eq;",
        "# use std::process; fn main() { process::exit(0);",
        "# use std::fs; #[cfg(any())]",
        "# use std::fs; //",
        "# fn main() { if false {",
        "# fn main() {} #[cfg(any())] fn never() {",
        "# fn main() -> Result<(), u8> { return Ok(());",
        "# fn main() -> Result<(), [u8; { 1 }]> {",
        "# fn main() -> Result<(), u8> where u8: Copy {",
        "# fn main() {}",
        "# fn main()",
        "# Ok(()) } fn never() -> Result<(), u8> {",
        "# Ok(1)",
        "# } #[cfg(any())]",
        "# };",
    ] {
        let shown = line.trim();
        let message = format!(
            "book/ch02-shapes.md:42: the hidden line `{shown}` may switch off what the page \
             shows; hide only `use` without `as`, `fn main() {{` and its end"
        );
        let faults = hidden(line).faults();
        assert!(faults.contains(&message), "{line}: {faults:?}");
    }
    for line in [
        "# use std::{cell::Cell, fmt::{self, Write}};",
        "# use pullback::*;",
        "#  fn main() {",
        "  # fn main() -> Result<(), Box<dyn std::error::Error>> {",
        "# fn main() -> std::io::Result<()> {",
        "# Ok(())",
        "# Ok::<(), std::fmt::Error>(())",
        "# }",
        "#",
    ] {
        let faults = hidden(line).faults();
        assert!(!faults.iter().any(|fault| fault.contains("hidden line")), "{line}: {faults:?}");
    }
}

#[test]
fn examples_that_switch_a_part_of_themselves_off() {
    let example = |text: &str| more(&format!("```rust\n# use std::fs;\n{text}\n```\n"));
    let expected = |what: &str, line: usize| {
        format!(
            "book/ch02-shapes.md:{line}: `{what}` may keep a part of this example from running; \
             leave it out"
        )
    };
    for (text, what, line) in [
        ("#[cfg(any())]\nassert_eq!(1, 2);", "#[cfg]", 43),
        ("fn x() {\n#[inline]\n#[cfg_attr(all(), cfg(any()))]\nfn y() {}\n}", "#[cfg_attr]", 45),
        ("#![cfg(any())]\nfn main() {}", "#[cfg]", 43),
        ("#[test]\nfn x() {}", "#[test]", 43),
        ("\nmacro_rules! never { () => { assert_eq!(1, 2) } }", "macro_rules!", 44),
        ("stringify! { assert_eq!(1, 2) };", "stringify!", 43),
        ("fn main() {\n# fn main() {\nassert_eq!(1, 2);\n# }\n}", "fn main", 44),
        ("#[r#cfg(any())]\nassert_eq!(1, 2);", "#[cfg]", 43),
        ("r#stringify! { assert_eq!(1, 2) };", "stringify!", 43),
        ("fn main() {}\nmod m {\nfn r#main() {}\n}", "fn main", 45),
    ] {
        assert_eq!(example(text).faults(), [expected(what, line)], "{text}");
    }
    for text in [
        "// #[cfg(any())] is no attribute here\nlet cfg = \"macro_rules! x\";",
        "#[derive(Clone)]\nstruct X;\n# fn main() {\nlet main = cfg!(test);\n# }",
    ] {
        assert_eq!(example(text).faults(), [""; 0], "{text}");
    }
    assert_eq!(
        example("let x = \"one;").faults(),
        ["book/ch02-shapes.md:41: this example is not Rust: cannot parse string into token stream"]
    );
}

#[test]
fn rust_in_a_block_of_text() {
    let text = |line: &str| more(&format!("```text\none\n  {line}\n```\n"));
    for line in ["x += 1;", "let x", "fn x()", "pub fn x()", "use std::fs", "impl X"] {
        let message = format!(
            "book/ch02-shapes.md:43: `{line}` looks like Rust, which no test compiles here; use a \
             `rust` fence"
        );
        assert_eq!(text(line).faults(), [message], "{line}");
    }
    for line in ["one; two", "letters", "fnord", "user: x", "the use of it", "implicit", "```"] {
        let fault = text(line).faults().into_iter().find(|fault| fault.contains("like Rust"));
        assert_eq!(fault, None, "{line}");
    }
    assert_eq!(more("```console\n$ one; two;\n```\n").faults(), [""; 0]);
}

#[test]
fn html_that_hides_what_the_tests_run() {
    let within =
        |tag: &str| more(&format!("One.\n\n{tag}\n\n```rust\nassert_eq!(1, 1);\n```\n\n</div>\n"));
    for (tag, hiding) in [
        ("<div hidden>", "hidden"),
        ("<div class=\"x\" HIDDEN=''>", "hidden"),
        ("<div title=\"a > b\"\nhidden>", "hidden"),
        ("> <div\n> hidden>", "hidden"),
        ("<section style=\"display: none\">", "style"),
        ("<div popover>", "popover"),
        ("<template>", "<template>"),
        ("One <Template id=x>.", "<template>"),
        ("<iframe src=\"x\">", "<iframe>"),
        ("<noscript>", "<noscript>"),
        ("<object>", "<object>"),
        ("<dialog>", "<dialog>"),
        ("<style>", "<style>"),
    ] {
        let message =
            format!("`{hiding}` hides what stands inside, and a page shows what tests run");
        let faults = within(tag).faults();
        assert!(faults.iter().any(|fault| fault.ends_with(&message)), "{tag}: {faults:?}");
    }
    for tag in [
        "<div>",
        "<div class=\"hidden\" aria-hidden=\"true\" data-style=\"x\">",
        "<div title='hidden'>",
        "<details>",
        "<templates>",
        "A hidden one, <b>not hidden</b>, hidden.",
        "<!-- <div> hidden -->",
    ] {
        assert_eq!(within(tag).faults(), [""; 0], "{tag}");
    }
}
