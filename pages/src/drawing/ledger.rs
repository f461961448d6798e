//! The reverse ledger: what each edge sent back, in the order of the walk.
//!
//! The table is the figure. With JavaScript, a script shows one row of it after the other beside
//! the forward graph, and marks the row.

use super::html::{
    elements, escaped, list, number, numbers, optional, words, Cell, Table, NOTHING,
};
use super::trace::Trace;
use pullback::{TensorBackwardEdge, TensorOperation, TensorSavedContext};

/// Legend and ledger: whoever steps finds the rules in words at hand.
pub(super) fn figure(trace: &Trace<'_>) -> String {
    format!("{}{}", legend(trace), ledger(trace))
}

fn ledger(trace: &Trace<'_>) -> String {
    let mut table = Table::wide(
        &format!("The {} edges in reverse order", trace.pass.edges.len()),
        &[
            "step",
            "child → parent",
            "slot",
            "upstream <i>u</i>",
            "rule",
            "saved context",
            "reduced axes",
            "contribution",
            "parent’s adjoint before",
            "parent’s adjoint after",
        ],
    );
    for edge in &trace.pass.edges {
        let attributes = format!(
            " data-edge=\"{}\" data-child=\"{}\" data-parent=\"{}\"",
            edge.reverse_index, edge.child, edge.parent
        );
        let node = |index: usize| {
            let shape = trace.pass.nodes.get(index).map(|node| list(&node.shape));
            escaped(&format!("{}\u{a0}{}", trace.name(index), shape.unwrap_or_default()))
        };
        let (child, parent) = (node(edge.child), node(edge.parent));
        let edge_cell = format!("<span class=\"whole\">{child} →</span> {parent}");
        table.row(
            &attributes,
            [
                words(edge.reverse_index.to_string()),
                Cell::Words(edge_cell),
                words(edge.operand.to_string()),
                numbers(elements(&edge.upstream)),
                Cell::Words(rule(trace, edge)),
                words(edge.saved.as_ref().map_or(NOTHING.to_string(), context)),
                words(edge.saved.as_ref().and_then(reduced).unwrap_or(NOTHING.to_string())),
                numbers(optional(edge.contribution.as_ref())),
                numbers(optional(edge.parent_adjoint_before.as_ref())),
                numbers(optional(edge.parent_adjoint_after.as_ref())),
            ],
        );
    }
    table.html()
}

/// The rule of an edge in symbols, as HTML.
fn rule(trace: &Trace<'_>, edge: &TensorBackwardEdge) -> String {
    let sum = |axes: Vec<usize>, inner: &str| {
        let axes: Vec<String> = axes.iter().map(usize::to_string).collect();
        match axes.is_empty() {
            true => inner.to_string(),
            false => format!("Σ<sub>{}</sub>\u{a0}{inner}", axes.join(", ")),
        }
    };
    match &edge.saved {
        None => "not evaluated".to_string(),
        Some(TensorSavedContext::Broadcast { reduced_axes, .. }) => {
            sum(reduced_axes.iter().collect(), "<i>u</i>")
        }
        Some(TensorSavedContext::Multiply { reduced_axes, .. }) => {
            let others = trace.operands(edge.child);
            let other = others.iter().find(|other| other.operand != edge.operand);
            let name = other.map_or("other".to_string(), |other| trace.name(other.parent));
            let product = format!("<i>u</i>\u{a0}⊙\u{a0}{}", symbol(&name));
            match reduced_axes.is_empty() {
                true => product,
                false => sum(reduced_axes.iter().collect(), &format!("({product})")),
            }
        }
        Some(TensorSavedContext::Reshape { input_shape, .. }) => {
            format!("reshape(<i>u</i>, {})", list(input_shape))
        }
        Some(TensorSavedContext::Transpose { first_axis, second_axis, .. }) => {
            format!("swap<sub>{first_axis}, {second_axis}</sub>(<i>u</i>)")
        }
        Some(TensorSavedContext::Reduction { axis, divisor, .. }) => {
            let spread = format!("spread<sub>{axis}</sub>(<i>u</i>)");
            match trace.pass.nodes.get(edge.child).map(|node| node.operation) {
                Some(TensorOperation::Sum) => spread,
                _ => format!("{spread}\u{a0}/\u{a0}{}", number(*divisor)),
            }
        }
        Some(other) => escaped(&format!("{other:?}")),
    }
}

