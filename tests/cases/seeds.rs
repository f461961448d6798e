//! Empty tensors, scalars, and the adjoint that starts a pass.

use crate::support::*;
use pullback::{GraphRetention, TensorAutodiffError, TensorValue};

// pytorch/pytorch#15223, pytorch/pytorch PR#15796
#[test]
fn expansion_to_no_elements_gives_zero() -> Outcome {
    let p = parameter(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let y = total(&constant(&[4, 0], &[]).add(&p.reshape([4, 1])?)?)?;
    assert_eq!(bits(&values(&y)), [0]);
    releasing(&y, &[1.0])?;
    assert_positive_zero(&p);
    Ok(())
}

// pytorch/pytorch#34202, tinygrad/tinygrad PR#3108
#[test]
fn linear_layer_on_an_empty_batch() -> Outcome {
    let w = parameter(&[3, 2], &ones(&[3, 2]));
    let y = product(&constant(&[0, 3], &[]), &w)?;
    assert_eq!(y.shape(), [0, 2]);
    releasing(&total(&y)?, &[1.0])?;
    assert_positive_zero(&w);
    Ok(())
}

fn assert_seed_mismatch(error: &TensorAutodiffError, expected: &[usize], actual: &[usize]) {
    match error {
        TensorAutodiffError::SeedShapeMismatch { expected: output, actual: seed } => {
            assert_eq!((&output[..], &seed[..]), (expected, actual));
        }
        other => panic!("{other}"),
    }
}

// jalola/improved-wgan-pytorch#11, caogang/wgan-gp#42
#[test]
fn seed_of_shape_one_does_not_fit_a_scalar() -> Outcome {
    let x = parameter(&[2], &[1.0, 2.0]);
    let y = total(&x.mul(&x)?)?;
    for (shape, values) in [(&[1][..], &[1.0][..]), (&[2], &[1.0, 1.0]), (&[0], &[])] {
        let seed = tensor(shape, values);
        for retention in [GraphRetention::Retain, GraphRetention::Release] {
            let error = refused(&[&x, &y], || y.backward_with_seed(&seed.view(), retention));
            assert_seed_mismatch(&error, &[], shape);
            let error =
                refused(&[&x, &y], || y.backward_with_seed_and_trace(&seed.view(), retention));
            assert_seed_mismatch(&error, &[], shape);
        }
    }
    y.backward()?;
    assert_gradient(&x, &[2.0, 4.0]);
    Ok(())
}

// burn and candle take a missing seed as ones.
#[test]
fn only_a_scalar_has_a_seed_of_its_own() -> Outcome {
    for shape in [&[2][..], &[1], &[1, 1], &[0], &[2, 3]] {
        let x = parameter(shape, &ones(shape));
        let y = x.add(&x)?;
        assert_seed_mismatch(&refused(&[&x, &y], || y.backward()), shape, &[]);
        assert_seed_mismatch(&refused(&[&x, &y], || y.backward_with_trace()), shape, &[]);
        retained(&y, &ones(shape))?;
        assert_gradient(&x, &vec![2.0; elements(shape)]);
    }
    Ok(())
}

// pytorch/pytorch#3303
#[test]
fn seed_read_through_a_stride_of_zero() -> Outcome {
    let a = parameter(&[3, 2], &counting(&[3, 2], 1.0));
    let y = a.mul(&constant(&[2], &[2.0, -3.0]))?.sum_axis(1, false)?;
    let one = tensor(&[], &[1.0]);
    let seed = one.view().broadcast_to([3])?;
    y.backward_with_seed(&seed, GraphRetention::Release)?;
    assert_gradient(&a, &[2.0, -3.0, 2.0, -3.0, 2.0, -3.0]);
    Ok(())
}

// A seed is read by its logical order, whatever its strides.
#[test]
fn seed_read_through_transposed_strides() -> Outcome {
    let x = parameter(&[2, 3], &counting(&[2, 3], 1.0));
    let stored = tensor(&[3, 2], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    x.backward_with_seed(&stored.view().transpose(0, 1)?, GraphRetention::Retain)?;
    assert_gradient(&x, &counting(&[2, 3], 1.0));
    Ok(())
}

// A gradient that is lent out as the seed is still lent out when it should be written.
#[test]
fn seed_borrowed_from_a_gradient_or_a_value() -> Outcome {
    let x = parameter(&[2], &[2.0, 3.0]);
    let y = x.mul(&x)?;
    retained(&y, &[1.0, 1.0])?;
    let guard = x.gradient().expect("a gradient");
    let error = y.backward_with_seed(&guard.view(), GraphRetention::Release);
    assert_eq!(error, Err(TensorAutodiffError::GradientBorrowed));
    drop(guard);
    assert_gradient(&x, &[4.0, 6.0]);
    let snapshot = x.gradient_snapshot().expect("a gradient");
    y.backward_with_seed(&snapshot.view(), GraphRetention::Retain)?;
    assert_gradient(&x, &[20.0, 42.0]);
    y.backward_with_seed(&x.value().view(), GraphRetention::Release)?;
    assert_gradient(&x, &[28.0, 60.0]);
    assert_eq!(snapshot.as_slice(), [4.0, 6.0]);
    Ok(())
}

#[test]
fn non_finite_seed_is_refused_at_its_first_bad_element() -> Outcome {
    let x = parameter(&[3], &[1.0, 2.0, 3.0]);
    let y = x.mul(&x)?;
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = refused(&[&x, &y], || releasing(&y, &[1.0, bad, bad]));
        match error {
            TensorAutodiffError::NonFiniteSeed { index: 1, value } => {
                assert_eq!(value.to_bits(), bad.to_bits());
            }
            other => panic!("{other}"),
        }
    }
    releasing(&y, &[1.0, 0.0, -1.0])?;
    assert_gradient(&x, &[2.0, 0.0, -6.0]);
    Ok(())
}

// A parameter is a legal output: the seed is its contribution.
#[test]
fn parameter_as_the_output_of_a_pass() -> Outcome {
    let x = parameter(&[2], &[1.0, 2.0]);
    retained(&x, &[3.0, -0.0])?;
    releasing(&x, &[0.5, -0.0])?;
    assert!(!x.is_released());
    assert_eq!(gradient_bits(&x), bits(&[3.5, 0.0]));
    let scalar = parameter(&[], &[5.0]);
    scalar.backward()?;
    assert_gradient(&scalar, &[1.0]);
    Ok(())
}

#[test]
fn output_that_tracks_nothing_is_refused() -> Outcome {
    let p = parameter(&[], &[2.0]);
    let c = number(3.0);
    let untracked: [TensorValue; 4] =
        [c.clone(), c.mul(&c)?, p.detach(), pullback::no_grad(|| p.mul(&p))?];
    for output in &untracked {
        let error = refused(&[&p, output], || output.backward());
        assert!(matches!(error, TensorAutodiffError::UntrackedOutput { .. }), "{error}");
    }
    Ok(())
}
