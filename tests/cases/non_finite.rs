//! Infinity and NaN are refused where they would arise, with the place and the value named.

use crate::support::oracle::Op;
use crate::support::*;
use pullback::{Tensor, TensorAutodiffError, TensorValue};

// micrograd accepts the NaN of inf * 0 silently.
#[test]
fn leaf_is_finite() {
    for bad in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let tensor = tensor(&[2, 2], &[0.0, 1.0, bad, bad]);
        for leaf in [TensorValue::parameter(tensor.clone()), TensorValue::constant(tensor.clone())]
        {
            match leaf.expect_err("not finite") {
                TensorAutodiffError::NonFiniteLeaf { index: 2, value } => {
                    assert_eq!(value.to_bits(), bad.to_bits());
                }
                other => panic!("{other}"),
            }
        }
    }
    for extreme in [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -0.0] {
        assert!(TensorValue::parameter(Tensor::scalar(extreme)).is_ok());
    }
}

// pytorch/pytorch#17455, pytorch/pytorch#21212: a masked NaN still poisons. Here no value that
// could be multiplied by a mask's 0 is ever infinite: each operation refuses its own overflow.
#[test]
fn forward_result_is_finite() -> Outcome {
    let big = parameter(&[2, 2], &[1.0, f64::MAX, f64::MAX, -1.0]);
    let (flat, two) = (big.reshape([4])?, number(2.0));
    let attempts: [(Op, Vec<&TensorValue>, usize); 5] = [
        (Op::Add, vec![&big, &big], 1),
        (Op::Mul, vec![&big, &big], 1),
        (Op::Mul, vec![&two, &big], 1),
        (Op::Sum(0, false), vec![&flat], 0),
        (Op::Mean(0, true), vec![&flat], 0),
    ];
    for (op, operands, at) in attempts {
        match refused(&[&big, &flat], || op.apply(&operands)) {
            TensorAutodiffError::NonFiniteForward { operation, index, value } => {
                assert_eq!((&operation.to_string()[..], index), (op.name(), at));
                assert_eq!(value, f64::INFINITY);
            }
            other => panic!("{other}"),
        }
    }
    let mask = constant(&[2, 2], &[1.0, 0.0, 0.0, 1.0]);
    let y = total(&big.mul(&mask)?)?;
    assert_eq!(values(&y), [0.0]);
    releasing(&y, &[1.0])?;
    assert_gradient(&big, &[1.0, 0.0, 0.0, 1.0]);
    Ok(())
}

// PyTorch's anomaly mode lets an infinite gradient pass: it looks for NaN only.
#[test]
fn contribution_is_finite() -> Outcome {
    let x = parameter(&[2], &[1.0, 1.0]);
    let y = x.mul(&constant(&[2], &[1.0, 1e200]))?;
    match refused(&[&x, &y], || releasing(&y, &[1e200, -1e200])) {
        TensorAutodiffError::NonFiniteVjp { child, parent, operand, index, value } => {
            assert_eq!((child, parent, operand, index), (2, 0, 0, 1));
            assert_eq!(value, f64::NEG_INFINITY);
        }
        other => panic!("{other}"),
    }
    releasing(&y, &[1e200, 1.0])?;
    assert_gradient(&x, &[1e200, 1e200]);
    Ok(())
}

// Sums inside a pullback count too: a bias collects more adjoints than fit.
#[test]
fn summed_contribution_is_finite() -> Outcome {
    let bias = parameter(&[2], &[1.0, 1.0]);
    let y = constant(&[3, 2], &[0.0; 6]).add(&bias)?;
    let seed = [1.0, f64::MAX, 1.0, f64::MAX, 1.0, f64::MAX];
    match refused(&[&bias, &y], || releasing(&y, &seed)) {
        TensorAutodiffError::NonFiniteVjp { child, parent, operand, index, value } => {
            assert_eq!((child, parent, operand, index), (2, 1, 1, 1));
            assert_eq!(value, f64::INFINITY);
        }
        other => panic!("{other}"),
    }
    releasing(&y, &[1.0; 6])?;
    assert_gradient(&bias, &[3.0, 3.0]);
    Ok(())
}

