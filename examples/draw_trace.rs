//! Draws the graph of chapter 15 for Graphviz:
//!
//! ```console
//! $ cargo run --example draw_trace | dot -Tsvg > pass.svg
//! ```
//!
//! Change the graph to draw one of yours. An argument names the output, and `--json` prints the
//! record as JSON instead.

use pullback::export::TraceExport;
use pullback::{GraphRetention, Tensor, TensorValue};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let as_json = arguments.iter().any(|argument| argument == "--json");
    arguments.retain(|argument| argument != "--json");
    let output = arguments.pop().unwrap_or_else(|| "y".to_string());

    let x = TensorValue::parameter(Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?)?;
    let bias = TensorValue::parameter(Tensor::from_vec([3], vec![1.0, -1.0, 0.0])?)?;
    let r = x.reshape([3, 2])?;
    let t = r.transpose(0, 1)?;
    let bb = bias.broadcast_to([2, 3])?;
    let z = t.add(&bb)?;
    let q = z.mul(&z)?;
    let y = q.mean_axis(1, false)?;
    let seed = Tensor::from_vec([2], vec![3.0, 6.0])?;
    let pass = y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain)?;

    // In the order of `pass.nodes`: operands before consumers, found by going down from the output.
    let nodes = [
        ("x", &x),
        ("r", &r),
        ("t", &t),
        ("bias", &bias),
        ("bb", &bb),
        ("z", &z),
        ("q", &q),
        (output.as_str(), &y),
    ];
    let mut export = TraceExport::new(&pass);
    for (index, (name, node)) in nodes.into_iter().enumerate() {
        export = export.node(index, name, node)?;
    }
    if as_json {
        println!("{:#}", export.to_json());
    } else {
        print!("{}", export.to_dot());
    }
    Ok(())
}
