use super::mode::is_recording;
use super::node::{NodeRef, TensorEdge};
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
    if let Some((index, value)) = computed.non_finite() {
        return Err(TensorAutodiffError::NonFiniteForward { operation, index, value });
    }
    let tensor = computed.tensor;
    let tracked = is_recording() && operands.iter().any(|operand| operand.tracks_gradient());
    let output_shape = tensor.shape_list().clone();
    Ok(TensorValue::first(NodeRef::new(operation, tracked, tensor, None, |edges| {
        for (slot, operand) in operands.iter().enumerate().filter(|_| tracked) {
            let (parent, parent_revision) = (operand.node.clone(), operand.node.revision());
            edges.push(match operand.tracks_gradient() {
                true => {
                    TensorEdge { parent, parent_revision, saved: Some(save(slot, &output_shape)) }
                }
                false => TensorEdge { parent, parent_revision, saved: None },
            });
        }
    })))
}
// ANCHOR_END: tensor-record

#[cfg(test)]
#[path = "../../tests/listings/tensor-record.rs"]
mod check_tensor_record;