#[test]
fn pass_adjoint_is_finite() -> Outcome {
    let one = number(1.0);
    // The first contribution to x may be the consumer's own adjoint, or elements of its own.
    let shared = |x: &TensorValue| x.add(x);
    let separate = |x: &TensorValue| x.mul(&one)?.mul(&one)?.add(&x.mul(&one)?);
    for graph in [&shared as &dyn Fn(&TensorValue) -> Attempt, &separate] {
        let (p, x) = (parameter(&[], &[1.0]), parameter(&[2], &[1.0, 1.0]));
        let y = graph(&x)?.add(&p)?;
        match refused(&[&p, &x, &y], || releasing(&y, &[0.5, f64::MAX])) {
            TensorAutodiffError::NonFinitePassAdjoint { node, index, previous, contribution } => {
                assert_eq!((node, index), (0, 1));
                assert_eq!((previous, contribution), (f64::MAX, f64::MAX));
            }
            other => panic!("{other}"),
        }
        releasing(&y, &[0.5, f64::MAX / 2.0])?;
        assert_gradient(&x, &[1.0, f64::MAX]);
    }
    Ok(())
}

#[test]
fn accumulated_gradient_is_finite() -> Outcome {
    // The first parameter's own sum is fine; it must not be written before the second's is checked.
    let (fine, full) = (parameter(&[], &[1.0]), parameter(&[2], &[1.0, 1.0]));
    retained(&full, &[1.0, f64::MAX])?;
    let y = full.add(&fine)?;
    match refused(&[&fine, &full, &y], || releasing(&y, &[1.0, f64::MAX / 2.0])) {
        TensorAutodiffError::NonFiniteAccumulatedGradient { node, index, stored, pass_adjoint } => {
            assert_eq!((node, index), (0, 1));
            assert_eq!((stored, pass_adjoint), (f64::MAX, f64::MAX / 2.0));
        }
        other => panic!("{other}"),
    }
    let y = fine.add(&full)?;
    match refused(&[&fine, &full, &y], || releasing(&y, &[1.0, f64::MAX / 2.0])) {
        TensorAutodiffError::NonFiniteAccumulatedGradient { node: 1, index: 1, .. } => {}
        other => panic!("{other}"),
    }
    full.zero_grad()?;
    releasing(&y, &[1.0, f64::MAX / 2.0])?;
    assert_gradient(&full, &[1.0, f64::MAX / 2.0]);
    Ok(())
}

// Within one pass, edges fail before sums into stored gradients, and a seed before both.
#[test]
fn first_failure_in_order_wins() -> Outcome {
    let x = parameter(&[], &[1.0]);
    retained(&x, &[f64::MAX])?;
    let y = x.mul(&number(2.0))?;
    let errors = [f64::NAN, f64::MAX, f64::MAX / 4.0]
        .map(|seed| refused(&[&x, &y], || releasing(&y, &[seed])));
    assert!(matches!(errors[0], TensorAutodiffError::NonFiniteSeed { .. }), "{}", errors[0]);
    assert!(matches!(errors[1], TensorAutodiffError::NonFiniteVjp { .. }), "{}", errors[1]);
    assert!(
        matches!(errors[2], TensorAutodiffError::NonFiniteAccumulatedGradient { .. }),
        "{}",
        errors[2]
    );
    // And a borrowed gradient is noticed last, a stale value before all arithmetic.
    let guard = x.gradient();
    let error = refused(&[&y], || releasing(&y, &[f64::MAX]));
    assert!(matches!(error, TensorAutodiffError::NonFiniteVjp { .. }), "{error}");
    assert_eq!(releasing(&y, &[-1.0]), Err(TensorAutodiffError::GradientBorrowed));
    drop(guard);
    x.update_value(|values| values[0] = 2.0)?;
    let error = refused(&[&x, &y], || releasing(&y, &[f64::MAX]));
    assert!(matches!(error, TensorAutodiffError::StaleOperandValue { .. }), "{error}");
    let error = refused(&[&x, &y], || releasing(&y, &[f64::NAN]));
    assert!(matches!(error, TensorAutodiffError::NonFiniteSeed { .. }), "{error}");
    Ok(())
}
