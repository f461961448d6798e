//! Pages, the summary and the settings.

use super::{expect, more};
use crate::mini::Mini;

#[test]
fn a_page_and_its_summary() {
    expect(&[
        (
            "a chapter that does not exist",
            Mini::clean().append("book/SUMMARY.md", "- [Gone](ch03-gone.md)\n"),
            &["book/SUMMARY.md:7: the chapter `ch03-gone.md` does not exist; a chapter to come \
               is a draft, `- [Title]()`"],
        ),
        (
            "a page that nothing lists",
            Mini::clean().with("book/part/extra.md", "# Extra\n"),
            &["book/part/extra.md:1: book/SUMMARY.md does not list this page"],
        ),
        (
            "a page with code that nothing lists",
            Mini::clean().with("book/extra.md", "# Extra\n\n```rust\nlet x: u8 = \"\";\n```\n"),
            &["book/extra.md:1: book/SUMMARY.md does not list this page"],
        ),
        (
            "a page for lost addresses, which needs no entry",
            Mini::clean().with("book/404.md", "# Lost\n\nGo to the [front](index.html).\n"),
            &[],
        ),
        (
            "a page for lost addresses with what nothing expands or runs",
            Mini::clean().with(
                "book/404.md",
                "# Lost\n\n{{#include ../README.md}}\n\n```rust\nlet x = 1;\n```\n",
            ),
            &[
                "book/404.md:3: nothing expands `{{#include ../README.md}}` in this file",
                "book/404.md:5: no test runs an example on this page; move it to a chapter",
            ],
        ),
        (
            "a page whose tests would have no name",
            Mini::clean()
                .append("book/SUMMARY.md", "- [Three](3-three.md)\n")
                .with("book/3-three.md", "# Three\n"),
            &["book/3-three.md:1: the file name must start with a letter and differ from every \
               other page's"],
        ),
        (
            "two pages whose tests would share a name",
            Mini::clean()
                .append("book/SUMMARY.md", "- [Three](ch02_shapes.md)\n")
                .with("book/ch02_shapes.md", "# Three\n"),
            &["book/ch02_shapes.md:1: the file name must start with a letter and differ from \
               every other page's"],
        ),
        (
            "a summary that mdBook refuses",
            Mini::clean().with("book/SUMMARY.md", "# Summary\n\n- No link here\n"),
            &["book/SUMMARY.md:1: mdBook cannot read the summary: There was an error parsing the \
               numbered chapters: There was an error parsing the numbered chapters: failed to \
               parse SUMMARY.md line 3, column 3: The link items for nested chapters must only \
               contain a hyperlink"],
        ),
        (
            "output over the sources",
            Mini::clean().with("book.toml", "[book]\nsrc = \"pages\"\n"),
            &[
                "book.toml:1: `book.src` must be `book`, or a build may empty the book's own \
                 folder",
                "book.toml:1: `build.build-dir` must be `target/book`, or a build may empty the \
                 book's own folder",
            ],
        ),
        (
            "no README",
            Mini::clean().without("README.md"),
            &["README.md:1: cannot use this file: No such file or directory (os error 2)"],
        ),
    ]);
}

#[test]
fn entries_behind_other_text() {
    let message = "book/SUMMARY.md:7: mdBook leaves out an entry behind other text, or the \
                   text; give it a line and a `- `";
    for entry in ["-[Later]()", "- [Later]() [Last]()", "- Then [Later]()", "  more, [Later]()"] {
        let mini = Mini::clean().append("book/SUMMARY.md", &format!("{entry}\n"));
        assert_eq!(mini.faults(), [message], "{entry}");
    }
    for entry in ["- [Later]()", "* [Later]()", "  - [Later]()", "-   [Later]()", "\n[Later]()"] {
        let mini = Mini::clean().append("book/SUMMARY.md", &format!("{entry}\n"));
        assert!(!mini.faults().contains(&message.to_owned()), "{entry}");
    }
}

