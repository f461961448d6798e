use super::ops::{broadcast_vjp, multiply_vjp, reduction_vjp, reshape_vjp, transpose_vjp};
use super::TensorAutodiffError;
use crate::tensor::{Axes, Computed, Shape, Tensor};
use std::borrow::Cow;

// ANCHOR: tensor-structural-vjps
/// What one edge keeps from the forward pass so that its pullback can run: shapes and axes, and for
/// a product the other factor. It holds tensors and never a node, so no edge can hold its own
/// child.
///
/// Chapter 16 adds contexts, so a `match` needs a last arm.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields are described with their variant.
pub enum TensorSavedContext {
    /// One operand of a sum, or the operand of `broadcast_to`: `reduced_axes` are the output axes
    /// along which the same input elements were read at each step, which the pullback sums over.
    Broadcast { input_shape: Shape, output_shape: Shape, reduced_axes: Axes },
    /// One factor of a product: `other` is the primal of the other factor.
    Multiply { other: Tensor, input_shape: Shape, output_shape: Shape, reduced_axes: Axes },
    /// The operand of `reshape`.
    Reshape { input_shape: Shape, output_shape: Shape },
    /// The operand of `transpose`: the two axes that changed places.
    Transpose { first_axis: usize, second_axis: usize, input_shape: Shape, output_shape: Shape },
    /// The operand of `sum_axis` (`divisor` 1) or `mean_axis` (`divisor` the extent).
    Reduction {
        axis: usize,
        keep_dim: bool,
        // A sum divides by 1, which changes no bit.
        divisor: f64,
        input_shape: Shape,
        output_shape: Shape,
    },
}

impl TensorSavedContext {
    /// The pullback of this edge: from the consumer's adjoint to a contribution with exactly the
    /// parent's shape. A rule states calculus and nothing else; the pass adds contributions up.
    ///
    /// `upstream` is the consumer's adjoint. It holds no -0.0, and neither does a contribution. A
    /// rule may reuse the storage of one that it is given, not lent.
    pub(super) fn apply_vjp(
        &self,
        upstream: Cow<'_, Tensor>,
    ) -> Result<Computed, TensorAutodiffError> {
        match self {
            Self::Broadcast { input_shape, reduced_axes, .. } => {
                broadcast_vjp(upstream.into_owned(), input_shape, *reduced_axes)
            }
            Self::Multiply { other, input_shape, reduced_axes, .. } => {
                multiply_vjp(upstream, other, input_shape, *reduced_axes)
            }
            Self::Reshape { input_shape, .. } => reshape_vjp(upstream.into_owned(), input_shape),
            Self::Transpose { first_axis, second_axis, .. } => {
                transpose_vjp(&upstream, *first_axis, *second_axis)
            }
            Self::Reduction { axis, divisor, input_shape, .. } => {
                reduction_vjp(upstream.into_owned(), *axis, *divisor, input_shape)
            }
        }
    }
}
// ANCHOR_END: tensor-structural-vjps

#[cfg(test)]
#[path = "../../tests/listings/tensor-structural-vjps.rs"]
mod check_tensor_structural_vjps;
