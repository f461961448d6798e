use super::*;
use crate::TensorOperation;

fn wide(values: [f64; 6]) -> Tensor {
    Tensor::from_vec([2, 3], values.to_vec()).unwrap()
}

fn gradients(factor: f64) -> ParameterGradients {
    let x = [4.0, 12.0, 4.0, 12.0, 10.0, 24.0].map(|element| factor * element);
    let bias = [16.0, 16.0, 34.0].map(|element| factor * element);
    ParameterGradients { x: wide(x), bias: Tensor::from_vec([3], bias.to_vec()).unwrap() }
}

/// The worked graph's eight values in topological order, and its gradients at each moment of its
/// life: once, twice, zeroed, once more, and untouched by the refusal after the release.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let example = frozen_tensor_example().unwrap();
    let tall = |values: [f64; 6]| Tensor::from_vec([3, 2], values.to_vec()).unwrap();
    let expected = [
        ("x", wide([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        ("r", tall([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        ("t", wide([1.0, 3.0, 5.0, 2.0, 4.0, 6.0])),
        ("bias", Tensor::from_vec([3], vec![1.0, -1.0, 0.0]).unwrap()),
        ("bb", wide([1.0, -1.0, 0.0, 1.0, -1.0, 0.0])),
        ("z", wide([2.0, 2.0, 5.0, 3.0, 3.0, 6.0])),
        ("q", wide([4.0, 4.0, 25.0, 9.0, 9.0, 36.0])),
        ("y", Tensor::from_vec([2], vec![11.0, 18.0]).unwrap()),
    ]
    .map(|(name, value)| NamedTensor { name, value });
    assert_eq!(format!("{:?}", example.nodes), format!("{expected:?}")); // a -0.0 shows
    assert_eq!(example.baseline, handwritten_fixed_shape_baseline());

    let seed = Tensor::from_vec([2], vec![3.0, 6.0]).unwrap();
    assert_eq!(example.seed, seed);
    let pass = &example.first_pass;
    assert_eq!((&pass.seed, pass.retention), (&seed, GraphRetention::Retain));
    let recorded: Vec<_> = pass.nodes.iter().map(|node| &*node.shape).collect();
    assert_eq!(recorded, expected.iter().map(|node| node.value.shape()).collect::<Vec<_>>());
    let walked: Vec<_> = pass.edges.iter().map(|it| [it.child, it.parent, it.operand]).collect();
    let edges =
        [[7, 6, 0], [6, 5, 0], [6, 5, 1], [5, 2, 0], [5, 4, 1], [4, 3, 0], [2, 1, 0], [1, 0, 0]];
    assert_eq!(walked, edges);
    assert_eq!(pass.nodes[0].accumulated_gradient, Some(gradients(1.0).x));
    assert_eq!(pass.nodes[3].accumulated_gradient, Some(gradients(1.0).bias));

    assert_eq!(example.first, gradients(1.0));
    assert_eq!(example.repeated, gradients(2.0));
    assert_eq!(example.zeroed, gradients(0.0));
    let ParameterGradients { x, bias } = &example.zeroed;
    assert!([x, bias].iter().all(|it| it.as_slice().iter().all(|zero| zero.to_bits() == 0)));
    assert_eq!(example.after_zero_and_release, gradients(1.0));
    let operation = TensorOperation::Mean;
    assert_eq!(example.released_error, TensorAutodiffError::GraphReleased { operation });
    assert!(example.released_gradients_unchanged);
}
