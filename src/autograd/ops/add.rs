use super::super::record::{record, refuse_released};
use super::super::{TensorAutodiffError, TensorOperation, TensorSavedContext, TensorValue};
use crate::tensor::reduced_axes;

// ANCHOR: tensor-forward-operations
impl TensorValue {
    /// Elementwise sum.
    ///
    /// Shapes: `x` and `y` broadcast to the shape of `z`, aligned at the last axis.
    ///
    /// Formula: `z[i] = x[i] + y[i]`.
    ///
    /// VJP: each operand receives the adjoint of `z`, summed over the axes along which it was
    /// expanded. A sum copies an adjoint; it does not divide it. Each edge saves shapes only.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::ReleasedOperand`], [`TensorAutodiffError::Operation`]
    /// if the shapes do not fit, [`TensorAutodiffError::NonFiniteForward`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pullback::{Tensor, TensorValue};
    ///
    /// let x = TensorValue::parameter(Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0])?)?;
    /// let bias = TensorValue::parameter(Tensor::from_vec([2], vec![10.0, 20.0])?)?;
    /// let z = x.add(&bias)?;
    /// assert_eq!(z.value().as_slice(), [11.0, 22.0, 13.0, 24.0]);
    /// z.sum_axis(0, false)?.sum_axis(0, false)?.backward()?;
    /// assert_eq!(bias.gradient().unwrap().as_slice(), [2.0, 2.0]);
    ///
    /// let three = TensorValue::constant(Tensor::zeros([3])?)?;
    /// let error = x.add(&three).unwrap_err();
    /// assert!(error.to_string().starts_with("add: shapes [2, 2] and [3] do not broadcast"));
    /// # Ok::<(), pullback::TensorAutodiffError>(())
    /// ```
    pub fn add(&self, other: &TensorValue) -> Result<TensorValue, TensorAutodiffError> {
        let operands = [self, other];
        refuse_released(TensorOperation::Add, operands)?;
        let computed = self.value().add_computed(&other.value())?;
        record(TensorOperation::Add, computed, operands, |slot, output_shape| {
            TensorSavedContext::Broadcast {
                input_shape: operands[slot].shape_list().clone(),
                output_shape: output_shape.clone(),
                reduced_axes: reduced_axes(operands[slot].shape_list(), output_shape),
            }
        })
    }
}
// ANCHOR_END: tensor-forward-operations

#[cfg(test)]
#[path = "../../../tests/listings/tensor-forward-operations.rs"]
mod check_tensor_forward_operations;
