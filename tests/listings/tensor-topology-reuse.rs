use super::*;
use crate::{Tensor, TensorValue};

/// Runs a pass while the thread exits.
struct AtTheEnd;

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        let x = TensorValue::parameter(Tensor::scalar(2.0)).unwrap();
        x.mul(&x).unwrap().backward().unwrap();
        assert_eq!(x.gradient_snapshot(), Some(Tensor::scalar(4.0)));
    }
}

thread_local! {
    static ONE: AtTheEnd = const { AtTheEnd };
    static OTHER: AtTheEnd = const { AtTheEnd };
}

/// A pass works in the lists of the pass before it, and finds them empty: no node, no adjoint and
/// no verdict is left over. Long lists are not kept.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = TensorValue::parameter(Tensor::scalar(2.0)).unwrap();
    let y = x.mul(&x).unwrap();
    let stale = x.add(&x).unwrap();
    x.set_value(Tensor::scalar(3.0)).unwrap();
    let capacities = |topology: &Topology| {
        let Topology { nodes, adjoints, gradients, path, .. } = topology;
        [nodes.capacity(), adjoints.capacity(), gradients.capacity(), path.capacity()]
    };

    drop(Topology::with_lists_of_last_pass());
    let mut first = Topology::of(&stale.node).unwrap();
    assert!(first.stale && first.refuse_stale_operands().is_err());
    first.adjoints = vec![Some(Tensor::scalar(1.0)); 3];
    first.gradients.push((0, Tensor::scalar(1.0)));
    first.path.push((y.node.clone(), 1));
    let (room, place) = (capacities(&first), first.nodes.as_ptr());
    assert!(room.iter().all(|&places| places > 0));
    first.leave_lists_to_next_pass();
    let next = Topology::with_lists_of_last_pass();
    assert_eq!((capacities(&next), next.nodes.as_ptr()), (room, place));
    assert!(next.nodes.is_empty() && next.gradients.is_empty() && !next.stale);
    assert!(next.adjoints.is_empty() && next.path.is_empty());
    assert_eq!(capacities(&Topology::with_lists_of_last_pass()), [0; 4], "given away once");

    // The number of a pass is new each time.
    let of = |value: &TensorValue| Topology::of(&value.node).unwrap().nodes[0].pass.get();
    let (one, two) = (of(&y), of(&y));
    assert!(one < two);

    let mut longest = Box::<Topology>::default();
    longest.nodes.reserve_exact(MOST_KEPT_NODES);
    let room = capacities(&longest);
    longest.leave_lists_to_next_pass();
    assert_eq!(capacities(&Topology::with_lists_of_last_pass()), room);
    let mut long = Box::<Topology>::default();
    long.nodes.reserve(MOST_KEPT_NODES + 1);
    long.leave_lists_to_next_pass();
    assert_eq!(capacities(&Topology::with_lists_of_last_pass()), [0; 4]);

    // While a thread exits nothing is left behind: one of the two goes before the lists, the other
    // after them.
    let in_a_new_thread = || {
        ONE.with(|_| ());
        drop(AtTheEnd);
        OTHER.with(|_| ());
    };
    std::thread::spawn(in_a_new_thread).join().unwrap();
}
