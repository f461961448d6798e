use super::{
    gradient_of, handwritten_fixed_shape_baseline, refusal_of, HandwrittenBaseline,
    WorkedExampleError,
};
use crate::{GraphRetention, Tensor, TensorAutodiffError, TensorBackwardPass, TensorValue};

// ANCHOR: frozen-tensor-example
/// Builds the worked graph and takes it through two retained passes, a zeroing, a releasing pass
/// and a refused one.
///
/// # Errors
///
/// [`WorkedExampleError`] if the tape refuses a step, or accepts the last one.
pub fn frozen_tensor_example() -> Result<FrozenTensorExample, WorkedExampleError> {
    let x = TensorValue::parameter(Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?)?;
    let bias = TensorValue::parameter(Tensor::from_vec([3], vec![1.0, -1.0, 0.0])?)?;
    let r = x.reshape([3, 2])?;
    let t = r.transpose(0, 1)?;
    let bb = bias.broadcast_to([2, 3])?;
    let z = t.add(&bb)?;
    let q = z.mul(&z)?;
    let y = q.mean_axis(1, false)?;

    let names = ["x", "r", "t", "bias", "bb", "z", "q", "y"];
    let values = [&x, &r, &t, &bias, &bb, &z, &q, &y];
    let nodes = names
        .into_iter()
        .zip(values)
        .map(|(name, node)| NamedTensor { name, value: node.value_snapshot() })
        .collect();

    let gradients = || -> Result<ParameterGradients, WorkedExampleError> {
        Ok(ParameterGradients { x: gradient_of(&x)?, bias: gradient_of(&bias)? })
    };
    let seed = Tensor::from_vec([2], vec![3.0, 6.0])?;
    let first_pass = y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain)?;
    let first = gradients()?;
    y.backward_with_seed(&seed.view(), GraphRetention::Retain)?;
    let repeated = gradients()?;
    x.zero_grad()?;
    bias.zero_grad()?;
    let zeroed = gradients()?;
    y.backward_with_seed(&seed.view(), GraphRetention::Release)?;
    let after_zero_and_release = gradients()?;
    let released_error = refusal_of(y.backward_with_seed(&seed.view(), GraphRetention::Release))?;
    let released_gradients_unchanged = gradients()? == after_zero_and_release;

    Ok(FrozenTensorExample {
        nodes,
        seed,
        baseline: handwritten_fixed_shape_baseline(),
        first_pass,
        first,
        repeated,
        zeroed,
        after_zero_and_release,
        released_error,
        released_gradients_unchanged,
    })
}
// ANCHOR_END: frozen-tensor-example

// ANCHOR: frozen-tensor-records
/// A node of the worked graph: its name in the text and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTensor {
    /// The name in the text.
    pub name: &'static str,
    /// The primal.
    pub value: Tensor,
}

/// The stored gradients of the two parameters at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterGradients {
    /// Gradient of `x`, shape `[2, 3]`.
    pub x: Tensor,
    /// Gradient of `bias`, shape `[3]`.
    pub bias: Tensor,
}

/// The worked graph through its whole life.
#[derive(Debug, Clone, PartialEq)]
pub struct FrozenTensorExample {
    /// The eight nodes in topological order: x, r, t, bias, bb, z, q, y.
    pub nodes: Vec<NamedTensor>,
    /// The adjoint given to `y`.
    pub seed: Tensor,
    /// The same numbers without a tape.
    pub baseline: HandwrittenBaseline,
    /// The record of the first pass.
    pub first_pass: TensorBackwardPass,
    /// After the first, retained pass.
    pub first: ParameterGradients,
    /// After a second retained pass.
    pub repeated: ParameterGradients,
    /// After `zero_grad`.
    pub zeroed: ParameterGradients,
    /// After one more pass, which releases the graph.
    pub after_zero_and_release: ParameterGradients,
    /// What yet another pass returns.
    pub released_error: TensorAutodiffError,
    /// Whether that refusal left both stored gradients as they were.
    pub released_gradients_unchanged: bool,
}
// ANCHOR_END: frozen-tensor-records

#[cfg(test)]
#[path = "../../tests/listings/frozen-tensor-example.rs"]
mod check_frozen_tensor_example;
#[cfg(test)]
#[path = "../../tests/listings/frozen-tensor-records.rs"]
mod check_frozen_tensor_records;
