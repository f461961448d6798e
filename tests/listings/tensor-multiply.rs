use super::*;
use crate::tensor::TensorOpError;
use crate::GraphRetention;
use TensorAutodiffError as E;

fn parameter(shape: &[usize], values: &[f64]) -> TensorValue {
    TensorValue::parameter(Tensor::from_vec(shape, values.to_vec()).unwrap()).unwrap()
}

/// `mul` multiplies over the common shape and saves, for each operand, the primal of the *other*
/// one without a copy; it refuses a released operand before shapes, and shapes before values.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = parameter(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let row = parameter(&[3], &[10.0, -1.0, 0.5]);
    let seed = Tensor::from_vec([2, 3], vec![1.0, 1.0, 1.0, 2.0, 2.0, 2.0]).unwrap();
    for (left, right, axes) in [(&x, &row, [vec![], vec![0]]), (&row, &x, [vec![0], vec![]])] {
        let z = left.mul(right).unwrap();
        assert_eq!((z.operation(), z.shape()), (TensorOperation::Multiply, &[2, 3][..]));
        assert_eq!(z.value().as_slice(), [10.0, -2.0, 1.5, 40.0, -5.0, 3.0]);
        let pass = z.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain).unwrap();
        assert_eq!(pass.edges.len(), 2);
        for (slot, (edge, axes)) in pass.edges.iter().zip(axes).enumerate() {
            let Some(TensorSavedContext::Multiply {
                other,
                input_shape,
                output_shape,
                reduced_axes,
            }) = &edge.saved
            else {
                panic!("{:?}", edge.saved)
            };
            let (operand, factor) = if slot == 0 { (left, right) } else { (right, left) };
            assert_eq!(other.as_slice().as_ptr(), factor.value().as_slice().as_ptr());
            assert_eq!((input_shape, &**output_shape), (operand.shape_list(), &[2, 3][..]));
            assert_eq!(*reduced_axes, axes.into_iter().collect::<Axes>());
        }
    }
    assert_eq!(x.gradient().unwrap().as_slice(), [20.0, -2.0, 1.0, 40.0, -4.0, 2.0]);
    assert_eq!(row.gradient().unwrap().as_slice(), [18.0, 24.0, 30.0]);

    // The edge keeps the factor as it was, and an untracked factor gets no edge context.
    let mask = TensorValue::constant(Tensor::from_vec([2, 1], vec![0.0, 1.0]).unwrap()).unwrap();
    let masked = x.mul(&mask).unwrap();
    let pass = masked.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
    assert!(pass.edges[0].saved.is_some() && pass.edges[1].saved.is_none());
    assert_eq!(masked.value().as_slice(), [0.0, 0.0, 0.0, 4.0, 5.0, 6.0]);

    let other = parameter(&[2], &[1.0, f64::MAX]);
    let overflow = E::NonFiniteForward {
        operation: TensorOperation::Multiply,
        index: 1,
        value: f64::INFINITY,
    };
    assert_eq!(other.mul(&other).map(|_| ()), Err(overflow));
    let misfit = TensorOpError::IncompatibleShapes {
        operation: "multiply",
        left: [2].into(),
        right: [2, 3].into(),
        axis: 1,
        left_extent: 2,
        right_extent: 3,
    };
    assert_eq!(other.mul(&x).map(|_| ()), Err(E::Operation(misfit)));
    for (left, right, operand) in [(&masked, &other, 0), (&other, &masked, 1)] {
        let refused = E::ReleasedOperand { operation: TensorOperation::Multiply, operand };
        assert_eq!(left.mul(right).map(|_| ()), Err(refused));
    }
}
