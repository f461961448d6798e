use super::*;
use crate::TensorValue;

fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_vec(shape, values.to_vec()).unwrap()
}

/// A trace holds every edge in reverse order and every node in topological order, field by field
/// what the pass handled, and nothing where the pass evaluated nothing.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    // w = z ⊙ z + c with z = [2, -3]: two edges into z, one into a constant.
    let z = TensorValue::parameter(tensor(&[2], &[2.0, -3.0])).unwrap();
    let c = TensorValue::constant(Tensor::scalar(1.0)).unwrap();
    let q = z.mul(&z).unwrap();
    let w = q.add(&c).unwrap();
    let seed = tensor(&[2], &[3.0, 0.5]);
    let first = w.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain).unwrap();
    let pass = w.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
    assert_eq!((&pass.seed, pass.retention), (&seed, GraphRetention::Release));

    let node = |topology_index, operation, shape: &[usize], pass_adjoint: Option<&Tensor>| {
        let (shape, pass_adjoint) = (shape.into(), pass_adjoint.cloned());
        let (tracked, parameter) = (topology_index != 2, topology_index == 0);
        TensorBackwardNode {
            topology_index,
            operation,
            shape,
            tracked,
            parameter,
            pass_adjoint,
            accumulated_gradient: None,
        }
    };
    let (half, total) = (tensor(&[2], &[6.0, -1.5]), tensor(&[2], &[12.0, -3.0]));
    let mut nodes = [
        node(0, TensorOperation::Parameter, &[2], Some(&total)),
        node(1, TensorOperation::Multiply, &[2], Some(&seed)),
        node(2, TensorOperation::Constant, &[], None),
        node(3, TensorOperation::Add, &[2], Some(&seed)),
    ];
    nodes[0].accumulated_gradient = Some(total.clone());
    assert_eq!(first.nodes, nodes);
    nodes[0].accumulated_gradient = Some(tensor(&[2], &[24.0, -6.0]));
    assert_eq!(pass.nodes, nodes);

    let multiply = TensorSavedContext::Multiply {
        other: tensor(&[2], &[2.0, -3.0]),
        input_shape: [2].into(),
        output_shape: [2].into(),
        reduced_axes: [].into_iter().collect(),
    };
    let add = TensorSavedContext::Broadcast {
        input_shape: [2].into(),
        output_shape: [2].into(),
        reduced_axes: [].into_iter().collect(),
    };
    let zero = Tensor::zeros([2]).unwrap();
    let edge = |reverse_index, [child, parent, operand]: [usize; 3], saved, adjoints: [_; 3]| {
        let [contribution, parent_adjoint_before, parent_adjoint_after] = adjoints;
        TensorBackwardEdge {
            reverse_index,
            child,
            parent,
            operand,
            saved,
            upstream: seed.clone(),
            contribution,
            parent_tracked: parent != 2,
            parent_adjoint_before,
            parent_adjoint_after,
        }
    };
    let some = |adjoints: [&Tensor; 3]| adjoints.map(|adjoint| Some(adjoint.clone()));
    let edges = [
        edge(0, [3, 1, 0], Some(add), some([&seed, &zero, &seed])),
        edge(1, [3, 2, 1], None, [None, None, None]),
        edge(2, [1, 0, 0], Some(multiply.clone()), some([&half, &zero, &half])),
        edge(3, [1, 0, 1], Some(multiply), some([&half, &half, &total])),
    ];
    assert_eq!(first.edges, edges);
    assert_eq!(pass.edges, edges);
    let before = first.edges[0].parent_adjoint_before.as_ref().unwrap();
    assert!(before.as_slice().iter().all(|element| element.to_bits() == 0));

    // Of two parameters each has a gradient of its own.
    let [a, b] = [2.0, 5.0].map(|it| TensorValue::parameter(Tensor::scalar(it)).unwrap());
    let product = a.mul(&b).unwrap();
    let nodes = product.backward_with_trace().unwrap().nodes;
    let gradients = nodes.into_iter().map(|node| node.accumulated_gradient);
    assert!(gradients.eq([Some(Tensor::scalar(5.0)), Some(Tensor::scalar(2.0)), None]));
    // The record is complete before the commit, and writes down what is only staged.
    let guard = b.gradient();
    assert_eq!(product.backward_with_trace(), Err(TensorAutodiffError::GradientBorrowed));
    drop(guard);
    assert_eq!(a.gradient_snapshot(), Some(Tensor::scalar(5.0)));

    // Before and after are the adjoint's, whatever the contributions to it are.
    let sum = a.mul(&b).unwrap().add(&a).unwrap();
    let edges = sum.backward_with_trace().unwrap().edges;
    let into_a = edges.into_iter().filter(|edge| edge.parent == 0);
    let adjoints = into_a.map(|edge| {
        [edge.contribution, edge.parent_adjoint_before, edge.parent_adjoint_after]
            .map(|adjoint| adjoint.unwrap().as_slice()[0])
    });
    assert!(adjoints.eq([[1.0, 0.0, 1.0], [5.0, 1.0, 6.0]]));
}
