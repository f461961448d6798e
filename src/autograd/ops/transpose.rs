use super::super::record::{record, refuse_released};
use super::super::{TensorAutodiffError, TensorOperation, TensorSavedContext, TensorValue};
use crate::tensor::{Computed, Tensor};

// ANCHOR: tensor-transpose
impl TensorValue {
    /// Two axes swapped.
    ///
    /// Shapes: the extents of the two axes change places.
    ///
    /// Formula: `z[.., i, .., j, ..] = x[.., j, .., i, ..]`.
    ///
    /// VJP: the same two axes of the adjoint swapped again. The edge saves the axes and shapes.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::ReleasedOperand`], [`TensorAutodiffError::Operation`]
    /// if an axis is out of range, `first` before `second`.
    ///
    /// # Examples
    ///
    /// ```
    /// use pullback::{Tensor, TensorValue};
    ///
    /// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let x = TensorValue::parameter(x)?;
    /// let t = x.transpose(0, 1)?;
    /// assert_eq!(t.value().as_slice(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    ///
    /// let error = x.transpose(0, 2).unwrap_err();
    /// assert!(error.to_string().starts_with("transpose: axis 2 is out of range"));
    /// # Ok::<(), pullback::TensorAutodiffError>(())
    /// ```
    pub fn transpose(
        &self,
        first: usize,
        second: usize,
    ) -> Result<TensorValue, TensorAutodiffError> {
        refuse_released(TensorOperation::Transpose, [self])?;
        let computed = Computed { tensor: self.value().transpose(first, second)?, finite: true };
        record(TensorOperation::Transpose, computed, [self], |_, output_shape| {
            TensorSavedContext::Transpose {
                first_axis: first,
                second_axis: second,
                input_shape: self.shape_list().clone(),
                output_shape: output_shape.clone(),
            }
        })
    }
}

/// Swapping two axes twice changes nothing, so the swap is its own reversal.
pub(in super::super) fn transpose_vjp(
    upstream: &Tensor,
    first_axis: usize,
    second_axis: usize,
) -> Result<Computed, TensorAutodiffError> {
    Ok(Computed { tensor: upstream.transpose(first_axis, second_axis)?, finite: true })
}
// ANCHOR_END: tensor-transpose

#[cfg(test)]
#[path = "../../../tests/listings/tensor-transpose.rs"]
mod check_tensor_transpose;
