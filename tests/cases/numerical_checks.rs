//! What goes wrong with a check by differences, tried on gradients of the tape.

use crate::support::*;
use pullback::gradcheck::{CentralDifferences, GradcheckReport};
use pullback::{Tensor, TensorValue};

/// The tape's gradient of the sum of `graph` at `point`, checked with differences of `objective`.
fn checked(
    settings: CentralDifferences,
    point: &Tensor,
    graph: impl Fn(&TensorValue) -> Attempt,
    objective: impl Fn(&[f64]) -> f64,
) -> GradcheckReport {
    let x = TensorValue::parameter(point.clone()).expect("finite values");
    releasing(&total(&graph(&x).expect("a legal graph")).expect("a sum"), &[1.0]).expect("a pass");
    let gradient = x.gradient_snapshot().expect("a gradient");
    settings.check(point, &gradient, objective).expect("a usable check")
}

fn cubes(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x * x).sum()
}

fn cube(x: &TensorValue) -> Attempt {
    x.mul(x)?.mul(x)
}

// jax-ml/jax#7742, jax-ml/jax PR#39821: a fixed step of 1e-4 vanishes beside a large value and
// swallows a small one.
#[test]
fn step_follows_the_size_of_the_value() {
    for size in [1e8, 1.0, 1e-8] {
        let settings =
            CentralDifferences { scale: size, absolute_tolerance: 0.0, ..Default::default() };
        let point = tensor(&[2], &[size, -2.0 * size]);
        let report = checked(settings, &point, cube, cubes);
        assert!(report.passed(), "{size}: {report:?}");
        assert_eq!(report.coordinates.len(), 2);
        for coordinate in &report.coordinates {
            let moved = coordinate.step / size;
            assert!((1e-7..1e-4).contains(&moved), "{coordinate:?}");
        }
    }
}

/// |f(x + h d) - f(x) - h <gradient, d>| for f = the sum of cubes.
fn remainder(point: &[f64], gradient: &[f64], direction: &[f64], step: f64) -> f64 {
    let moved: Vec<f64> = point.iter().zip(direction).map(|(x, d)| x + step * d).collect();
    let slope: f64 = gradient.iter().zip(direction).map(|(g, d)| g * d).sum();
    (cubes(&moved) - cubes(point) - step * slope).abs()
}

// pasteurlabs/tesseract-core#740, pasteurlabs/tesseract-core#706: no single step fits every scale.
// Halving the step divides the remainder of a right gradient by four, of a wrong one by two.
#[test]
fn remainder_shrinks_with_the_square_of_the_step() -> Outcome {
    let point = [0.7, -1.3, 2.1];
    let direction = [1.0, 0.5, -0.25];
    let x = parameter(&[3], &point);
    releasing(&cube(&x)?, &[1.0; 3])?;
    let right = gradient(&x);
    let mut wrong = right.clone();
    wrong[1] *= 1.01;
    for exponent in 3..14 {
        let step = 0.5_f64.powi(exponent);
        let slope = |gradient: &[f64]| {
            let at = |step| remainder(&point, gradient, &direction, step);
            (at(step) / at(step / 2.0)).log2()
        };
        assert!((1.9..2.1).contains(&slope(&right)), "step {step}: {}", slope(&right));
        // The wrong part takes over once the step is small.
        assert!(exponent < 11 || slope(&wrong) < 1.2, "step {step}: {}", slope(&wrong));
    }
    Ok(())
}

// CharlesShang/DCNv2#13, pytorch/pytorch#114217: in single precision a check fails right rules, or
// needs a tolerance that passes wrong ones. In double precision it tells the two apart.
#[test]
fn double_precision_tells_rounded_gradients_from_right_ones() -> Outcome {
    let point = tensor(&[3], &[0.7, -1.3, 2.1]);
    let settings = CentralDifferences {
        relative_tolerance: 2e-9,
        absolute_tolerance: 0.0,
        ..Default::default()
    };
    assert!(checked(settings, &point, cube, cubes).passed());
    let x = TensorValue::parameter(point.clone())?;
    releasing(&cube(&x)?, &[1.0; 3])?;
    let rounded: Vec<f64> = gradient(&x).iter().map(|&value| f64::from(value as f32)).collect();
    let report = settings.check(&point, &tensor(&[3], &rounded), cubes).expect("a usable check");
    assert!(!report.passed());
    Ok(())
}

// tinygrad/tinygrad PR#17758: random inputs never hit 0 or a tie. These do.
#[test]
fn zeros_and_ties_are_among_the_points() {
    let point = tensor(&[2, 3], &[0.0, -0.0, 1.0, 1.0, 0.0, 1.0]);
    let settings = CentralDifferences::default();
    let report = checked(settings, &point, cube, cubes);
    assert!(report.passed(), "{report:?}");
    // Rows against each other: x[0] * x[1], summed, with equal elements in both slots.
    let product_of_axes = |x: &TensorValue| {
        let left = x.reshape([1, 2, 3])?.broadcast_to([2, 2, 3])?;
        left.mul(&x.reshape([2, 1, 3])?)?.mean_axis(2, false)
    };
    let by_loops = |x: &[f64]| {
        let mut sum = 0.0;
        for (one, other) in [(0, 0), (0, 3), (3, 0), (3, 3)] {
            sum += (0..3).map(|column| x[one + column] * x[other + column]).sum::<f64>() / 3.0;
        }
        sum
    };
    let report = checked(settings, &point, product_of_axes, by_loops);
    assert!(report.passed(), "{report:?}");
}

// HomericIntelligence/Odyssey PR#2082: the perturbed copy shared storage with the original.
#[test]
fn check_works_on_an_independent_copy() {
    let point = tensor(&[4], &[1.0, 2.0, 3.0, 4.0]);
    let sharing = TensorValue::parameter(point.clone()).expect("finite values");
    let report = checked(CentralDifferences::default(), &point, cube, |moved| {
        assert_eq!(point.as_slice(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(values(&sharing), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(moved.iter().zip(point.as_slice()).filter(|(one, two)| one != two).count(), 1);
        cubes(moved)
    });
    assert!(report.passed());
    assert_eq!(sharing.value_revision(), 0);
}

// A check that cannot fail proves nothing: a wrong sign, a lost factor, a lost second use.
#[test]
fn planted_faults_are_found() -> Outcome {
    let point = tensor(&[3], &[0.7, -1.3, 2.1]);
    let x = TensorValue::parameter(point.clone())?;
    let y = x.mul(&x)?.mean_axis(0, false)?;
    let objective = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>() / 3.0;
    releasing(&y, &[1.0])?;
    let right = gradient(&x);
    let passes = |gradient: Vec<f64>| {
        let gradient = tensor(&[3], &gradient);
        CentralDifferences::default().check(&point, &gradient, objective).expect("usable").passed()
    };
    assert!(passes(right.clone()));
    assert!(!passes(right.iter().map(|value| -value).collect()), "a wrong sign");
    assert!(!passes(right.iter().map(|value| 3.0 * value).collect()), "a mean that sums");
    assert!(!passes(right.iter().map(|value| value / 2.0).collect()), "one of two edges");
    let mut one = right.clone();
    one[2] += 1e-5;
    assert!(!passes(one), "one coordinate, one part in 100,000");
    Ok(())
}
