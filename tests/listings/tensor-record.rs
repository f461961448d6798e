use super::*;
use crate::{no_grad, GraphRetention, Tensor};
use std::cell::RefCell;
use TensorAutodiffError as E;

const SUM: TensorOperation = TensorOperation::Sum;

fn save(slot: usize, output_shape: &Shape) -> TensorSavedContext {
    TensorSavedContext::Reshape { input_shape: [slot].into(), output_shape: output_shape.clone() }
}

fn computed(values: [f64; 2], finite: bool) -> Computed {
    Computed { tensor: Tensor::from_vec([2], values.to_vec()).unwrap(), finite }
}

/// The first and the last step of every operation: a released operand is named, a result that is
/// not finite is refused, and each operand use becomes one ordered edge that saves only where a
/// gradient will flow.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(Tensor::scalar(2.0)).unwrap();
    let c = TensorValue::constant(Tensor::scalar(3.0)).unwrap();
    let released = p.mul(&c).unwrap();
    let one = Tensor::scalar(1.0);
    released.backward_with_seed(&one.view(), GraphRetention::Release).unwrap();
    let refused = |operand| Err(E::ReleasedOperand { operation: SUM, operand });
    assert_eq!(refuse_released(SUM, [&p, &c]), Ok(()));
    assert_eq!(refuse_released(SUM, [&released, &released]), refused(0));
    assert_eq!(refuse_released(SUM, [&p, &c, &released]), refused(2));
    assert_eq!(no_grad(|| refuse_released(SUM, [&released, &p])), Ok(()));

    for value in [f64::INFINITY, f64::NAN] {
        let error = record(SUM, computed([1.0, value], false), [&p], save).unwrap_err();
        let E::NonFiniteForward { operation: SUM, index: 1, value: seen } = error else {
            panic!("{error:?}")
        };
        assert_eq!(seen.to_bits(), value.to_bits());
    }
    assert!(record(SUM, computed([1.0, f64::MAX], false), [&p], save).is_ok());

    p.set_value(Tensor::scalar(4.0)).unwrap();
    let saved = RefCell::new(Vec::new());
    let note = |slot, shape: &Shape| {
        saved.borrow_mut().push(slot);
        save(slot, shape)
    };
    for (operands, saves) in [([&c, &p], &[1][..]), ([&p, &c], &[0]), ([&p, &p], &[0, 1])] {
        let z = record(SUM, computed([5.0, 6.0], true), operands, note).unwrap();
        assert_eq!(saved.take(), saves);
        assert_eq!(
            (z.operation(), z.tracks_gradient(), z.value().as_slice()),
            (SUM, true, &[5., 6.][..])
        );
        let edges = z.node.edges.borrow();
        assert_eq!(edges.len(), 2);
        for (slot, (edge, operand)) in edges.iter().zip(operands).enumerate() {
            assert!(edge.parent.is_same(&operand.node));
            assert_eq!(edge.parent_revision, operand.value_revision());
            assert_eq!(edge.saved, saves.contains(&slot).then(|| save(slot, &[2].into())));
        }
    }

    // Untracked results keep no edge and save nothing.
    let quiet = |_: usize, _: &Shape| -> TensorSavedContext { panic!("saved for nobody") };
    let apart = record(SUM, computed([5.0, 6.0], true), [&c, &c], quiet).unwrap();
    let operands = [&p, &released];
    let paused = no_grad(|| record(SUM, computed([5.0, 6.0], true), operands, quiet)).unwrap();
    assert!(released.is_released(), "read, not revived");
    for untracked in [apart, paused] {
        assert!(!untracked.tracks_gradient() && untracked.node.edges.borrow().is_empty());
        assert_eq!(untracked.value().as_slice(), [5.0, 6.0]);
    }
}
