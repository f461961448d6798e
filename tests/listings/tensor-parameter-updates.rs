use super::*;
use crate::TensorOperation;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use TensorAutodiffError as E;

fn pair(values: [f64; 2]) -> Tensor {
    Tensor::from_vec([2], values.to_vec()).unwrap()
}

/// An update is checked in a fixed order, edits a private copy, and advances the revision by 1; a
/// refused or panicking one leaves value, revision and gradient as they were.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(pair([2.0, 3.0])).unwrap();
    p.mul(&p).unwrap().sum_axis(0, false).unwrap().backward().unwrap();
    let is = |values, revision| {
        assert_eq!((p.value_snapshot(), p.value_revision()), (pair(values), revision));
        assert_eq!(p.gradient_snapshot(), Some(pair([4.0, 6.0])));
    };
    let snapshot = p.value_snapshot();
    p.set_value(pair([5.0, 7.0])).unwrap();
    is([5.0, 7.0], 1);
    p.update_value(|elements| {
        assert_eq!(elements, [5.0, 7.0]);
        elements[0] = -1.0;
        assert_eq!(p.value().as_slice(), [5.0, 7.0]); // the old value, and no panic
    })
    .unwrap();
    is([-1.0, 7.0], 2);
    assert_eq!(snapshot, pair([2.0, 3.0]));

    // Each value breaks the rules from one on; the first of them is reported.
    let y = p.add(&p).unwrap();
    let unasked = |_: &mut [f64]| panic!("the closure of a refused update ran");
    let error = E::NotAParameter { operation: TensorOperation::Add };
    assert_eq!(y.set_value(Tensor::scalar(f64::NAN)), Err(error.clone()));
    assert_eq!(y.update_value(unasked), Err(error));
    assert_eq!((y.value_revision(), p.detach().value_revision()), (0, 0));
    let guard = p.value();
    let mismatch = E::UpdateShapeMismatch { expected: [2].into(), actual: [2, 1].into() };
    let column = Tensor::from_vec([2, 1], vec![1.0, f64::INFINITY]).unwrap();
    assert_eq!(p.set_value(column), Err(mismatch));
    let leaf = E::NonFiniteLeaf { index: 1, value: f64::INFINITY };
    assert_eq!(p.set_value(pair([1.0, f64::INFINITY])), Err(leaf.clone()));
    assert_eq!(p.update_value(|elements| elements[1] = f64::INFINITY), Err(leaf.clone()));
    assert_eq!(p.set_value(pair([1.0, 1.0])), Err(E::ValueBorrowed));
    assert_eq!(p.update_value(|elements| elements[1] = 0.0), Err(E::ValueBorrowed));
    drop(guard);
    is([-1.0, 7.0], 2);
    // Nor does a refusal leave anything behind where no guard keeps writers out.
    assert_eq!(p.set_value(pair([1.0, f64::INFINITY])), Err(leaf.clone()));
    assert_eq!(p.update_value(|elements| elements[1] = f64::INFINITY), Err(leaf));
    is([-1.0, 7.0], 2);

    // An update inside an update is refused, and the outer one goes on.
    p.update_value(|elements| {
        assert_eq!(p.set_value(pair([0.0, 0.0])), Err(E::ValueBorrowed));
        assert_eq!(p.update_value(|inner| inner[0] = 0.0), Err(E::ValueBorrowed));
        assert_eq!(p.set_value(pair([0.0, 0.0])), Err(E::ValueBorrowed));
        is([-1.0, 7.0], 2);
        elements[1] = 8.0;
    })
    .unwrap();
    is([-1.0, 8.0], 3);

    let panicking = AssertUnwindSafe(|| {
        p.update_value(|elements| {
            elements[0] = 100.0;
            resume_unwind(Box::new("out"));
        })
    });
    assert!(catch_unwind(panicking).is_err());
    is([-1.0, 8.0], 3);
    p.set_value(pair([0.5, 0.5])).unwrap();
    is([0.5, 0.5], 4);

    // A revision never comes round again to one that an edge remembers.
    let often = TensorValue::parameter(pair([1.0, 1.0])).unwrap();
    let old = often.mul(&often).unwrap().sum_axis(0, false).unwrap();
    for revision in 1..=70_000 {
        often.set_value(pair([1.0, 1.0])).unwrap();
        assert_eq!(often.value_revision(), revision);
        if revision.is_power_of_two() {
            assert!(matches!(old.backward(), Err(E::StaleOperandValue { .. })));
        }
    }
}
