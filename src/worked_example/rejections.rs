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

/// Provokes four refusals and proves after each that nothing changed.
///
/// # Errors
///
/// [`WorkedExampleError`] if the tape accepts one of the four or refuses a valid step.
pub fn typed_error_example() -> Result<TypedErrorExample, WorkedExampleError> {
    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0])?)?;
    let square = p.mul(&p)?;
    let valid = Tensor::from_vec([2], vec![1.0, 1.0])?;
    let seed_shape = refused(&p, &square, &Tensor::from_vec([1], vec![1.0])?, &valid)?;
    let nan = Tensor::from_vec([2], vec![1.0, f64::NAN])?;
    let nonfinite_seed = refused(&p, &square, &nan, &valid)?;

    let mean = p.mul(&p)?.mean_axis(0, false)?;
    let one = Tensor::scalar(1.0);
    mean.backward_with_seed(&one.view(), GraphRetention::Release)?;
    let before = bits(&p)?;
    let error = refusal_of(mean.backward())?;
    let graph_unchanged = mean.is_released();
    let gradients_unchanged = bits(&p)? == before;
    let graph_released = AtomicTensorError { error, gradients_unchanged, graph_unchanged };

    // A parameter leaf is an output like any other: its pass adjoint is the seed.
    let leaf = TensorValue::parameter(Tensor::from_vec([1], vec![1.0])?)?;
    let largest = Tensor::from_vec([1], vec![f64::MAX])?;
    leaf.backward_with_seed(&largest.view(), GraphRetention::Retain)?;
    let zero = Tensor::zeros([1])?;
    let nonfinite_accumulation = refused(&leaf, &leaf, &largest, &zero)?;

    let all = [&seed_shape, &nonfinite_seed, &graph_released, &nonfinite_accumulation];
    let all_unchanged = all.iter().all(|one| one.gradients_unchanged && one.graph_unchanged);
    Ok(TypedErrorExample {
        seed_shape,
        nonfinite_seed,
        graph_released,
        nonfinite_accumulation,
        all_unchanged,
    })
}
// ANCHOR_END: typed-error-example

// ANCHOR: typed-error-proof
/// A pass that must be refused, and then a valid one that must be accepted.
fn refused(
    parameter: &TensorValue,
    output: &TensorValue,
    bad_seed: &Tensor,
    valid_seed: &Tensor,
) -> Result<AtomicTensorError, WorkedExampleError> {
    let before = bits(parameter)?;
    let pass = output.backward_with_seed(&bad_seed.view(), GraphRetention::Release);
    let error = refusal_of(pass)?;
    let gradients_unchanged = bits(parameter)? == before;
    let still_whole = !output.is_released();
    let next = output.backward_with_seed(&valid_seed.view(), GraphRetention::Retain);
    Ok(AtomicTensorError {
        error,
        gradients_unchanged,
        graph_unchanged: still_whole && next.is_ok(),
    })
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
