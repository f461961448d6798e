//! Markers, modules and check files.

use super::{expect, more, region, CHECK, PAGE};
use crate::mini::Mini;

#[test]
fn markers() {
    let form = "a marker stands alone on its line, as `// ANCHOR: name` with lower-case words";
    let lines = |numbers: &[usize]| -> Vec<String> {
        numbers.iter().map(|line| format!("src/sums.rs:{line}: {form}")).collect()
    };
    for (line, name) in [
        ("/* ANCHOR: x */", "x"),
        ("let y = 1; // ANCHOR: x", "x"),
        ("//ANCHOR: x", "x"),
        ("// ANCHOR:x", "x"),
        ("// ANCHOR: X", "X"),
        ("// ANCHOR: x_y", "x_y"),
        ("// ANCHOR: x y", "x"),
        ("/// ANCHOR: x", "x"),
        ("/* ANCHOR_END: x */", "x"),
    ] {
        let mini = Mini::clean().with("src/sums.rs", &format!("{line}\nuse std::fs;\n"));
        let named = format!("{} ({name})", lines(&[1])[0]);
        assert!(mini.faults().contains(&named), "{line}: {:?}", mini.faults());
    }
    for line in ["// ANCHOR x", "// ANCHOR", "// ANCHOR_END", "// ANCHOR :x", "// ANCHOREND: x"] {
        let mini = Mini::clean().with("src/sums.rs", &format!("{line}\nuse std::fs;\n"));
        assert_eq!(mini.faults(), lines(&[1]), "{line}");
    }
    expect(&[
        (
            "overlapping regions",
            region("use std::fs;\n// ANCHOR: y\nuse std::io;")
                .append("src/sums.rs", "use std::fmt;\n// ANCHOR_END: y\n")
                .append(
                    PAGE,
                    "\nAnd.\n\n```rust\n{{#include ../src/sums.rs:y}}\n```\nExcerpt: Y.\n",
                )
                .with("tests/listings/y.rs", CHECK),
            &[],
        ),
        (
            "an unclosed anchor",
            Mini::clean().edit("src/main.rs", "    // ANCHOR_END: program-output\n", ""),
            &[
                "book/ch02-shapes.md:37: nothing closes this anchor (program-output)",
                "src/main.rs:14: nothing closes this anchor (program-output)",
                "tests/listings/program-output.rs:1: no listing has this name, so nothing runs \
                 this check",
            ],
        ),
        (
            "an end without start",
            Mini::clean().append("src/sums.rs", "// ANCHOR_END: x\n"),
            &["src/sums.rs:7: nothing opens this anchor (x)"],
        ),
        (
            "the same anchor in two files",
            Mini::clean().append(
                "src/sums.rs",
                "// ANCHOR: shape-area\nuse std::fs;\n// ANCHOR_END: shape-area\n",
            ),
            &[
                "src/sums.rs:7: this anchor is already opened at src/shapes/mod.rs:12 (shape-area)",
                "src/sums.rs:9: nothing opens this anchor (shape-area)",
            ],
        ),
        (
            "the same anchor inside itself",
            Mini::clean().edit(
                "src/shapes/mod.rs",
                "    // ANCHOR: area-product\n",
                "    // ANCHOR: shape-area\n    // ANCHOR: area-product\n",
            ),
            &["src/shapes/mod.rs:19: this anchor is already opened at src/shapes/mod.rs:12 \
               (shape-area)"],
        ),
        (
            "an empty region",
            region(""),
            &[
                "book/ch02-shapes.md:44: the include of `src/sums.rs` is empty (x)",
                "src/sums.rs:1: this anchor holds no text (x)",
                "src/sums.rs:1: no chapter prints this anchor (x)",
                "tests/listings/x.rs:1: no listing has this name, so nothing runs this check",
            ],
        ),
        (
            "an anchor that no chapter prints",
            Mini::clean().append("src/words.rs", "// ANCHOR: x\nuse std::fs;\n// ANCHOR_END: x\n"),
            &["src/words.rs:4: no chapter prints this anchor (x)"],
        ),
    ]);
}

