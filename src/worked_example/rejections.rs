use super::{gradient_of, refusal_of, WorkedExampleError};
use crate::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};

// ANCHOR: typed-error-example
/// One refused pass and what it left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct AtomicTensorError {
    /// What the pass returned.
    pub error: TensorAutodiffError,
    /// Whether every stored gradient has the bits it had.
    pub gradients_unchanged: bool,
    /// Whether the graph is in the state it was in: it runs a valid pass, or is still released.
    pub graph_unchanged: bool,
}

/// Four refused passes.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedErrorExample {
    /// A seed of shape `[1]` for an output of shape `[2]`.
    pub seed_shape: AtomicTensorError,
    /// A seed with a NaN at index 1.
    pub nonfinite_seed: AtomicTensorError,
    /// A second pass after a releasing one.
    pub graph_released: AtomicTensorError,
    /// Two seeds of `f64::MAX` into one stored gradient.
    pub nonfinite_accumulation: AtomicTensorError,
    /// Whether all four left gradients and graph alone.
    pub all_unchanged: bool,
}

impl TypedErrorExample {
    fn of(refusals: [AtomicTensorError; 4]) -> Self {
        let unchanged = |one: &AtomicTensorError| one.gradients_unchanged && one.graph_unchanged;
        let all_unchanged = refusals.iter().all(unchanged);
        let [seed_shape, nonfinite_seed, graph_released, nonfinite_accumulation] = refusals;
        Self { seed_shape, nonfinite_seed, graph_released, nonfinite_accumulation, all_unchanged }
    }
}

/// Provokes four refusals and proves after each that nothing changed.
///
/// # Errors
///
/// [`WorkedExampleError`] if the tape accepts one of the four or refuses a valid step.
pub fn typed_error_example() -> Result<TypedErrorExample, WorkedExampleError> {
    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0])?)?;
    let square = p.mul(&p)?;
    let valid = Tensor::from_vec([2], vec![1.0, 1.0])?;
    let short = Tensor::from_vec([1], vec![1.0])?;
    let seed_shape = refused(&p, || releasing(&square, &short), || runs(&square, &valid))?;
    let nan = Tensor::from_vec([2], vec![1.0, f64::NAN])?;
    let nonfinite_seed = refused(&p, || releasing(&square, &nan), || runs(&square, &valid))?;

    let mean = p.mul(&p)?.mean_axis(0, false)?;
    releasing(&mean, &Tensor::scalar(1.0))?;
    let graph_released = refused(&p, || mean.backward(), || mean.is_released())?;

    // A parameter leaf is an output like any other: its pass adjoint is the seed.
    let leaf = TensorValue::parameter(Tensor::from_vec([1], vec![1.0])?)?;
    let largest = Tensor::from_vec([1], vec![f64::MAX])?;
    releasing(&leaf, &largest)?;
    let zero = Tensor::zeros([1])?;
    let nonfinite_accumulation =
        refused(&leaf, || releasing(&leaf, &largest), || runs(&leaf, &zero))?;

    let refusals = [seed_shape, nonfinite_seed, graph_released, nonfinite_accumulation];
    Ok(TypedErrorExample::of(refusals))
}
// ANCHOR_END: typed-error-example

// ANCHOR: typed-error-proof
/// A pass that must be refused, with proof that the gradient of `parameter` has the bits it had;
/// `graph_unchanged` then looks at the graph.
fn refused(
    parameter: &TensorValue,
    pass: impl FnOnce() -> Result<(), TensorAutodiffError>,
    graph_unchanged: impl FnOnce() -> bool,
) -> Result<AtomicTensorError, WorkedExampleError> {
    let before = bits(parameter)?;
    let error = refusal_of(pass())?;
    let gradients_unchanged = bits(parameter)? == before;
    Ok(AtomicTensorError { error, gradients_unchanged, graph_unchanged: graph_unchanged() })
}

/// Asks for a release, so that a refusal that releases anything shows in the next pass.
fn releasing(output: &TensorValue, seed: &Tensor) -> Result<(), TensorAutodiffError> {
    output.backward_with_seed(&seed.view(), GraphRetention::Release)
}

/// Whether the graph of `output` accepts a valid pass. It keeps the graph for the next proof.
fn runs(output: &TensorValue, valid_seed: &Tensor) -> bool {
    output.backward_with_seed(&valid_seed.view(), GraphRetention::Retain).is_ok()
}

/// The stored gradient bit by bit: `==` on floats would not tell -0.0 from +0.0.
fn bits(parameter: &TensorValue) -> Result<Vec<u64>, WorkedExampleError> {
    Ok(gradient_of(parameter)?.as_slice().iter().map(|element| element.to_bits()).collect())
}
// ANCHOR_END: typed-error-proof

#[cfg(test)]
#[path = "../../tests/listings/typed-error-example.rs"]
mod check_typed_error_example;

#[cfg(test)]
#[path = "../../tests/listings/typed-error-proof.rs"]
mod check_typed_error_proof;
