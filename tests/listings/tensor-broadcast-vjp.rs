use super::*;

fn vjp(shape: &[usize], upstream: Vec<f64>, input: &[usize], axes: &[usize]) -> Computed {
    let upstream = Tensor::from_vec(shape, upstream).unwrap();
    drop(Tensor::filled(input, 9.0)); // leaves its storage behind, full of nines
    broadcast_vjp(upstream.clone(), &input.into(), axes.iter().copied().collect()).unwrap()
}

fn summed(shape: &[usize], upstream: &[f64], input: &[usize], axes: &[usize]) -> Vec<f64> {
    let pulled = vjp(shape, upstream.to_vec(), input, axes);
    assert!(pulled.finite && pulled.tensor.shape() == input);
    pulled.tensor.as_slice().to_vec()
}

/// The adjoint is added up along exactly the axes along which elements were repeated, from zero,
/// and handed on without a copy if there is no such axis.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let z = [4.0, 4.0, 10.0, 12.0, 12.0, 24.0];
    assert_eq!(summed(&[2, 3], &z, &[3], &[0]), [16.0, 16.0, 34.0]);
    assert_eq!(summed(&[2, 3], &z, &[1, 3], &[0]), [16.0, 16.0, 34.0]);
    assert_eq!(summed(&[2, 3], &z, &[2, 1], &[1]), [18.0, 48.0]);
    assert_eq!(summed(&[2, 3], &z, &[], &[0, 1]), [66.0]);
    assert_eq!(summed(&[2, 3], &z, &[1, 1], &[0, 1]), [66.0]);
    assert_eq!(summed(&[1], &[5.0], &[], &[0]), [5.0]);

    // Outer and inner axes at once, a middle axis, more than one run at one place.
    let cube: Vec<f64> = (1..=12).map(f64::from).collect();
    assert_eq!(summed(&[2, 3, 2], &cube, &[3, 1], &[0, 2]), [18.0, 26.0, 34.0]);
    assert_eq!(summed(&[2, 3, 2], &cube, &[2, 1, 2], &[1]), [9.0, 12.0, 27.0, 30.0]);
    assert_eq!(summed(&[2, 3, 2], &cube, &[1, 2], &[0, 1]), [36.0, 42.0]);
    assert_eq!(summed(&[2, 3, 2], &cube, &[2, 1, 1], &[1, 2]), [21.0, 57.0]);
    assert_eq!(summed(&[20, 2], &[1.5; 40], &[2], &[0]), [30.0, 30.0]);
    assert_eq!(summed(&[2, 40], &[0.5; 80], &[2, 1], &[1]), [20.0, 20.0]);

    // Eight rows are summed pairwise: seven small numbers are not lost one by one beside a large
    // one.
    let mut rows = [f64::EPSILON / 2.0; 8];
    rows[0] = 1.0;
    assert!(summed(&[8, 2], &rows.map(|row| [row; 2]).concat(), &[2], &[0])[1] > 1.0);
    // A long run of elements that meet at one place is summed in more parts: eight small numbers
    // together would still be lost.
    let mut run = [f64::EPSILON / 16.0; 64];
    run[0] = 1.0;
    assert!(summed(&[64], &run, &[], &[0])[0] > 1.0);

    // An element that was never read collects +0.0.
    for (shape, input, axes) in
        [(&[0, 2][..], &[2][..], &[0][..]), (&[2, 0], &[2, 1], &[1]), (&[0], &[], &[0])]
    {
        let zeros = summed(shape, &[], input, axes);
        assert!(!zeros.is_empty() && zeros.iter().all(|element| element.to_bits() == 0));
    }
    assert_eq!(summed(&[3, 0], &[], &[0], &[0]), [0.0; 0]);

    // A sum may overflow, in a run or across runs.
    assert!(!vjp(&[2, 2], vec![f64::MAX; 4], &[2], &[0]).finite);
    assert!(!vjp(&[2, 2], vec![f64::MAX; 4], &[2, 1], &[1]).finite);

    let upstream = Tensor::from_vec([2, 3], z.to_vec()).unwrap();
    let same = broadcast_vjp(upstream.clone(), &[2, 3].into(), Axes::default()).unwrap();
    assert!(same.finite && same.tensor == upstream);
    assert_eq!(same.tensor.as_slice().as_ptr(), upstream.as_slice().as_ptr());
}
