//! Projected offsets: a walk over the larger shape, and the place in the smaller one at each step.

use super::graph::short;
use super::html::{elements, escaped, list, number, numbers, picture, words, Table};
use super::trace::Trace;
use super::DrawingError;
use pullback::{Tensor, TensorBackwardEdge, TensorSavedContext};

/// The walk of one edge's pullback.
struct Walk {
    /// What the walk does at its offsets, and the node whose adjoint is there.
    does: &'static str,
    reads: bool,
    whose: String,
    shape: Vec<usize>,
    strides: Vec<usize>,
    offsets: Vec<usize>,
    /// What is written or read at each step.
    elements: Tensor,
    storage: Tensor,
}

impl Walk {
    /// The walk of a broadcast's reversal, which adds each adjoint up where its element was read.
    fn destination(trace: &Trace<'_>, edge: &TensorBackwardEdge) -> Result<Self, DrawingError> {
        let Some((TensorSavedContext::Broadcast { output_shape, .. }, storage)) =
            edge.saved.as_ref().zip(edge.contribution.as_ref())
        else {
            return Err(DrawingError::Missing("expansion"));
        };
        let strides = storage.view().broadcast_to(output_shape)?.strides().to_vec();
        Ok(Walk {
            does: "adds into",
            reads: false,
            whose: trace.name(edge.parent),
            offsets: offsets(storage, output_shape, &strides)?,
            shape: output_shape.to_vec(),
            strides,
            elements: edge.upstream.clone(),
            storage: storage.clone(),
        })
    }

    /// The walk of a reduction's expansion, which reads the adjoint of each element's sum.
    fn source(trace: &Trace<'_>, edge: &TensorBackwardEdge) -> Result<Self, DrawingError> {
        let Some(TensorSavedContext::Reduction { axis, input_shape, .. }) = &edge.saved else {
            return Err(DrawingError::Missing("reduction"));
        };
        // The shape with the reduced axis kept, along which one element stands for all.
        let kept: Vec<usize> = input_shape
            .iter()
            .enumerate()
            .map(|(at, extent)| if at == *axis { 1 } else { *extent })
            .collect();
        let expanded = edge.upstream.view().reshape(&kept)?.broadcast_to(input_shape)?;
        Ok(Walk {
            does: "reads from",
            reads: true,
            whose: trace.name(edge.child),
            offsets: offsets(&edge.upstream, input_shape, expanded.strides())?,
            shape: input_shape.to_vec(),
            strides: expanded.strides().to_vec(),
            elements: expanded.materialize()?,
            storage: edge.upstream.clone(),
        })
    }

    fn title(&self) -> String {
        format!("{} the adjoint of {}, strides {:?}", self.does, self.whose, self.strides)
    }
}

fn offsets(
    storage: &Tensor,
    shape: &[usize],
    strides: &[usize],
) -> Result<Vec<usize>, DrawingError> {
    let steps = shape.iter().product();
    Ok(storage.view().projected_offsets(shape, strides, steps)?.collect())
}

/// The coordinates of each step, in row-major order.
fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![Vec::new()], |before, extent| {
        let longer = |start: &Vec<usize>| {
            (0..*extent).map(|last| [start.as_slice(), &[last]].concat()).collect::<Vec<_>>()
        };
        before.iter().flat_map(longer).collect()
    })
}

