//! Figures: where one may stand, and what may be said of it.

use super::expect;
use crate::mini::Mini;

const PLACED: &str =
    "\nLook at the two edges.\n\n{{#figure forward-graph}}\nFigure: The *graph*.\n";

fn with(text: &str) -> Mini {
    Mini::clean().append("book/intro.md", text)
}

#[test]
fn a_figure_and_its_caption() {
    let names = "forward-graph, reverse-ledger, stored-gradients, offset-walk";
    let unknown = format!("book/intro.md:7: there is no figure `graph`; there are {names}");
    let unknown_reference =
        format!("book/intro.md:5: there is no figure `graph`; there are {names}");
    let no_caption = "the figure has no caption; the line after its directive is `Figure: ...`, \
                      and a reference shares its line with words";
    let no_caption = format!("book/intro.md:7: {no_caption}");
    expect(&[
        ("a figure", with(PLACED), &[]),
        ("an unknown figure", with(&PLACED.replace("forward-graph", "graph")), &[&unknown]),
        ("an unknown reference", with("\nSee {{#figure graph}}.\n"), &[&unknown_reference]),
        ("no caption", with(&PLACED.replace("Figure: The *graph*.\n", "")), &[&no_caption]),
        ("a misspelt caption", with(&PLACED.replace("Figure:", "Figur:")), &[&no_caption]),
        ("a lower-case caption", with(&PLACED.replace("Figure:", "figure:")), &[&no_caption]),
        ("a caption without a colon", with(&PLACED.replace("Figure:", "Figure")), &[&no_caption]),
        ("a caption in bold", with(&PLACED.replace("Figure:", "**Figure:**")), &[&no_caption]),
        ("a listing's caption", with(&PLACED.replace("Figure:", "Listing:")), &[&no_caption]),
        ("other words", with(&PLACED.replace("Figure: The", "And the")), &[&no_caption]),
        ("an empty caption", with(&PLACED.replace(" The *graph*.", "")), &[&no_caption]),
        (
            "a caption alone",
            with("\nFigure: The graph.\n"),
            &["book/intro.md:5: this caption has no figure; `{{#figure NAME}}` stands in the line \
               before it"],
        ),
        (
            "a figure in a list",
            with("\n- {{#figure forward-graph}}\n  Figure: The graph.\n"),
            &["book/intro.md:5: a figure stands at the top level, outside lists and quotations"],
        ),
        (
            "a figure in a list under another word",
            with("\n- {{#figure forward-graph}}\n  Figur: The graph.\n"),
            &["book/intro.md:5: a figure stands at the top level, outside lists and quotations"],
        ),
        (
            "a figure in the middle of a paragraph",
            with("\nLook:\n{{#figure forward-graph}}\nfig. The graph.\n"),
            &["book/intro.md:6: a figure stands at the top level, outside lists and quotations"],
        ),
        (
            "a reference that a line begins and ends with",
            with(&format!("{PLACED}\nAs in\n{{{{#figure forward-graph}}}}\nor so.\n")),
            &[],
        ),
        (
            "a figure in a quotation",
            with("\n> {{#figure forward-graph}}\n> Figure: The graph.\n"),
            &["book/intro.md:5: a figure stands at the top level, outside lists and quotations"],
        ),
        (
            "two figures in a row",
            with(&format!("{PLACED}\n{{{{#figure offset-walk}}}}\nFigure: The walk.\n")),
            &["book/intro.md:10: no prose stands before this figure; say what to look for"],
        ),
        (
            "a figure and a listing in a row",
            Mini::clean().edit("book/ch02-shapes.md", "One line of it decides:\n", &PLACED[25..]),
            &["book/ch02-shapes.md:13: no prose stands before this figure; say what to look for",
              "book/ch02-shapes.md:16: no prose stands between this listing and the one before \
                 it (area-product)"],
        ),
    ]);
}

#[test]
fn a_figure_stands_once_in_the_book() {
    let twice = "the figure `forward-graph` already stands at book/intro.md:7";
    let again = |file: &str, line: usize| format!("book/{file}:{line}: {twice}");
    expect(&[
        ("twice on a page", with(&PLACED.repeat(2)), &[&again("intro.md", 12)]),
        (
            "on two pages",
            with(PLACED).append("book/ch02-shapes.md", PLACED),
            &[&again("ch02-shapes.md", 43)],
        ),
        (
            "a reference to nothing",
            with("\nSee {{#figure offset-walk}}.\n"),
            &["book/intro.md:5: no page shows the figure `offset-walk`"],
        ),
        (
            "a reference from another page",
            with("\nSee {{#figure forward-graph}}.\n").append("book/ch02-shapes.md", PLACED),
            &[],
        ),
    ]);
}

#[test]
fn a_figure_where_none_can_stand() {
    let no_link = "cannot become a link here; it stands in running text, outside code, HTML, \
                   headings and other links";
    let figure = "`{{#figure forward-graph}}`";
    for text in [
        "`{{#figure forward-graph}}`",
        "[See {{#figure forward-graph}}](intro.md)",
        "```text\n{{#figure forward-graph}}\nFigure: The graph.\n```",
        "<div>\n{{#figure forward-graph}}\n</div>",
        "## Of {{#figure forward-graph}}",
    ] {
        let faults = with(&format!("\n{text}\n")).faults();
        let line =
            if text.starts_with(['`', '[', '#']) && !text.starts_with("```") { 5 } else { 6 };
        assert_eq!(faults, [format!("book/intro.md:{line}: {figure} {no_link}")], "{text}");
    }
    let rest = "is left in the page; a directive is written `{{#include PATH:ANCHOR}}`, \
                `{{#listing ANCHOR}}` or `{{#figure NAME}}`";
    let left = |text: &str| with(&format!("\n{text}\n")).faults();
    assert_eq!(
        left("\\{{#figure forward-graph}}\nFigure: The graph."),
        [format!("book/intro.md:5: {figure} {rest}")]
    );
    assert_eq!(
        left("{{#figure}}\nFigure: The graph."),
        [format!("book/intro.md:5: `{{{{#figure}}}}` {rest}")]
    );
    let unexpanded =
        |file: &str, line: usize| format!("{file}:{line}: nothing expands {figure} in this file");
    let summary = Mini::clean().append("book/SUMMARY.md", "- [{{#figure forward-graph}}]()\n");
    assert_eq!(summary.faults(), [unexpanded("book/SUMMARY.md", 7)]);
    let readme = Mini::clean().append("README.md", PLACED);
    assert_eq!(readme.faults(), [unexpanded("README.md", 11)]);
}

#[test]
fn what_a_page_is_told_of_its_figures() {
    let text = format!("\nSee {{{{#figure forward-graph}}}}.\n{PLACED}");
    let (_folder, book) = with(&text).load().unwrap();
    let (chapter, figure) = book.figure(pullback_weave::Drawing::ForwardGraph).unwrap();
    assert_eq!((figure.caption.as_str(), figure.line, figure.number), ("The *graph*.", 9, 1));
    assert_eq!(
        &chapter.woven[figure.woven_span.clone()],
        "{{#figure forward-graph}}\nFigure: The *graph*."
    );
    let [reference] = chapter.figure_references.as_slice() else { panic!("one reference") };
    assert_eq!(
        (reference.line, &chapter.woven[reference.woven_span.clone()]),
        (5, "{{#figure forward-graph}}")
    );
    assert!(book.figure(pullback_weave::Drawing::OffsetWalk).is_none());
}
