//! What the pages print, and what of it is tested.

use std::path::PathBuf;
use std::sync::LazyLock;

use pullback_weave::{coverage, load, programs, Book};

static BOOK: LazyLock<Book> = LazyLock::new(|| {
    load(env!("CARGO_MANIFEST_DIR")).unwrap_or_else(|faults| panic!("\n{faults}"))
});

#[test]
fn every_line_of_the_tape_stands_in_exactly_one_full_listing() {
    let tape = coverage(&BOOK, "src/autograd").unwrap_or_else(|faults| panic!("\n{faults}"));
    let places = |lines: &[(PathBuf, usize)]| -> Vec<String> {
        lines.iter().map(|(file, line)| format!("{}:{line}", file.display())).collect()
    };
    assert_eq!(places(&tape.missing), [""; 0], "lines that no full listing prints");
    assert_eq!(places(&tape.repeated), [""; 0], "lines that several full listings print");
    assert!(tape.once > 0, "src/autograd has no lines");
    assert_eq!(tape.percent(), 100.0);
}

/// Counted in the plain text of the pages, without any Markdown parser.
#[cfg(feature = "book")]
#[test]
fn every_rust_fence_is_a_test() {
    let pages = BOOK.chapters.iter().map(|chapter| &chapter.woven).chain([&BOOK.readme]);
    let fences = pages.flat_map(|page| page.lines()).filter(|line| {
        let line = line.trim_start_matches(['>', '-', '*', ' ']);
        let info = line.trim_start_matches(['`', '~']);
        info.trim() == "rust" && line.len() >= info.len() + 3
    });
    let tests = include_str!(concat!(env!("OUT_DIR"), "/skeptic-tests.rs"));
    assert_eq!(fences.count(), tests.matches("#[test] fn ").count());
}

/// Without the link a second run takes half as long again; with it in a listing of the tensors
/// themselves, that listing would be tested beside what it was before. The copy holds the tensors,
/// and has no name for the rest.
#[test]
fn every_listing_of_another_module_links_the_tensors() {
    for (anchor, program) in programs(&BOOK) {
        let source = BOOK.listing(anchor).unwrap().source.as_path();
        let links = program.matches("pub use pullback_open::tensor::{self};").count();
        let of_command = program.contains("pub(crate) mod program {");
        let wanted = !source.starts_with("src/tensor") && !of_command;
        assert_eq!(
            links,
            usize::from(wanted),
            "{anchor} in {}; is `pub mod tensor;` in src/lib.rs without any `#`?",
            source.display()
        );
        assert_eq!(program.matches("pullback_open").count(), links, "{anchor}");
    }
    let manifest = include_str!("../weave/open/Cargo.toml");
    assert!(!manifest.lines().any(|line| line.starts_with("pullback ")), "{manifest}");
}

/// A check is a unit test of its host as well: there it is formatted, linted and quick to run, and
/// a failure names its line. The module is found by the anchor's name.
#[test]
fn every_check_is_a_module_of_its_host() {
    let unwired = BOOK.listings().filter(|listing| {
        let host = std::fs::read_to_string(BOOK.root.join(&listing.source)).unwrap();
        let (anchor, name) = (&listing.anchor, listing.anchor.replace('-', "_"));
        !host.contains(&format!("tests/listings/{anchor}.rs\"]\nmod check_{name};\n"))
    });
    let unwired: Vec<_> = unwired.map(|listing| &*listing.anchor).collect();
    assert_eq!(unwired, [""; 0], "add three lines like the last of src/autograd/ops/transpose.rs");
}