/// A name in a formula, as HTML: a letter is slanted there, a word is not.
fn symbol(name: &str) -> String {
    match name.chars().count() {
        1 => format!("<i>{}</i>", escaped(name)),
        _ => escaped(name),
    }
}

/// What the edge kept, field by field.
fn context(saved: &TensorSavedContext) -> String {
    let shapes = |input: &[usize], output: &[usize]| {
        format!("input\u{a0}{}, output\u{a0}{}", list(input), list(output))
    };
    match saved {
        TensorSavedContext::Broadcast { input_shape, output_shape, .. } => {
            format!("Broadcast: {}", shapes(input_shape, output_shape))
        }
        TensorSavedContext::Multiply { other, input_shape, output_shape, .. } => {
            format!("Multiply: other {}, {}", elements(other), shapes(input_shape, output_shape))
        }
        TensorSavedContext::Reshape { input_shape, output_shape } => {
            format!("Reshape: {}", shapes(input_shape, output_shape))
        }
        TensorSavedContext::Transpose { first_axis, second_axis, input_shape, output_shape } => {
            let shapes = shapes(input_shape, output_shape);
            format!("Transpose: axes\u{a0}{first_axis}\u{a0}and\u{a0}{second_axis}, {shapes}")
        }
        TensorSavedContext::Reduction { axis, keep_dim, divisor, input_shape, output_shape } => {
            format!(
                "Reduction: axis\u{a0}{axis}, keep_dim\u{a0}{keep_dim}, divisor\u{a0}{}, {}",
                number(*divisor),
                shapes(input_shape, output_shape)
            )
        }
        other => format!("{other:?}"),
    }
}

/// The reduced axes; none for a context that has no such field.
fn reduced(saved: &TensorSavedContext) -> Option<String> {
    let (TensorSavedContext::Broadcast { reduced_axes, .. }
    | TensorSavedContext::Multiply { reduced_axes, .. }) = saved
    else {
        return None;
    };
    let axes: Vec<String> = reduced_axes.iter().map(|axis| axis.to_string()).collect();
    Some(if axes.is_empty() { "none".to_string() } else { axes.join(", ") })
}

/// One line for each operation that the ledger has an edge of, in its order.
fn legend(trace: &Trace<'_>) -> String {
    let mut operations: Vec<TensorOperation> = Vec::new();
    for edge in &trace.pass.edges {
        let operation = trace.pass.nodes.get(edge.child).map(|node| node.operation);
        operations.extend(operation.filter(|operation| !operations.contains(operation)));
    }
    let name = |u: &str| {
        format!(
            "The rules of this graph’s {} operations; {u} is the child’s adjoint, “upstream”",
            operations.len()
        )
    };
    let header = ["operation", "rule", "the parent receives"];
    let mut table = Table::captioned(&name("u"), &name("<i>u</i>"), &header);
    for operation in operations {
        let (rule, receives) = match operation {
            TensorOperation::Add => (
                "<i>u</i>, or Σ<sub>axes</sub>\u{a0}<i>u</i>",
                "a copy, summed where it was expanded",
            ),
            TensorOperation::Broadcast => {
                ("Σ<sub>axes</sub>\u{a0}<i>u</i>", "the sum over the reduced axes")
            }
            TensorOperation::Multiply => (
                "<i>u</i>\u{a0}⊙\u{a0}other",
                "<i>u</i> times the saved other factor, element by element, and summed where it was expanded",
            ),
            TensorOperation::Reshape => {
                ("reshape(<i>u</i>, shape)", "the same elements in the parent’s shape")
            }
            TensorOperation::Transpose => {
                ("swap<sub>axes</sub>(<i>u</i>)", "the same two axes swapped again")
            }
            TensorOperation::Sum => {
                ("spread<sub>axis</sub>(<i>u</i>)", "at each element the adjoint of its sum")
            }
            TensorOperation::Mean => (
                "spread<sub>axis</sub>(<i>u</i>) / divisor",
                "at each element the adjoint of its mean, divided by the extent of the axis",
            ),
            _ => ("", "see the saved context"),
        };
        table.row(
            "",
            [
                words(operation.to_string()),
                Cell::Words(rule.to_string()),
                Cell::Words(receives.to_string()),
            ],
        );
    }
    table.html()
}

