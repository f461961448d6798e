use super::super::record::{record, refuse_released};
use super::super::{TensorAutodiffError, TensorOperation, TensorSavedContext, TensorValue};
use crate::tensor::{element_count, Computed, Shape, Tensor};

// ANCHOR: tensor-reshape
impl TensorValue {
    /// The same elements, in the same row-major order, under another shape.
    ///
    /// Shapes: any shape with as many elements. Rank 0 has one.
    ///
    /// Formula: `z` at flat position `k` is `x` at flat position `k`.
    ///
    /// VJP: the adjoint under the old shape. The edge saves both shapes. No element is copied,
    /// forward or back.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::ReleasedOperand`], [`TensorAutodiffError::Tensor`] if
    /// the shape overflows, [`TensorAutodiffError::Operation`] if it holds another number of
    /// elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use pullback::{Tensor, TensorValue};
    ///
    /// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let x = TensorValue::parameter(x)?;
    /// let r = x.reshape([3, 2])?;
    /// assert_eq!((r.shape(), r.value().as_slice()), (&[3, 2][..], x.value().as_slice()));
    ///
    /// let error = x.reshape([4]).unwrap_err();
    /// assert!(error.to_string().starts_with("reshape: from [2, 3] (6 elements) to [4]"));
    /// # Ok::<(), pullback::TensorAutodiffError>(())
    /// ```
    pub fn reshape(&self, shape: impl AsRef<[usize]>) -> Result<TensorValue, TensorAutodiffError> {
        refuse_released(TensorOperation::Reshape, [self])?;
        element_count(shape.as_ref())?;
        let computed = Computed { tensor: self.value().reshape(shape)?, finite: true };
        record(TensorOperation::Reshape, computed, [self], |_, output_shape| {
            TensorSavedContext::Reshape {
                input_shape: self.shape_list().clone(),
                output_shape: output_shape.clone(),
            }
        })
    }
}

/// The inverse of a reshape is a reshape.
pub(in super::super) fn reshape_vjp(
    upstream: Tensor,
    input_shape: &Shape,
) -> Result<Computed, TensorAutodiffError> {
    Ok(Computed { tensor: upstream.into_shape(input_shape.clone())?, finite: true })
}
// ANCHOR_END: tensor-reshape

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reshape.rs"]
mod check_tensor_reshape;
