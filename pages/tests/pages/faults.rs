//! Every way a page can go wrong stops the build.

use std::path::{Path, PathBuf};
use std::process::Command;

use mdbook_driver::MDBook;
use mdbook_pullback::{Finish, STAMP};

use crate::support::Mini;

/// The program that `book.toml` starts.
const PROGRAM: &str = env!("CARGO_BIN_EXE_mdbook-pullback");

/// A command that is there on every machine with cargo, and fails.
const BROKEN: &str = "cargo no-such-subcommand";

/// Sets the commands of the miniature's `book.toml`.
fn commands(preprocessor: &str, stamp: &str) -> Mini {
    let mini = Mini::new();
    // Literal strings, so that the backslashes of a path are backslashes.
    mini.replace(
        "book.toml",
        "command = \"unused in this process\"\nafter",
        &format!("command = '{preprocessor}'\nafter"),
    );
    mini.replace(
        "book.toml",
        "command = \"unused in this process\"",
        &format!("command = '{stamp}'"),
    );
    mini
}

/// Names the folder of a book for a child process to build.
const CHILD: &str = "PULLBACK_TEST_BUILDS";

/// Builds a book as `mdbook build` would, with whatever commands its `book.toml` names, in a child
/// process: what those commands say of a planted fault is part of the error and not of a green run.
fn build_by_commands(mini: &Mini) -> Result<PathBuf, String> {
    build_by_commands_into(mini, "target/book")
}

fn build_by_commands_into(mini: &Mini, folder: impl AsRef<Path>) -> Result<PathBuf, String> {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["faults::the_program_builds_the_book", "--exact", "--nocapture"])
        .env(CHILD, mini.root())
        .env("MDBOOK_BUILD__BUILD_DIR", folder.as_ref())
        .output()
        .unwrap();
    match child.status.success() {
        true => Ok(mini.root().join(folder).join("html")),
        false => Err(String::from_utf8_lossy(&child.stderr).into_owned()),
    }
}

fn finish_command() -> String {
    format!("{PROGRAM} finish")
}

#[test]
fn the_program_builds_the_book() {
    if let Some(root) = std::env::var_os(CHILD) {
        if let Err(error) = MDBook::load(root).and_then(|book| book.build()) {
            eprintln!("{error:#}");
            std::process::exit(1);
        }
        return;
    }
    let mini = commands(PROGRAM, &finish_command());
    let root = build_by_commands(&mini).unwrap();
    for page in ["front.html", "one.html", "two.html", "source/index.html", "source/src/lib.html"] {
        let html = std::fs::read_to_string(root.join(page)).unwrap();
        assert_eq!(html.matches(STAMP).count(), 1, "{page}");
    }
}

#[test]
fn a_folder_outside_of_the_repository_is_refused_with_the_way_out() {
    let mini = commands(PROGRAM, &finish_command());
    assert!(build_by_commands_into(&mini, "target/elsewhere").unwrap().join("one.html").is_file());
    let outside = tempfile::tempdir().unwrap();
    for folder in [outside.path(), &mini.root().join("../elsewhere")] {
        let error = build_by_commands_into(&mini, folder).unwrap_err();
        let refusal = format!("{} is outside of this repository", folder.display());
        assert!(error.contains(&refusal) && error.contains("copy `target/book/html`"), "{error}");
        assert!(!folder.join("html").exists());
    }
}

#[test]
fn a_chapter_leaves_the_pages_that_are_made_alone() {
    for (chapter, page) in [
        ("a/thrice.md", "a/thrice.html"),
        ("Listings.md", "Listings.html"),
        // Of the first chapter it would be the front page.
        ("index.md", "index.html"),
        ("source/two.md", "source/two.html"),
    ] {
        let mini = Mini::new();
        mini.replace("book/SUMMARY.md", "(two.md)", &format!("({chapter})"));
        let two = std::fs::read_to_string(mini.root().join("book/two.md")).unwrap();
        std::fs::remove_file(mini.root().join("book/two.md")).unwrap();
        let up = "../".repeat(chapter.matches('/').count());
        mini.write(&format!("book/{chapter}"), &two.replace("../src", &format!("{up}../src")));
        let fault = format!(
            "book/{chapter}:1: the book makes a page at `{page}` itself; give this chapter another \
             name"
        );
        let error = mini.build().err().unwrap_or_default();
        assert!(error.contains(&fault), "{error}");
    }
}

#[test]
fn a_preprocessor_that_cannot_start_fails_the_build() {
    let error = build_by_commands(&commands(BROKEN, &finish_command())).unwrap_err();
    assert!(error.contains("The \"pullback-site\" renderer failed"), "{error}");
}

#[test]
fn the_stamp_check_names_the_pages_and_what_to_do() {
    let mini = commands("unused", "unused");
    mini.replace("book.toml", "[preprocessor.pullback]\ncommand = 'unused'\n", "");
    mini.replace("book.toml", "after = [\"links\"]\n", "");
    let mut book = MDBook::load(mini.root()).unwrap();
    let error = format!("{:#}", book.with_renderer(Finish).build().unwrap_err());
    assert!(
        error.ends_with(
            "these pages went out without the book's preprocessor: \
             book/front.md, book/one.md, book/two.md\n\
             mdBook leaves a preprocessor out when its command fails; \
             `cargo build -p mdbook-pullback` shows why"
        ),
        "{error}"
    );
}

