use super::super::trace::{EdgeVisit, PassObserver};
use super::super::TensorAutodiffError;
use super::topology::Topology;
use crate::tensor::Tensor;
use std::borrow::Cow;

// ANCHOR: tensor-reverse-sweep
impl Topology {
    /// Walks consumers before operands and sends each adjoint back over each edge. What is left are
    /// the pass adjoints of the parameters: what this pass alone makes of them, without stored
    /// gradients. Those of other nodes go once their edges are done.
    pub(super) fn sweep<O: PassObserver>(
        &mut self,
        seed: Tensor,
        observer: &mut O,
    ) -> Result<(), TensorAutodiffError> {
        let Self { nodes, adjoints, gradients, .. } = self;
        adjoints.resize_with(nodes.len() - 1, || None);
        adjoints.push(Some(seed));
        while let Some(adjoint) = adjoints.pop() {
            let (child, node) = (adjoints.len(), &nodes[adjoints.len()]);
            observer.node(child, adjoint.as_ref());
            let Some(mut upstream) = adjoint else { continue };
            if node.parameter.is_some() {
                gradients.push((child, upstream));
                continue;
            }
            let edges = node.edges.borrow();
            let mut rest = edges.iter().enumerate();
            while let Some((operand, edge)) = rest.next() {
                let parent = edge.parent.topology_index.get();
                let Some(saved) = &edge.saved else {
                    let upstream = &upstream;
                    observer.untracked_edge(EdgeVisit { child, parent, operand, edge, upstream });
                    continue;
                };
                // The last pullback may have the adjoint itself, unless somebody looks at it after.
                let last = !O::LOOKS_BACK && !rest.clone().any(|(_, edge)| edge.saved.is_some());
                let computed = saved.apply_vjp(if last {
                    Cow::Owned(std::mem::replace(&mut upstream, Tensor::vacant()))
                } else {
                    Cow::Borrowed(&upstream)
                })?;
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
                match adjoint {
                    None => *adjoint = Some(contribution),
                    Some(adjoint) => accumulate(adjoint, &contribution, parent)?,
                }
                observer.after_accumulation(adjoint.as_ref());
            }
        }
        Ok(())
    }
}

/// Adds every contribution after the first, which moved in.
fn accumulate(
    adjoint: &mut Tensor,
    contribution: &Tensor,
    node: usize,
) -> Result<(), TensorAutodiffError> {
    // In place unless somebody else reads the previous adjoint, an edge or a trace for example.
    match adjoint.accumulate(contribution)? {
        None => Ok(()),
        Some(index) => Err(TensorAutodiffError::NonFinitePassAdjoint {
            node,
            index,
            previous: adjoint.as_slice()[index],
            contribution: contribution.as_slice()[index],
        }),
    }
}
// ANCHOR_END: tensor-reverse-sweep

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reverse-sweep.rs"]
mod check_tensor_reverse_sweep;
