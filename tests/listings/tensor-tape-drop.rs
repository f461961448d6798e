use super::*;
use crate::{no_grad, TensorValue};

const DEEP: usize = 100_000;

fn chain(start: &TensorValue, length: usize) -> TensorValue {
    let one = TensorValue::constant(Tensor::scalar(1.0)).unwrap();
    (0..length).fold(start.clone(), |value, _| value.add(&one).unwrap())
}

/// Owns a value until the thread is gone, and then needs the tape once more.
struct UntilTheEnd(TensorValue);

impl Drop for UntilTheEnd {
    fn drop(&mut self) {
        assert_eq!(*self.0.add(&self.0).unwrap().value(), Tensor::scalar(4.0));
    }
}

thread_local! {
    static ONE: RefCell<Vec<UntilTheEnd>> = const { RefCell::new(Vec::new()) };
    static OTHER: RefCell<Vec<UntilTheEnd>> = const { RefCell::new(Vec::new()) };
}

/// One of the two is gone before the tape's own thread-local storage, the other after it.
fn keep() {
    ONE.with(|one| assert!(one.borrow().is_empty()));
    let two = TensorValue::parameter(Tensor::scalar(2.0)).unwrap();
    OTHER.with(|other| other.borrow_mut().push(UntilTheEnd(two.clone())));
    ONE.with(|one| one.borrow_mut().push(UntilTheEnd(two)));
}

fn on_a_small_stack() {
    keep();
    let spare = || SPARE.with(|spare| spare.borrow().len());
    let x = TensorValue::parameter(Tensor::scalar(0.0)).unwrap();
    let middle = chain(&x, 3);
    let head = chain(&middle, DEEP);
    let before = spare();
    drop(head);
    assert_eq!(before, 0);
    assert_eq!(spare(), MOST_SPARE_NODES, "a bounded number of nodes is kept");
    assert!(MOST_SPARE_NODES * std::mem::size_of::<TensorNode>() < 20 << 20);

    // What a handle still holds is whole.
    middle.backward().unwrap();
    assert_eq!(x.gradient_snapshot(), Some(Tensor::scalar(1.0)));

    // Of two edges to one node the second holds the last pointer.
    let one = TensorValue::parameter(Tensor::scalar(1.0)).unwrap();
    drop((0..DEEP / 4).fold(one, |value, _| value.mul(&value).unwrap()));

    // Kept nodes are empty, also those that no handle ever pointed to, and give no memory away.
    let state = ParameterState::new(Shape::from([1])).unwrap();
    let state = Some(Box::new(state));
    let parent = middle.node.clone();
    let bare = NodeRef::new(TensorOperation::Sum, true, Tensor::scalar(1.0), state, |_, edges| {
        edges.push(TensorEdge { parent, parent_revision: 0, saved: None });
    });
    assert_eq!(spare(), MOST_SPARE_NODES - 1);
    drop(bare);
    SPARE.with(|spare| {
        for node in spare.borrow().iter() {
            assert_eq!(Rc::strong_count(node), 1);
            assert!(node.edges.borrow().is_empty() && node.primal.borrow().is_empty());
            assert!(node.parameter.is_none());
        }
        assert_eq!(spare.borrow().len(), MOST_SPARE_NODES);
    });
    assert_eq!(middle.node.edges.borrow()[0].parent.edges.borrow().len(), 2);

    // A guard that is forgotten locks its place for good: nobody gets that place again.
    let locked = TensorValue::parameter(Tensor::scalar(1.0)).unwrap();
    std::mem::forget(locked.value());
    let before = spare();
    drop(locked);
    assert_eq!(spare(), before);
    let next = TensorValue::parameter(Tensor::scalar(1.0)).unwrap();
    next.set_value(Tensor::scalar(2.0)).unwrap();

    // A shared operand goes with its last consumer, whichever that is.
    let left = middle.mul(&middle).unwrap();
    let right = no_grad(|| middle.detach()).add(&middle).unwrap();
    drop((left, middle));
    right.backward().unwrap();
    assert_eq!(x.gradient_snapshot(), Some(Tensor::scalar(2.0)));
}

/// The last pointer to a node takes with it, in a loop, every node that nothing else holds, and a
/// bounded number of them stays behind, empty, to be filled again.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let small = std::thread::Builder::new().stack_size(2 << 20);
    small.spawn(on_a_small_stack).unwrap().join().unwrap();
}
