//! Code blocks.

use super::{expect, more, PAGE};
use crate::mini::Mini;

#[test]
fn rust_that_would_go_untested() {
    let marked = |word: &str, instead: &str| {
        format!(
            "book/ch02-shapes.md:41: a block marked `{word}` may hide untested Rust; use {instead}"
        )
    };
    let all = "rust, text, console, toml, sh, json, python or markdown";
    for (word, instead) in [
        ("rs", "`rust`"),
        ("Rust", "`rust`"),
        ("rust,ignore", "`rust`"),
        ("rust,no_run", "`rust`"),
        ("rust,should_panic", "`rust`"),
        ("rust,compile_fail", "`rust`"),
        ("rust no_run", "`rust`"),
        ("ignore", "`rust`"),
        ("rust,skt-x", "`rust`"),
        ("{.rust}", "`rust`"),
        ("c++", "`text`"),
        ("diff", "`text`"),
        ("mermaid", "`text`"),
        ("yaml", "`text`"),
        ("HTML", "`text`"),
        ("text,ignore", "`text`"),
        ("Bash", "`sh`"),
        ("shell", "`sh`"),
        ("zsh", "`sh`"),
        ("shell-session", "`console`"),
        ("TOML", "`toml`"),
        ("jsonc", "`json`"),
        ("py", "`python`"),
        ("md", "`markdown`"),
        ("cobol", all),
        ("rusty", all),
    ] {
        for fence in ["```", "~~~", "`````"] {
            let mini = more(&format!("{fence}{word}\nlet x = 1;\n{fence}\n"));
            assert_eq!(mini.faults(), [marked(word, instead)], "{fence}{word}");
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
                "book/ch02-shapes.md:36: a block marked `rs` may hide untested Rust; use `rust`",
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
                "book/ch02-shapes.md:45: a page gives no element `class`, which may hide what the \
                 tests run; of HTML it uses the attributes id, open, title",
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
            &["README.md:9: a block marked `rust,no_run` may hide untested Rust; use `rust`"],
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
fn lines_of_a_string_that_begin_with_the_mark_of_a_hidden_one() {
    let example = |text: &str| more(&format!("```rust\n{text}\n```\n")).faults();
    let marks = |line: usize, typed: &str| {
        format!(
            "book/ch02-shapes.md:{line}: mdBook shows `{typed}` with one `#` less than the test \
             compiles; begin no line of an example with `##`"
        )
    };
    let hidden = |line: usize, typed: &str| {
        format!(
            "book/ch02-shapes.md:{line}: the page does not show `{typed}`, which is a part of a \
             string here; write the string in one line, with `\\n`"
        )
    };
    assert_eq!(example("let x = \"\n## Title\n\";"), [marks(43, "## Title")]);
    assert_eq!(example("let x = 1;\n  ##[inline]"), [marks(43, "##[inline]")]);
    assert_eq!(example("let x = \"\n\n#\n\";"), [hidden(44, "#")]);
    assert_eq!(
        example("f(\"\n# use x;\n\", b\"\n  # }\n\");"),
        [hidden(43, "# use x;"), hidden(45, "# }")]
    );
    for text in [
        "#\n# fn main() {\nlet x = \"#\"; // ##\n# }",
        "#[inline]\nfn x() {}\n#\nlet y = \"# use x;\";",
        "#![allow(unused)]\nlet x = \"one\n#one\";",
    ] {
        assert_eq!(example(text), [""; 0], "{text}");
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
        ("std::process::exit(0);", "exit", 43),
        ("use std::process as p;\np::r#abort();", "abort", 44),
        ("use std::process::{exit as leave};\nleave(0);", "exit", 43),
        ("use std::process::*;\nexit(0);", "exit", 44),
        ("let leave: fn(i32) -> ! = std::process::exit;\nleave(0);", "exit", 43),
        ("if !cfg!(all()) { assert_eq!(1, 2) }", "cfg!", 43),
        ("if !std::r#cfg! { all() } { assert_eq!(1, 2) }", "cfg!", 43),
        ("use std::stringify as text;", "as text", 43),
        ("use std::{fmt, format_args as assert_eq};\nassert_eq!(\"\", 2);", "as assert_eq", 43),
        ("use std::cfg as is;", "as is", 43),
        ("mod m {\npub use std::matches as m;\n}\nuse m::*;\nm!(1, 1);", "as m", 44),
        ("{\nuse std::assert_ne as other;\n}", "as other", 44),
    ] {
        assert_eq!(example(text).faults(), [expected(what, line)], "{text}");
    }
    for text in [
        "// #[cfg(any())] is no attribute here\nlet cfg = \"macro_rules! x\";",
        "#[derive(Clone)]\nstruct X;\n# fn main() {\nlet main = 1;\n# }",
        "use std::fmt as f;\nlet cfg = std::vec::Vec::<u8>::new() as Vec<u8>;\nlet a = cfg != [];",
        "use std::error::Error as E;\nfn x(door: D) -> Result<(), E> {\ndoor.exit()\n}",
    ] {
        assert_eq!(example(text).faults(), [""; 0], "{text}");
    }
    assert_eq!(
        example("let x = \"one;").faults(),
        ["book/ch02-shapes.md:41: this example is not Rust: cannot parse string into token stream"]
    );
}

#[test]
fn a_question_mark_that_has_nowhere_to_return_to() {
    let example = |text: &str| more(&format!("```rust\n{text}\n```\n")).faults();
    let question = |line: usize| {
        format!(
            "book/ch02-shapes.md:{line}: `?` returns from a `main` without a result; end the \
             example with the line `# Ok::<(), E>(())`, E being the error's type, or write \
             `fn main() -> Result<(), E>`"
        )
    };
    assert_eq!(example("# use a::b;\nb()?;\nb()?;"), [question(43)]);
    assert_eq!(example("assert_eq!(b()?, 1);"), [question(42)]);
    assert_eq!(example("# fn main() {\nb()?;\n# }"), [question(43)]);
    assert_eq!(
        example("b()?;\n# Ok(())"),
        ["book/ch02-shapes.md:43: `Ok(())` leaves open which error this is; write \
          `Ok::<(), E>(())`, E being its type"]
    );
    for text in [
        "b()?;\n# Ok::<(), std::fmt::Error>(())",
        "b()?;\nOk::<(), std::fmt::Error>(())",
        "# fn main() -> Result<(), std::fmt::Error> {\nb()?;\n# Ok(())\n# }",
        "let b = || -> Option<u8> { Some(c()? + 1) };",
    ] {
        assert_eq!(example(text), [""; 0], "{text}");
    }
}

#[test]
fn rust_in_a_block_of_text() {
    let text = |line: &str| more(&format!("```text\none\n  {line}\n```\n"));
    for line in [
        "x += 1;",
        "let x",
        "fn x()",
        "pub fn x()",
        "use std::fs",
        "impl X",
        "z.backward()",
        "a.b(c, 1).d()",
    ] {
        let message = format!(
            "book/ch02-shapes.md:43: `{line}` looks like Rust, which no test compiles here; use a \
             `rust` fence"
        );
        assert_eq!(text(line).faults(), [message], "{line}");
    }
    for line in [
        "one; two",
        "letters",
        "fnord",
        "user: x",
        "the use of it",
        "implicit",
        "```",
        "call z.backward()",
        "f(x)",
        "v1.0 (new)",
    ] {
        let fault = text(line).faults().into_iter().find(|fault| fault.contains("like Rust"));
        assert_eq!(fault, None, "{line}");
    }
    assert_eq!(more("```console\n$ one; two;\n```\n").faults(), [""; 0]);
}

#[test]
fn rust_in_a_block_of_another_language() {
    let faults =
        |language: &str, line: &str| more(&format!("~~~{language}\none\n  {line}\n~~~\n")).faults();
    let others = ["text", "console", "toml", "sh", "json", "python", "markdown"];
    for line in [
        "fn main() {",
        "pub(crate) async fn run<T>(x: T) {}",
        "let mut x = 1",
        "let Some(x) = y else {",
        "let x: u8;",
        "pub struct X {",
        "mod x;",
        "use pullback::{Tensor, TensorValue};",
        "impl<T> From<T> for X {",
        "#[derive(Debug)]",
        "macro_rules! never {",
        "assert_eq!(1, 2);",
        "std::println!(",
        "vec![1, 2]",
        "match y { Some(v) => v, None => 0 }",
        "match y {",
        "if let Some(x) = y {",
        "} else if let Some(x) = y {",
        "while let Some(x) = y.pop() {",
        "for i in 0..3 {",
        "if x > 3 {",
        "} else if x > 3 {",
        "} else {",
        "while x > 3 {",
        "loop {",
        "unsafe {",
        "#[repr(C)]",
        "y.backward()?",
        "let_it.be::<f64>(1, (2))?;",
        "x.gradient().unwrap()",
    ] {
        let message = format!(
            "book/ch02-shapes.md:43: `{line}` looks like Rust, which no test compiles here; use a \
             `rust` fence"
        );
        for language in others {
            assert_eq!(faults(language, line), [message.as_str()], "{language}: {line}");
        }
    }
    let typed = "book/ch02-shapes.md:43: `x.backward()?;` looks like Rust, which no test compiles \
                 here; use a `rust` fence";
    for language in ["text", "console", "toml", "json", "python"] {
        assert_eq!(faults(language, "x.backward()?;"), [typed], "{language}");
    }
    assert_eq!(faults("markdown", "```rust").len(), 1);
    assert_eq!(faults("console", "$ let x = 1;").len(), 1);
    for (language, line) in [
        ("python", "import torch"),
        ("python", "from torch import tensor as t"),
        ("python", "def f(x: int) -> int:"),
        ("python", "type Pair = ("),
        ("python", "for x in {"),
        ("python", "match x:"),
        ("text", "match the shapes of both? no"),
        ("text", "Does it (the pass) end here?"),
        ("console", "2 |     x.unwrap()"),
        ("python", "# let it be;"),
        ("python", "x = f\"{y!r}\""),
        ("json", "\"let\": {"),
        ("json", "\"fn x() {\": [1, 2],"),
        ("toml", "[workspace]"),
        ("toml", "#[dependencies]"),
        ("toml", "pullback = { path = \"..\" }"),
        ("sh", "for file in *; do one; done;"),
        ("sh", "f() { echo \"$1!\"; }"),
        ("sh", "let x=1"),
        ("sh", "type cargo;"),
        ("console", "$ cargo add one && use it;"),
        ("console", "error[E0308]: mismatched types"),
        ("console", "2 |     let x: u8 = \"\";"),
        ("markdown", "use a fence, and let it be;"),
        ("markdown", "# Title {#name}"),
        ("text", "Error: nothing!"),
    ] {
        assert_eq!(faults(language, line), [""; 0], "{language}: {line}");
    }
}

#[test]
fn html_that_pages_do_not_use() {
    let faults =
        |html: &str| more(&format!("One.\n\n{html}\n\n```rust\nlet x = 1;\n```\n")).faults();
    for tag in [
        "template",
        "iframe",
        "noscript",
        "object",
        "dialog",
        "style",
        "script",
        "svg",
        "select",
        "form",
        "marquee",
        "templates",
        "x-y",
        "base",
        "link",
        "h1",
        "table",
    ] {
        let message = format!(
            "book/ch02-shapes.md:43: a page uses no `<{tag}>`, which may hide what the tests run; \
             code goes between backticks, and of HTML a page uses a, b, br, details, div, \
             kbd, p, span, sub, summary, sup"
        );
        assert_eq!(faults(&format!("<{tag}>"))[0], message);
        let upper = tag.to_ascii_uppercase();
        assert_eq!(faults(&format!("One <{upper} id=x></{upper}>.")), [message]);
    }
    for (tag, attribute) in [
        ("<div hidden>", "hidden"),
        ("<div id=\"x\" HIDDEN=''>", "hidden"),
        ("<div title=\"a > b\"\nhidden>", "hidden"),
        ("> <div\n> hidden>", "hidden"),
        ("<div style=\"display: none\">", "style"),
        ("<div popover>", "popover"),
        ("<div inert>", "inert"),
        ("<div aria-hidden=\"true\">", "aria-hidden"),
        ("<div class=hidden>", "class"),
        ("<div id=x\tonclick='x()'>", "onclick"),
        ("<div data-style=\"x\">", "data-style"),
        ("<div role=none>", "role"),
    ] {
        let message = format!(
            "book/ch02-shapes.md:43: a page gives no element `{attribute}`, which may hide what \
             the tests run; of HTML it uses the attributes id, open, title"
        );
        assert_eq!(faults(&format!("{tag}\n\n</div>")), [message], "{tag}");
    }
    assert_eq!(
        faults("<a href=\"glossary.html\">x</a>")[0],
        "book/ch02-shapes.md:43: a page gives no element `href`, which may hide what the tests \
         run; of HTML it uses the attributes id, open, title"
    );
    for html in [
        "<div>\n\n</div>",
        "<div title='hidden' ID=x>\n\n</div >",
        "<details open>\n<summary>One <b>two</b></summary>\n\nx\n</details>",
        "<a id=\"x\"></a>\nA hidden one<br/>, <b>not hidden</b>, 1 < 2, <https://x.example>.",
        "<!-- <div> hidden - <?x -->",
        "<!-- one\n\ntwo -->",
        "> <div>\n>\n> x\n>\n> </div>",
        "One <span\ntitle=\"x\">two</span>.",
    ] {
        assert_eq!(faults(html), [""; 0], "{html}");
    }
}

#[test]
fn html_that_goes_on_after_its_block() {
    let faults = |html: &str| more(&format!("{html}\n\nThe end.\n")).faults();
    let open = |line: usize, what: &str| {
        format!(
            "book/ch02-shapes.md:{line}: nothing closes this `{what}` in its own block, so it \
             hides what follows; close it before the blank line"
        )
    };
    for (html, line, what) in [
        ("<!-- for later", 41, "<!--"),
        ("<!-->", 41, "<!--"),
        ("<div>\n<!-- one\n\ntwo -->\n</div>", 42, "<!--"),
        ("- <!-- one", 41, "<!--"),
        ("<p\n\n>", 41, "<p"),
        ("<p title=\"x>\n\n\">", 41, "<p"),
        ("<details\n\nopen>", 41, "<details"),
        ("<div></div", 41, "</div"),
    ] {
        let found = faults(html);
        assert!(found.contains(&open(line, what)), "{html}: {found:?}");
    }
    for (html, what) in [
        ("<!DOCTYPE html>", "<!DOCTYPE"),
        ("<?php", "<?php"),
        ("One <?x?>.", "<?x?"),
        ("<![CDATA[\none", "<![CDATA["),
        ("<div></></div>", "</"),
    ] {
        let message = format!(
            "book/ch02-shapes.md:41: `{what}` is no tag, and a browser hides it with what \
             follows; leave it out"
        );
        let found = faults(html);
        assert!(found.contains(&message), "{html}: {found:?}");
    }
    for html in ["<!--> one -->", "<!-- one -- two -->", "<!-- one --- -->", "<!-- one --!> -->"] {
        let message =
            "book/ch02-shapes.md:41: a comment holds no `--` and does not start with `>`; \
                       readers disagree where it ends";
        assert_eq!(faults(html), [message], "{html}");
    }
    let element = |line: usize, name: &str| {
        format!(
            "book/ch02-shapes.md:{line}: nothing closes this `<{name}>`, so it takes in the \
                 rest of the page; if it is no tag, write `\\<` or put it between backticks"
        )
    };
    let details = "<details>\n<summary>One</summary>";
    assert_eq!(faults(details), [element(41, "details")]);
    assert_eq!(faults(&format!("<div>\n\n{details}\n\n</div>")), [element(43, "details")]);
    assert_eq!(faults("A <b>bold</i> word."), [element(41, "b")]);
    assert_eq!(
        faults("One.\n\n</div>"),
        ["book/ch02-shapes.md:43: this `</div>` closes nothing that is open here"]
    );
    let readme = Mini::clean().append("README.md", "\n<!-- one\n");
    assert_eq!(readme.faults(), [open(9, "<!--").replace("book/ch02-shapes.md", "README.md")]);
}

#[test]
fn markdown_that_hides_or_runs() {
    for text in ["## One {.hidden}", "## One {#one hidden}", "One {onclick=x}\n==="] {
        let message = "book/ch02-shapes.md:41: a heading may hide by its classes and attributes; \
                       after it stands `{#name}` alone";
        assert_eq!(more(&format!("{text}\n")).faults(), [message], "{text}");
    }
    for address in ["javascript:x()", "JavaScript:x()", "data:text/html,x"] {
        let message = format!(
            "book/ch02-shapes.md:41: `{address}` leads to no page; a link is relative, or starts \
             with https, http or mailto"
        );
        assert_eq!(more(&format!("A [link]({address}).\n")).faults(), [message]);
    }
    for text in ["## One {#one}", "[x](https://x.example) [y](#one) [z](intro.md#a:b)"] {
        assert_eq!(more(&format!("{text}\n")).faults(), [""; 0], "{text}");
    }
}
