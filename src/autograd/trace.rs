use super::node::TensorEdge;
use super::reverse::{GraphRetention, Topology};
use super::{TensorAutodiffError, TensorOperation, TensorSavedContext};
use crate::tensor::{Shape, Tensor};

// ANCHOR: tensor-trace-records
/// The record of one reverse pass: what it was seeded with, every node, every edge in the order in
/// which it was walked. Independent of the tape: it stays as it is when the graph is released.
///
/// ```
/// use pullback::{Tensor, TensorAutodiffError, TensorValue};
///
/// let x = TensorValue::parameter(Tensor::scalar(3.0))?;
/// let pass = x.mul(&x)?.backward_with_trace()?;
/// assert_eq!((pass.nodes.len(), pass.edges.len()), (2, 2));
/// assert_eq!(pass.edges[1].operand, 1);
/// assert_eq!(pass.edges[1].parent_adjoint_before, Some(Tensor::scalar(3.0)));
/// assert_eq!(pass.edges[1].parent_adjoint_after, Some(Tensor::scalar(6.0)));
/// # Ok::<(), TensorAutodiffError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TensorBackwardPass {
    /// The adjoint given to the output.
    pub seed: Tensor,
    /// Whether the graph was kept.
    pub retention: GraphRetention,
    /// In topological order: operands before consumers, the output last.
    pub nodes: Vec<TensorBackwardNode>,
    /// In reverse order: consumers before operands; at one consumer, operands in order.
    pub edges: Vec<TensorBackwardEdge>,
}

/// One node of a recorded pass.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorBackwardNode {
    /// Position in [`TensorBackwardPass::nodes`], operands before consumers.
    pub topology_index: usize,
    /// What made the node.
    pub operation: TensorOperation,
    /// The primal's shape.
    pub shape: Shape,
    /// Whether a parameter is reachable from here.
    pub tracked: bool,
    /// Whether the node stores a gradient.
    pub parameter: bool,
    /// The node's adjoint in this pass; `None` if it is not tracked.
    pub pass_adjoint: Option<Tensor>,
    /// The stored gradient after this pass; `None` unless the node is a parameter.
    pub accumulated_gradient: Option<Tensor>,
}

/// One edge of a recorded pass. An edge to a parent that is not tracked is never evaluated:
/// `saved`, `contribution` and both adjoints are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorBackwardEdge {
    /// Position in [`TensorBackwardPass::edges`].
    pub reverse_index: usize,
    /// Topology index of the consumer.
    pub child: usize,
    /// Topology index of the operand.
    pub parent: usize,
    /// The operand's slot at the consumer.
    pub operand: usize,
    /// What the edge kept from the forward pass.
    pub saved: Option<TensorSavedContext>,
    /// The consumer's adjoint.
    pub upstream: Tensor,
    /// What the pullback made of it.
    pub contribution: Option<Tensor>,
    /// Whether the operand tracks a gradient.
    pub parent_tracked: bool,
    /// The operand's adjoint before the contribution; zeros if it is the first.
    pub parent_adjoint_before: Option<Tensor>,
    /// The operand's adjoint after it.
    pub parent_adjoint_after: Option<Tensor>,
}
// ANCHOR_END: tensor-trace-records

// ANCHOR: tensor-pass-observers
/// One edge while the pass is at it.
#[derive(Clone, Copy)]
pub(super) struct EdgeVisit<'a> {
    pub(super) child: usize,
    pub(super) parent: usize,
    pub(super) operand: usize,
    pub(super) edge: &'a TensorEdge,
    /// The consumer's adjoint.
    pub(super) upstream: &'a Tensor,
}

/// Looks on while the one engine works. It sees what is computed and derives nothing itself, so a
/// pass with a trace evaluates exactly the pullbacks of a pass without.
pub(super) trait PassObserver {
    /// What [`PassObserver::complete`] makes.
    type Record;
    /// Whether it reads a consumer's adjoint after the last pullback, which then gets a share.
    const LOOKS_BACK: bool = true;

