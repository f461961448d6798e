use super::{ParameterState, TensorOperation, TensorSavedContext};
use crate::tensor::{Shape, Tensor};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

// ANCHOR: tensor-tape-nodes
/// One value of the tape and the edges to the operands it was computed from.
pub(super) struct TensorNode {
    pub(super) operation: TensorOperation,
    pub(super) tracked: bool,
    pub(super) released: Cell<bool>,
    pub(super) shape: Shape,
    pub(super) primal: RefCell<Tensor>,
    pub(super) edges: RefCell<TensorEdges>,
    pub(super) parameter: Option<Box<ParameterState>>,
    /// How many `TensorValue`s point here. Edges do not count: they never read a primal.
    pub(super) handles: Cell<usize>,
    /// The last pass that met this node, and the topology index it gave it.
    pub(super) pass: Cell<u64>,
    pub(super) topology_index: Cell<usize>,
}

/// One operand occurrence at one consumer. `add(a, a)` has two of them.
pub(super) struct TensorEdge {
    pub(super) parent: Rc<TensorNode>,
    /// The parent's revision when the consumer read it.
    pub(super) parent_revision: u64,
    /// What the pullback needs; nothing if the parent tracks no gradient.
    pub(super) saved: Option<TensorSavedContext>,
}

/// Operands in order. Two fit without an allocation of their own.
pub(super) type TensorEdges = SmallVec<[TensorEdge; 2]>;

impl TensorNode {
    pub(super) fn new(
        operation: TensorOperation,
        tracked: bool,
        primal: Tensor,
        edges: TensorEdges,
        parameter: Option<Box<ParameterState>>,
    ) -> Self {
        Self {
            operation,
            tracked,
            released: Cell::new(false),
            shape: primal.shape_list().clone(),
            primal: RefCell::new(primal),
            edges: RefCell::new(edges),
            parameter,
            handles: Cell::new(0),
            pass: Cell::new(0),
            topology_index: Cell::new(0),
        }
    }

    /// Changes with every update in place. Only a parameter's value can change.
    pub(super) fn revision(&self) -> u64 {
        self.parameter.as_ref().map_or(0, |state| state.revision.get())
    }
}
// ANCHOR_END: tensor-tape-nodes

// ANCHOR: tensor-tape-drop
/// Dropping the head of a long chain must not recurse once for each node, so a node that goes takes
/// the parents that only it holds down in a loop. Each of them is dropped with its edges gone.
impl Drop for TensorNode {
    fn drop(&mut self) {
        let mut orphans: SmallVec<[Rc<TensorNode>; 4]> = SmallVec::new();
        take_parents(self, &mut orphans);
        while let Some(mut orphan) = orphans.pop() {
            if let Some(node) = Rc::get_mut(&mut orphan) {
                take_parents(node, &mut orphans);
            }
        }
    }
}

/// Moves out the parents that may have nothing else to hold them; the other edges just let go.
fn take_parents(node: &mut TensorNode, orphans: &mut SmallVec<[Rc<TensorNode>; 4]>) {
    for edge in node.edges.get_mut().drain(..) {
        if Rc::strong_count(&edge.parent) == 1 {
            orphans.push(edge.parent);
        }
    }
}
// ANCHOR_END: tensor-tape-drop
