use super::*;
use crate::{Shape, TensorOperation};
use std::error::Error;
use WorkedExampleError as E;

fn wraps<Inner: Error + PartialEq + 'static>(wrapper: E, inner: Inner) {
    assert_eq!(wrapper.to_string(), inner.to_string());
    assert_eq!(wrapper.source().and_then(|source| source.downcast_ref()), Some(&inner));
}

/// A wrapper prints as the error inside it and hands it on; a step that was not refused and a
/// gradient that is not there are errors, never defaults.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let tape = TensorAutodiffError::GradientBorrowed;
    wraps(E::from(tape.clone()), tape.clone());
    let tensor = TensorError::AllocationFailed { elements: 7 };
    wraps(E::from(tensor.clone()), tensor);
    let (point, gradient) = (Shape::from([2]), Shape::from([3]));
    let gradcheck = GradcheckError::ShapeMismatch { point, gradient };
    wraps(E::from(gradcheck.clone()), gradcheck);

    assert_eq!(E::NotRefused.to_string(), "a pass that must be refused was accepted");
    assert_eq!(E::Check("two is one").to_string(), "check failed: two is one");
    assert!(E::NotRefused.source().is_none() && E::Check("").source().is_none());

    assert_eq!(refusal_of(Err(tape.clone())), Ok(tape));
    assert_eq!(refusal_of(Ok(())), Err(E::NotRefused));

    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0]).unwrap()).unwrap();
    let y = p.mul(&p).unwrap().sum_axis(0, false).unwrap();
    y.backward().unwrap();
    assert_eq!(gradient_of(&p).unwrap().as_slice(), [4.0, 6.0]);
    let operation = TensorOperation::Sum;
    let missing = TensorAutodiffError::NotAParameter { operation };
    assert_eq!(gradient_of(&y), Err(E::Tape(missing)));
}
