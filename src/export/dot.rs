use super::{Label, TraceExport};
use crate::{Tensor, TensorBackwardEdge, TensorBackwardNode};
use std::fmt::Write;

/// Of a tensor with more elements, as many are shown.
const SHOWN: usize = 24;

pub(super) fn write(export: &TraceExport<'_>) -> String {
    let pass = export.pass;
    let mut dot = String::from(
        "digraph pass {\n  graph [rankdir=TB]\n  node [shape=box, fontname=\"monospace\"]\n  \
         edge [fontname=\"monospace\"]\n",
    );
    let output = pass.nodes.len().checked_sub(1);
    for (index, (node, label)) in pass.nodes.iter().zip(&export.labels).enumerate() {
        let text = node_text(index, node, label);
        let look = match (node.parameter, node.tracked) {
            (true, _) => ", style=rounded",
            (false, true) => "",
            (false, false) => ", style=dashed",
        };
        let twice = if Some(index) == output { ", peripheries=2" } else { "" };
        line(&mut dot, format_args!("n{index} [label={text}{look}{twice}]"));
    }
    for edge in &pass.edges {
        let (parent, child) = (edge.parent, edge.child);
        let text = edge_text(edge);
        let look = if edge.parent_tracked { "" } else { ", style=dashed" };
        let saved = edge.saved.as_ref().map_or("nothing".to_string(), |it| format!("{it:?}"));
        let saved = quoted(&format!("saved: {saved}"));
        line(
            &mut dot,
            format_args!("n{parent} -> n{child} [label={text}, edgetooltip={saved}{look}]"),
        );
    }
    if let Some(output) = output {
        let text = quoted(&format!("seed {}", rows(&pass.seed)));
        line(&mut dot, format_args!("seed [label={text}, shape=plaintext]"));
        line(&mut dot, format_args!("n{output} -> seed [style=dotted, dir=back]"));
    }
    dot.push_str("}\n");
    dot
}

fn line(dot: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(dot, "  {text}");
}

fn node_text(index: usize, node: &TensorBackwardNode, label: &Label) -> String {
    let name = label.name.clone().unwrap_or_else(|| index.to_string());
    let mut text = format!("{name}\n{} {:?}", node.operation, node.shape);
    for (what, tensor) in [
        ("value", &label.value),
        ("adjoint", &node.pass_adjoint),
        ("stored", &node.accumulated_gradient),
    ] {
        if let Some(tensor) = tensor {
            text.push_str(&format!("\n{what} {}", rows(tensor)));
        }
    }
    quoted(&text)
}

fn edge_text(edge: &TensorBackwardEdge) -> String {
    let place = format!("operand {}, step {}", edge.operand, edge.reverse_index);
    match &edge.contribution {
        Some(contribution) => quoted(&format!("{place}\n{}", rows(contribution))),
        None => quoted(&place),
    }
}

/// The elements with a slash at the end of each row.
fn rows(tensor: &Tensor) -> String {
    let row = tensor.shape().last().copied().unwrap_or(1).max(1);
    let mut text = String::new();
    for (index, element) in tensor.as_slice().iter().take(SHOWN).enumerate() {
        match index {
            0 => {}
            _ if index % row == 0 => text.push_str(" / "),
            _ => text.push(' '),
        }
        let number = format!("{element:?}");
        text.push_str(number.strip_suffix(".0").unwrap_or(&number));
    }
    if tensor.len() > SHOWN {
        text.push_str(&format!(" ... ({} elements)", tensor.len()));
    }
    text
}

/// A string that Graphviz shows as it is. In a label a backslash starts an escape sequence and an
/// ampersand an HTML entity; most control characters are forbidden in the SVG it writes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '&' => quoted.push_str("&amp;"),
            '\n' => quoted.push_str("\\n"),
            // No XML may hold these two either.
            '\u{fffe}' | '\u{ffff}' => quoted.push('\u{fffd}'),
            letter if letter.is_control() => quoted.push('\u{fffd}'),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