#[test]
fn a_preprocessor_left_out_of_the_settings_fails_the_build() {
    let mini = commands(PROGRAM, &finish_command());
    mini.replace("book.toml", &format!("command = '{PROGRAM}'\n"), "");
    mini.replace("book.toml", "[preprocessor.pullback]\nafter = [\"links\"]\n", "");
    let error = build_by_commands(&mini).unwrap_err();
    assert!(error.contains("The \"pullback-site\" renderer failed"), "{error}");
}

#[test]
fn a_page_that_only_the_html_output_lacks_is_found() {
    let mini = commands(PROGRAM, &finish_command());
    // For the other output the preprocessor runs, so only the written pages can tell.
    mini.replace(
        "book.toml",
        "after = [\"links\"]",
        "after = [\"links\"]\nrenderers = [\"pullback-site\"]",
    );
    let error = build_by_commands(&mini).unwrap_err();
    assert!(error.contains("The \"pullback-site\" renderer failed"), "{error}");
}

#[test]
fn a_fault_of_the_weave_stops_the_build_with_its_words() {
    let mini = Mini::new();
    mini.replace("book/one.md", ":twice}}", ":twicee}}");
    let weave = pullback_weave::load(mini.root()).unwrap_err();
    assert!(weave.iter().any(|fault| fault.anchor.as_deref() == Some("twicee")), "{weave}");
    assert_eq!(mini.build().err(), Some(weave.to_string()));
}

#[test]
fn a_fault_stops_the_program_too() {
    let mini = commands(PROGRAM, &finish_command());
    mini.replace("book/one.md", ":twice}}", ":twicee}}");
    let error = build_by_commands(&mini).unwrap_err();
    assert!(error.contains("The \"pullback\" preprocessor exited unsuccessfully"), "{error}");
}

#[test]
fn a_formula_that_does_not_parse_stops_the_build_at_its_line() {
    let mini = Mini::new();
    mini.replace("book/one.md", r"\bar{x} = 2", r"\baar{x} = 2");
    mini.replace("book/two.md", "# Two\n", "# Two\n\nHere $\\frac{1}$ lacks a half.\n");
    assert_eq!(
        mini.build().err().as_deref(),
        Some(
            "book/one.md:18: this formula is not valid TeX: Unknown command \"\\baar\". \
             ($\\baar{x} = 2 \\bar{y}$)\n\
             book/two.md:3: this formula is not valid TeX: \
             Expected argument but reached end of input. ($\\frac{1}$)"
        )
    );
}

#[test]
fn a_dollar_sign_that_opens_no_formula_stops_the_build_at_its_line() {
    let mini = Mini::new();
    mini.replace("book/two.md", "# Two\n", "# Two\n\nIt costs \\$5.\n\nHere $x^{2$ is.\n");
    let what = "this `$` opens no formula: close it, balance its braces, or write `\\$`";
    let faults = format!("book/two.md:5: {what}\nbook/two.md:5: {what}");
    assert_eq!(mini.build().err(), Some(faults));
}

#[test]
fn a_reference_in_a_formula_stops_the_build_at_its_line() {
    let mini = Mini::new();
    mini.replace(
        "book/two.md",
        "# Two\n",
        "# Two\n\nHere $x$ and $x {{#listing twice}} y$.\n\n$$\n{{#listing thrice}}\n$$\n\n\
         It costs $5 in {{#listing twice}}, elsewhere 6$, and $x {{#figure offset-walk}} y$.\n\n\
         {{#figure offset-walk}}\nFigure: The walk.\n",
    );
    let error = mini.build().err().unwrap_or_default();
    let stands = "stands in a formula, between two `$`; a dollar sign in prose is `\\$`";
    for (line, anchor) in [(3, "twice"), (6, "thrice"), (9, "twice")] {
        let fault = format!("book/two.md:{line}: `{{{{#listing {anchor}}}}}` {stands}");
        assert!(error.lines().any(|line| line == fault), "{fault}\n{error}");
    }
    let fault = format!("book/two.md:9: `{{{{#figure offset-walk}}}}` {stands}");
    assert!(error.lines().any(|line| line == fault), "{fault}\n{error}");
}

/// The one book of this kind that is built by the program: all other pages that hide something are
/// refused by the same code of the weave, whose own tests have them.
#[test]
fn an_open_comment_stops_the_program() {
    let mini = commands(PROGRAM, &finish_command());
    mini.replace("book/two.md", "# Two\n", "# Two\n\n<!-- for later\n");
    let error = build_by_commands(&mini).unwrap_err();
    let fault = "book/two.md:3: nothing closes this `<!--` in its own block";
    assert!(error.contains(fault), "{error}");
}

#[test]
fn a_chapter_that_changes_between_links_and_the_preprocessor_stops_the_build() {
    let mini = Mini::new();
    let mut book = MDBook::load(mini.root()).unwrap();
    book.with_preprocessor(mdbook_pullback::Pullback::new(None));
    mini.replace("book/two.md", "As in", "As was shown in");
    let error = format!("{:#}", book.build().unwrap_err());
    assert!(error.starts_with("book/two.md:1: mdBook's text of this chapter is not"), "{error}");
}