    /// The start of the sweep.
    fn seed(&mut self, _seed: &Tensor) {}
    /// A node whose adjoint is complete; `None` if it is not tracked.
    fn node(&mut self, _topology_index: usize, _adjoint: Option<&Tensor>) {}
    /// An edge that is not evaluated.
    fn untracked_edge(&mut self, _visit: EdgeVisit<'_>) {}
    /// An evaluated edge, before its contribution is added.
    fn before_accumulation(
        &mut self,
        _visit: EdgeVisit<'_>,
        _contribution: &Tensor,
        _adjoint: Option<&Tensor>,
    ) -> Result<(), TensorAutodiffError> {
        Ok(())
    }
    /// The same edge, after it.
    fn after_accumulation(&mut self, _adjoint: Option<&Tensor>) {}
    /// The end of the pass, before the commit.
    fn complete(
        self,
        retention: GraphRetention,
        topology: &Topology,
    ) -> Result<Self::Record, TensorAutodiffError>;
}

/// Sees nothing and keeps nothing.
pub(super) struct Untraced;

impl PassObserver for Untraced {
    type Record = ();
    const LOOKS_BACK: bool = false;

    fn complete(
        self,
        _retention: GraphRetention,
        _topology: &Topology,
    ) -> Result<(), TensorAutodiffError> {
        Ok(())
    }
}
// ANCHOR_END: tensor-pass-observers

// ANCHOR: tensor-trace-recorder
/// Keeps a share of every tensor that the pass handles.
pub(super) struct TraceRecorder {
    seed: Tensor,
    adjoints: Vec<(usize, Tensor)>,
    edges: Vec<TensorBackwardEdge>,
}

impl TraceRecorder {
    pub(super) fn new() -> Self {
        Self { seed: Tensor::vacant(), adjoints: Vec::new(), edges: Vec::new() }
    }

    fn push_edge(&mut self, visit: EdgeVisit<'_>, contribution: Option<&Tensor>) {
        let EdgeVisit { child, parent, operand, edge, upstream } = visit;
        self.edges.push(TensorBackwardEdge {
            reverse_index: self.edges.len(),
            child,
            parent,
            operand,
            saved: edge.saved.clone(),
            upstream: upstream.clone(),
            contribution: contribution.cloned(),
            parent_tracked: edge.parent.tracked,
            parent_adjoint_before: None,
            parent_adjoint_after: None,
        });
    }
}

impl PassObserver for TraceRecorder {
    type Record = TensorBackwardPass;

    fn seed(&mut self, seed: &Tensor) {
        self.seed = seed.clone();
    }

    fn node(&mut self, topology_index: usize, adjoint: Option<&Tensor>) {
        self.adjoints.extend(adjoint.map(|adjoint| (topology_index, adjoint.clone())));
    }

    fn untracked_edge(&mut self, visit: EdgeVisit<'_>) {
        self.push_edge(visit, None);
    }

    fn before_accumulation(
        &mut self,
        visit: EdgeVisit<'_>,
        contribution: &Tensor,
        adjoint: Option<&Tensor>,
    ) -> Result<(), TensorAutodiffError> {
        let before = match adjoint {
            Some(adjoint) => adjoint.clone(),
            None => Tensor::zeros(contribution.shape())?,
        };
        self.push_edge(visit, Some(contribution));
        if let Some(edge) = self.edges.last_mut() {
            edge.parent_adjoint_before = Some(before);
        }
        Ok(())
    }

    fn after_accumulation(&mut self, adjoint: Option<&Tensor>) {
        if let Some(edge) = self.edges.last_mut() {
            edge.parent_adjoint_after = adjoint.cloned();
        }
    }

    fn complete(
        self,
        retention: GraphRetention,
        topology: &Topology,
    ) -> Result<TensorBackwardPass, TensorAutodiffError> {
        let mut nodes: Vec<_> = topology
            .nodes
            .iter()
            .enumerate()
            .map(|(topology_index, node)| TensorBackwardNode {
                topology_index,
                operation: node.operation,
                shape: node.shape.clone(),
                tracked: node.tracked,
                parameter: node.parameter.is_some(),
                pass_adjoint: None,
                accumulated_gradient: None,
            })
            .collect();
        for (index, adjoint) in self.adjoints {
            nodes[index].pass_adjoint = Some(adjoint);
        }
        for (parameter, gradient) in &topology.gradients {
            nodes[*parameter].accumulated_gradient = Some(gradient.clone());
        }
        Ok(TensorBackwardPass { seed: self.seed, retention, nodes, edges: self.edges })
    }
}
// ANCHOR_END: tensor-trace-recorder

#[cfg(test)]
#[path = "../../tests/listings/tensor-trace-records.rs"]
mod check_tensor_trace_records;

#[cfg(test)]
#[path = "../../tests/listings/tensor-pass-observers.rs"]
mod check_tensor_pass_observers;

#[cfg(test)]
#[path = "../../tests/listings/tensor-trace-recorder.rs"]
mod check_tensor_trace_recorder;