#[test]
fn entries_that_mdbook_leaves_out() {
    let faults =
        |text: &str| Mini::clean().append("book/SUMMARY.md", &format!("{text}\n")).faults();
    let behind = |line: usize| {
        format!(
            "book/SUMMARY.md:{line}: mdBook leaves out an entry behind other text, or the text; \
             give it a line and a `- `"
        )
    };
    for (text, line) in [
        ("  [Later]()", 7),
        ("[Later]()", 7),
        ("\n  [Later]()", 8),
        ("- [One]()\n  - [Two]()\n    [Three]()", 9),
        ("- *also*\n  [Later]()", 8),
        ("\nThen [Later]()", 8),
    ] {
        assert!(faults(text).contains(&behind(line)), "{text}: {:?}", faults(text));
    }
    for text in ["- [One]()\n\n- [Two]()", "-\n  [One]()", "\n[One]()\n[Two]()"] {
        assert_eq!(faults(text), [""; 0], "{text}");
    }
    let level = |line: usize| {
        format!(
            "book/SUMMARY.md:{line}: mdBook leaves out a heading of this level; a part is \
             `# Title`, with one `#`"
        )
    };
    for text in ["\n## Part\n\n- [One]()", "\nPart\n----\n\n- [One]()", "\n###### Part"] {
        assert_eq!(faults(text), [level(8)], "{text}");
    }
    assert_eq!(faults("\n# Part\n\n- [One]()"), [""; 0]);
    let nameless = "book/SUMMARY.md:7: an entry without words shows nothing to click on; write \
                    its title, `[Title](...)`";
    for text in ["- []()", "- [ ]()", "- [&#8203;]()", "- [**&#x2800;**]()"] {
        assert_eq!(faults(text), [nameless], "{text}");
    }
    assert_eq!(faults("- [`One`]()"), [""; 0]);
}

#[test]
fn entries_that_are_no_chapter_of_their_own() {
    let three = |entry: &str| {
        Mini::clean()
            .append("book/SUMMARY.md", &format!("{entry}\n"))
            .with("book/ch03.md", "# Three\n")
    };
    let place = |written: &str| {
        format!(
            "book/SUMMARY.md:7: `{written}` is no file; a chapter has an entry by its file alone, \
             `ch03.md`"
        )
    };
    for written in ["ch03.md#one", "ch03.md?one", "ch03.md?one#two"] {
        let mini = three(&format!("- [Three]({written})"));
        assert_eq!(mini.faults(), [place(written)], "{written}");
    }
    let readme = |path: &str| {
        format!(
            "book/SUMMARY.md:7: mdBook makes `index.html` of `{path}`, where no link of the book \
             leads; give the chapter another name"
        )
    };
    for path in ["README.md", "part/readme.md"] {
        let mini = Mini::clean()
            .append("book/SUMMARY.md", &format!("- [Three]({path})\n"))
            .with(&format!("book/{path}"), "# Three\n");
        assert_eq!(mini.faults(), [readme(path)], "{path}");
    }
    for path in ["../README.md", "part/../../README.md"] {
        let outside = Mini::clean().append("book/SUMMARY.md", &format!("- [Three]({path})\n"));
        let message = format!(
            "book/SUMMARY.md:7: `{path}` lies outside book/, and so would its page outside the \
             site; move it there"
        );
        assert_eq!(outside.faults(), [message]);
    }
    for again in ["ch03.md", "./ch03.md", "part/../ch03.md"] {
        let twice = three(&format!("- [Three](ch03.md)\n- [To come]()\n- [Four]({again})"));
        let message = format!(
            "book/SUMMARY.md:9: the chapter `{again}` has an entry at line 7 already; remove one \
             of the two"
        );
        assert_eq!(twice.faults(), [message]);
    }
    let spaced = Mini::clean()
        .append("book/SUMMARY.md", "- [Three](ch%2003.md)\n- [Gone](<ch 04.md>)\n")
        .with("book/ch 03.md", "# Three\n");
    assert_eq!(
        spaced.faults(),
        ["book/SUMMARY.md:8: the chapter `ch 04.md` does not exist; a chapter to come is a \
          draft, `- [Title]()`"]
    );
}

#[test]
fn a_file_that_cannot_be_read_is_one_fault() {
    let latin = |file: &str| {
        let folder = Mini::clean().write();
        let path = folder.path().join(file);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend(b"\nCaf\xe9\n");
        let line = bytes.iter().filter(|byte| **byte == b'\n').count();
        std::fs::write(path, bytes).unwrap();
        let faults = pullback_weave::load(folder.path()).unwrap_err();
        (
            faults.to_string(),
            format!("{file}:{line}: this line is not UTF-8; save the file as UTF-8"),
        )
    };
    for file in [
        "book/ch02-shapes.md",
        "book/intro.md",
        "README.md",
        "src/shapes/error.rs",
        "src/words.rs",
        "tests/listings/shape-area.rs",
    ] {
        let (found, expected) = latin(file);
        assert_eq!(found, expected);
    }
    let gone = Mini::clean().without("book/ch02-shapes.md");
    assert_eq!(
        gone.faults(),
        ["book/SUMMARY.md:6: the chapter `ch02-shapes.md` does not exist; a chapter to come is a \
          draft, `- [Title]()`"]
    );
}

