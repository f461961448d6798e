use super::*;
use crate::{Shape, TensorOperation};
use std::collections::BTreeSet;
use std::error::Error;
use WorkedExampleError as E;

/// The errors, by name. The match has no last arm: a new one does not compile before it stands
/// here, and then the check fails before it meets it.
macro_rules! kinds {
    ($($kind:ident)*) => {
        const KINDS: &[&str] = &[$(stringify!($kind)),*];

        fn kind(error: &E) -> &'static str {
            match error {
                $(E::$kind { .. } => stringify!($kind),)*
            }
        }
    };
}

kinds! {
    Tape Gradcheck Tensor NotRefused Check
}

fn wraps<Inner: Error + PartialEq + 'static>(wrapper: E, inner: Inner) -> &'static str {
    assert_eq!(wrapper.to_string(), inner.to_string());
    assert_eq!(wrapper.source().and_then(|source| source.downcast_ref()), Some(&inner));
    kind(&wrapper)
}

/// A wrapper prints as the error inside it and hands it on; a step that was not refused and a
/// gradient that is not there are errors, never defaults.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let tape = TensorAutodiffError::GradientBorrowed;
    let mut met = BTreeSet::from([wraps(E::from(tape.clone()), tape.clone())]);
    let tensor = TensorError::AllocationFailed { elements: 7 };
    met.insert(wraps(E::from(tensor.clone()), tensor));
    let (point, gradient) = (Shape::from([2]), Shape::from([3]));
    let gradcheck = GradcheckError::ShapeMismatch { point, gradient };
    met.insert(wraps(E::from(gradcheck.clone()), gradcheck));
    for (error, message) in [
        (E::NotRefused, "a pass that must be refused was accepted"),
        (E::Check("two is one"), "check failed: two is one"),
    ] {
        assert_eq!(error.to_string(), message);
        assert!(error.source().is_none());
        met.insert(kind(&error));
    }
    assert_eq!(met, KINDS.iter().copied().collect());

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
