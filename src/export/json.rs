use super::{Label, TraceExport};
use crate::{GraphRetention, Tensor, TensorBackwardEdge, TensorBackwardNode, TensorSavedContext};
use serde_json::{json, Value};

pub(super) fn write(export: &TraceExport<'_>) -> Value {
    let pass = export.pass;
    let nodes: Vec<Value> =
        pass.nodes.iter().zip(&export.labels).map(|(one, label)| node(one, label)).collect();
    json!({
        "seed": tensor(&pass.seed),
        "retention": match pass.retention {
            GraphRetention::Retain => "retain",
            GraphRetention::Release => "release",
        },
        "nodes": nodes,
        "edges": pass.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}

fn node(node: &TensorBackwardNode, label: &Label) -> Value {
    json!({
        "topology_index": node.topology_index,
        "name": label.name,
        "operation": node.operation.to_string(),
        "shape": *node.shape,
        "tracked": node.tracked,
        "parameter": node.parameter,
        "value": label.value.as_ref().map(tensor),
        "pass_adjoint": node.pass_adjoint.as_ref().map(tensor),
        "accumulated_gradient": node.accumulated_gradient.as_ref().map(tensor),
    })
}

fn edge(edge: &TensorBackwardEdge) -> Value {
    json!({
        "reverse_index": edge.reverse_index,
        "child": edge.child,
        "parent": edge.parent,
        "operand": edge.operand,
        "saved": edge.saved.as_ref().map(saved),
        "upstream": tensor(&edge.upstream),
        "contribution": edge.contribution.as_ref().map(tensor),
        "parent_tracked": edge.parent_tracked,
        "parent_adjoint_before": edge.parent_adjoint_before.as_ref().map(tensor),
        "parent_adjoint_after": edge.parent_adjoint_after.as_ref().map(tensor),
    })
}

/// The context's fields, and its variant as `kind`.
fn saved(context: &TensorSavedContext) -> Value {
    use TensorSavedContext as Saved;
    match context {
        Saved::Broadcast { input_shape, output_shape, reduced_axes } => json!({
            "kind": "broadcast",
            "input_shape": **input_shape,
            "output_shape": **output_shape,
            "reduced_axes": reduced_axes.iter().collect::<Vec<_>>(),
        }),
        Saved::Multiply { other, input_shape, output_shape, reduced_axes } => json!({
            "kind": "multiply",
            "other": tensor(other),
            "input_shape": **input_shape,
            "output_shape": **output_shape,
            "reduced_axes": reduced_axes.iter().collect::<Vec<_>>(),
        }),
        Saved::Reshape { input_shape, output_shape } => json!({
            "kind": "reshape",
            "input_shape": **input_shape,
            "output_shape": **output_shape,
        }),
        Saved::Transpose { first_axis, second_axis, input_shape, output_shape } => json!({
            "kind": "transpose",
            "first_axis": first_axis,
            "second_axis": second_axis,
            "input_shape": **input_shape,
            "output_shape": **output_shape,
        }),
        Saved::Reduction { axis, keep_dim, divisor, input_shape, output_shape } => json!({
            "kind": "reduction",
            "axis": axis,
            "keep_dim": keep_dim,
            "divisor": divisor,
            "input_shape": **input_shape,
            "output_shape": **output_shape,
        }),
    }
}

fn tensor(tensor: &Tensor) -> Value {
    json!({ "shape": tensor.shape(), "values": tensor.as_slice() })
}
