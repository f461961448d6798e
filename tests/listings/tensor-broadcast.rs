use super::*;
use crate::tensor::{TensorError, TensorOpError};
use crate::GraphRetention;
use TensorAutodiffError as E;

fn parameter(shape: &[usize], values: &[f64]) -> TensorValue {
    TensorValue::parameter(Tensor::from_vec(shape, values.to_vec()).unwrap()).unwrap()
}

fn refusal(result: Result<TensorValue, E>) -> E {
    result.unwrap_err()
}

/// `broadcast_to` repeats elements along missing axes and axes of extent 1, saves which, and tells
/// a shape that cannot fit from one that fits but is not what the two broadcast to.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    for (from, values, to, expanded, axes) in [
        (
            &[3][..],
            &[1.0, -1.0, 0.0][..],
            &[2, 3][..],
            &[1.0, -1.0, 0.0, 1.0, -1.0, 0.0][..],
            &[0][..],
        ),
        (&[2, 1], &[4.0, 5.0], &[2, 3], &[4.0, 4.0, 4.0, 5.0, 5.0, 5.0], &[1]),
        (&[], &[7.0], &[1, 2], &[7.0, 7.0], &[0, 1]),
        (&[1, 2], &[4.0, 5.0], &[1, 2], &[4.0, 5.0], &[]),
        (&[1], &[4.0], &[0], &[], &[0]),
    ] {
        let x = parameter(from, values);
        let z = x.broadcast_to(to).unwrap();
        assert_eq!((z.operation(), z.shape()), (TensorOperation::Broadcast, to));
        assert_eq!(z.value().as_slice(), expanded);
        let seed = Tensor::filled(to, 1.0).unwrap();
        let pass = z.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
        let saved = TensorSavedContext::Broadcast {
            input_shape: from.into(),
            output_shape: to.into(),
            reduced_axes: axes.iter().copied().collect(),
        };
        assert_eq!(pass.edges[0].saved, Some(saved));
        let read = (expanded.len() / values.len()) as f64;
        assert!(x.gradient().unwrap().as_slice().iter().all(|gradient| *gradient == read));

        // Released comes before every fault of a shape.
        let operation = TensorOperation::Broadcast;
        let refused = E::ReleasedOperand { operation, operand: 0 };
        assert_eq!(refusal(z.broadcast_to([usize::MAX, 9])), refused);
    }

    let wide = parameter(&[2, 3], &[0.0; 6]);
    let mismatch = |requested: &[usize], inferred: &[usize]| E::BroadcastTargetMismatch {
        input: [2, 3].into(),
        requested: requested.into(),
        inferred: inferred.into(),
    };
    assert_eq!(refusal(wide.broadcast_to([3])), mismatch(&[3], &[2, 3]));
    assert_eq!(refusal(wide.broadcast_to([4, 1, 3])), mismatch(&[4, 1, 3], &[4, 2, 3]));
    let misfit = TensorOpError::IncompatibleShapes {
        operation: "broadcast",
        left: [2, 3].into(),
        right: [2, 4].into(),
        axis: 1,
        left_extent: 3,
        right_extent: 4,
    };
    assert_eq!(refusal(wide.broadcast_to([2, 4])), E::Operation(misfit));
    // Too large to count comes before not fitting.
    let shape = [usize::MAX, 4];
    let overflow = TensorError::ShapeOverflow { shape: shape.into() };
    assert_eq!(refusal(wide.broadcast_to(shape)), E::Tensor(overflow));
}
