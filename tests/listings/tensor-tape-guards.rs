use super::*;

/// Guards lend the stored tensors themselves, snapshots are independent of them, and a write that
/// meets a guard is refused and changes nothing.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0]).unwrap()).unwrap();
    let c = TensorValue::constant(Tensor::scalar(1.0)).unwrap();
    let y = p.mul(&p).unwrap().sum_axis(0, false).unwrap();
    y.backward().unwrap();

    // No copy: two guards and a snapshot read one storage.
    let (one, two) = (p.value(), p.value());
    assert_eq!(one.as_slice().as_ptr(), two.as_slice().as_ptr());
    let value = p.value_snapshot();
    assert_eq!(value.as_slice().as_ptr(), one.as_slice().as_ptr());
    assert_eq!(p.set_value(Tensor::zeros([2]).unwrap()), Err(TensorAutodiffError::ValueBorrowed));
    drop((one, two));

    let (one, two) = (p.gradient().unwrap(), p.gradient().unwrap());
    assert_eq!(one.as_slice().as_ptr(), two.as_slice().as_ptr());
    let gradient = p.gradient_snapshot().unwrap();
    assert_eq!(gradient.as_slice().as_ptr(), one.as_slice().as_ptr());
    assert_eq!(gradient.as_slice(), [4.0, 6.0]);
    assert_eq!(p.zero_grad(), Err(TensorAutodiffError::GradientBorrowed));
    assert_eq!(y.backward(), Err(TensorAutodiffError::GradientBorrowed));
    assert_eq!(one.as_slice(), [4.0, 6.0]);
    drop((one, two));

    // Snapshots stay behind.
    y.backward().unwrap();
    p.set_value(Tensor::zeros([2]).unwrap()).unwrap();
    assert_eq!(p.gradient().unwrap().as_slice(), [8.0, 12.0]);
    p.zero_grad().unwrap();
    assert!(p.gradient().unwrap().as_slice().iter().all(|element| element.to_bits() == 0));
    assert_eq!((value.as_slice(), gradient.as_slice()), (&[2.0, 3.0][..], &[4.0, 6.0][..]));
    assert_eq!(p.value_snapshot().as_slice(), [0.0, 0.0]);

    // Only a parameter has something to zero, and only a parameter lends a gradient.
    for (value, operation) in [
        (&c, TensorOperation::Constant),
        (&y, TensorOperation::Sum),
        (&p.detach(), TensorOperation::Detached),
    ] {
        assert!(value.gradient().is_none() && value.gradient_snapshot().is_none());
        assert_eq!(value.zero_grad(), Err(TensorAutodiffError::NotAParameter { operation }));
    }
}