#[test]
fn markers_in_strings_and_comments() {
    let inside = |lines: &[usize], name: &str| -> Vec<String> {
        let message = "mdBook reads this line as a marker, but it stands in a string or a block \
                       comment; move it out, or break the string with `concat!`";
        lines.iter().map(|line| format!("src/sums.rs:{line}: {message} ({name})")).collect()
    };
    for (lines, name, text) in [
        // Cut from the middle of what the page prints.
        (
            &[3, 5][..],
            "y",
            region("pub const Y: &str = \"\n// ANCHOR: y\none\n// ANCHOR_END: y\n\";")
                .append(
                    PAGE,
                    "\nAnd.\n\n```rust\n{{#include ../src/sums.rs:y}}\n```\nExcerpt: Y.\n",
                )
                .with("tests/listings/y.rs", CHECK),
        ),
        // The end of a region, which goes on after it.
        (
            &[3],
            "x",
            region("pub const É: &[u8] = br#\"\n// ANCHOR_END: x\n\"#;").edit(
                "src/sums.rs",
                "#;\n// ANCHOR_END: x\n",
                "#;\n",
            ),
        ),
        // Printed, and never compiled.
        (
            &[2, 4],
            "x",
            region("pub fn x(y: u8) -> String { y }")
                .edit("src/sums.rs", "// ANCHOR: x", "/* /* */ '\"'\n// ANCHOR: x")
                .edit("src/sums.rs", "// ANCHOR_END: x\n", "// ANCHOR_END: x\n*/\n"),
        ),
        (
            &[2],
            "x",
            region("pub fn x() {}").edit("src/sums.rs", "// ANCHOR: x", "/**\n// ANCHOR: x\n*/"),
        ),
    ] {
        assert_eq!(text.faults(), inside(lines, name), "{}", text.text("src/sums.rs"));
    }
    // A line comment, a character and a lifetime open nothing.
    for line in ["// it is /* not", "const C: char = '\"';", "fn f<'a>(_: &'a str) {}", "/* é */"]
    {
        let sound = region(&format!("{line}\nfn one() {{}}"));
        assert!(sound.faults().is_empty(), "{line}: {:?}", sound.faults());
    }
}

#[test]
fn sources_and_checks() {
    expect(&[
        (
            "a source that is no Rust",
            Mini::clean().append("src/words.rs", "\nfn broken( {\n}\n"),
            &["src/words.rs:5: not Rust: cannot parse string into token stream; `cargo check --tests --no-default-features` says more"],
        ),
        (
            "a listing in a file outside the crate",
            region("pub fn x() {}").edit("src/lib.rs", "pub mod sums;\n", ""),
            &["book/ch02-shapes.md:43: no `mod` leads to this file from src/lib.rs or \
               src/main.rs (x)"],
        ),
        (
            "a module file beside its folder",
            Mini::clean().append("src/sums.rs", "mod deep;\n").with("src/sums/deep.rs", ""),
            &["src/sums.rs:7: move this file to `src/sums/mod.rs`; a test cannot load the files \
               of its folder otherwise"],
        ),
        (
            "no check file",
            Mini::clean().without("tests/listings/shape-area.rs"),
            &["book/ch02-shapes.md:7: the listing has no check; write \
               `tests/listings/shape-area.rs` (shape-area)"],
        ),
        (
            "a check file without listing",
            Mini::clean().with("tests/listings/shape-aera.rs", CHECK),
            &["tests/listings/shape-aera.rs:1: no listing has this name, so nothing runs this \
               check"],
        ),
        (
            "a check file without check",
            Mini::clean().with("tests/listings/shape-area.rs", "use super::*;\n"),
            &["tests/listings/shape-area.rs:1: a check has a function `pub(crate) fn check()`"],
        ),
        (
            "a check that nothing else can call",
            Mini::clean()
                .with("tests/listings/shape-area.rs", "#[test]\nfn check() { assert!(true) }\n"),
            &[
                "tests/listings/shape-area.rs:1: `#[test]` may keep a part of this check from \
                 running; leave it out",
                "tests/listings/shape-area.rs:1: a check has a function `pub(crate) fn check()`",
            ],
        ),
        (
            "a check that cannot fail",
            Mini::clean().with("tests/listings/shape-area.rs", "pub(crate) fn check() {\n}\n"),
            &["tests/listings/shape-area.rs:1: the check comes upon no assertion for sure, or only on \
               such as name nothing, so it may never fail; write `assert!` outside unused closures, \
               and join a thread where you spawn it"],
        ),
        (
            "a check file that is no Rust",
            Mini::clean()
                .with("tests/listings/shape-area.rs", "pub(crate) fn check() { assert!(true);\n"),
            &["tests/listings/shape-area.rs:1: not Rust: cannot parse string into token stream; `cargo check --tests --no-default-features` says more"],
        ),
    ]);
}

