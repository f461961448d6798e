//! Inputs with known right values, taken from public test suites, bug reports and questions about
//! other engines. Each comment `owner/repository#number` names the report; each test is named after
//! the kind of fault that it found there.

mod support;

#[path = "cases/broadcasting.rs"]
mod broadcasting;
#[path = "cases/depth.rs"]
mod depth;
#[path = "cases/known_values.rs"]
mod known_values;
#[path = "cases/lifecycle.rs"]
mod lifecycle;
#[path = "cases/non_finite.rs"]
mod non_finite;
#[path = "cases/numerical_checks.rs"]
mod numerical_checks;
#[path = "cases/reuse.rs"]
mod reuse;
#[path = "cases/seeds.rs"]
mod seeds;
#[path = "cases/updates.rs"]
mod updates;
#[path = "cases/views.rs"]
mod views;

use pullback::TensorValue;
use support::{assert_gradient, gradient, releasing, retained, total, Attempt};

/// The adjoint a case starts from.
enum Seed<'a> {
    /// 1, after all elements of the result are added up.
    Sum,
    /// These numbers, in the result's shape.
    Of(&'a [f64]),
}

/// Builds a graph over parameters, runs a pass and compares each parameter's gradient exactly; a
/// second pass must double it. Returns the result, before any summing up.
#[track_caller]
fn check<const N: usize>(
    leaves: [TensorValue; N],
    graph: impl Fn([&TensorValue; N]) -> Attempt,
    seed: Seed<'_>,
    expected: [&[f64]; N],
) -> TensorValue {
    let result = graph(leaves.each_ref()).expect("a legal graph");
    let (output, seed) = match seed {
        Seed::Sum => (total(&result).expect("a legal sum"), &[1.0][..]),
        Seed::Of(seed) => (result.clone(), seed),
    };
    retained(&output, seed).expect("a legal pass");
    for (leaf, expected) in leaves.iter().zip(expected) {
        assert_gradient(leaf, expected);
    }
    releasing(&output, seed).expect("a second pass over the retained graph");
    for (leaf, expected) in leaves.iter().zip(expected) {
        let doubled: Vec<f64> = expected.iter().map(|value| 2.0 * value).collect();
        assert_gradient(leaf, &doubled);
    }
    result
}

/// Compares a gradient with a rounding error's tolerance, for cases whose right value is no float.
#[track_caller]
fn assert_close(leaf: &TensorValue, expected: &[f64]) {
    let actual = gradient(leaf);
    assert_eq!(actual.len(), expected.len());
    for (actual, expected) in actual.iter().zip(expected) {
        approx::assert_relative_eq!(*actual, *expected, max_relative = 1e-14, epsilon = 1e-15);
    }
}
