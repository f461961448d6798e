//! Traces as DOT and JSON say what the record says. `.ci/run` shows the DOT to Graphviz.

use pullback::export::{TraceExport, TraceExportError};
use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorBackwardPass, TensorValue};
use serde_json::{json, Value};

/// `z = (x + row) ⊙ c`, with a constant `c`, then a sum over axis 0.
struct Graph {
    nodes: Vec<TensorValue>,
    pass: TensorBackwardPass,
}

const NAMES: [&str; 6] = ["x", "row", "sum", "c", "z", "y"];

fn graph() -> Result<Graph, TensorAutodiffError> {
    let x = TensorValue::parameter(Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 0.5])?)?;
    let row = TensorValue::parameter(Tensor::from_vec([2], vec![10.0, 20.0])?)?;
    let sum = x.add(&row)?;
    let c = TensorValue::constant(Tensor::scalar(2.0))?;
    let z = sum.mul(&c)?;
    let y = z.sum_axis(0, true)?;
    let seed = Tensor::from_vec([1, 2], vec![1.0, -1.0])?;
    let pass = y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release)?;
    Ok(Graph { nodes: vec![x, row, sum, c, z, y], pass })
}

fn labelled(graph: &Graph) -> TraceExport<'_> {
    let mut export = TraceExport::new(&graph.pass);
    for (index, (name, node)) in NAMES.into_iter().zip(&graph.nodes).enumerate() {
        export = export.node(index, name, node).unwrap();
    }
    export
}

fn tensor(tensor: &Tensor) -> Value {
    json!({ "shape": tensor.shape(), "values": tensor.as_slice() })
}

fn optional(found: &Option<Tensor>) -> Value {
    found.as_ref().map_or(Value::Null, tensor)
}

#[test]
fn json_holds_the_whole_record() {
    let graph = graph().unwrap();
    // Through text and back, as another program would read it.
    let json: Value = serde_json::from_str(&labelled(&graph).to_json().to_string()).unwrap();
    let pass = &graph.pass;
    assert_eq!(json["seed"], tensor(&pass.seed));
    assert_eq!(json["retention"], "release");
    assert_eq!(json["nodes"].as_array().unwrap().len(), pass.nodes.len());
    for (index, (node, found)) in
        pass.nodes.iter().zip(json["nodes"].as_array().unwrap()).enumerate()
    {
        let expected = json!({
            "topology_index": index,
            "name": NAMES[index],
            "operation": node.operation.to_string(),
            "shape": node.shape.to_vec(),
            "tracked": node.tracked,
            "parameter": node.parameter,
            "value": tensor(&graph.nodes[index].value_snapshot()),
            "pass_adjoint": optional(&node.pass_adjoint),
            "accumulated_gradient": optional(&node.accumulated_gradient),
        });
        assert_eq!(found, &expected);
    }
    let saved = [
        json!({"kind": "reduction", "axis": 0, "keep_dim": true, "divisor": 1.0,
               "input_shape": [2, 2], "output_shape": [1, 2]}),
        json!({"kind": "multiply", "other": {"shape": [], "values": [2.0]},
               "input_shape": [2, 2], "output_shape": [2, 2], "reduced_axes": []}),
        Value::Null,
        json!({"kind": "broadcast", "input_shape": [2, 2], "output_shape": [2, 2],
               "reduced_axes": []}),
        json!({"kind": "broadcast", "input_shape": [2], "output_shape": [2, 2],
               "reduced_axes": [0]}),
    ];
    assert_eq!(json["edges"].as_array().unwrap().len(), saved.len());
    for ((edge, found), saved) in
        pass.edges.iter().zip(json["edges"].as_array().unwrap()).zip(saved)
    {
        let expected = json!({
            "reverse_index": edge.reverse_index,
            "child": edge.child,
            "parent": edge.parent,
            "operand": edge.operand,
            "saved": saved,
            "upstream": tensor(&edge.upstream),
            "contribution": optional(&edge.contribution),
            "parent_tracked": edge.parent_tracked,
            "parent_adjoint_before": optional(&edge.parent_adjoint_before),
            "parent_adjoint_after": optional(&edge.parent_adjoint_after),
        });
        assert_eq!(found, &expected);
    }
}

#[test]
fn json_names_every_kind_of_context() {
    let x = TensorValue::parameter(Tensor::filled([2, 3], 2.0).unwrap()).unwrap();
    let y = x.reshape([3, 2]).unwrap().transpose(0, 1).unwrap().mean_axis(1, false).unwrap();
    let seed = Tensor::filled([2], 3.0).unwrap();
    let pass = y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain).unwrap();
    let json = TraceExport::new(&pass).to_json();
    assert_eq!(json["retention"], "retain");
    assert_eq!(json["nodes"][0]["name"], Value::Null);
    assert_eq!(json["nodes"][0]["value"], Value::Null);
    let saved: Vec<&Value> =
        json["edges"].as_array().unwrap().iter().map(|edge| &edge["saved"]).collect();
    assert_eq!(saved[0]["divisor"], 3.0);
    assert_eq!(
        saved[1],
        &json!({"kind": "transpose", "first_axis": 0, "second_axis": 1,
                "input_shape": [3, 2], "output_shape": [2, 3]})
    );
    assert_eq!(
        saved[2],
        &json!({"kind": "reshape", "input_shape": [2, 3], "output_shape": [3, 2]})
    );
}

