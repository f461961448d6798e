use super::super::record::{record, refuse_released};
use super::super::{TensorAutodiffError, TensorOperation, TensorSavedContext, TensorValue};
use crate::tensor::{
    broadcast_strides, common_shape, element_count, kernels, reduced_axes, Axes, Computed, Group,
    OffsetPlan, Shape, Tensor,
};

// ANCHOR: tensor-broadcast
impl TensorValue {
    /// Axes of extent 1, and missing leading axes, expanded to those of `shape`.
    ///
    /// Shapes: aligned at the last axis, each extent of `x` is the requested one or 1. It expands
    /// only.
    ///
    /// Formula: `z[i, j] = x[j]` for `[n]` to `[m, n]`, and so on.
    ///
    /// VJP: the adjoint of `z` summed over the expanded axes: an element that was read m times
    /// collects m adjoints. The edge saves both shapes and the reduced axes.
    ///
    /// Numerics: the adjoints of one element are added pairwise as far as they are neighbours or
    /// rows below each other; such groups are added one after the other, as where `[2, 1]` was
    /// expanded to `[m, 2, n]`.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::ReleasedOperand`]; [`TensorAutodiffError::Tensor`] if
    /// the shape overflows; [`TensorAutodiffError::Operation`] if two extents differ and neither is
    /// 1; [`TensorAutodiffError::BroadcastTargetMismatch`] if the shapes fit but `shape` is not
    /// what they broadcast to; [`TensorAutodiffError::Operation`] if there is no memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use pullback::{Tensor, TensorAutodiffError, TensorValue};
    ///
    /// let bias = TensorValue::parameter(Tensor::from_vec([3], vec![1.0, -1.0, 0.0])?)?;
    /// let bb = bias.broadcast_to([2, 3])?;
    /// assert_eq!(bb.value().as_slice(), [1.0, -1.0, 0.0, 1.0, -1.0, 0.0]);
    ///
    /// let error = bb.broadcast_to([3]).unwrap_err();
    /// assert!(matches!(error, TensorAutodiffError::BroadcastTargetMismatch { .. }));
    /// # Ok::<(), TensorAutodiffError>(())
    /// ```
    pub fn broadcast_to(
        &self,
        shape: impl AsRef<[usize]>,
    ) -> Result<TensorValue, TensorAutodiffError> {
        refuse_released(TensorOperation::Broadcast, [self])?;
        let requested = Shape::from(shape.as_ref());
        let elements = element_count(&requested)?;
        let inferred = common_shape("broadcast", self.shape(), &requested)?;
        if inferred != requested {
            let input = self.shape_list().clone();
            return Err(TensorAutodiffError::BroadcastTargetMismatch {
                input,
                requested,
                inferred,
            });
        }
        let computed =
            Computed { tensor: self.value().expand_to(requested, elements)?, finite: true };
        record(TensorOperation::Broadcast, computed, [self], |_, output_shape| {
            TensorSavedContext::Broadcast {
                input_shape: self.shape_list().clone(),
                output_shape: output_shape.clone(),
                reduced_axes: reduced_axes(self.shape_list(), output_shape),
            }
        })
    }
}
// ANCHOR_END: tensor-broadcast

// ANCHOR: tensor-broadcast-vjp
/// Sums the adjoint over the axes along which the input was expanded.
///
/// The walk goes over the adjoint in row-major order and projects each coordinate to the input
/// element that was read there: the input's own strides, and 0 along every reduced axis. Elements
/// that meet at one place are added.
pub(in super::super) fn broadcast_vjp(
    upstream: Tensor,
    input_shape: &Shape,
    reduced_axes: Axes,
) -> Result<Computed, TensorAutodiffError> {
    if reduced_axes.is_empty() {
        return Ok(Computed { tensor: upstream, finite: true });
    }
    let elements = element_count(input_shape)?;
    let strides = broadcast_strides(input_shape, upstream.shape());
    let plan = OffsetPlan::new(upstream.shape(), &strides, upstream.len(), elements)?;
    let write = |input: &mut [f64]| {
        input.fill(0.0);
        let mut rest = upstream.as_slice();
        plan.each_group(|start, &Group { length, repeats, .. }| {
            let (group, others) = rest.split_at(length * repeats);
            rest = others;
            if length == 1 {
                input[start] += kernels::sum(group);
            } else {
                kernels::add_rows(&mut input[start..start + length], group);
            }
        });
        kernels::all_finite(input)
    };
    let (tensor, finite) = Tensor::build_counted(input_shape, elements, write)?;
    Ok(Computed { tensor, finite })
}
// ANCHOR_END: tensor-broadcast-vjp

#[cfg(test)]
#[path = "../../../tests/listings/tensor-broadcast.rs"]
mod check_tensor_broadcast;

#[cfg(test)]
#[path = "../../../tests/listings/tensor-broadcast-vjp.rs"]
mod check_tensor_broadcast_vjp;
