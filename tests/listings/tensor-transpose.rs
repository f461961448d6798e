use super::*;
use crate::tensor::TensorOpError;
use crate::GraphRetention;
use TensorAutodiffError as E;

fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_vec(shape, values.to_vec()).unwrap()
}

/// `transpose` swaps the two axes it is given, and its pullback swaps the same two again; a
/// released operand is refused before an axis, the first axis before the second.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let r = tensor(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let r = TensorValue::parameter(r).unwrap();
    let t = r.transpose(0, 1).unwrap();
    assert_eq!((t.operation(), t.shape()), (TensorOperation::Transpose, &[2, 3][..]));
    assert_eq!(t.value().as_slice(), [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);

    let seed = tensor(&[2, 3], &[4.0, 4.0, 10.0, 12.0, 12.0, 24.0]);
    let pass = t.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
    let saved = TensorSavedContext::Transpose {
        first_axis: 0,
        second_axis: 1,
        input_shape: [3, 2].into(),
        output_shape: [2, 3].into(),
    };
    assert_eq!(pass.edges[0].saved, Some(saved));
    let back = tensor(&[3, 2], &[4.0, 12.0, 4.0, 12.0, 10.0, 24.0]);
    assert_eq!(r.gradient_snapshot(), Some(back.clone()));
    let pulled = transpose_vjp(&seed, 1, 0).unwrap();
    assert!(pulled.finite && pulled.tensor == back);

    // Axes that are not neighbours, one axis twice, an empty axis.
    let cube = tensor(&[2, 1, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let cube = TensorValue::parameter(cube).unwrap();
    let turned = cube.transpose(2, 0).unwrap();
    assert_eq!(*turned.value(), tensor(&[3, 1, 2], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
    let seed = tensor(&[3, 1, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let pass = turned.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain).unwrap();
    let contribution = tensor(&[2, 1, 3], &[1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    assert_eq!(pass.edges[0].contribution, Some(contribution));
    let Some(TensorSavedContext::Transpose { first_axis: 2, second_axis: 0, .. }) =
        pass.edges[0].saved
    else {
        panic!("{:?}", pass.edges[0].saved)
    };
    assert_eq!(*cube.transpose(1, 1).unwrap().value(), *cube.value());
    let none = TensorValue::constant(Tensor::zeros([0, 2]).unwrap()).unwrap();
    assert_eq!(none.transpose(0, 1).unwrap().shape(), [2, 0]);

    let released = E::ReleasedOperand { operation: TensorOperation::Transpose, operand: 0 };
    assert_eq!(t.transpose(8, 9).unwrap_err(), released);
    for (first, second, axis) in [(8, 9, 8), (1, 9, 9), (3, 0, 3)] {
        let shape = [2, 1, 3].into();
        let out = TensorOpError::AxisOutOfRange { operation: "transpose", axis, shape };
        assert_eq!(cube.transpose(first, second).unwrap_err(), E::Operation(out));
        assert!(transpose_vjp(&cube.value(), first, second).is_err());
    }
}
