use super::{gradient_of, WorkedExampleError};
use crate::{Tensor, TensorValue};

// ANCHOR: tensor-autodiff-lifecycle-gradcheck
/// What detaching did to `sum(p ⊙ p + 10 · detach(p))`.
#[derive(Debug, Clone, PartialEq)]
pub struct DetachSumExample {
    /// The sum.
    pub value: f64,
    /// The gradient of `p`: only `p ⊙ p` has a way back.
    pub p_gradient: Tensor,
    /// The gradient of the detached node: it stores none.
    pub detached_gradient: Option<Tensor>,
    /// Whether the detached node is another node than `p`.
    pub detached_is_new_node: bool,
    /// Whether the detached node tracks a gradient.
    pub detached_tracks_gradient: bool,
}

/// `p = [2, 3]`; the sum counts `p` once as a variable and ten times as a fixed number.
///
/// # Errors
///
/// [`WorkedExampleError`] if the tape refuses a step.
pub fn detach_sum_example() -> Result<DetachSumExample, WorkedExampleError> {
    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0])?)?;
    let ten = TensorValue::constant(Tensor::scalar(10.0))?;
    let detached = p.detach();
    let sum = p.mul(&p)?.add(&ten.mul(&detached)?)?.sum_axis(0, false)?;
    sum.backward()?;
    let value = sum.value().as_slice().iter().sum();
    Ok(DetachSumExample {
        value,
        p_gradient: gradient_of(&p)?,
        detached_gradient: detached.gradient_snapshot(),
        detached_is_new_node: !detached.is_same_node(&p),
        detached_tracks_gradient: detached.tracks_gradient(),
    })
}
// ANCHOR_END: tensor-autodiff-lifecycle-gradcheck

#[cfg(test)]
#[path = "../../tests/listings/tensor-autodiff-lifecycle-gradcheck.rs"]
mod check_tensor_autodiff_lifecycle_gradcheck;