#[test]
fn characters_that_an_editor_does_not_show() {
    for (letter, kind, entity, escape) in [
        ('\0', "U+0000, a control character", "&#x0;", "\\u{0}"),
        ('\u{8}', "U+0008, a control character", "&#x8;", "\\u{8}"),
        ('\u{85}', "U+0085, a control character", "&#x85;", "\\u{85}"),
        ('\u{202e}', "U+202E, a mark that turns the direction of text", "&#x202E;", "\\u{202e}"),
        ('\u{2067}', "U+2067, a mark that turns the direction of text", "&#x2067;", "\\u{2067}"),
        ('\u{200b}', "U+200B, a character without width", "&#x200B;", "\\u{200b}"),
        ('\u{feff}', "U+FEFF, a byte order mark", "&#xFEFF;", "\\u{feff}"),
        ('\u{2028}', "U+2028, a line break of another kind", "&#x2028;", "\\u{2028}"),
        ('\u{2061}', "U+2061, a mark for the layout of text", "&#x2061;", "\\u{2061}"),
        ('\u{34f}', "U+034F, a mark for the layout of text", "&#x34F;", "\\u{34f}"),
        ('\u{3164}', "U+3164, a letter without ink", "&#x3164;", "\\u{3164}"),
        ('\u{115f}', "U+115F, a letter without ink", "&#x115F;", "\\u{115f}"),
        ('\u{2800}', "U+2800, a letter without ink", "&#x2800;", "\\u{2800}"),
        (
            '\u{fe0f}',
            "U+FE0F, a mark for the form of the letter before it",
            "&#xFE0F;",
            "\\u{fe0f}",
        ),
        (
            '\u{e0100}',
            "U+E0100, a mark for the form of the letter before it",
            "&#xE0100;",
            "\\u{e0100}",
        ),
    ] {
        let message = format!(
            "this line holds {kind}, which an editor does not show; leave it out, or write \
             `{entity}` in prose and `{escape}` in a string"
        );
        for (text, line) in [
            (format!("One {letter} two."), 41),
            (format!("```text\none {letter} two\n```"), 42),
            (format!("```rust\nlet x = \"{letter}\";\n```"), 42),
        ] {
            let found = more(&format!("{text}\n")).faults();
            assert_eq!(found, [format!("book/ch02-shapes.md:{line}: {message}")], "{text:?}");
        }
        for (file, line) in [("README.md", 8), ("src/words.rs", 4), ("book/SUMMARY.md", 7)] {
            let mini = Mini::clean().append(file, &format!("<!-- {letter} -->\n"));
            let expected = format!("{file}:{line}: {message}");
            assert!(mini.faults().contains(&expected), "{file} {letter:?} {:?}", mini.faults());
        }
    }
    for text in ["Ä – “é” 日本 ☺️ &#x202E; 1&nbsp;2.", "```sh\none\ttwo\n```"] {
        assert_eq!(more(&format!("{text}\n")).faults(), [""; 0], "{text}");
    }
}

#[test]
fn settings_before_a_chapter() {
    let page = |text: &str| {
        let clean = Mini::clean();
        let after = format!("{text}\n{}", clean.text("book/intro.md"));
        clean.with("book/intro.md", &after).faults()
    };
    let message =
        "mdBook prints this front matter as text; leave it out (a description of the page \
                   is `<!-- description: ... -->` in the first line)";
    for (text, line) in [
        ("---\ntitle: One\n---", 1),
        ("\n---  \n\ntags : [a]\ndate: x\n...\n", 2),
        ("+++\ntitle = \"One\"\n+++", 1),
    ] {
        assert_eq!(page(text), [format!("book/intro.md:{line}: {message}")], "{text}");
    }
    for text in ["---", "---\n\nOne two: three.\n\n---", "<!-- title: One -->"] {
        assert_eq!(page(text), [""; 0], "{text}");
    }
    let readme = Mini::clean().with("README.md", "---\ntitle: One\n---\n");
    assert_eq!(readme.faults(), [format!("README.md:1: {message}")]);
}

