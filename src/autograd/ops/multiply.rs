use super::super::record::{record, refuse_released};
use super::super::{TensorAutodiffError, TensorOperation, TensorSavedContext, TensorValue};
use super::broadcast::broadcast_vjp;
use crate::tensor::{kernels, reduced_axes, Axes, Computed, Shape, Tensor};
use std::borrow::Cow;

// ANCHOR: tensor-multiply
impl TensorValue {
    /// Elementwise product.
    ///
    /// Shapes: `x` and `y` broadcast to the shape of `z`, aligned at the last axis.
    ///
    /// Formula: `z[i] = x[i] * y[i]`.
    ///
    /// VJP: `x` receives the adjoint of `z` times `y`, summed over the axes along which `x` was
    /// expanded; `y` likewise. Each edge saves the other factor's primal and shapes.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::ReleasedOperand`], [`TensorAutodiffError::Operation`]
    /// if the shapes do not fit, [`TensorAutodiffError::NonFiniteForward`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pullback::{Tensor, TensorAutodiffError, TensorValue};
    ///
    /// let x = TensorValue::parameter(Tensor::scalar(3.0))?;
    /// let square = x.mul(&x)?; // two edges to one node
    /// square.backward()?;
    /// assert_eq!(x.gradient().unwrap().as_slice(), [6.0]);
    ///
    /// let huge = TensorValue::constant(Tensor::scalar(f64::MAX))?;
    /// let error = x.mul(&huge).unwrap_err();
    /// assert!(matches!(error, TensorAutodiffError::NonFiniteForward { index: 0, .. }));
    /// # Ok::<(), TensorAutodiffError>(())
    /// ```
    pub fn mul(&self, other: &TensorValue) -> Result<TensorValue, TensorAutodiffError> {
        let operands = [self, other];
        refuse_released(TensorOperation::Multiply, operands)?;
        let computed = self.value().multiply_computed(&other.value())?;
        record(TensorOperation::Multiply, computed, operands, |slot, output_shape| {
            TensorSavedContext::Multiply {
                other: operands[1 - slot].value_snapshot(),
                input_shape: operands[slot].shape_list().clone(),
                output_shape: output_shape.clone(),
                reduced_axes: reduced_axes(operands[slot].shape_list(), output_shape),
            }
        })
    }
}
// ANCHOR_END: tensor-multiply

// ANCHOR: tensor-multiply-vjp
/// `upstream ⊙ other`, then reversed like a broadcast where the factor was expanded. An adjoint
/// that nobody else holds is multiplied in place, if both are written out and of one shape.
pub(in super::super) fn multiply_vjp(
    mut upstream: Cow<'_, Tensor>,
    other: &Tensor,
    input_shape: &Shape,
    reduced_axes: Axes,
) -> Result<Computed, TensorAutodiffError> {
    let in_place = match &mut upstream {
        Cow::Owned(own) => own
            .factor_mut(other)
            .map(|adjoint| kernels::multiply_assign_unsigned_zero(adjoint, other.as_slice())),
        Cow::Borrowed(_) => None,
    };
    let product = match in_place {
        Some(finite) => Computed { tensor: upstream.into_owned(), finite },
        None => upstream.multiply_unsigned_zero(other)?,
    };
    if reduced_axes.is_empty() {
        return Ok(product);
    }
    broadcast_vjp(product.tensor, input_shape, reduced_axes)
}
// ANCHOR_END: tensor-multiply-vjp

#[cfg(test)]
#[path = "../../../tests/listings/tensor-multiply.rs"]
mod check_tensor_multiply;

#[cfg(test)]
#[path = "../../../tests/listings/tensor-multiply-vjp.rs"]
mod check_tensor_multiply_vjp;
