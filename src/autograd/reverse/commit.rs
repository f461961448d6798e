use super::super::{ParameterState, TensorAutodiffError};
use super::sweep::Adjoints;
use super::topology::Topology;
use crate::tensor::Tensor;
use smallvec::SmallVec;

// ANCHOR: tensor-reverse-commit
/// The new stored gradient of one parameter, computed and not yet written.
pub(in super::super) struct StagedGradient {
    pub(in super::super) node: usize,
    pub(in super::super) values: Tensor,
}

/// One for each parameter that the pass reached, in topology order.
pub(in super::super) type StagedGradients = SmallVec<[StagedGradient; 4]>;

impl Topology {
    /// Adds pass adjoints to stored gradients, beside them: nothing is written here.
    pub(super) fn stage(
        &self,
        mut adjoints: Adjoints,
    ) -> Result<StagedGradients, TensorAutodiffError> {
        let mut staged = StagedGradients::new();
        for (node, (owner, adjoint)) in self.nodes.iter().zip(adjoints.iter_mut()).enumerate() {
            let Some(state) = &owner.parameter else { continue };
            // A parameter that the pass did not reach has nothing to add.
            let Some(pass_adjoint) = adjoint.take() else { continue };
            let values = match state.peek().non_zero() {
                None => pass_adjoint,
                Some(stored) => accumulated(node, stored, &pass_adjoint)?,
            };
            staged.push(StagedGradient { node, values });
        }
        Ok(staged)
    }

    /// Writes the staged gradients, all or none: a guard that somebody holds is found before the
    /// first write, and no other code runs in between.
    pub(super) fn commit(&self, staged: StagedGradients) -> Result<(), TensorAutodiffError> {
        let state = |node: usize| self.nodes[node].parameter.as_deref();
        for StagedGradient { node, .. } in &staged {
            state(*node).map(ParameterState::acquire).transpose()?;
        }
        for StagedGradient { node, values } in staged {
            if let Some(Ok(mut gradient)) = state(node).map(ParameterState::acquire) {
                gradient.set(values);
            }
        }
        Ok(())
    }
}

fn accumulated(
    node: usize,
    stored: &Tensor,
    pass_adjoint: &Tensor,
) -> Result<Tensor, TensorAutodiffError> {
    let sum = stored.add_computed(pass_adjoint)?;
    if let Some((index, _)) = sum.non_finite() {
        return Err(TensorAutodiffError::NonFiniteAccumulatedGradient {
            node,
            index,
            stored: stored.as_slice()[index],
            pass_adjoint: pass_adjoint.as_slice()[index],
        });
    }
    Ok(sum.tensor)
}
// ANCHOR_END: tensor-reverse-commit

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reverse-commit.rs"]
mod check_tensor_reverse_commit;
