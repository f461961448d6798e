use super::*;
use crate::{GraphRetention, Tensor, TensorOperation, TensorValue};
use TensorOperation::{Add, Broadcast, Mean, Multiply, Parameter, Reshape, Transpose};

fn parameter(shape: &[usize]) -> TensorValue {
    TensorValue::parameter(Tensor::filled(shape, 1.0).unwrap()).unwrap()
}

fn one() -> Tensor {
    Tensor::scalar(1.0)
}

/// Twice as long as a stack of this size would bear if every node took a call.
fn a_long_chain() {
    let (x, zero) = (parameter(&[]), TensorValue::constant(Tensor::scalar(0.0)).unwrap());
    let end = (0..100_000).fold(x.clone(), |value, _| value.add(&zero).unwrap());
    let topology = Topology::of(&end.node).unwrap();
    assert_eq!(topology.nodes.len(), 100_002);
    assert!(topology.nodes[0].is_same(&x.node) && topology.nodes[100_001].is_same(&end.node));
    topology.refuse_stale_operands().unwrap();
    topology.release();
    assert!(end.is_released() && end.node.edges.borrow().is_empty());
}

/// Operands come before consumers, in the order of the operands and each once; a stale edge or a
/// released operation is found; a release drops what tracked operations hold and nothing else.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let (bias, x) = (parameter(&[3]), parameter(&[2, 3]));
    let bb = bias.broadcast_to([2, 3]).unwrap();
    let t = x.reshape([3, 2]).unwrap().transpose(0, 1).unwrap();
    let z = t.add(&bb).unwrap();
    let y = z.mul(&z).unwrap().mean_axis(1, false).unwrap();
    for _ in 0..2 {
        let Topology { nodes, stale, .. } = *Topology::of(&y.node).unwrap();
        assert!(!stale, "no edge needs a second look");
        let operations: Vec<_> = nodes.iter().map(|node| node.operation).collect();
        let expected = [Parameter, Reshape, Transpose, Parameter, Broadcast, Add, Multiply, Mean];
        assert_eq!(operations, expected);
        assert!(nodes[0].is_same(&x.node) && nodes[3].is_same(&bias.node));
        assert!(nodes.iter().enumerate().all(|(index, node)| node.topology_index.get() == index));
    }
    assert_eq!(Topology::of(&x.node).unwrap().nodes.len(), 1);
    let topology = Topology::of(&y.node).unwrap();
    topology.release();
    for node in &topology.nodes {
        let operation = node.operation;
        assert_eq!(node.released.get(), operation != Parameter, "{operation}");
        assert!(node.edges.borrow().is_empty(), "{operation}");
    }

    // Consumers are scanned from the output down, and at one consumer the operands in order.
    let (a, b) = (parameter(&[]), parameter(&[]));
    let product = a.mul(&b).unwrap();
    let sum = product.add(&b).unwrap();
    let scan = || Topology::of(&sum.node).unwrap().refuse_stale_operands();
    let stale = |child, parent, operand, recorded_revision, current_revision| {
        Err(TensorAutodiffError::StaleOperandValue {
            child,
            parent,
            operand,
            recorded_revision,
            current_revision,
        })
    };
    assert_eq!(scan(), Ok(()));
    a.set_value(one()).unwrap();
    assert_eq!(scan(), stale(2, 0, 0, 0, 1));
    b.set_value(one()).unwrap();
    b.set_value(one()).unwrap();
    assert_eq!(scan(), stale(3, 1, 1, 0, 2));
    let again = a.mul(&b).unwrap();
    a.set_value(one()).unwrap();
    let late = a.add(&again).unwrap(); // its own edge to a is fresh, and the first the walk meets
    let scan = Topology::of(&late.node).unwrap().refuse_stale_operands();
    assert_eq!(scan, stale(2, 0, 0, 1, 2));
    let twice = a.add(&a).unwrap();
    a.set_value(one()).unwrap();
    let scan = Topology::of(&twice.node).unwrap().refuse_stale_operands();
    assert_eq!(scan, stale(1, 0, 0, 2, 3), "without a fresh edge");

    // Leaves and results that no gradient flows through are never released.
    let mask = TensorValue::constant(one()).unwrap();
    let mask = mask.add(&mask).unwrap();
    let inner = a.mul(&mask).unwrap();
    let (left, right) = (inner.add(&b).unwrap(), b.add(&inner).unwrap());
    let topology = Topology::of(&left.node).unwrap();
    topology.release();
    let released = [&a, &b, &mask, &inner, &left, &right].map(TensorValue::is_released);
    assert_eq!(released, [false, false, false, true, true, false]);
    assert_eq!([&inner, &left, &right].map(|it| it.node.edges.borrow().len()), [0, 0, 2]);
    let error = Topology::of(&right.node).map(|_| ()).unwrap_err();
    assert_eq!(error, TensorAutodiffError::GraphReleased { operation: Multiply });
    assert!(mask
        .mul(&a)
        .unwrap()
        .backward_with_seed(&one().view(), GraphRetention::Retain)
        .is_ok());

    let small = std::thread::Builder::new().stack_size(2 << 20);
    small.spawn(a_long_chain).unwrap().join().unwrap();
}
