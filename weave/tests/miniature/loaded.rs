//! What a loaded book tells the pages.

use std::path::Path;

use crate::mini::Mini;
use pullback_weave::{coverage, Kind};

#[test]
fn chapters_listings_and_references() {
    let (_folder, book) = Mini::clean().load().unwrap();
    let chapters: Vec<_> = book
        .chapters
        .iter()
        .map(|one| (one.path.to_str().unwrap(), one.title.as_str(), one.number.as_deref()))
        .collect();
    assert_eq!(
        chapters,
        [("intro.md", "Introduction", None), ("ch02-shapes.md", "Shapes", Some("2"))]
    );

    let chapter = book.chapter("ch02-shapes.md").unwrap();
    assert!(chapter.source.contains("{{#include ../src/shapes/mod.rs:shape-area}}"));
    assert!(!chapter.woven.contains("{{#include"));
    let listings: Vec<_> = chapter
        .listings
        .iter()
        .map(|one| (one.anchor.as_str(), one.kind, one.number, one.chapter_line))
        .collect();
    assert_eq!(
        listings,
        [
            ("shape-area", Kind::Full, 1, 7),
            ("area-product", Kind::Excerpt, 2, 15),
            ("shape-error", Kind::Full, 3, 22),
            ("program-output", Kind::Full, 4, 36),
        ]
    );

    let area = book.listing("shape-area").unwrap();
    assert_eq!(area.source, Path::new("src/shapes/mod.rs"));
    assert_eq!((area.first_line, area.last_line), (13, 22));
    // Lines 19 and 21 are the markers of the excerpt inside.
    assert_eq!(area.lines, [13, 14, 15, 16, 17, 18, 20, 22]);
    assert_eq!(area.text.lines().count(), area.lines.len());
    assert_eq!(area.caption, "The *area* of a\nrectangle.");
    assert_eq!(area.chapter, chapter.path);
    assert_eq!(area.check, Path::new("tests/listings/shape-area.rs"));
    assert!(area.check_text.contains("fn check()"));
    let figure = &chapter.woven[area.woven_span.clone()];
    assert!(figure.starts_with("````rust\n/// The area"), "{figure}");
    assert!(figure.ends_with("````\nListing: The *area* of a\nrectangle."), "{figure}");

    let [reference] = chapter.references.as_slice() else {
        panic!("{:?}", chapter.references);
    };
    assert_eq!((reference.anchor.as_str(), reference.line), ("shape-error", 5));
    assert_eq!(&chapter.woven[reference.woven_span.clone()], "{{#listing shape-error}}");

    assert!(book.readme.starts_with("# Mini\n"));
    for input in ["book/ch02-shapes.md", "src/words.rs", "tests/listings/shape-area.rs"] {
        assert!(book.inputs.iter().any(|one| one == Path::new(input)), "{input}");
    }
}

#[test]
fn lines_after_a_long_include_keep_their_numbers() {
    let text = "line\n".repeat(500);
    let mini = Mini::clean().with("tests/output.txt", &text).append(
        "book/intro.md",
        "\n~~~text\n{{#include ../tests/output.txt}}\n~~~\n\n```rs\n```\n",
    );
    assert_eq!(mini.faults().len(), 1);
    assert!(mini.faults()[0].starts_with("book/intro.md:9: a block marked `rs`"));
}

#[test]
fn coverage_counts_lines_by_hand() {
    let (_folder, book) = Mini::clean().load().unwrap();
    let shapes = coverage(&book, "src/shapes").unwrap();
    // mod.rs: lines 13-22 without two markers; error.rs: three lines.
    assert_eq!(shapes.once, 8 + 3);
    // The macro (6-10) and the function `unit` (25-28) stand on no page.
    let missing: Vec<usize> = shapes.missing.iter().map(|(_, line)| *line).collect();
    assert_eq!(missing, [6, 7, 8, 9, 10, 25, 26, 27, 28]);
    assert!(shapes.missing.iter().all(|(file, _)| file == Path::new("src/shapes/mod.rs")));
    assert_eq!(shapes.repeated, []);
    // mod.rs: `//!`, `mod`, 2 blank, `use`, blank, 4 markers, 2 blank, and the
    // three lines of the check; error.rs: `//!`, blank, 2 markers.
    assert_eq!(shapes.exempt, 15 + 4);
    assert!((shapes.percent() - 55.0).abs() < 1e-12);

    let sums = coverage(&book, "src/sums.rs").unwrap();
    assert_eq!((sums.once, sums.missing.len(), sums.exempt), (0, 4, 2));
    assert_eq!(coverage(&book, "src/nowhere").unwrap().percent(), 100.0);
}

#[test]
fn whole_items_may_stay_off_the_page() {
    let text = "\
//! Front matter.
use std::{
    fmt,
    io,
};
/// Documented.
#[allow(unused)]
pub(crate) mod inner;
mod written {
    pub fn x() {}
}
struct Plain;
impl Plain {
    #[cfg(test)]
    fn helper() {
        let one = 1;
    }
    // A comment.
    fn printed() {}
}
#[cfg(all(test, unix))]
#[allow(unused)]
mod tests {
    fn deep() {}
}
#[cfg(not(test))]
fn outside() {}
";
    let mini = Mini::clean().without("src/sums.rs").with("src/sums/mod.rs", text);
    let (_folder, book) = mini.load().unwrap();
    let sums = coverage(&book, "src/sums").unwrap();
    let missing: Vec<usize> = sums.missing.iter().map(|(_, line)| *line).collect();
    assert_eq!(missing, [9, 10, 11, 12, 13, 18, 19, 20, 26, 27]);
    assert_eq!(sums.exempt, text.lines().count() - missing.len());
}
