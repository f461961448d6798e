use super::*;
use crate::tensor::TensorOpError;
use crate::GraphRetention;
use TensorAutodiffError as E;
use TensorOperation::{Mean, Sum};

fn parameter(shape: &[usize], values: &[f64]) -> TensorValue {
    TensorValue::parameter(Tensor::from_vec(shape, values.to_vec()).unwrap()).unwrap()
}

fn refusal(result: Result<TensorValue, E>) -> E {
    result.unwrap_err()
}

/// `sum_axis` and `mean_axis` reduce the axis they are given and save it with the divisor, 1 or the
/// extent; they refuse a released operand first, then a bad or empty axis, then an overflow.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = parameter(&[2, 3], &[1.0, 2.0, 2.0, 9.0, 25.0, 26.0]);
    for (operation, axis, keep_dim, divisor, shape, values) in [
        (Sum, 0, false, 1.0, &[3][..], &[10.0, 27.0, 28.0][..]),
        (Sum, 1, true, 1.0, &[2, 1], &[5.0, 60.0]),
        (Mean, 0, true, 2.0, &[1, 3], &[5.0, 13.5, 14.0]),
        (Mean, 1, false, 3.0, &[2], &[5.0 / 3.0, 20.0]),
    ] {
        let reduce = if operation == Sum { TensorValue::sum_axis } else { TensorValue::mean_axis };
        let y = reduce(&x, axis, keep_dim).unwrap();
        assert_eq!((y.operation(), y.shape()), (operation, shape));
        assert_eq!(y.value().as_slice(), values);
        let seed = Tensor::filled(shape, 6.0).unwrap();
        let pass = y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
        let (input_shape, output_shape) = ([2, 3].into(), shape.into());
        let saved =
            TensorSavedContext::Reduction { axis, keep_dim, divisor, input_shape, output_shape };
        assert_eq!(pass.edges[0].saved, Some(saved));
        let six = Tensor::filled([2, 3], 6.0 / divisor).unwrap();
        assert_eq!(pass.edges[0].contribution, Some(six));

        // The released result, a bad axis, both.
        let refused = E::ReleasedOperand { operation, operand: 0 };
        assert_eq!(refusal(reduce(&y, 9, keep_dim)), refused);
        let name = if operation == Sum { "sum" } else { "mean" };
        let out = TensorOpError::AxisOutOfRange { operation: name, axis: 2, shape: [2, 3].into() };
        assert_eq!(refusal(reduce(&x, 2, keep_dim)), E::Operation(out));
        let huge = parameter(&[2, 2], &[1.0, 2.0, f64::MAX, f64::MAX]);
        let overflow = E::NonFiniteForward { operation, index: 1, value: f64::INFINITY };
        assert_eq!(refusal(reduce(&huge, 1, keep_dim)), overflow);
    }
    let empty = parameter(&[2, 0], &[]);
    let zeros = empty.sum_axis(1, false).unwrap();
    assert!(zeros.value().as_slice().iter().map(|sum| sum.to_bits()).eq([0, 0]));
    assert_eq!(empty.mean_axis(0, false).unwrap().shape(), [0]);
    let nothing = TensorOpError::EmptyMean { axis: 1, shape: [2, 0].into() };
    assert_eq!(refusal(empty.mean_axis(1, false)), E::Operation(nothing));
    assert!(matches!(refusal(parameter(&[], &[1.0]).sum_axis(0, true)), E::Operation(_)));
}
