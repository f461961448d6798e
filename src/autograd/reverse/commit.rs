use super::super::{ParameterState, TensorAutodiffError};
use super::topology::Topology;
use crate::tensor::Tensor;

// ANCHOR: tensor-reverse-commit
impl Topology {
    /// Adds the stored gradients to the parameters' pass adjoints: what each parameter will store
    /// is complete, and nothing is stored yet.
    pub(super) fn stage(&mut self) -> Result<(), TensorAutodiffError> {
        for &node in &self.parameters {
            let state = self.nodes[node].parameter.as_deref().map(ParameterState::peek);
            let stored = state.as_ref().and_then(|gradient| gradient.non_zero());
            if let (Some(pass_adjoint), Some(stored)) = (&mut self.adjoints[node], stored) {
                add_stored(pass_adjoint, stored, node)?;
            }
        }
        Ok(())
    }

    /// Stores the staged gradients, all or none: a guard that somebody holds is found before the
    /// first write, and no other code runs in between.
    pub(super) fn commit(&mut self) -> Result<(), TensorAutodiffError> {
        let Self { nodes, parameters, adjoints, .. } = self;
        let state = |node: usize| nodes[node].parameter.as_deref();
        // A parameter that the pass did not reach may be borrowed.
        parameters.retain(|&node| adjoints[node].is_some());
        for &node in parameters.iter() {
            state(node).map(ParameterState::acquire).transpose()?;
        }
        for &node in parameters.iter() {
            let gradient = state(node).map(ParameterState::acquire);
            if let (Some(Ok(mut gradient)), Some(values)) = (gradient, adjoints[node].take()) {
                gradient.set(values);
            }
        }
        Ok(())
    }
}

fn add_stored(
    pass_adjoint: &mut Tensor,
    stored: &Tensor,
    node: usize,
) -> Result<(), TensorAutodiffError> {
    // In place unless a trace keeps the pass adjoint as it is.
    match pass_adjoint.accumulate(stored)? {
        None => Ok(()),
        Some(index) => Err(TensorAutodiffError::NonFiniteAccumulatedGradient {
            node,
            index,
            stored: stored.as_slice()[index],
            pass_adjoint: pass_adjoint.as_slice()[index],
        }),
    }
}
// ANCHOR_END: tensor-reverse-commit

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reverse-commit.rs"]
mod check_tensor_reverse_commit;