#[cfg(test)]
mod tests {
    use super::super::trace::tests::Other;
    use super::*;
    use pullback::worked_example::frozen_tensor_example;
    use scraper::{Html, Selector};

    fn rows(html: &str) -> Vec<Vec<String>> {
        let html = Html::parse_fragment(html);
        let (row, cell) = ("tr[data-edge]", "th, td");
        let [row, cell] = [row, cell].map(|selector| Selector::parse(selector).unwrap());
        let cells = html.select(&row).map(|row| {
            let texts = row.select(&cell).map(|cell| cell.text().collect::<String>());
            texts.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
        });
        cells.collect()
    }

    #[test]
    fn another_graph_shows_other_numbers() {
        let other = Other::new();
        let html = figure(&other.trace());
        let rows = rows(&html);
        assert_eq!(rows.len(), 9);
        assert_eq!(
            rows[0],
            [
                "0",
                "y<&> [3] → sums [3]",
                "0",
                "1 10 100",
                "u ⊙ k",
                "Multiply: other 0.25, input [3], output [3]",
                "none",
                "0.25 2.5 25",
                "0 0 0",
                "0.25 2.5 25"
            ]
        );
        // An edge to a constant is not evaluated.
        assert_eq!(
            rows[1],
            ["1", "y<&> [3] → k []", "1", "1 10 100", "not evaluated", "–", "–", "–", "–", "–"]
        );
        assert_eq!(
            rows[2][4..7],
            [
                "spread0(u)",
                "Reduction: axis 0, keep_dim false, divisor 1, input [2, 3], output [3]",
                "–"
            ]
        );
        // An expanded factor collects what its copies receive, and the second use of `a` adds up.
        assert_eq!(
            rows[6][1..7],
            [
                "scaled [2, 3] → column [2, 1]",
                "1",
                "0.25 5 75 / 1 12.5 162.5",
                "Σ1 (u ⊙ double)",
                "Multiply: other 2 4 6 / 8 10 13, input [2, 1], output [2, 3]",
                "1"
            ]
        );
        assert_eq!(rows[8][8], "-0.75 -15 -225 / 21 262.5 3412.5");
        assert_eq!(rows[8][9], "-1 -20 -300 / 28 350 4550");
        let legend: Vec<_> = ["multiply", "sum", "add"]
            .map(|name| html.contains(&format!("<th scope=\"row\">{name}</th>")))
            .into();
        assert_eq!(legend, [true; 3]);
        assert!(html.contains("The rules of this graph’s 3 operations"));
    }

    #[test]
    fn the_worked_graph_has_six_rules() {
        let worked = frozen_tensor_example().unwrap();
        let html = figure(&Trace::of(&worked));
        let rules: Vec<String> = rows(&html).into_iter().map(|row| row[4].clone()).collect();
        assert_eq!(
            rules,
            [
                "spread1(u) / 3",
                "u ⊙ z",
                "u ⊙ z",
                "u",
                "u",
                "Σ0 u",
                "swap0, 1(u)",
                "reshape(u, [2, 3])"
            ]
        );
        assert!(html.contains("<span>The rules of this graph’s 6 operations; <i>u</i> is"));
        assert!(html.contains("aria-label=\"Table: The rules of this graph’s 6 operations; u is"));
        // A letter of a formula is slanted wherever it stands, and a word is not.
        assert_eq!(html.matches("<i>u</i>\u{a0}⊙\u{a0}<i>z</i>").count(), 2);
        assert!(html.contains("<i>u</i>\u{a0}⊙\u{a0}other"));
        assert!(!html.contains(">u "));
    }
}
