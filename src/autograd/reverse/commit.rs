use super::super::TensorAutodiffError;
use super::topology::Topology;
use crate::tensor::Tensor;

// ANCHOR: tensor-reverse-commit
impl Topology {
    /// Adds the stored gradients to the parameters' pass adjoints: what each parameter will store
    /// is complete, and nothing is stored yet.
    pub(super) fn stage(&mut self) -> Result<(), TensorAutodiffError> {
        for (node, pass_adjoint) in self.gradients.iter_mut().rev() {
            if let Some(state) = &self.nodes[*node].parameter {
                if let Some(stored) = state.peek().non_zero() {
                    add_stored(pass_adjoint, stored, *node)?;
                }
            }
        }
        Ok(())
    }

    /// Stores the staged gradients, all or none: a guard that somebody holds is found before the
    /// first write, and nothing that can fail runs in between. A parameter that the pass did not
    /// reach may be borrowed.
    pub(super) fn commit(&mut self) -> Result<(), TensorAutodiffError> {
        let Self { nodes, gradients, .. } = self;
        for (node, _) in gradients.iter() {
            if let Some(state) = &nodes[*node].parameter {
                state.acquire()?;
            }
        }
        while let Some((node, values)) = gradients.pop() {
            if let Some(state) = &nodes[node].parameter {
                state.acquire()?.set(values);
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
