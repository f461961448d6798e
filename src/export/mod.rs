//! Traces for other programs: a picture of a pass for Graphviz, and its numbers as JSON.
//!
//! Behind the feature `export`, which is off by default. Nothing of it is needed to run a pass.
//!
//! A record numbers its nodes in topological order and holds neither their names nor their primals.
//! Export it once as it is, and the numbers stand in the picture; then give each number its name
//! and its handle.
//!
//! ```
//! use pullback::export::TraceExport;
//! use pullback::{Tensor, TensorValue};
//!
//! let x = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0])?)?;
//! let square = x.mul(&x)?;
//! let pass = square.sum_axis(0, false)?.backward_with_trace()?;
//!
//! let export = TraceExport::new(&pass).node(0, "x", &x)?.node(1, "square", &square)?;
//! let dot = export.to_dot();
//! assert!(dot.contains(r#"n0 [label="x\nparameter [2]\nvalue 2 3\nadjoint 4 6\nstored 4 6""#));
//! assert_eq!(dot.matches("n0 -> n1").count(), 2); // the product uses x twice
//!
//! let json = export.to_json();
//! assert_eq!(json["nodes"][0]["pass_adjoint"]["values"], serde_json::json!([4.0, 6.0]));
//! assert_eq!(json["edges"][2]["operand"], 1);
//!
//! // A handle of another node is refused, as far as operation and shape can tell.
//! let error = TraceExport::new(&pass).node(2, "y", &x).unwrap_err();
//! assert_eq!(error.to_string(), "node 2 is sum [], the handle is parameter [2]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `cargo run --example draw_trace | dot -Tsvg > pass.svg` draws the graph of chapter 15.

mod dot;
mod json;

use crate::{Shape, Tensor, TensorBackwardPass, TensorOperation, TensorValue};

/// A recorded pass, with what its nodes are called and what they hold.
#[derive(Debug, Clone)]
pub struct TraceExport<'a> {
    pass: &'a TensorBackwardPass,
    /// One for each node of the pass.
    labels: Vec<Label>,
}

/// What a record does not hold.
#[derive(Debug, Clone, Default)]
struct Label {
    name: Option<String>,
    value: Option<Tensor>,
}

/// Why a node cannot be labelled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceExportError {
    /// The record has fewer nodes.
    #[error("the pass has {nodes} nodes; there is no node {index}")]
    UnknownNode {
        /// The topology index asked for.
        index: usize,
        /// How many nodes the record has.
        nodes: usize,
    },
    /// The handle's operation or shape is not what the record says of that node.
    #[error(
        "node {index} is {recorded_operation} {recorded_shape:?}, the handle is \
         {operation} {shape:?}"
    )]
    OtherNode {
        /// The topology index.
        index: usize,
        /// The recorded operation.
        recorded_operation: TensorOperation,
        /// The recorded shape.
        recorded_shape: Shape,
        /// The handle's operation.
        operation: TensorOperation,
        /// The handle's shape.
        shape: Shape,
    },
}

impl<'a> TraceExport<'a> {
    /// Without labels: nodes are called by their topology index, and no primal is shown.
    pub fn new(pass: &'a TensorBackwardPass) -> Self {
        Self { pass, labels: vec![Label::default(); pass.nodes.len()] }
    }

    /// Names the node at a topology index. Any text will do; Graphviz refuses a label of 16,384
    /// bytes and more, in which an `&` takes five.
    ///
    /// # Errors
    ///
    /// [`TraceExportError::UnknownNode`].
    pub fn name(mut self, index: usize, name: impl Into<String>) -> Result<Self, TraceExportError> {
        self.label(index)?.name = Some(name.into());
        Ok(self)
    }

    /// Names a node and adds its primal, as its handle holds it now.
    ///
    /// # Errors
    ///
    /// [`TraceExportError::UnknownNode`]; [`TraceExportError::OtherNode`] if operation or shape say
    /// that the handle is another node's.
    pub fn node(
        mut self,
        index: usize,
        name: impl Into<String>,
        handle: &TensorValue,
    ) -> Result<Self, TraceExportError> {
        let value = handle.value_snapshot();
        let label = Label { name: Some(name.into()), value: Some(value.clone()) };
        *self.label(index)? = label;
        let recorded = &self.pass.nodes[index];
        let (operation, shape) = (handle.operation(), Shape::from(value.shape()));
        if (recorded.operation, &recorded.shape) != (operation, &shape) {
            return Err(TraceExportError::OtherNode {
                index,
                recorded_operation: recorded.operation,
                recorded_shape: recorded.shape.clone(),
                operation,
                shape,
            });
        }
        Ok(self)
    }

    fn label(&mut self, index: usize) -> Result<&mut Label, TraceExportError> {
        let nodes = self.labels.len();
        self.labels.get_mut(index).ok_or(TraceExportError::UnknownNode { index, nodes })
    }

    /// The graph in the language of Graphviz, in the direction of the forward pass: what each node
    /// is and holds, and at each edge its operand's slot, its place in the reverse order and what
    /// it sent back. Of a large tensor the first elements are shown.
    pub fn to_dot(&self) -> String {
        dot::write(self)
    }

    /// All of the record, and the labels, as JSON.
    ///
    /// `nodes` stand in topological and `edges` in reverse order; a tensor is
    /// `{"shape": [..], "values": [..]}` in row-major order; what a record lacks is `null`. So is a
    /// number that JSON cannot write, which only a record made by hand can hold.
    pub fn to_json(&self) -> serde_json::Value {
        json::write(self)
    }
}
