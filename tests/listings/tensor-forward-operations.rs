use super::*;
use crate::tensor::TensorOpError;
use crate::{GraphRetention, Tensor};
use TensorAutodiffError as E;

fn parameter(shape: &[usize], values: &[f64]) -> TensorValue {
    TensorValue::parameter(Tensor::from_vec(shape, values.to_vec()).unwrap()).unwrap()
}

/// `add` sums over the common shape and saves, for each operand, the axes along which that operand
/// was expanded; it refuses a released operand before it looks at shapes, and shapes before values.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = parameter(&[2, 3], &[1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    let bias = parameter(&[3], &[1.0, -1.0, 0.0]);
    let seed = Tensor::from_vec([2, 3], vec![4.0, 4.0, 10.0, 12.0, 12.0, 24.0]).unwrap();
    for (left, right, axes) in [(&x, &bias, [vec![], vec![0]]), (&bias, &x, [vec![0], vec![]])] {
        let z = left.add(right).unwrap();
        assert_eq!((z.operation(), z.shape()), (TensorOperation::Add, &[2, 3][..]));
        assert_eq!(z.value().as_slice(), [2.0, 2.0, 5.0, 3.0, 3.0, 6.0]);
        let pass = z.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain).unwrap();
        assert_eq!(pass.edges.len(), 2);
        for ((edge, operand), axes) in pass.edges.iter().zip([left, right]).zip(axes) {
            let saved = TensorSavedContext::Broadcast {
                input_shape: operand.shape_list().clone(),
                output_shape: [2, 3].into(),
                reduced_axes: axes.into_iter().collect(),
            };
            assert_eq!(edge.saved, Some(saved));
        }
    }
    let twice: Vec<f64> = seed.as_slice().iter().map(|element| 2.0 * element).collect();
    assert_eq!(x.gradient().unwrap().as_slice(), twice);
    assert_eq!(bias.gradient().unwrap().as_slice(), [32.0, 32.0, 68.0]);

    // Both operands expanded, an axis of extent 1 on either side, and an empty axis.
    let z = parameter(&[2, 1], &[1.0, 2.0]).add(&parameter(&[1, 2], &[10.0, 20.0])).unwrap();
    assert_eq!(z.value().as_slice(), [11.0, 21.0, 12.0, 22.0]);
    assert_eq!(parameter(&[0, 1], &[]).add(&bias).unwrap().shape(), [0, 3]);

    let other = parameter(&[2], &[f64::MAX, f64::MAX]);
    let too_large = other.add(&other.detach()).map(|_| ());
    let overflow =
        E::NonFiniteForward { operation: TensorOperation::Add, index: 0, value: f64::INFINITY };
    assert_eq!(too_large, Err(overflow));
    let misfit = TensorOpError::IncompatibleShapes {
        operation: "add",
        left: [2, 3].into(),
        right: [2].into(),
        axis: 1,
        left_extent: 3,
        right_extent: 2,
    };
    assert_eq!(x.add(&other).map(|_| ()), Err(E::Operation(misfit)));
    let gone = x.add(&x).unwrap();
    gone.backward_with_seed(&seed.view(), GraphRetention::Release).unwrap();
    for (left, right, operand) in [(&gone, &other, 0), (&other, &gone, 1), (&gone, &gone, 0)] {
        let refused = E::ReleasedOperand { operation: TensorOperation::Add, operand };
        assert_eq!(left.add(right).map(|_| ()), Err(refused));
    }
}
