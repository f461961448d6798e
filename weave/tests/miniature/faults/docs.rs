//! Doc comments, whose examples rustdoc alone runs.

use crate::mini::Mini;

/// The faults of the clean book with more text at the end of sums.rs, from line 7 on.
fn sums(text: &str) -> Vec<String> {
    Mini::clean().append("src/sums.rs", text).faults()
}

#[test]
fn fences_that_rustdoc_does_not_run() {
    let marked = |line: usize, word: &str, instead: &str| {
        format!("src/sums.rs:{line}: a block marked `{word}` may hide untested Rust; use {instead}")
    };
    let all = "rust, text, console, toml, sh, json, python or markdown";
    for (word, instead) in [
        ("ignore", "`rust`"),
        ("no_run", "`rust`"),
        ("compile_fail", "`rust`"),
        ("should_panic", "`rust`"),
        ("rust,ignore", "`rust`"),
        ("rs", "`rust`"),
        ("cobol", all),
    ] {
        let comment = format!("/// One.\n///\n/// ```{word}\n/// x;\n/// ```\npub fn x() {{}}\n");
        assert_eq!(sums(&comment), [marked(9, word, instead)], "{word}");
    }
    for (text, line) in [
        ("pub struct X {\n    /// ```ignore\n    /// x;\n    /// ```\n    pub x: u8,\n}\n", 8),
        ("/**\n * One.\n *\n * ~~~ignore\n * x;\n * ~~~\n */\npub fn x() {}\n", 10),
        ("/** One.\n\n```ignore\nx;\n```\n*/\npub fn x() {}\n", 9),
        ("#[doc = \"```ignore\"]\n#[doc = \"x;\\n```\"]\npub fn x() {}\n", 7),
        ("#[cfg_attr(all(), doc = \"```ignore\\nx;\\n```\")]\npub fn x() {}\n", 7),
        ("/// - one\n///\n///   ```ignore\n///   x;\n///   ```\npub fn x() {}\n", 9),
        ("mod x {\n    //! ```ignore\n    //! x;\n    //! ```\n    /// X.\n    fn x() {}\n}\n", 8),
        ("mod x {\n    //! ~~~text\n    /// ```ignore\n    /// x;\n    /// ```\n    fn x() {}\n}\n", 9),
        ("make! {\n    /// ```ignore\n    /// x;\n    /// ```\n    fn x() {}\n}\n", 8),
    ] {
        assert_eq!(sums(text), [marked(line, "ignore", "`rust`")], "{text}");
    }
    for text in [
        "/// ```\n/// assert!(true);\n/// ```\n///\n/// ```rust\n/// x();\n/// ```\npub fn x() {}\n",
        "/// ```text\n/// one\n/// ```\npub fn x() {}\n",
        "// ```ignore\n// x;\n// ```\npub fn x() {}\n",
        "pub const X: &str = \"\n```ignore\n\";\n",
    ] {
        assert_eq!(sums(text), [""; 0], "{text}");
    }
}

#[test]
fn rust_in_a_doc_comment_that_is_text() {
    let elsewhere = |line: usize, typed: &str| {
        format!(
            "src/sums.rs:{line}: `{typed}` looks like Rust, which no test compiles here; use a \
             `rust` fence"
        )
    };
    let text = "/// One.\n///\n/// ```text\n/// one\n///   let x = y;\n/// ```\npub fn x() {}\n";
    assert_eq!(sums(text), [elsewhere(11, "let x = y;")]);
    let console = "/// ```console\n/// $ cargo run\n/// ```\npub fn x() {}\n";
    assert_eq!(sums(console), [""; 0]);
}

#[test]
fn an_example_that_only_the_program_reaches() {
    let message = |file: &str, line: usize| {
        format!(
            "{file}:{line}: rustdoc runs the examples of the library alone, and src/lib.rs does \
             not lead to this file; move the example there, or say it in words"
        )
    };
    for example in ["/// ```\n/// x();\n/// ```\n", "/// ```rust\n/// x();\n/// ```\n"] {
        for (file, line) in [("src/words.rs", 4), ("src/main.rs", 19)] {
            let mini = Mini::clean().append(file, &format!("{example}fn x() {{}}\n"));
            assert_eq!(mini.faults(), [message(file, line)], "{example}");
        }
    }
    let indented = "/// One.\n///\n///     x();\nfn x() {}\n";
    let mini = Mini::clean().append("src/words.rs", indented);
    assert_eq!(mini.faults(), [message("src/words.rs", 6)]);
    assert_eq!(sums(indented), [""; 0]);
    let both = Mini::clean()
        .append("src/lib.rs", "mod words;\n")
        .append("src/words.rs", "/// ```\n/// x();\n/// ```\nfn x() {}\n");
    assert_eq!(both.faults(), [""; 0]);
}