#[test]
fn dot_draws_every_node_and_every_edge() {
    let graph = graph().unwrap();
    let dot = labelled(&graph).to_dot();
    let lines: Vec<&str> = dot.lines().collect();
    assert_eq!(
        lines,
        [
            "digraph pass {",
            "  graph [rankdir=TB]",
            "  node [shape=box, fontname=\"monospace\"]",
            "  edge [fontname=\"monospace\"]",
            r#"  n0 [label="x\nparameter [2, 2]\nvalue 1 2 / 3 0.5\nadjoint 2 -2 / 2 -2\nstored 2 -2 / 2 -2", style=rounded]"#,
            r#"  n1 [label="row\nparameter [2]\nvalue 10 20\nadjoint 4 -4\nstored 4 -4", style=rounded]"#,
            r#"  n2 [label="sum\nadd [2, 2]\nvalue 11 22 / 13 20.5\nadjoint 2 -2 / 2 -2"]"#,
            r#"  n3 [label="c\nconstant []\nvalue 2", style=dashed]"#,
            r#"  n4 [label="z\nmultiply [2, 2]\nvalue 22 44 / 26 41\nadjoint 1 -1 / 1 -1"]"#,
            r#"  n5 [label="y\nsum [1, 2]\nvalue 48 85\nadjoint 1 -1", peripheries=2]"#,
            r#"  n4 -> n5 [label="operand 0, step 0\n1 -1 / 1 -1", edgetooltip="saved: Reduction { axis: 0, keep_dim: true, divisor: 1.0, input_shape: [2, 2], output_shape: [1, 2] }"]"#,
            &format!(
                "  n2 -> n4 [label=\"operand 0, step 1\\n2 -2 / 2 -2\", \
                 edgetooltip=\"saved: {:?}\"]",
                graph.pass.edges[1].saved.as_ref().unwrap()
            ),
            r#"  n3 -> n4 [label="operand 1, step 2", edgetooltip="saved: nothing", style=dashed]"#,
            r#"  n0 -> n2 [label="operand 0, step 3\n2 -2 / 2 -2", edgetooltip="saved: Broadcast { input_shape: [2, 2], output_shape: [2, 2], reduced_axes: [] }"]"#,
            r#"  n1 -> n2 [label="operand 1, step 4\n4 -4", edgetooltip="saved: Broadcast { input_shape: [2], output_shape: [2, 2], reduced_axes: [0] }"]"#,
            r#"  seed [label="seed 1 -1", shape=plaintext]"#,
            "  n5 -> seed [style=dotted, dir=back]",
            "}",
        ]
    );
}

#[test]
fn dot_shows_any_name_as_it_is() {
    let x = TensorValue::parameter(Tensor::scalar(1.0)).unwrap();
    let pass = x.backward_with_trace().unwrap();
    let named = |name: &str| TraceExport::new(&pass).name(0, name).unwrap().to_dot();
    let unnamed = TraceExport::new(&pass).to_dot();
    assert!(unnamed.contains(r#"n0 [label="0\nparameter []\nadjoint 1"#), "{unnamed}");
    for (name, written) in [
        ("a \"b\"", r#""a \"b\"\n"#),
        ("\\N\\", r#""\\N\\\n"#),
        ("a\nb\r\0", "\"a\\nb\u{fffd}\u{fffd}\\n"),
        ("a\u{fffe}\u{ffff}", "\"a\u{fffd}\u{fffd}\\n"),
        ("&lt; <b>", r#""&amp;lt; <b>\n"#),
        ("weight ⊙ ü", "\"weight ⊙ ü\\n"),
    ] {
        let dot = named(name);
        assert!(dot.contains(&format!("n0 [label={written}parameter")), "{name}: {dot}");
    }
}

#[test]
fn dot_cuts_a_large_tensor_short() {
    let x = TensorValue::parameter(Tensor::filled([40, 25], 1.5e300).unwrap()).unwrap();
    let y = x.sum_axis(0, false).unwrap().sum_axis(0, false).unwrap();
    let pass = y.backward_with_trace().unwrap();
    let dot = TraceExport::new(&pass).node(0, "x", &x).unwrap().to_dot();
    assert!(dot.contains("1.5e300 1.5e300 ... (1000 elements)"), "{dot}");
    assert!(dot.lines().all(|line| line.len() < 900), "{dot}");
}

#[test]
fn a_label_must_fit_its_node() {
    let graph = graph().unwrap();
    let unknown = TraceExport::new(&graph.pass).name(6, "w").unwrap_err();
    assert_eq!(unknown, TraceExportError::UnknownNode { index: 6, nodes: 6 });
    assert_eq!(unknown.to_string(), "the pass has 6 nodes; there is no node 6");
    let unknown = TraceExport::new(&graph.pass).node(9, "w", &graph.nodes[0]).unwrap_err();
    assert_eq!(unknown, TraceExportError::UnknownNode { index: 9, nodes: 6 });
    // The same operation with another shape, and the same shape of another operation.
    let other = TraceExport::new(&graph.pass).node(1, "row", &graph.nodes[0]).unwrap_err();
    assert_eq!(other.to_string(), "node 1 is parameter [2], the handle is parameter [2, 2]");
    let other = TraceExport::new(&graph.pass).node(2, "sum", &graph.nodes[0]).unwrap_err();
    assert_eq!(other.to_string(), "node 2 is add [2, 2], the handle is parameter [2, 2]");
}

#[test]
fn a_record_made_by_hand_is_written_too() {
    let x = TensorValue::parameter(Tensor::scalar(1.0)).unwrap();
    let mut pass = x.mul(&x).unwrap().backward_with_trace().unwrap();
    pass.edges[0].parent = 99;
    pass.seed = Tensor::scalar(f64::NAN);
    let export = TraceExport::new(&pass);
    assert_eq!(export.to_json()["seed"]["values"], json!([null]));
    assert!(export.to_dot().contains("n99 -> n1"));
    pass.nodes.clear();
    assert!(!TraceExport::new(&pass).to_dot().contains("seed"));
}
