//! One listing as the page shows it.

use std::ops::Range;
use std::path::Path;

use pullback_weave::{Book, Chapter, FigureReference, Kind, Listing, Reference};

use crate::boxes::code;
use crate::comments::{comments, inner, line_of, nearly};
use crate::drawing;
use crate::preprocessor::replace;
use crate::source::{check_link, lines, relative, slashed, SourceLinks};

/// What stands before a listing whose lines the text names by their numbers.
const LINE_NUMBERS: &str = "<!-- line numbers -->";

/// The comments of a chapter that ask for numbers where no listing follows, or nearly ask for them,
/// each with its line.
pub(crate) fn stray_numbers(markdown: &str) -> Vec<(usize, String)> {
    let wrong = comments(markdown).into_iter().filter_map(|(at, comment)| {
        let what = if comment == LINE_NUMBERS {
            let mut after = markdown[at..].trim_start()[LINE_NUMBERS.len()..].trim_start().lines();
            let fence = after.next().is_some_and(|line| line.starts_with("```"));
            let listing = fence && after.next().is_some_and(|line| line.starts_with("{{#include "));
            (!listing)
                .then(|| format!("`{LINE_NUMBERS}` stands before a listing, and none follows"))
        } else {
            let start = comment.lines().next().unwrap_or_default();
            nearly(inner(comment), "linenumbers")
                .then(|| format!("`{start}` numbers no lines; that is `{LINE_NUMBERS}`"))
        };
        what.map(|what| (line_of(markdown, at), what))
    });
    wrong.collect()
}

/// The Markdown of a listing's figure: caption, code, and a fold for the check.
///
/// The checks are as long as the listings, so a check comes when somebody unfolds it
/// (`book/style/later.js`). Without a script and on paper the figure names its page instead.
///
/// The words of the caption stay Markdown between blank lines, so mdBook renders
/// them like all other prose; only the frame is HTML.
pub(crate) fn figure(
    woven: &Book,
    chapter: &Chapter,
    listing: &Listing,
    links: &SourceLinks,
) -> String {
    let id = target(&listing.anchor);
    let label = label(woven, listing);
    let excerpt = match (listing.kind, whole(woven, listing)) {
        (Kind::Full, _) => String::new(),
        (Kind::Excerpt, Some(whole)) => {
            format!(" <span class=\"excerpt\">excerpt of {}</span>", link(woven, chapter, whole))
        }
        (Kind::Excerpt, None) => " <span class=\"excerpt\">excerpt</span>".to_string(),
    };
    let caption = with_links(woven, chapter, &listing.woven_span, &listing.caption);
    let place = format!("{}#{}", slashed(&listing.source), listing.anchor);
    let lines = lines(listing);
    let address = links.lines(listing, &chapter.path);
    let class = match listing.kind {
        Kind::Full => "listing",
        Kind::Excerpt => "listing excerpt-listing",
    };
    let before = chapter.woven[..listing.woven_span.start].trim_end();
    let (numbered, data) = match before.ends_with(LINE_NUMBERS) {
        // Those of the file, by which the caption and the links name lines too.
        true => (" numbered", format!(" data-lines=\"{}\"", numbers(listing))),
        false => ("", String::new()),
    };
    let text = code("rust", &listing.text, &label);
    let check = format!("[`{}`]({})", slashed(&listing.check), check_link(listing, &chapter.path));
    format!(
        "<figure class=\"{class}{numbered}\"{data} id=\"{id}\">\n<figcaption>\n\n\
         <span class=\"listing-number\">[{label}](#{id})</span>{excerpt} {caption}\n\n\
         <span class=\"listing-place\">[`{place}`]({address}) <span class=\"lines\">{lines}</span></span>\n\n\
         </figcaption>\n\n\
         {text}\n\
         <details class=\"check\">\n<summary>{}</summary>\n</details>\n\
         <div class=\"check-place\">\n\nChecked by {check}.\n\n</div>\n</figure>\n",
        checks(woven, listing),
    )
}

/// The number of each line of a listing in its file.
fn numbers(listing: &Listing) -> String {
    let numbers: Vec<String> = listing.lines.iter().map(usize::to_string).collect();
    numbers.join(" ")
}

/// What the check of a listing is called.
pub(crate) fn checks(woven: &Book, listing: &Listing) -> String {
    format!("What checks {}", label(woven, listing))
}

/// The caption of what stands at `span`, with the references inside it turned into links.
pub(crate) fn with_links(
    woven: &Book,
    chapter: &Chapter,
    span: &Range<usize>,
    caption: &str,
) -> String {
    let listing = |reference: &Reference| reference_link(woven, chapter, reference);
    let figure = |reference: &FigureReference| drawing::link(woven, chapter, reference.drawing);
    with_references(chapter, span, caption, listing, figure)
}

