//! Figures drawn from what the library records.
//!
//! The book is built, the library computes the worked graph, and the figures show what it recorded:
//! no number in them is typed, and none is computed by the page in a browser. Each drawing is a
//! function of plain records, so that a test can give it those of another graph.

mod graph;
mod html;
mod ledger;
mod stored;
mod trace;
mod walk;

use std::path::Path;

use pullback::worked_example::{
    detach_sum_example, frozen_tensor_example, typed_error_example, vjp_gradcheck_example,
    WorkedExampleError,
};
use pullback_weave::{Book, Chapter, Drawing, Figure};

use crate::figure::with_links;
use crate::source::relative;
use trace::Trace;

/// Why a record cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DrawingError {
    /// The library does not make the record.
    #[error("the library has no record to draw: {0}")]
    Record(#[from] WorkedExampleError),
    /// The record has no edge of the kind that the figure shows.
    #[error("the record has no {0} to draw")]
    Missing(&'static str),
    /// A walk that the library refuses.
    #[error("the library refuses the walk: {0}")]
    Walk(#[from] pullback::TensorViewError),
}

/// The Markdown of a figure: caption and drawing.
///
/// The words of the caption stay Markdown between blank lines, as those of a listing do; the
/// drawing is HTML on one line, in which Markdown finds nothing of its own.
pub(crate) fn drawn(
    woven: &Book,
    chapter: &Chapter,
    figure: &Figure,
) -> Result<String, DrawingError> {
    let id = target(figure.drawing);
    let label = label(chapter, figure);
    let drawing = match figure.drawing {
        Drawing::ForwardGraph => {
            let example = frozen_tensor_example()?;
            graph::figure(&Trace::of(&example), &id)
        }
        Drawing::ReverseLedger => {
            let example = frozen_tensor_example()?;
            ledger::figure(&Trace::of(&example))
        }
        Drawing::StoredGradients => stored::figure(
            &frozen_tensor_example()?,
            &detach_sum_example()?,
            &vjp_gradcheck_example()?,
            &typed_error_example()?,
            &id,
        ),
        Drawing::OffsetWalk => {
            let example = frozen_tensor_example()?;
            walk::figure(&Trace::of(&example), &id)?
        }
    };
    let caption = with_links(woven, chapter, &figure.woven_span, &figure.caption);
    let name = figure.drawing.name();
    Ok(format!(
        "<figure class=\"drawing\" id=\"{id}\" data-drawing=\"{name}\">\n<figcaption>\n\n\
         <span class=\"figure-number\">[{label}](#{id})</span> {caption}\n\n</figcaption>\n\n\
         <div class=\"drawn\">{drawing}</div>\n</figure>\n",
    ))
}

/// What stands in the page for a `{{#figure NAME}}` in running text.
pub(crate) fn link(woven: &Book, from: &Chapter, drawing: Drawing) -> String {
    // The weave has refused references to a figure that stands nowhere.
    let Some((chapter, figure)) = woven.figure(drawing) else { return String::new() };
    let page = if from.path == chapter.path {
        String::new()
    } else {
        relative(Path::new(&from.path), Path::new(&chapter.path))
    };
    format!("[{}]({page}#{})", label(chapter, figure), target(drawing))
}

/// "Figure 15-1", or "Figure 1" in a chapter without a number.
pub(crate) fn label(chapter: &Chapter, figure: &Figure) -> String {
    match &chapter.number {
        Some(number) => format!("Figure {number}-{}", figure.number),
        None => format!("Figure {}", figure.number),
    }
}

/// The id of a figure.
fn target(drawing: Drawing) -> String {
    drawing.id()
}