/// The first expansion's reversal and the first reduction's expansion of a trace.
pub(super) fn figure(trace: &Trace<'_>, id: &str) -> Result<String, DrawingError> {
    let expanded = |edge: &&TensorBackwardEdge| match &edge.saved {
        Some(TensorSavedContext::Broadcast { reduced_axes, .. }) => !reduced_axes.is_empty(),
        _ => false,
    };
    let reduced = |edge: &&TensorBackwardEdge| {
        matches!(edge.saved, Some(TensorSavedContext::Reduction { .. }))
    };
    let edges = &trace.pass.edges;
    let write = edges.iter().find(expanded).ok_or(DrawingError::Missing("expansion"))?;
    let read = edges.iter().find(reduced).ok_or(DrawingError::Missing("reduction"))?;
    let walks =
        [("destination", Walk::destination(trace, write)?), ("source", Walk::source(trace, read)?)];
    let mut html = String::from("<div class=\"walks\">");
    for (role, walk) in &walks {
        html.push_str(&panel(walk, role, &format!("{id}-{role}")));
    }
    html.push_str("</div>");
    for (role, walk) in &walks {
        html.push_str(&table(walk, role));
    }
    Ok(html)
}

/// The steps in a row, the storage below them, and a line from each step to its place.
fn panel(walk: &Walk, role: &str, id: &str) -> String {
    const CELL: f64 = 50.0;
    const PLACE: f64 = 74.0;
    let (steps, places) = (walk.offsets.len(), walk.storage.len());
    let width = f64::max(steps as f64 * CELL, places as f64 * PLACE) + 4.0;
    let step_x = |step: usize| 2.0 + (step as f64 + 0.5) * CELL;
    let place_x = |place: usize| width / 2.0 + (place as f64 + 0.5 - places as f64 / 2.0) * PLACE;
    let cell = |x: f64, y: f64, half: f64| {
        format!(
            "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"38\" rx=\"3\"></rect>",
            short(x - half),
            short(2.0 * half)
        )
    };
    let text = |x: f64, y: f64, class: &str, text: &str| {
        format!("<text class=\"{class}\" x=\"{}\" y=\"{}\">{text}</text>", short(x), short(y))
    };
    let mut content = format!(
        "<text class=\"total\" x=\"2\" y=\"15\">{} adjoint of {} [{}], strides {}</text>",
        if walk.reads { "from" } else { "into" },
        escaped(&walk.whose),
        walk.storage.shape().iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        list(&walk.strides)
    );
    let mut ends = String::new();
    for (step, (coordinate, (&offset, &element))) in coordinates(&walk.shape)
        .iter()
        .zip(walk.offsets.iter().zip(walk.elements.as_slice()))
        .enumerate()
    {
        let x = step_x(step);
        let (from, to) = (short(x), short(place_x(offset)));
        content.push_str(&format!("<path d=\"M{from} 92L{to} 148\"></path>"));
        // A dot at the end to which the element goes.
        match walk.reads {
            true => ends.push_str(&format!("M{from} 92h0")),
            false => ends.push_str(&format!("M{to} 148h0")),
        }
        content.push_str(&cell(x, 28.0, CELL / 2.0 - 3.0));
        let coordinate: Vec<String> = coordinate.iter().map(usize::to_string).collect();
        content.push_str(&text(x, 42.0, "name minor", &coordinate.join(",")));
        content.push_str(&text(x, 60.0, "name", &number(element)));
        content.push_str(&text(x, 84.0, "name offset", &offset.to_string()));
    }
    for (place, &element) in walk.storage.as_slice().iter().enumerate() {
        let x = place_x(place);
        content.push_str(&cell(x, 149.0, PLACE / 2.0 - 4.0));
        content.push_str(&text(x, 163.0, "name minor", &format!("offset {place}")));
        content.push_str(&text(x, 181.0, "name", &number(element)));
    }
    content.push_str(&format!("<path class=\"ends\" d=\"{ends}\"></path>"));
    let offsets: Vec<String> = walk.offsets.iter().map(usize::to_string).collect();
    let description = format!(
        "A walk over shape {:?} in {steps} steps. It {} the {places} places of the adjoint of {} at \
         the {role} \
         offsets {}. The table has the same numbers.",
        walk.shape,
        walk.does,
        walk.whose,
        offsets.join(" ")
    );
    picture(id, (width, 190.0), &walk.title(), &description, &content)
}