#[test]
fn assertions_that_are_no_code() {
    let file = "tests/listings/shape-area.rs";
    let check =
        |body: &str| Mini::clean().with(file, &format!("pub(crate) fn check() {{\n{body}\n}}\n"));
    let silent = format!(
        "{file}:1: the check comes upon no assertion for sure, or only on such as name nothing, so \
         it may never fail; write `assert!` outside unused closures, and join a thread where you \
         spawn it"
    );
    for body in [
        "// assert nothing",
        "/* assert!(false) */",
        "let _ = \"assert!(false)\";",
        "let assert = 1; let assert_ne = assert != (2);",
        "assert_area(1);",
        "stringify!(assert!(false));",
        "macro_rules! never { () => { assert!(false) } }",
        "#[cfg(any())]\nassert!(false);",
        "#[r#cfg(any())]\nassert!(false);",
        "#[cfg(any())]\n{ assert!(false) }",
        "#[cfg_attr(all(), cfg(any()))]\nassert!(area(1));",
        "assert!(true);",
        "assert_eq!(1 + 1, 2, \"{}\", true);",
        "return; assert!(area(1));",
        "if true { return assert_ne!(1, 2) } else { assert!(area(1)) }",
        "if (false) { assert!(area(1)) }",
        "while false { assert!(area(1)) }",
        "let _ = || assert!(area(1));",
        "let never = |_| assert!(area(1));",
        "fn never() { assert!(area(1)) }",
        "std::thread::spawn(|| assert!(area(1)));",
        "let thread = builder.spawn(|| assert!(area(1))); wait();",
        "let _ = std::panic::catch_unwind(|| assert!(area(1)));",
        "fn one() { two() } fn two() { one() }\none();",
        "let _ = async { assert!(area(1)) };",
        "async fn never() { assert!(area(1)) }\nlet _ = never();",
        "let never = async || assert!(area(1));\nlet _ = never();",
        "drop(|| assert!(area(1)));",
        "std::mem::forget(never); fn never() { assert!(area(1)) }",
        "let never = Some(|| assert!(area(1)));",
        "|| assert!(area(1));",
        "if !true { assert!(area(1)) }",
        "if false && area(1) { assert!(area(1)) }",
        "if area(1) && !(true || area(1)) { assert!(area(1)) }",
        "let _ = false && { assert!(area(1)); true };",
        "let _ = !false || { assert!(area(1)); true };",
        "{ return; } assert!(area(1));",
        "{ unsafe { return } } assert!(area(1));",
        "let () = return; assert!(area(1));",
        "loop { break; assert!(area(1)); }",
        "for _ in 0..1 { { continue; } assert!(area(1)); }",
        "loop { return; } assert!(area(1));",
        "while true { if area(1) { return } else { return } } assert!(area(1));",
        "if area(1) { return; } else { return; } assert!(area(1));",
        "if true { return; } assert!(area(1));",
        "use std::panic::catch_unwind as c; let _ = c(|| assert!(area(1)));",
        "use std::panic::{self, catch_unwind as r#c}; let _ = c(|| assert!(area(1)));",
        "let c = std::panic::catch_unwind; let d = c; let _ = d(|| assert!(area(1)));",
        "use std::mem::drop as keep; keep(|| assert!(area(1)));",
    ] {
        let faults = check(body).faults();
        assert!(faults.contains(&silent), "{body}: {faults:?}");
    }
    for body in [
        "assert!(area(1))",
        "let () = approx::assert_relative_eq!(area(1), 1.0);",
        "for _ in 0..1 { if true { assert_eq! { area(1), 1 } } }",
        "let holds = |one: u32| assert_ne!(area(one), 2);\nholds(1);",
        "let holds: fn(u32) = |one| assert_ne!(area(one), 2);\nholds(1);",
        "fn holds() { deeper() } fn deeper() { assert!(area(1)) }\n[1].map(holds);",
        "struct One; impl One { fn holds(&self) { assert!(area(1)) } }\nOne.holds();",
        "macro_rules! holds { () => { assert!(area(1)) } }\nholds!();",
        "let _ = vec![holds()]; fn holds() { assert!(area(1)) }",
        "std::thread::spawn(|| assert!(area(1))).join().unwrap();",
        "std::thread::scope(|scope| { scope.spawn(|| assert!(area(1))); });",
        "[1].iter().for_each(|_| assert!(area(1)));",
        "if !false { assert!(area(1)) }",
        "if area(1) || false { assert!(area(1)) }",
        "if area(1) == false { assert!(area(1)) }",
        "loop { break; } assert!(area(1));",
        "'one: { break 'one; } assert!(area(1));",
        "if area(1) { return; } assert!(area(1));",
        "for _ in 0..1 { return; } assert!(area(1));",
        "let Some(one) = area(1) else { return }; assert!(area(one));",
        "let one = || return; one(); assert!(area(1));",
        "drop(holds()); fn holds() { assert!(area(1)) }",
        "(|| assert!(area(1)))();",
        "use approx::holds as c; c(|| assert!(area(1)));",
        "let c = d; let d = c; c(|| assert!(area(1)));",
        "for holds in [|| assert!(area(1))] { holds() }",
    ] {
        let test = format!("#[cfg_attr(test, test)]\n{}", check(body).text(file));
        assert_eq!(Mini::clean().with(file, &test).faults(), [""; 0], "{body}");
    }
}

