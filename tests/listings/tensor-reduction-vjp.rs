use super::*;

fn vjp(shape: &[usize], upstream: &[f64], axis: usize, divisor: f64, input: &[usize]) -> Vec<f64> {
    let upstream = Tensor::from_vec(shape, upstream.to_vec()).unwrap();
    drop(Tensor::filled(input, 9.0)); // leaves its storage behind, full of nines
    let kept = upstream.clone();
    let pulled = reduction_vjp(upstream.clone(), axis, divisor, &input.into()).unwrap();
    assert!(pulled.finite && pulled.tensor.shape() == input);
    assert_eq!(kept, upstream, "a shared adjoint is left alone");
    drop(kept);
    let alone = reduction_vjp(upstream, axis, divisor, &input.into()).unwrap();
    assert_eq!(alone.tensor, pulled.tensor);
    pulled.tensor.as_slice().to_vec()
}

/// Each element along the axis receives the adjoint of its sum, divided; the context records the
/// reduction with exactly the arguments it was made with.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    // Sum over axis 0: both rows read the same adjoints. Mean over axis 1: strides [1, 0].
    let rows = [10.0, 20.0, 30.0, 10.0, 20.0, 30.0];
    assert_eq!(vjp(&[3], &[10.0, 20.0, 30.0], 0, 1.0, &[2, 3]), rows);
    assert_eq!(vjp(&[1, 3], &[10.0, 20.0, 30.0], 0, 1.0, &[2, 3]), rows);
    let means = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    assert_eq!(vjp(&[2], &[3.0, 6.0], 1, 3.0, &[2, 3]), means);
    assert_eq!(vjp(&[2, 1], &[3.0, 6.0], 1, 3.0, &[2, 3]), means);
    assert_eq!(vjp(&[3], &[2.0, 4.0, 5.0], 0, 2.0, &[2, 3]), [1.0, 2.0, 2.5, 1.0, 2.0, 2.5]);

    // An axis in the middle, extents 1 and 0, a whole vector.
    assert_eq!(
        vjp(&[2, 2], &[1.0, 2.0, 3.0, 4.0], 1, 1.0, &[2, 3, 2]),
        [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 3.0, 4.0, 3.0, 4.0, 3.0, 4.0]
    );
    assert_eq!(vjp(&[2], &[3.0, 4.0], 1, 1.0, &[2, 1]), [3.0, 4.0]);
    // It divides, along either kind of axis: 5 / 3 is not 5 times a rounded third.
    assert_ne!(5.0 / 3.0, 5.0 * (1.0 / 3.0));
    assert_eq!(vjp(&[], &[5.0], 0, 3.0, &[3]), [5.0 / 3.0; 3]);
    let thirds = [5.0 / 3.0, 7.0 / 3.0];
    assert_eq!(vjp(&[2], &[5.0, 7.0], 0, 3.0, &[3, 2]), [thirds; 3].concat());
    assert_eq!(vjp(&[], &[5.0], 0, 1.0, &[1]), [5.0]);
    assert_eq!(vjp(&[2], &[3.0, 4.0], 1, 1.0, &[2, 0]), [0.0; 0]);
    assert_eq!(vjp(&[0], &[], 0, 1.0, &[2, 0]), [0.0; 0]);

    // The smallest negative number, halved, rounds to zero: to +0.0, along either axis.
    let tiny = -f64::from_bits(1);
    for axis in [0, 1] {
        let zeros = vjp(&[2], &[tiny, tiny], axis, 2.0, &[2, 2]);
        assert!(zeros.iter().all(|element| element.to_bits() == 0));
    }

    let overflow = reduction_vjp(Tensor::scalar(f64::MAX), 0, 0.5, &[2].into()).unwrap();
    assert!(!overflow.finite);

    let x = TensorValue::parameter(Tensor::zeros([2, 3]).unwrap()).unwrap();
    let tensor = Tensor::from_vec([2, 1], vec![7.0, 8.0]).unwrap();
    let computed = Computed { tensor, finite: true };
    let y = x.record_reduction(TensorOperation::Mean, computed, 1, true, 3.0).unwrap();
    assert_eq!((y.operation(), y.value().as_slice()), (TensorOperation::Mean, &[7.0, 8.0][..]));
    let (input_shape, output_shape) = ([2, 3].into(), [2, 1].into());
    let saved = TensorSavedContext::Reduction {
        axis: 1,
        keep_dim: true,
        divisor: 3.0,
        input_shape,
        output_shape,
    };
    let edges = y.node.edges.borrow();
    assert!(edges.len() == 1 && edges[0].parent.is_same(&x.node));
    assert_eq!(edges[0].saved, Some(saved));
}
