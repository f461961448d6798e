use super::super::trace::{EdgeVisit, PassObserver};
use super::super::TensorAutodiffError;
use super::topology::Topology;
use crate::tensor::{kernels, Tensor};

// ANCHOR: tensor-reverse-sweep
/// One place for each node of the topology; empty until a contribution arrives.
pub(super) type Adjoints = Vec<Option<Tensor>>;

impl Topology {
    /// Walks consumers before operands and sends each adjoint back over each edge. Returns the pass
    /// adjoints of the parameters; those of other nodes are gone once their edges are done.
    pub(super) fn sweep<O: PassObserver>(
        &self,
        seed: Tensor,
        observer: &mut O,
    ) -> Result<Adjoints, TensorAutodiffError> {
        let mut adjoints = Adjoints::with_capacity(self.nodes.len());
        adjoints.resize_with(self.nodes.len() - 1, || None);
        adjoints.push(Some(seed));
        for (child, node) in self.nodes.iter().enumerate().rev() {
            if node.parameter.is_some() {
                observer.node(child, adjoints[child].as_ref());
                continue;
            }
            let adjoint = adjoints[child].take();
            observer.node(child, adjoint.as_ref());
            let Some(mut upstream) = adjoint else { continue };
            let edges = node.edges.borrow();
            // The last pullback may have the adjoint itself, unless somebody wants to see it after.
            let last = edges.iter().rposition(|edge| edge.saved.is_some() && !O::LOOKS_BACK);
            for (operand, edge) in edges.iter().enumerate() {
                let parent = edge.parent.topology_index.get();
                let Some(saved) = &edge.saved else {
                    let upstream = &upstream;
                    observer.untracked_edge(EdgeVisit { child, parent, operand, edge, upstream });
                    continue;
                };
                let share = if last == Some(operand) {
                    std::mem::replace(&mut upstream, Tensor::vacant())
                } else {
                    upstream.clone()
                };
                let computed = saved.apply_vjp(share)?;
                if let Some((index, value)) = computed.non_finite() {
                    return Err(TensorAutodiffError::NonFiniteVjp {
                        child,
                        parent,
                        operand,
                        index,
                        value,
                    });
                }
                let contribution = computed.tensor;
                let visit = EdgeVisit { child, parent, operand, edge, upstream: &upstream };
                let adjoint = &mut adjoints[parent];
                observer.before_accumulation(visit, &contribution, adjoint.as_ref())?;
                accumulate(adjoint, contribution, parent)?;
                observer.after_accumulation(adjoint.as_ref());
            }
        }
        Ok(adjoints)
    }
}

/// The one place where contributions meet: the first moves in, each later one is added.
#[inline]
fn accumulate(
    adjoint: &mut Option<Tensor>,
    contribution: Tensor,
    node: usize,
) -> Result<(), TensorAutodiffError> {
    let overflow = |index: usize, previous: &[f64]| TensorAutodiffError::NonFinitePassAdjoint {
        node,
        index,
        previous: previous[index],
        contribution: contribution.as_slice()[index],
    };
    let Some(previous) = adjoint else {
        *adjoint = Some(contribution);
        return Ok(());
    };
    // In place if nobody else reads the previous adjoint, an edge or a trace for example.
    if let Some(total) = previous.unique_mut() {
        return kernels::add_assign(total, contribution.as_slice())
            .map_err(|index| overflow(index, total));
    }
    let sum = previous.add_computed(&contribution)?;
    if let Some((index, _)) = sum.non_finite() {
        return Err(overflow(index, previous.as_slice()));
    }
    *previous = sum.tensor;
    Ok(())
}
// ANCHOR_END: tensor-reverse-sweep

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reverse-sweep.rs"]
mod check_tensor_reverse_sweep;
