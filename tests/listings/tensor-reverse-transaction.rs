use super::*;
use crate::TensorOperation::{Add, Constant, Multiply};
use GraphRetention::{Release, Retain};
use TensorAutodiffError as E;

fn pair(values: [f64; 2]) -> Tensor {
    Tensor::from_vec([2], values.to_vec()).unwrap()
}

fn mismatch(expected: &[usize], actual: &[usize]) -> E {
    E::SeedShapeMismatch { expected: expected.into(), actual: actual.into() }
}

/// Notes how many nodes the lists of a pass have room for.
struct Room;

impl PassObserver for Room {
    type Record = usize;
    fn complete(self, _: GraphRetention, topology: &Topology) -> Result<usize, E> {
        Ok(topology.nodes.capacity())
    }
}

/// The steps of a pass refuse in their order, the first that has a reason; nothing is written or
/// released before the last of them is through, and then everything is.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(pair([2.0, f64::MAX / 8.0])).unwrap();
    let q = TensorValue::parameter(pair([1.0, 4.0])).unwrap();
    let inner = p.mul(&q).unwrap();
    let y = inner.add(&p).unwrap();
    let gradients = || [&p, &q].map(|it| it.gradient().unwrap().as_slice().to_vec());
    let refusal = |output: &TensorValue, seed: &Tensor| {
        let before = gradients();
        let error = output.backward_with_seed(&seed.view(), Release).unwrap_err();
        assert_eq!(gradients(), before);
        error
    };
    let three = Tensor::filled([3], f64::NAN).unwrap();
    let infinite = pair([1.0, f64::INFINITY]);

    // Inside out: every fault is joined by the one that is checked before it.
    p.backward_with_seed(&pair([f64::MAX, 0.5]).view(), Retain).unwrap();
    let guard = q.gradient().unwrap();
    assert_eq!(refusal(&y, &pair([1.0, 1.0])), E::GradientBorrowed);
    let error = refusal(&y, &pair([f64::MAX / 4.0, 1.0]));
    let (stored, pass_adjoint) = (f64::MAX, f64::MAX / 2.0);
    let expected = E::NonFiniteAccumulatedGradient { node: 0, index: 0, stored, pass_adjoint };
    assert_eq!(error, expected);
    let too_large = pair([f64::MAX / 2.0, 10.0]);
    let error = refusal(&y, &too_large);
    let value = f64::INFINITY;
    let expected = E::NonFiniteVjp { child: 2, parent: 1, operand: 1, index: 1, value };
    assert_eq!(error, expected);
    drop(guard);
    p.set_value(pair([2.0, 3.0])).unwrap();
    assert!(matches!(refusal(&y, &too_large), E::StaleOperandValue { child: 3, .. }));
    assert_eq!(refusal(&y, &infinite), E::NonFiniteSeed { index: 1, value });
    let error = refusal(&y, &pair([f64::NAN, 1.0]));
    assert!(matches!(error, E::NonFiniteSeed { index: 0, value } if value.is_nan()));
    assert_eq!(refusal(&y, &three), mismatch(&[2], &[3]));
    assert_eq!(refusal(&y, &Tensor::scalar(1.0)), mismatch(&[2], &[]));
    let as_many = Tensor::filled([1, 2], 1.0).unwrap();
    assert_eq!(refusal(&y, &as_many), mismatch(&[2], &[1, 2]));
    assert!(!y.is_released() && !inner.is_released());
    let inner = p.mul(&q).unwrap();
    let y = inner.add(&p).unwrap();
    inner.backward_with_seed(&pair([0.0, 0.0]).view(), Release).unwrap();
    assert_eq!(refusal(&y, &three), E::GraphReleased { operation: Multiply });
    assert_eq!(y.backward(), Err(mismatch(&[2], &[])));
    assert_eq!(inner.backward(), Err(E::GraphReleased { operation: Multiply }));
    let constant = TensorValue::constant(pair([1.0, 2.0])).unwrap();
    assert_eq!(constant.backward(), Err(E::UntrackedOutput { operation: Constant }));
    assert_eq!(refusal(&constant, &three), E::UntrackedOutput { operation: Constant });

    // A valid pass: zeros lose their sign, the record comes first, then writes, then the release.
    [&p, &q].iter().for_each(|it| it.zero_grad().unwrap());
    let y = p.add(&q).unwrap();
    let pass = y.backward_with_seed_and_trace(&pair([-0.0, 6.0]).view(), Retain).unwrap();
    assert_eq!(pass.seed.as_slice()[0].to_bits(), 0);
    assert_eq!(pass.nodes[1].accumulated_gradient, Some(pair([0.0, 6.0])));
    assert_eq!(gradients(), [[0.0, 6.0], [0.0, 6.0]]);
    assert_eq!(gradients().concat()[0].to_bits(), 0);
    assert!(!y.is_released());
    let half = Tensor::scalar(0.5);
    let spread = half.view().broadcast_to([2]).unwrap();
    let second = y.backward_with_seed_and_trace(&spread, Release).unwrap();
    assert_eq!(second.nodes[1].accumulated_gradient, Some(pair([0.5, 6.5])));
    assert_eq!(gradients(), [[0.5, 6.5], [0.5, 6.5]]);
    assert!(y.is_released());
    assert_eq!(refusal(&y, &three), E::GraphReleased { operation: Add });
    let scalar = TensorValue::parameter(half).unwrap();
    scalar.backward().unwrap();
    // One element is not yet a scalar.
    let one = TensorValue::parameter(Tensor::filled([1], 0.5).unwrap()).unwrap();
    assert_eq!(one.backward(), Err(mismatch(&[1], &[])));
    assert_eq!(scalar.gradient_snapshot(), Some(Tensor::scalar(1.0)));

    // The lists of a long pass serve the short one after it.
    let long = (0..20).fold(scalar.clone(), |value, _| value.add(&scalar).unwrap());
    let room = long.reverse_pass(None, Retain, Room).unwrap();
    assert!(room > 20);
    assert_eq!(scalar.reverse_pass(None, Retain, Room), Ok(room));
}
