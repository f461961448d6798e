use super::super::node::NodeRef;
use super::super::TensorAutodiffError;
use std::cell::Cell;

// ANCHOR: tensor-topology
/// The nodes an output depends on, operands before consumers; the output is the last.
pub(in super::super) struct Topology {
    pub(in super::super) nodes: Vec<NodeRef>,
}

thread_local! {
    static PASSES: Cell<u64> = const { Cell::new(0) };
}

impl Topology {
    /// Depth-first postorder from the output, operands in order, each node once. The path is a
    /// vector of its own, not the call stack, so a graph may be as deep as memory allows.
    pub(super) fn of(output: &NodeRef) -> Result<Self, TensorAutodiffError> {
        // A fresh number for each pass: yesterday's marks need no cleaning.
        let pass = PASSES.get() + 1;
        PASSES.set(pass);
        let mut nodes = Vec::with_capacity(16);
        let mut path = Vec::with_capacity(16);
        output.pass.set(pass);
        path.push((output.clone(), 0));
        while let Some((node, next_operand)) = path.last_mut() {
            let unvisited = {
                let edges = node.edges.borrow();
                let mut unvisited = None;
                while let Some(edge) = edges.get(*next_operand) {
                    *next_operand += 1;
                    if edge.parent.pass.replace(pass) != pass {
                        unvisited = Some(edge.parent.clone());
                        break;
                    }
                }
                unvisited
            };
            match unvisited {
                Some(parent) if parent.released.get() => {
                    return Err(TensorAutodiffError::GraphReleased { operation: parent.operation })
                }
                Some(parent) => path.push((parent, 0)),
                None => {
                    if let Some((node, _)) = path.pop() {
                        node.topology_index.set(nodes.len());
                        nodes.push(node);
                    }
                }
            }
        }
        Ok(Self { nodes })
    }

    /// Refuses a graph with an edge whose parent was updated since. The scan ends before anything
    /// is computed or written.
    pub(super) fn refuse_stale_operands(&self) -> Result<(), TensorAutodiffError> {
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

#[cfg(test)]
#[path = "../../../tests/listings/tensor-topology.rs"]
mod check_tensor_topology;