#[test]
fn files_that_mdbook_would_copy_to_the_site() {
    let stray = "mdBook copies this file to the site, and nothing checks it; a chapter ends in \
                 `.md`, and beside chapters stand only styles, scripts, templates, pictures and \
                 fonts";
    let page = "# Extra\n\n```rust\nlet x: u8 = \"\";\n```\n";
    for file in [
        "extra.MD",
        "extra.markdown",
        "part/extra.html",
        "extra.htm",
        "extra.rs",
        "extra.txt",
        "extra",
        "extra.md.orig",
        "SUMMARY.MD",
    ] {
        let file = format!("book/{file}");
        assert_eq!(Mini::clean().with(&file, page).faults(), [format!("{file}:1: {stray}")]);
    }
    let listed = Mini::clean()
        .append("book/SUMMARY.md", "- [Three](ch03.MD)\n")
        .with("book/ch03.MD", "# Three\n");
    assert_eq!(listed.faults(), [format!("book/ch03.MD:1: {stray}")]);
    for file in ["style/x.css", "style/x.js", "style/head.hbs", "x.svg", "x.png", "style/x.woff2"] {
        assert!(Mini::clean().with(&format!("book/{file}"), "").faults().is_empty(), "{file}");
    }
    // An open editor is no fault of the book.
    for file in [".ch02-shapes.md.swp", "#ch02-shapes.md#", "ch02-shapes.md~", ".DS_Store"] {
        assert!(Mini::clean().with(&format!("book/{file}"), "").faults().is_empty(), "{file}");
    }
}

#[test]
fn bytes_that_an_editor_does_not_show() {
    let book = Mini::clean()
        .append("book/intro.md", "\n```text\n{{#include ../note.txt}}\n```\n")
        .with("note.txt", "one\ntwo\n");
    expect(&[("the book with a note", book.clone(), &[])]);
    for file in [
        "README.md",
        "book/SUMMARY.md",
        "book/ch02-shapes.md",
        "src/main.rs",
        "src/shapes/mod.rs",
        "tests/listings/shape-area.rs",
        "note.txt",
    ] {
        let text = book.text(file);
        let marked = book.clone().with(file, &format!("\u{feff}{text}"));
        let message = format!(
            "{file}:1: the file starts with a byte order mark (BOM); save it as UTF-8 without one"
        );
        assert_eq!(marked.faults(), [message]);

        let message = |line: usize| {
            format!("{file}:{line}: a carriage return (CR) in this line; end lines in LF alone")
        };
        let windows = book.clone().with(file, &text.replace('\n', "\r\n"));
        assert_eq!(windows.faults(), [message(1)]);
        let alone = book.clone().append(file, "// one\r// two\n");
        let faults = alone.faults();
        assert!(faults.contains(&message(text.lines().count() + 1)), "{file}: {faults:?}");
    }
}

#[test]
fn settings_that_change_what_mdbook_reads() {
    let html =
        |lines: &str| Mini::clean().append("book.toml", &format!("[output.html]\n{lines}\n"));
    let expected = |setting: &str, value: &str| {
        format!(
            "book.toml:1: `{setting}` must stay `{value}`; the checks read a page as mdBook does \
             by itself"
        )
    };
    for (lines, setting, value) in [
        ("definition-lists = false", "output.html.definition-lists", "true"),
        ("admonitions = false", "output.html.admonitions", "true"),
        ("smart-punctuation = false", "output.html.smart-punctuation", "true"),
        ("code.hidelines = { python = \"~\" }", "output.html.code.hidelines", "{}"),
    ] {
        assert_eq!(html(lines).faults(), [expected(setting, value)], "{lines}");
    }
    for lines in [
        "",
        "definition-lists = true\nadmonitions = true\nsmart-punctuation = true",
        "[output.html.code.hidelines]",
        "default-theme = \"light\"\n[output.html.playground]\nrunnable = false",
    ] {
        assert_eq!(html(lines).faults(), [""; 0], "{lines}");
    }
    let unknown = html("definition-list = false").faults();
    assert!(unknown[0].starts_with("book.toml:1: cannot use this file: "), "{unknown:?}");
}

#[test]
fn a_page_that_types_the_stamp() {
    // Where it is defined, so that the two cannot part.
    let stamp = include_str!("../../../../pages/src/stamp.rs");
    assert!(stamp.contains("\"<!-- woven by mdbook-pullback \""));
    let message =
        "this text is the stamp by which a build knows that a page was checked; leave it out";
    for text in ["<!-- woven by mdbook-pullback 0.1.0 -->", "`<!-- woven by mdbook-pullback `"] {
        let page = Mini::clean().append("book/intro.md", &format!("\n{text}\n"));
        assert_eq!(page.faults(), [format!("book/intro.md:5: {message}")]);
    }
    let included = Mini::clean()
        .append("book/intro.md", "\n{{#include ../note.txt}}\n")
        .with("note.txt", "<!-- woven by mdbook-pullback 0.1.0 -->");
    assert_eq!(included.faults(), [format!("book/intro.md:5: {message}")]);
    let other = Mini::clean().append("book/intro.md", "\n<!-- woven by hand -->\n");
    assert_eq!(other.faults(), [""; 0]);
}