#[test]
fn checks_of_something_else() {
    let file = "tests/listings/shape-area.rs";
    let check =
        |text: &str| Mini::clean().with(file, &format!("pub(crate) fn check() {{\n{text}\n}}"));
    let message =
        format!("{file}:1: the check names nothing that its listing defines, such as `area`");
    for text in
        ["let x = 1; assert_eq!(x, 1);", "assert!(unit() == 1); // area", "assert!(a(\"area\"));"]
    {
        assert_eq!(check(text).faults(), [format!("{message} (shape-area)")], "{text}");
    }
    // A part of a function is known by the function.
    let part = Mini::clean()
        .with("tests/listings/area-product.rs", "pub(crate) fn check() { assert!(volume(1)); }");
    let message = message.replace("shape-area", "area-product");
    assert_eq!(part.faults(), [format!("{message} (area-product)")]);

    // Two listings of one type: a check copied from the other names the type, not the method.
    let method = "impl X {\n    fn x(&self) {}\n}";
    let shared = |lines: &str, name: &str| {
        let check = format!("pub(crate) fn check() {{ assert!({name}) }}");
        region(lines).with("tests/listings/x.rs", &check).faults().len()
    };
    assert_eq!((shared(method, "X"), shared(method, "x")), (1, 0));
    assert_eq!((shared("impl X {}", "X"), shared("impl X {}", "x")), (0, 1));

    // An operator or a format calls a method that its caller does not name.
    let shown = "impl std::fmt::Display for X {\n    fn fmt(&self) {}\n}";
    let named = |lines: &str, name: &str| {
        let check = format!("pub(crate) fn check() {{ assert!({name}) }}");
        region(lines).with("tests/listings/x.rs", &check).faults()
    };
    for name in ["X", "Display"] {
        assert_eq!(named(shown, name), [""; 0], "{name}");
    }
    assert_ne!(named(shown, "Debug"), [""; 0]);
}

#[test]
fn checks_that_name_the_lesser_of_two() {
    let of = |lines: &str, body: &str| {
        let check = format!("pub(crate) fn check() {{ {body} }}");
        region(lines).with("tests/listings/x.rs", &check).faults()
    };
    let unrelated = |name: &str| {
        format!(
            "tests/listings/x.rs:1: the check names nothing that its listing defines, such as \
             `{name}` (x)"
        )
    };
    let (record, choice) = ("struct X {\n    y: u8,\n}", "enum X {\n    Y,\n}");
    // A field and a variant, which another type may have too.
    assert_eq!(of(record, "assert!(z.y);"), [unrelated("X")]);
    assert_eq!(of(choice, "assert!(Z::Y);"), [unrelated("X")]);
    for (lines, body) in [(record, "assert!(X { y });"), (choice, "assert!(X::Y);")] {
        assert_eq!(of(lines, body), [""; 0], "{body}");
    }
    let part = "struct X {\n// ANCHOR: x\n    y: u8,\n// ANCHOR_END: x\n}\n";
    for (body, found) in [("assert!(z.y);", 0), ("assert!(X);", 1)] {
        let check = format!("pub(crate) fn check() {{ {body} }}");
        let mini = region("").with("src/sums.rs", part).with("tests/listings/x.rs", &check);
        assert_eq!(mini.faults().len(), found, "{body}");
    }
    // A binding of the check's own.
    for body in [
        "let x = 3; assert_eq!(x, 3);",
        "let mut x = 3; x += 1; assert_eq!(x, 4);",
        "for (x, y) in [(1, 1)] { assert_eq!(x, y); }",
        "[1].map(|x| assert!(x == 1));",
        "fn y(x: u8) { assert!(x == 1); } y(1);",
    ] {
        assert_eq!(of("fn x() {}", body), [unrelated("x")], "{body}");
    }
    for body in [
        "let x = x(); assert_eq!(x, 3);",
        "let x = super::x; assert!(y);",
        "let x = x::<u8>; assert!(y);",
        "let x = y.x; assert_eq!(x, 3);",
        "let y = [1].map(x); assert!(y);",
    ] {
        assert_eq!(of("fn x() {}", body), [""; 0], "{body}");
    }
}

