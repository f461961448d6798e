//! The reverse pass: one transaction from a seed to stored gradients.

mod commit;
mod sweep;
mod topology;

pub(super) use topology::Topology;

use super::trace::{PassObserver, TraceRecorder, Untraced};
use super::{TensorAutodiffError, TensorBackwardPass, TensorValue};
use crate::tensor::{Shape, Tensor, TensorView};

// ANCHOR: tensor-reverse-pass
/// What a pass does with the graph once the gradients are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GraphRetention {
    /// Keeps edges and saved contexts; the output can start another pass.
    Retain,
    /// Drops them. Primals and gradients stay readable, another pass is refused.
    Release,
}

impl TensorValue {
    /// Adds the gradient of this scalar to the stored gradient of every parameter it depends on.
    ///
    /// The output has rank 0, the seed is 1, the graph is kept. For another shape, or to release
    /// the graph, use [`TensorValue::backward_with_seed`].
    ///
    /// # Errors
    ///
    /// As for [`TensorValue::backward_with_seed`]. An output of any other rank, shape `[1]`
    /// included, is [`TensorAutodiffError::SeedShapeMismatch`] before the graph is looked at.
    ///
    /// ```
    /// use pullback::{Tensor, TensorAutodiffError, TensorValue};
    ///
    /// let x = TensorValue::parameter(Tensor::from_vec([2], vec![1.0, 2.0])?)?;
    /// let square = x.mul(&x)?;
    /// square.sum_axis(0, false)?.backward()?;
    /// assert_eq!(x.gradient().unwrap().as_slice(), [2.0, 4.0]);
    ///
    /// let error = square.backward().unwrap_err();
    /// assert!(matches!(error, TensorAutodiffError::SeedShapeMismatch { .. }));
    /// # Ok::<(), TensorAutodiffError>(())
    /// ```
    pub fn backward(&self) -> Result<(), TensorAutodiffError> {
        self.reverse_pass(None, GraphRetention::Retain, Untraced).map(|_| ())
    }

    /// [`TensorValue::backward`], and a record of every node and edge of the pass.
    ///
    /// # Errors
    ///
    /// As for [`TensorValue::backward`].
    pub fn backward_with_trace(&self) -> Result<TensorBackwardPass, TensorAutodiffError> {
        self.reverse_pass(None, GraphRetention::Retain, TraceRecorder::new())
    }

    /// Takes as objective the sum of this value's elements, each times its seed, and adds the
    /// objective's slopes to the stored gradient of every parameter this value depends on.
    ///
    /// All or nothing: after an error every stored gradient has the bits it had, no node is
    /// released, and the graph serves the next valid pass.
    ///
    /// # Errors
    ///
    /// The first that holds, in this order: [`TensorAutodiffError::GraphReleased`] or
    /// [`TensorAutodiffError::UntrackedOutput`] for the output;
    /// [`TensorAutodiffError::GraphReleased`] for a node it depends on;
    /// [`TensorAutodiffError::SeedShapeMismatch`]; [`TensorAutodiffError::NonFiniteSeed`];
    /// [`TensorAutodiffError::StaleOperandValue`]; edge by edge
    /// [`TensorAutodiffError::NonFiniteVjp`] and [`TensorAutodiffError::NonFinitePassAdjoint`];
    /// [`TensorAutodiffError::NonFiniteAccumulatedGradient`];
    /// [`TensorAutodiffError::GradientBorrowed`]. Wherever there is no memory for the elements of a
    /// tensor, [`TensorAutodiffError::Tensor`], [`TensorAutodiffError::View`] or
    /// [`TensorAutodiffError::Operation`].
    ///
    /// ```
    /// use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};
    ///
    /// let x = TensorValue::parameter(Tensor::from_vec([2], vec![1.0, 2.0])?)?;
    /// let y = x.mul(&x)?;
    /// let seed = Tensor::from_vec([2], vec![10.0, 1.0])?;
    /// y.backward_with_seed(&seed.view(), GraphRetention::Release)?;
    /// assert_eq!(x.gradient().unwrap().as_slice(), [20.0, 4.0]);
    ///
    /// let error = y.backward_with_seed(&seed.view(), GraphRetention::Release).unwrap_err();
    /// assert!(matches!(error, TensorAutodiffError::GraphReleased { .. }));
    /// # Ok::<(), TensorAutodiffError>(())
    /// ```
    pub fn backward_with_seed(
        &self,
        seed: &TensorView<'_>,
        retention: GraphRetention,
    ) -> Result<(), TensorAutodiffError> {
        self.reverse_pass(Some(seed), retention, Untraced).map(|_| ())
    }

    /// [`TensorValue::backward_with_seed`], and a record of every node and edge of the pass.
    ///
    /// # Errors
    ///
    /// As for [`TensorValue::backward_with_seed`].
    pub fn backward_with_seed_and_trace(
        &self,
        seed: &TensorView<'_>,
        retention: GraphRetention,
    ) -> Result<TensorBackwardPass, TensorAutodiffError> {
        self.reverse_pass(Some(seed), retention, TraceRecorder::new())
    }
}
// ANCHOR_END: tensor-reverse-pass

// ANCHOR: tensor-reverse-transaction
impl TensorValue {
    /// The one engine behind all entry points. Each step can refuse; the commit is the first that
    /// writes, and the release follows what can no longer fail.
    fn reverse_pass<O: PassObserver>(
        &self,
        seed: Option<&TensorView<'_>>,
        retention: GraphRetention,
        mut observer: O,
    ) -> Result<O::Record, TensorAutodiffError> {
        let operation = self.operation();
        if self.is_released() {
            return Err(TensorAutodiffError::GraphReleased { operation });
        }
        if !self.tracks_gradient() {
            return Err(TensorAutodiffError::UntrackedOutput { operation });
        }
        if seed.is_none() && !self.shape().is_empty() {
            return Err(self.seed_mismatch(&[]));
        }
        let mut topology = Topology::of(&self.node)?;
        let seed = self.checked_seed(seed)?;
        topology.refuse_stale_operands()?;
        observer.seed(&seed);
        topology.sweep(seed, &mut observer)?;
        topology.stage()?;
        let record = observer.complete(retention, &topology)?;
        topology.commit()?;
        if retention == GraphRetention::Release {
            topology.release();
        }
        topology.leave_lists_to_next_pass();
        Ok(record)
    }

    /// A seed of exactly the output's shape, finite, with +0.0 for -0.0.
    fn checked_seed(&self, seed: Option<&TensorView<'_>>) -> Result<Tensor, TensorAutodiffError> {
        let Some(view) = seed else {
            return Ok(Tensor::scalar(1.0));
        };
        if view.shape_list() != self.shape_list() {
            return Err(self.seed_mismatch(view.shape()));
        }
        let seed = view.materialize_unsigned_zero()?;
        match seed.non_finite() {
            Some((index, value)) => Err(TensorAutodiffError::NonFiniteSeed { index, value }),
            None => Ok(seed.tensor),
        }
    }

    fn seed_mismatch(&self, actual: &[usize]) -> TensorAutodiffError {
        let (expected, actual) = (self.shape_list().clone(), Shape::from(actual));
        TensorAutodiffError::SeedShapeMismatch { expected, actual }
    }
}
// ANCHOR_END: tensor-reverse-transaction

#[cfg(test)]
#[path = "../../../tests/unit/vjp_evaluations.rs"]
mod vjp_evaluations;

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reverse-pass.rs"]
mod check_tensor_reverse_pass;

#[cfg(test)]
#[path = "../../../tests/listings/tensor-reverse-transaction.rs"]
mod check_tensor_reverse_transaction;
