use super::super::record::{record, refuse_released};
use super::super::{TensorAutodiffError, TensorOperation, TensorSavedContext, TensorValue};
use crate::tensor::{element_count, reduced_strides, Computed, Shape, Tensor};

// ANCHOR: tensor-reductions
impl TensorValue {
    /// Sum along one axis.
    ///
    /// Shapes: the axis is gone, or stays with extent 1 if `keep_dim`.
    ///
    /// Formula: `z[i] = Σ_k x[i, k]` for the last axis, and so on.
    ///
    /// VJP: every element along the axis receives the adjoint of its sum. The edge saves the axis,
    /// `keep_dim`, the divisor 1 and both shapes.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::ReleasedOperand`], [`TensorAutodiffError::Operation`]
    /// if the axis is out of range, [`TensorAutodiffError::NonFiniteForward`].
    ///
    /// # Numerics
    ///
    /// Long sums are pairwise. A sum over an empty axis is 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use pullback::{Tensor, TensorValue};
    ///
    /// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let x = TensorValue::parameter(x)?;
    /// assert_eq!(x.sum_axis(0, false)?.value().as_slice(), [5.0, 7.0, 9.0]);
    /// assert!(x.sum_axis(2, false).unwrap_err().to_string().starts_with("sum: axis 2"));
    /// # Ok::<(), pullback::TensorAutodiffError>(())
    /// ```
    pub fn sum_axis(
        &self,
        axis: usize,
        keep_dim: bool,
    ) -> Result<TensorValue, TensorAutodiffError> {
        refuse_released(TensorOperation::Sum, [self])?;
        let computed = self.value().sum_computed("sum", axis, keep_dim, 1.0)?;
        self.record_reduction(TensorOperation::Sum, computed, axis, keep_dim, 1.0)
    }

    /// Mean along one axis: the sum divided by the extent.
    ///
    /// Shapes, saved context: as for [`TensorValue::sum_axis`], with the extent as divisor.
    ///
    /// Formula: `z[i] = (Σ_k x[i, k]) / extent`.
    ///
    /// VJP: every element along the axis receives the adjoint of its mean divided by the extent.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::ReleasedOperand`], [`TensorAutodiffError::Operation`]
    /// if the axis is out of range or its extent is 0, [`TensorAutodiffError::NonFiniteForward`].
    ///
    /// # Numerics
    ///
    /// It divides: the mean of 1, 2 and 2 is 5 / 3, not 5 times a rounded third.
    ///
    /// # Examples
    ///
    /// ```
    /// use pullback::{Tensor, TensorValue};
    ///
    /// let x = TensorValue::parameter(Tensor::from_vec([3], vec![1.0, 2.0, 2.0])?)?;
    /// assert_eq!(x.mean_axis(0, false)?.value().as_slice(), [5.0 / 3.0]);
    /// let empty = TensorValue::constant(Tensor::zeros([0])?)?;
    /// assert!(empty.mean_axis(0, false).unwrap_err().to_string().starts_with("mean: axis 0"));
    /// # Ok::<(), pullback::TensorAutodiffError>(())
    /// ```
    pub fn mean_axis(
        &self,
        axis: usize,
        keep_dim: bool,
    ) -> Result<TensorValue, TensorAutodiffError> {
        refuse_released(TensorOperation::Mean, [self])?;
        let (computed, divisor) = self.value().mean_computed(axis, keep_dim)?;
        self.record_reduction(TensorOperation::Mean, computed, axis, keep_dim, divisor)
    }
}
// ANCHOR_END: tensor-reductions

// ANCHOR: tensor-reduction-vjp
impl TensorValue {
    fn record_reduction(
        &self,
        operation: TensorOperation,
        computed: Computed,
        axis: usize,
        keep_dim: bool,
        divisor: f64,
    ) -> Result<TensorValue, TensorAutodiffError> {
        record(operation, computed, [self], |_, output_shape| TensorSavedContext::Reduction {
            axis,
            keep_dim,
            divisor,
            input_shape: self.shape_list().clone(),
            output_shape: output_shape.clone(),
        })
    }
}

/// Expands the adjoint of a sum or mean back along the axis, divided.
///
/// The walk goes over the input in row-major order and projects each coordinate to the result it
/// went into: the result's strides, and 0 along the reduced axis. With or without `keep_dim` the
/// adjoint has the same elements in the same order.
pub(in super::super) fn reduction_vjp(
    upstream: Tensor,
    axis: usize,
    divisor: f64,
    input_shape: &Shape,
) -> Result<Computed, TensorAutodiffError> {
    let divided = upstream.divided_unsigned_zero(divisor)?;
    let (elements, strides) = (element_count(input_shape)?, reduced_strides(input_shape, axis));
    let tensor = Tensor::repeated(&divided.tensor, input_shape.clone(), elements, strides)?;
    Ok(Computed { tensor, finite: divided.finite })
}
// ANCHOR_END: tensor-reduction-vjp

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reductions.rs"]
mod check_tensor_reductions;

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reduction-vjp.rs"]
mod check_tensor_reduction_vjp;
