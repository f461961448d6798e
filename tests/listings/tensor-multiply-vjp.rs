use super::*;

fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_vec(shape, values.to_vec()).unwrap()
}

/// A factor receives the adjoint times the *other* factor, summed along the axes along which the
/// factor was expanded, with +0.0 for -0.0 and with overflow reported.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let upstream = tensor(&[2, 3], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let z = tensor(&[2, 3], &[2.0, 2.0, 5.0, 3.0, 3.0, 6.0]);
    let vjp = |other: &Tensor, input: &[usize], axes: &[usize]| {
        let axes = axes.iter().copied().collect();
        multiply_vjp(Cow::Borrowed(&upstream), other, &Shape::from(input), axes).unwrap()
    };
    let whole = vjp(&z, &[2, 3], &[]);
    assert!(whole.finite);
    assert_eq!(whole.tensor, tensor(&[2, 3], &[2.0, 2.0, 5.0, 6.0, 6.0, 12.0]));

    // This factor was expanded; the other one was expanded; both were.
    let row = vjp(&z, &[3], &[0]);
    assert!(row.finite);
    assert_eq!(row.tensor, tensor(&[3], &[8.0, 8.0, 17.0]));
    assert_eq!(vjp(&z, &[2, 1], &[1]).tensor, tensor(&[2, 1], &[9.0, 24.0]));
    assert_eq!(vjp(&z, &[], &[0, 1]).tensor, Tensor::scalar(33.0));
    let column = tensor(&[2, 1], &[10.0, -1.0]);
    assert_eq!(
        vjp(&column, &[2, 3], &[]).tensor,
        tensor(&[2, 3], &[10.0, 10.0, 10.0, -2.0, -2.0, -2.0])
    );
    assert_eq!(vjp(&column, &[3], &[0]).tensor, tensor(&[3], &[8.0, 8.0, 8.0]));

    for axes in [&[][..], &[0]] {
        let input: &[usize] = if axes.is_empty() { &[2, 3] } else { &[3] };
        let zeros = vjp(&tensor(&[2, 3], &[-0.0; 6]), input, axes).tensor;
        assert!(zeros.as_slice().iter().all(|element| element.to_bits() == 0));
        assert!(!vjp(&tensor(&[2, 3], &[f64::MAX; 6]), input, axes).finite);
    }
    // Finite products whose sum is not.
    let large = tensor(&[2], &[f64::MAX, f64::MAX]);
    let ones = tensor(&[2], &[1.0, 1.0]);
    let summed =
        multiply_vjp(Cow::Owned(large), &ones, &[].into(), [0].into_iter().collect()).unwrap();
    assert!(!summed.finite && summed.tensor.as_slice() == [f64::INFINITY]);

    // An adjoint of its own is multiplied in place; a lent one, by all of the above, is not, and
    // neither is one that a clone shares.
    let own = tensor(&[2, 3], &[-1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let address = own.as_slice().as_ptr();
    let product = multiply_vjp(Cow::Owned(own), &z, &[2, 3].into(), Axes::default()).unwrap();
    assert!(product.finite && product.tensor.as_slice().as_ptr() == address);
    assert_eq!(product.tensor.as_slice(), [-2.0, 2.0, 5.0, 6.0, 6.0, 12.0]);
    let own = tensor(&[2, 3], upstream.as_slice());
    let product = multiply_vjp(Cow::Owned(own), &column, &[2, 3].into(), Axes::default()).unwrap();
    assert_eq!(product.tensor.as_slice(), [10.0, 10.0, 10.0, -2.0, -2.0, -2.0]);
    let own = tensor(&[2], &[-1.0, 2.0]);
    let overflow = tensor(&[2], &[0.0, f64::MAX]);
    let product = multiply_vjp(Cow::Owned(own), &overflow, &[2].into(), Axes::default()).unwrap();
    assert!(!product.finite && product.tensor.as_slice()[0].to_bits() == 0);
    let shared = Cow::Owned(upstream.clone());
    let product = multiply_vjp(shared, &z, &[2, 3].into(), Axes::default()).unwrap();
    assert_eq!(product.tensor, whole.tensor);
    assert_eq!(upstream.as_slice(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let misfit =
        multiply_vjp(Cow::Owned(upstream), &tensor(&[2], &[1.0; 2]), &[2].into(), Axes::default());
    assert!(matches!(misfit.map(|_| ()), Err(TensorAutodiffError::Operation(_))));
}