#[test]
fn listings_that_are_cut_short() {
    let cut =
        "book/ch02-shapes.md:43: this listing cuts a pair of brackets; print both halves, or \
               neither (x)";
    for (before, lines, after) in [
        ("", "pub fn x() {", "}\n"),
        ("pub fn x() {\n", "    let _ = 0; }", ""),
        ("pub fn x() { let _ = (1,\n", "2);", "}\n"),
        ("", "pub fn x() { let _ = [", "1]; }\n"),
    ] {
        let source = format!("{before}// ANCHOR: x\n{lines}\n// ANCHOR_END: x\n{after}");
        assert_eq!(region("").with("src/sums.rs", &source).faults(), [cut], "{source}");
    }
    let end = "// ANCHOR_END: x\n";
    for (cut, behind) in [
        ("/// Two.", "pub fn two() {}"),
        ("/** Two. */", "pub fn two() {}"),
        ("#[inline]", "pub fn two() {}"),
        ("#[doc = \"Two.\"] // More.", "pub fn two() {}"),
    ] {
        let moved = format!("{end}{behind}\n");
        let early = region(&format!("fn one() {{}}\n{cut}")).edit("src/sums.rs", end, &moved);
        let fault = "this listing ends with the comment or the attribute of what it does not print";
        let said = early.faults();
        assert!(
            said.iter().any(|one| one.contains(fault) && one.ends_with("(x)")),
            "{cut}: {said:?}"
        );
    }
    for whole in
        ["fn one() {}\n// It is one.", "const X: [u8; 1] = [1];", "pub static Y: &[u8] = &[2];"]
    {
        let said = region(whole).faults();
        assert!(!said.iter().any(|one| one.contains("ends with")), "{whole}: {said:?}");
    }
}

#[test]
fn listings_that_define_nothing() {
    let of = |lines: &str, name: &str| {
        let check = format!("pub(crate) fn check() {{ assert!({name} == 1) }}");
        region(lines).with("tests/listings/x.rs", &check).faults()
    };
    for (lines, first, names) in [
        ("pub use std::fs;", "fs", &["fs"][..]),
        ("never! {\npub fn f() -> u8 { 3 }\n}", "never", &["never", "f"]),
        ("thread_local! {\nstatic Y: u8 = 3;\n}", "thread_local", &["Y"]),
    ] {
        let message = format!(
            "tests/listings/x.rs:1: the check names nothing that its listing defines, such as \
             `{first}` (x)"
        );
        for other in ["z", "u8", "std::z", "z(\"Y, f, fs\")"] {
            assert_eq!(of(lines, other), [message.as_str()], "{lines} {other}");
        }
        for name in names {
            assert_eq!(of(lines, name), [""; 0], "{lines} {name}");
        }
    }
    let no_code = "book/ch02-shapes.md:43: this listing prints no code; take in the code that its \
                   comments are of, or say it in the chapter (x)";
    for lines in ["// fn x() {}", "/* fn x() {}\n*/", "//"] {
        assert_eq!(region(lines).faults(), [no_code], "{lines}");
    }
    for around in ["HEREpub fn x() {}\n", "pub fn x() {\nHEREfn y() {}\n}\n"] {
        for lines in ["/// let x: u8;\n", "#[doc = \"x\"]\n", "// x\n"] {
            let here = format!("// ANCHOR: x\n{lines}// ANCHOR_END: x\n");
            let mini = region("").with("src/sums.rs", &around.replace("HERE", &here));
            assert_eq!(mini.faults(), [no_code], "{around} {lines}");
        }
    }
}