/// The caption at the end of what stands at `span`, with other words for the references inside it.
pub(crate) fn with_references(
    chapter: &Chapter,
    span: &Range<usize>,
    caption: &str,
    listing: impl Fn(&Reference) -> String,
    figure: impl Fn(&FigureReference) -> String,
) -> String {
    let caption = caption.trim();
    let start = chapter.woven[..span.end].trim_end().len() - caption.len();
    let inside = |place: &Range<usize>| start <= place.start && place.end <= span.end;
    let at = |place: &Range<usize>| place.start - start..place.end - start;
    let listings = chapter.references.iter().filter(|one| inside(&one.woven_span));
    let figures = chapter.figure_references.iter().filter(|one| inside(&one.woven_span));
    let edits = listings
        .map(|one| (at(&one.woven_span), listing(one)))
        .chain(figures.map(|one| (at(&one.woven_span), figure(one))));
    replace(caption, edits.collect())
}

/// What stands in the page for a `{{#listing ANCHOR}}`.
pub(crate) fn reference_link(woven: &Book, chapter: &Chapter, reference: &Reference) -> String {
    match woven.listing(&reference.anchor) {
        Some(listing) => link(woven, chapter, listing),
        // The weave has refused unknown anchors; were one left, the braces would show it.
        None => chapter.woven[reference.woven_span.clone()].to_string(),
    }
}

/// A link to a listing, as seen from a chapter.
fn link(woven: &Book, from: &Chapter, listing: &Listing) -> String {
    let page = if from.path == listing.chapter {
        String::new()
    } else {
        relative(&from.path, &listing.chapter)
    };
    format!("[{}]({page}#{})", label(woven, listing), target(&listing.anchor))
}

/// The full listing that prints all lines of an excerpt, if one does.
fn whole<'book>(woven: &'book Book, excerpt: &Listing) -> Option<&'book Listing> {
    woven.listings().find(|listing| {
        listing.kind == Kind::Full
            && listing.source == excerpt.source
            && excerpt.lines.iter().all(|line| listing.lines.contains(line))
    })
}

/// "Listing 15-7", or "Listing 7" in a chapter without a number.
pub(crate) fn label(woven: &Book, listing: &Listing) -> String {
    let chapter = woven.chapter(Path::new(&listing.chapter));
    match chapter.and_then(|chapter| chapter.number.as_deref()) {
        Some(number) => format!("Listing {number}-{}", listing.number),
        None => format!("Listing {}", listing.number),
    }
}

/// The id of a listing's figure.
pub(crate) fn target(anchor: &str) -> String {
    pullback_weave::listing_id(anchor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_asked_for_before_a_listing_and_in_these_words() {
        let lines = |markdown: &str| {
            stray_numbers(markdown).into_iter().map(|(line, _)| line).collect::<Vec<_>>()
        };
        let listing = "````rust\n{{#include ../src/lib.rs:sum}}\n````\n";
        for fine in [
            format!("{LINE_NUMBERS}\n\n{listing}"),
            format!("Text.\n{LINE_NUMBERS}\n{listing}"),
            format!("```text\n{LINE_NUMBERS}\n<!-- line number -->\n```\n"),
            format!("Such a comment is `{LINE_NUMBERS}`.\n"),
            "<!-- lines of code -->\n\n<!-- numbers -->\n".to_string(),
        ] {
            assert_eq!(lines(&fine), [0; 0], "{fine}");
        }
        for (stray, line) in [
            (format!("# One\n\n{LINE_NUMBERS}\n\n```text\nx\n```\n"), 3),
            (format!("{LINE_NUMBERS}\n\nText.\n\n{listing}"), 1),
            (format!("{LINE_NUMBERS}\n\nText\n{{{{#include x}}}}\n"), 1),
            (format!("{LINE_NUMBERS} here\n\n{listing}"), 1),
            (format!("Text.\n<!-- line number -->\n\n{listing}"), 2),
            (format!("<!-- LINENUMBERS\n-->\n{listing}"), 1),
            (format!("<!-- line numbering -->\n{listing}"), 1),
        ] {
            assert_eq!(lines(&stray), [line], "{stray}");
        }
        // Behind the comment stand words, which the page would show.
        let (_, what) = &stray_numbers(&format!("{LINE_NUMBERS} here\n\n{listing}"))[0];
        assert!(what.ends_with("numbers no lines; that is `<!-- line numbers -->`"), "{what}");
    }
}
