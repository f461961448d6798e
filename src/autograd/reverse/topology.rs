use super::super::node::NodeRef;
use super::super::TensorAutodiffError;
use crate::tensor::Tensor;
use std::cell::Cell;

// ANCHOR: tensor-topology
/// The nodes an output depends on, and what a pass works out about them.
#[derive(Default)]
pub(in super::super) struct Topology {
    /// Operands before consumers; the output is the last. A position here is a topology index.
    pub(in super::super) nodes: Vec<NodeRef>,
    /// What the sweep has for the nodes that it has not come to yet.
    pub(super) adjoints: Vec<Option<Tensor>>,
    /// What it leaves: the parameters that it came to, the last one first, with their adjoints.
    pub(in super::super) gradients: Vec<(usize, Tensor)>,
    /// The nodes from the output to where the walk is, each with its next operand.
    path: Vec<(NodeRef, usize)>,
    /// Whether an operand was updated since it was read.
    stale: bool,
}

impl Topology {
    /// Depth-first postorder from the output, operands in order, each node once. The path is a
    /// vector of its own, not the call stack, so a graph may be as deep as memory allows.
    pub(super) fn of(output: &NodeRef) -> Result<Box<Self>, TensorAutodiffError> {
        // A fresh number for each pass: yesterday's marks need no cleaning.
        let pass = PASSES.get() + 1;
        PASSES.set(pass);
        let mut topology = Self::with_lists_of_last_pass();
        let Self { nodes, path, stale, .. } = &mut *topology;
        let mut number = |node: NodeRef| {
            node.topology_index.set(nodes.len());
            nodes.push(node);
        };
        path.push((output.clone(), 0));
        while let Some((node, next_operand)) = path.last_mut() {
            let unvisited = {
                let edges = node.edges.borrow();
                loop {
                    let Some(edge) = edges.get(*next_operand) else { break None };
                    *next_operand += 1;
                    *stale |= edge.parent_revision != edge.parent.revision();
                    if edge.parent.pass.replace(pass) != pass {
                        break Some(edge.parent.clone());
                    }
                }
            };
            match unvisited {
                Some(parent) if parent.released.get() => {
                    return Err(TensorAutodiffError::GraphReleased { operation: parent.operation })
                }
                Some(leaf) if leaf.edges.borrow().is_empty() => number(leaf),
                Some(parent) => path.push((parent, 0)),
                None => {
                    if let Some((node, _)) = path.pop() {
                        number(node);
                    }
                }
            }
        }
        Ok(topology)
    }

    /// Refuses a graph with an edge whose parent was updated since. The walk has seen whether there
    /// is one; this finds the first in reverse order.
    #[inline(never)]
    pub(super) fn refuse_stale_operands(&self) -> Result<(), TensorAutodiffError> {
        if !self.stale {
            return Ok(());
        }
        for (child, node) in self.nodes.iter().enumerate().rev() {
            for (operand, edge) in node.edges.borrow().iter().enumerate() {
                let current_revision = edge.parent.revision();
                if edge.parent_revision != current_revision {
                    return Err(TensorAutodiffError::StaleOperandValue {
                        child,
                        parent: edge.parent.topology_index.get(),
                        operand,
                        recorded_revision: edge.parent_revision,
                        current_revision,
                    });
                }
            }
        }
        Ok(())
    }

    /// Drops edges and saved contexts of the tracked operations. Leaves and untracked results stay:
    /// a mask made of constants serves the next step too.
    pub(super) fn release(&self) {
        for node in &self.nodes {
            if node.tracked && node.parameter.is_none() {
                node.released.set(true);
                node.edges.borrow_mut().clear();
            }
        }
    }
}
// ANCHOR_END: tensor-topology

// ANCHOR: tensor-topology-reuse
thread_local! {
    static PASSES: Cell<u64> = const { Cell::new(0) };
    /// The lists of the last pass, empty: those of the next are likely to be as long.
    static LISTS: Cell<Option<Box<Topology>>> = const { Cell::new(None) };
}

/// Lists with room for more nodes than this are freed.
const MOST_KEPT_NODES: usize = 1 << 16;

impl Topology {
    fn with_lists_of_last_pass() -> Box<Self> {
        LISTS.try_with(Cell::take).ok().flatten().unwrap_or_default()
    }

    pub(super) fn leave_lists_to_next_pass(mut self: Box<Self>) {
        self.adjoints.clear();
        self.path.clear();
        self.gradients.clear();
        self.nodes.clear();
        self.stale = false;
        if self.nodes.capacity() <= MOST_KEPT_NODES {
            // While the thread exits there is no next pass.
            let _ = LISTS.try_with(|lists| lists.set(Some(self)));
        }
    }
}
// ANCHOR_END: tensor-topology-reuse

#[cfg(test)]
#[path = "../../../tests/listings/tensor-topology.rs"]
mod check_tensor_topology;

#[cfg(test)]
#[path = "../../../tests/listings/tensor-topology-reuse.rs"]
mod check_tensor_topology_reuse;