#[test]
fn ids_that_two_places_have() {
    let faults = |text: &str| more(&format!("{text}\n")).faults();
    let twice = |line: usize, id: &str, first: usize| {
        format!(
            "book/ch02-shapes.md:{line}: `#{id}` is the id of line {first} already, and a link \
             leads to one of the two only; give a heading another by `{{#name}}` after it"
        )
    };
    let figure = "{{#figure forward-graph}}\nFigure: The graph.";
    for (text, line, id, first) in [
        ("## One {#one}\n\n### Two {#one}".to_owned(), 43, "one", 41),
        ("## One {#areas}".to_owned(), 41, "areas", 3),
        ("## One {#two}\n\n## Two".to_owned(), 43, "two", 41),
        ("## Two\n\n## Two\n\n## One {#two-1}".to_owned(), 45, "two-1", 43),
        ("## One {#listing-shape-area}".to_owned(), 41, "listing-shape-area", 7),
        ("## Listing `shape-area`!".to_owned(), 41, "listing-shape-area", 7),
        (format!("One.\n\n{figure}\n\n## Figure forward-graph"), 46, "figure-forward-graph", 43),
        ("<a id=\"x\"></a>\n\n## X".to_owned(), 43, "x", 41),
        ("## X\n\nOne <b ID='x'>two</b>.".to_owned(), 43, "x", 41),
        ("One.[^x]\n\n[^x]: Two.\n\n## Footnote x".to_owned(), 45, "footnote-x", 43),
    ] {
        assert_eq!(faults(&text), [twice(line, id, first)], "{text}");
    }
    let taken = |id: &str| {
        format!("book/ch02-shapes.md:41: `#{id}` is an id of the page's own parts; choose another")
    };
    assert_eq!(faults("## One {#mdbook-content}"), [taken("mdbook-content")]);
    let part = format!("## One {{#figure-forward-graph-title}}\n\nOne.\n\n{figure}");
    assert_eq!(faults(&part), [taken("figure-forward-graph-title")]);
    for text in [
        "## Two\n\n## Two\n\n### Two\n\n## Areas",
        "## One {#listing-other}\n\n<!-- <a id=\"one\"></a> -->\n\n## Listing",
        "`<a id=\"areas\">`",
    ] {
        assert_eq!(faults(text), [""; 0], "{text}");
    }
}

#[test]
fn footnotes_and_their_marks() {
    let faults = |text: &str| more(&format!("{text}\n")).faults();
    let none = |line: usize, mark: &str| {
        format!(
            "book/ch02-shapes.md:{line}: `{mark}` has no footnote; a line `{mark}: ...` spelt \
             alike gives it one, and `\\[` a plain bracket"
        )
    };
    let unused = |line: usize, name: &str| {
        format!(
            "book/ch02-shapes.md:{line}: nothing refers to this footnote, so mdBook leaves it out; \
             put `[^{name}]` where it belongs, spelt alike"
        )
    };
    assert_eq!(faults("One.[^x]"), [none(41, "[^x]")]);
    assert_eq!(faults("- One\n- two *three*[^a-b], four"), [none(42, "[^a-b]")]);
    assert_eq!(faults("One.\n\n[^x]: Two."), [unused(43, "x")]);
    assert_eq!(faults("One.[^y]\n\n[^x]: Two."), [none(41, "[^y]"), unused(43, "x")]);
    assert_eq!(faults("One.[^X]\n\n[^x]: Two."), [none(41, "[^X]"), unused(43, "x")]);
    assert_eq!(faults("One.[^x]\n\n[^x] : Two."), [none(41, "[^x]"), none(43, "[^x]")]);
    assert_eq!(
        faults("One.[^x]\n\n[^x]: Two.\n\n[^x]: Three."),
        ["book/ch02-shapes.md:45: the footnote `[^x]` stands at line 43 already, and mdBook \
             leaves this one out"]
    );
    for text in [
        "One.[^x] Two.[^x]\n\n[^x]: Three.",
        "One `[^x]` and \\[^x], a [^ x] and [x^2].",
        "```text\n[^a-z]\n```",
    ] {
        assert_eq!(faults(text), [""; 0], "{text}");
    }
    let readme = Mini::clean().append("README.md", "\nOne.[^x]\n");
    assert_eq!(readme.faults(), [none(9, "[^x]").replace("book/ch02-shapes.md", "README.md")]);
}
