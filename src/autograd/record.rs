use super::mode::is_recording;
use super::node::{NodeRef, TensorEdge, MOST_OPERANDS};
use super::{TensorAutodiffError, TensorOperation, TensorSavedContext, TensorValue};
use crate::tensor::{Computed, Shape};

// ANCHOR: tensor-record
/// The first check of every operation: an operand whose graph was released can no longer lead a
/// pass to its parameters. Inside `no_grad` no edge is made, so there is nothing to lose.
pub(super) fn refuse_released<const N: usize>(
    operation: TensorOperation,
    operands: [&TensorValue; N],
) -> Result<(), TensorAutodiffError> {
    match operands.iter().position(|operand| operand.is_released()) {
        Some(operand) if is_recording() => {
            Err(TensorAutodiffError::ReleasedOperand { operation, operand })
        }
        _ => Ok(()),
    }
}

/// The last step of every operation: the result must be finite; then each operand use becomes one
/// ordered edge. `save` makes the context of one operand slot from the output's shape. It runs for
/// operands that track a gradient, and for no other.
pub(super) fn record<const N: usize>(
    operation: TensorOperation,
    computed: Computed,
    operands: [&TensorValue; N],
    save: impl Fn(usize, &Shape) -> TensorSavedContext,
) -> Result<TensorValue, TensorAutodiffError> {
    const { assert!(N <= MOST_OPERANDS) };
    if let Some((index, value)) = computed.non_finite() {
        return Err(TensorAutodiffError::NonFiniteForward { operation, index, value });
    }
    let tensor = computed.tensor;
    let tracked = is_recording() && operands.iter().any(|operand| operand.tracks_gradient());
    Ok(TensorValue::first(NodeRef::new(operation, tracked, tensor, None, |output_shape, edges| {
        // A new node has no edge yet. Said here, it saves looking for room at each of them.
        if tracked && edges.is_empty() {
            for (slot, operand) in operands.into_iter().enumerate() {
                let (parent, parent_revision) = (operand.node.clone(), operand.node.revision());
                let saved = operand.tracks_gradient().then(|| save(slot, output_shape));
                edges.push(TensorEdge { parent, parent_revision, saved });
            }
        }
    })))
}
// ANCHOR_END: tensor-record

#[cfg(test)]
#[path = "../../tests/listings/tensor-record.rs"]
mod check_tensor_record;
