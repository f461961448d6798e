use super::super::TensorAutodiffError;
use super::sweep::Adjoints;
use super::topology::Topology;
use crate::tensor::{kernels, Computed, Tensor};
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
    pub(super) fn stage(&self, adjoints: Adjoints) -> Result<StagedGradients, TensorAutodiffError> {
        let mut staged = StagedGradients::new();
        for (node, pass_adjoint) in adjoints.into_iter().enumerate() {
            // A parameter that the pass did not reach has nothing to add.
            let Some(pass_adjoint) = pass_adjoint else { continue };
            let Some(state) = &self.nodes[node].parameter else { continue };
            let values = match state.peek().non_zero() {
                None => pass_adjoint,
                Some(stored) => accumulated(node, stored, &pass_adjoint)?,
            };
            staged.push(StagedGradient { node, values });
        }
        Ok(staged)
    }

    /// Acquires every gradient for writing, then writes. A guard that somebody holds is found before
    /// the first write; after that nothing can fail.
    pub(super) fn commit(&self, staged: StagedGradients) -> Result<(), TensorAutodiffError> {
        let mut acquired: SmallVec<[_; 4]> = SmallVec::new();
        for StagedGradient { node, values } in staged {
            if let Some(state) = &self.nodes[node].parameter {
                acquired.push((state.acquire()?, values));
            }
        }
        for (mut gradient, values) in acquired {
            gradient.set(values);
        }
        Ok(())
    }
}

fn accumulated(
    node: usize,
    stored: &Tensor,
    pass_adjoint: &Tensor,
) -> Result<Tensor, TensorAutodiffError> {
    let Computed { tensor, finite } = stored.add_computed(pass_adjoint)?;
    if !finite {
        if let Some((index, _)) = kernels::first_non_finite(tensor.as_slice()) {
            return Err(TensorAutodiffError::NonFiniteAccumulatedGradient {
                node,
                index,
                stored: stored.as_slice()[index],
                pass_adjoint: pass_adjoint.as_slice()[index],
            });
        }
    }
    Ok(tensor)
}
// ANCHOR_END: tensor-reverse-commit