fn table(walk: &Walk, role: &str) -> String {
    let name = format!(
        "A walk over {} that {} the adjoint of {}: {}",
        list(&walk.shape),
        walk.does,
        walk.whose,
        elements(&walk.storage)
    );
    let coordinates: Vec<String> = coordinates(&walk.shape)
        .iter()
        .map(|one| one.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let mut header = vec!["coordinates"];
    header.extend(coordinates.iter().map(String::as_str));
    let mut table = Table::new(&name, &header);
    let offsets = walk.offsets.iter().map(|offset| numbers(offset.to_string()));
    let strides = words(format!("{role} offset, strides\u{a0}{}", list(&walk.strides)));
    table.row("", std::iter::once(strides).chain(offsets));
    let elements = walk.elements.as_slice().iter().map(|element| numbers(number(*element)));
    table.row("", std::iter::once(words("element")).chain(elements));
    table.html()
}

#[cfg(test)]
mod tests {
    use super::super::trace::tests::Other;
    use super::*;
    use pullback::worked_example::frozen_tensor_example;
    use pullback::{GraphRetention, TensorValue};

    #[test]
    fn the_worked_graph_walks_as_the_text_says() {
        let worked = frozen_tensor_example().unwrap();
        let trace = Trace::of(&worked);
        let edges = &trace.pass.edges;
        let write = Walk::destination(&trace, &edges[5]).unwrap();
        assert_eq!(write.strides, [0, 1]);
        assert_eq!(write.offsets, [0, 1, 2, 0, 1, 2]);
        let read = Walk::source(&trace, &edges[0]).unwrap();
        assert_eq!(read.strides, [1, 0]);
        assert_eq!(read.offsets, [0, 0, 0, 1, 1, 1]);
        assert_eq!(read.elements.as_slice(), [3.0, 3.0, 3.0, 6.0, 6.0, 6.0]);
        assert!(matches!(Walk::source(&trace, &edges[5]), Err(DrawingError::Missing(_))));
        assert!(matches!(Walk::destination(&trace, &edges[0]), Err(DrawingError::Missing(_))));
    }

    #[test]
    fn another_graph_walks_otherwise() {
        // [2, 1] expanded to [2, 2], summed along axis 0, and the axis kept.
        let column = TensorValue::parameter(Tensor::filled([2, 1], 1.0).unwrap()).unwrap();
        let other = TensorValue::parameter(Tensor::filled([2, 2], 1.0).unwrap()).unwrap();
        let y = column.add(&other).unwrap().sum_axis(0, true).unwrap();
        let seed = Tensor::from_vec([1, 2], vec![10.0, 20.0]).unwrap();
        let pass = y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain).unwrap();
        let trace = Trace::new(&pass, []);
        let write = Walk::destination(&trace, &pass.edges[1]).unwrap();
        assert_eq!((&*write.strides, &*write.offsets), (&[1, 0][..], &[0, 0, 1, 1][..]));
        let read = Walk::source(&trace, &pass.edges[0]).unwrap();
        assert_eq!((&*read.strides, &*read.offsets), (&[0, 1][..], &[0, 1, 0, 1][..]));
        assert_eq!(read.elements.as_slice(), [10.0, 20.0, 10.0, 20.0]);
        let html = figure(&trace, "id").unwrap();
        assert!(html.contains("destination offsets 0 0 1 1"), "{html}");
        assert!(html.contains("source offsets 0 1 0 1"), "{html}");
        assert_eq!(html.matches("<path").count(), 8 + 2);
    }

    #[test]
    fn a_graph_without_a_walk_is_no_figure() {
        let other = Other::new();
        let found = figure(&other.trace(), "id").map_err(|error| error.to_string());
        assert_eq!(found, Err("the record has no expansion to draw".to_string()));
    }

    #[test]
    fn coordinates_count_like_an_odometer() {
        assert_eq!(coordinates(&[2, 2]), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(coordinates(&[]), [[0; 0]]);
        assert!(coordinates(&[3, 0]).is_empty());
    }
}
