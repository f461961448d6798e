use super::*;
use crate::TensorValue;

/// A record has one field for each thing there is to know, compares by all of them, and is
/// independent of the tape it was taken from.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = TensorValue::parameter(Tensor::scalar(3.0)).unwrap();
    let y = x.mul(&x).unwrap();
    let one = Tensor::scalar(1.0);
    let pass = y.backward_with_seed_and_trace(&one.view(), GraphRetention::Release).unwrap();
    let kept = pass.clone();
    x.set_value(Tensor::scalar(100.0)).unwrap();
    x.zero_grad().unwrap();
    drop((x, y));
    assert_eq!(pass, kept);

    // Every field counts, and there are no others.
    let TensorBackwardPass { seed, retention, nodes, edges } = pass.clone();
    assert_eq!((seed, retention), (one.clone(), GraphRetention::Release));
    let other = Tensor::scalar(-1.0);
    let changes: [fn(&mut TensorBackwardPass, Tensor); 19] = [
        |it, other| it.seed = other,
        |it, _| it.retention = GraphRetention::Retain,
        |it, _| it.nodes.truncate(1),
        |it, _| it.edges.truncate(1),
        |it, _| it.nodes[1].topology_index = 7,
        |it, _| it.nodes[1].operation = TensorOperation::Sum,
        |it, _| it.nodes[1].shape = Shape::from([1]),
        |it, _| it.nodes[1].tracked = false,
        |it, _| it.nodes[1].parameter = true,
        |it, other| it.nodes[1].pass_adjoint = Some(other),
        |it, other| it.nodes[0].accumulated_gradient = Some(other),
        |it, _| it.edges[1].reverse_index = 7,
        |it, _| (it.edges[1].child, it.edges[1].parent) = (0, 1),
        |it, _| it.edges[1].operand = 0,
        |it, _| it.edges[1].saved = None,
        |it, other| it.edges[1].upstream = other,
        |it, other| it.edges[1].contribution = Some(other),
        |it, other| it.edges[1].parent_adjoint_before = Some(other),
        |it, other| it.edges[1].parent_adjoint_after = Some(other),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut changed = pass.clone();
        change(&mut changed, other.clone());
        assert_ne!(changed, pass, "change {number}");
    }

    let [TensorBackwardNode {
        topology_index: 0,
        operation: TensorOperation::Parameter,
        shape,
        tracked: true,
        parameter: true,
        pass_adjoint: Some(_),
        accumulated_gradient: Some(_),
    }, _] = &nodes[..]
    else {
        panic!("{nodes:?}")
    };
    assert!(shape.is_empty());
    let [TensorBackwardEdge {
        reverse_index: 0,
        child: 1,
        parent: 0,
        operand: 0,
        saved: Some(TensorSavedContext::Multiply { .. }),
        upstream,
        contribution: Some(_),
        parent_tracked: true,
        parent_adjoint_before: Some(_),
        parent_adjoint_after: Some(_),
    }, _] = &edges[..]
    else {
        panic!("{edges:?}")
    };
    assert_eq!(*upstream, one);
}