#[test]
fn a_library_that_takes_the_name_of_an_assertion() {
    let faults = |text: &str| Mini::clean().append("src/lib.rs", text).faults();
    let line = Mini::clean().text("src/lib.rs").matches('\n').count() + 1;
    for (text, what) in [
        ("use std::stringify as assert_eq;", "as assert_eq"),
        ("use std::debug_assert_ne as r#assert_ne;", "as assert_ne"),
        ("macro_rules! assert { ($($_:tt)*) => {} }", "macro_rules! assert"),
    ] {
        let message = format!(
            "src/lib.rs:{line}: `{what}` takes the name of what makes a check fail; give it another"
        );
        assert_eq!(faults(text), [message], "{text}");
    }
    for text in ["use std::fmt as format;", "macro_rules! rows { () => {} }"] {
        assert_eq!(faults(text), [""; 0], "{text}");
    }
}

#[test]
fn checks_and_listings_that_switch_themselves_off() {
    let file = "tests/listings/shape-area.rs";
    let check = |body: &str| {
        let text = format!("pub(crate) fn check() {{\n{body}\nassert!(area(1));\n}}\n");
        Mini::clean().with(file, &text).faults()
    };
    for (body, what) in [
        ("std::process::exit(0);", "exit"),
        ("use std::process as p; p::abort();", "abort"),
        ("use std::process::{self, exit as leave};", "exit"),
        ("if cfg!(test) {}", "cfg!"),
        ("if option_env!(\"CI\").is_some() {}", "option_env!"),
        ("#[cfg(test)] assert!(false);", "#[cfg]"),
        ("use std::stringify as assert;", "as assert"),
        ("use std::matches as m; let _ = m!(1, 1);", "as m"),
        ("macro_rules! assert_eq { ($($_:tt)*) => {} }", "macro_rules! assert_eq"),
        ("macro_rules! r#assert { ($($_:tt)*) => {} }", "macro_rules! assert"),
    ] {
        let message =
            format!("{file}:2: `{what}` may keep a part of this check from running; leave it out");
        assert_eq!(check(body), [message], "{body}");
    }
    for body in [
        "macro_rules! rows { ($x:ident) => { stringify!($x) } } let _ = rows!(x);",
        "use std::fmt::Error as E; let _ = E;",
        "let _ = std::process::ExitCode::SUCCESS;",
    ] {
        assert_eq!(check(body), [""; 0], "{body}");
    }
    for (code, what) in [("std::process::exit(0)", "exit"), ("cfg!(test);", "cfg!")] {
        let message = format!(
            "book/ch02-shapes.md:43: `{what}` may end the listing's test early or be otherwise in \
             it; keep it out of listings (x)"
        );
        assert_eq!(region(&format!("pub fn x() {{ {code} }}")).faults(), [message]);
        let outside = Mini::clean().append("src/sums.rs", &format!("fn x() {{ {code} }}\n"));
        assert_eq!(outside.faults(), [""; 0]);
    }
}

#[test]
fn raw_names_in_attributes() {
    let tests = "#[r#cfg(r#test)]\nmod deep;\n";
    let raw = Mini::clean().append("src/sums.rs", tests).with("src/sums/deep.rs", "");
    assert_eq!(raw.faults(), [""; 0]);
    let (_folder, book) = Mini::clean()
        .append("src/sums.rs", "#[r#cfg(all(r#test, unix))]\nfn x() {}\n")
        .load()
        .unwrap();
    let missing = pullback_weave::coverage(&book, "src/sums.rs").unwrap().missing;
    assert_eq!(missing.len(), 4, "{missing:?}");
}

#[test]
fn a_module_of_a_raw_name_has_the_file_of_the_plain_one() {
    let listing = "Now this.\n\n````rust\n{{#include ../src/type.rs:x}}\n````\nListing: X.\n";
    let raw = more(listing)
        .edit("src/lib.rs", "pub mod sums;", "pub mod sums;\nmod r#type;")
        .with("src/type.rs", "// ANCHOR: x\nfn one() {}\n// ANCHOR_END: x\n")
        .with("tests/listings/x.rs", CHECK);
    assert_eq!(raw.faults(), [""; 0]);
}
