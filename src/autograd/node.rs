use super::{ParameterState, TensorOperation, TensorSavedContext};
use crate::tensor::{Shape, Tensor};
use arrayvec::ArrayVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

// ANCHOR: tensor-tape-nodes
/// One value of the tape and the edges to the operands it was computed from.
pub(super) struct TensorNode {
    pub(super) operation: TensorOperation,
    pub(super) tracked: bool,
    pub(super) released: Cell<bool>,
    /// How many `TensorValue`s point here. Edges do not count: they never read a primal.
    pub(super) handles: Cell<usize>,
    /// The last pass that met this node, and the topology index it gave it: the node's position
    /// in an order that has operands before consumers.
    pub(super) pass: Cell<u64>,
    pub(super) topology_index: Cell<usize>,
    pub(super) parameter: Option<Box<ParameterState>>,
    pub(super) shape: Shape,
    pub(super) primal: RefCell<Tensor>,
    pub(super) edges: RefCell<TensorEdges>,
}

/// One operand occurrence at one consumer. `add(a, a)` has two of them.
pub(super) struct TensorEdge {
    pub(super) parent: NodeRef,
    /// The parent's revision when the consumer read it.
    pub(super) parent_revision: u64,
    /// What the pullback needs; nothing if the parent tracks no gradient.
    pub(super) saved: Option<TensorSavedContext>,
}

/// No operation has more operands.
pub(super) const MOST_OPERANDS: usize = 2;

/// Operands in order, in the node itself.
pub(super) type TensorEdges = ArrayVec<TensorEdge, MOST_OPERANDS>;

impl TensorNode {
    /// Changes with every update in place. Only a parameter's value can change.
    #[inline]
    pub(super) fn revision(&self) -> u64 {
        self.parameter.as_ref().map_or(0, |state| state.revision.get())
    }
}
// ANCHOR_END: tensor-tape-nodes

// ANCHOR: tensor-tape-node-lifetime
/// A counted pointer to a node; the last one to go retires the node.
#[derive(Clone)]
pub(super) struct NodeRef(Rc<TensorNode>);

impl std::ops::Deref for NodeRef {
    type Target = TensorNode;
    #[inline]
    fn deref(&self) -> &TensorNode {
        &self.0
    }
}

impl NodeRef {
    /// A new node. `connect` gets its shape and the empty places of its edges.
    #[inline]
    pub(super) fn new(
        operation: TensorOperation,
        tracked: bool,
        primal: Tensor,
        parameter: Option<Box<ParameterState>>,
        connect: impl FnOnce(&Shape, &mut TensorEdges),
    ) -> Self {
        let mut node = TensorNode::filled(operation, tracked, primal, parameter);
        // A fresh node has one owner.
        if let Some(node) = Rc::get_mut(&mut node) {
            connect(&node.shape, node.edges.get_mut());
        }
        Self(node)
    }

    #[inline]
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl TensorNode {
    /// A call of its own, not inlined in every operation: the whole tape should fit in the part of
    /// the processor's cache that holds code.
    #[inline(never)]
    fn filled(
        operation: TensorOperation,
        tracked: bool,
        primal: Tensor,
        parameter: Option<Box<ParameterState>>,
    ) -> Rc<Self> {
        let spare = SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten();
        let mut node = spare.unwrap_or_else(Self::vacant);
        // A spare node has one owner.
        if let Some(node) = Rc::get_mut(&mut node) {
            (node.operation, node.tracked, node.parameter) = (operation, tracked, parameter);
            node.released.set(false);
            node.shape.clone_from(primal.shape_list());
            *node.primal.get_mut() = primal;
        }
        node
    }

    #[cold]
    fn vacant() -> Rc<Self> {
        Rc::new(Self {
            operation: TensorOperation::Constant,
            tracked: false,
            released: Cell::new(false),
            handles: Cell::new(0),
            pass: Cell::new(0),
            topology_index: Cell::new(0),
            parameter: None,
            shape: Shape::default(),
            primal: RefCell::new(Tensor::vacant()),
            edges: RefCell::default(),
        })
    }
}
// ANCHOR_END: tensor-tape-node-lifetime

// ANCHOR: tensor-tape-drop
thread_local! {
    /// Retired nodes, to be filled again: a training step builds as many as the step before freed.
    static SPARE: RefCell<Vec<Rc<TensorNode>>> = const { RefCell::new(Vec::new()) };
}

/// The most retired nodes that a thread keeps, about 18 MiB, besides the shapes of rank 3 and more
/// that they keep for the next node.
const MOST_SPARE_NODES: usize = 1 << 16;

/// Dropping the head of a long chain must not recurse once for each node, so a node that goes takes
/// the parents that only it holds down in a loop.
impl Drop for NodeRef {
    #[inline]
    fn drop(&mut self) {
        if Rc::strong_count(&self.0) == 1 {
            retire_lineage(&mut self.0);
        }
    }
}

#[inline(never)]
fn retire_lineage(node: &mut Rc<TensorNode>) {
    let Some(head) = Rc::get_mut(node) else { return };
    if !head.edges.get_mut().is_empty() {
        let mut orphans = Vec::new();
        head.disown(&mut orphans);
        while let Some(mut orphan) = orphans.pop() {
            // Without edges, the orphan is recycled where its own drop ends this turn.
            if let Some(node) = Rc::get_mut(&mut orphan.0) {
                node.disown(&mut orphans);
            }
        }
    }
    recycle(node);
}

impl TensorNode {
    /// Lets go of the parents of a node that nobody else holds. A parent that only this node held
    /// becomes an orphan; for any other there is one pointer less.
    fn disown(&mut self, orphans: &mut Vec<NodeRef>) {
        // One by one: of two edges to one parent, only the second to go holds the last pointer.
        while let Some(edge) = self.edges.get_mut().pop() {
            if Rc::strong_count(&edge.parent.0) == 1 {
                orphans.push(edge.parent);
            }
        }
    }
}

/// Empties a node without edges that nobody else holds, and keeps it for the next one.
#[inline]
fn recycle(node: &mut Rc<TensorNode>) {
    let Some(emptied) = Rc::get_mut(node) else { return };
    emptied.parameter = None;
    emptied.primal.get_mut().vacate();
    // A guard that was forgotten, not dropped, would lock the primal of whoever comes next.
    let unlocked = emptied.primal.try_borrow_mut().is_ok();
    // While the thread exits there is nobody left to keep it for.
    let _ = SPARE.try_with(|spare| {
        let mut spare = spare.borrow_mut();
        if unlocked && spare.len() < MOST_SPARE_NODES && spare.try_reserve(1).is_ok() {
            spare.push(Rc::clone(node));
        }
    });
}
// ANCHOR_END: tensor-tape-drop

#[cfg(test)]
#[path = "../../tests/listings/tensor-tape-nodes.rs"]
mod check_tensor_tape_nodes;

#[cfg(test)]
#[path = "../../tests/listings/tensor-tape-node-lifetime.rs"]
mod check_tensor_tape_node_lifetime;

#[cfg(test)]
#[path = "../../tests/listings/tensor-tape-drop.rs"]
mod check_tensor_tape_drop;
