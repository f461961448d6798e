use super::value::refuse_non_finite_leaf;
use super::{ParameterState, TensorAutodiffError, TensorValue};
use crate::tensor::Tensor;

// ANCHOR: tensor-parameter-updates
impl TensorValue {
    /// How often this value was updated in place; 0 for everything but a parameter.
    ///
    /// An edge remembers the revision it read. A pass refuses an edge whose parent has moved on.
    pub fn value_revision(&self) -> u64 {
        self.node.revision()
    }

    /// Replaces a parameter's value and advances its revision by 1. The stored gradient stays.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::NotAParameter`],
    /// [`TensorAutodiffError::UpdateShapeMismatch`], [`TensorAutodiffError::NonFiniteLeaf`],
    /// [`TensorAutodiffError::ValueBorrowed`] while a guard of [`TensorValue::value`] lives or
    /// inside another update of this parameter. Nothing has changed then.
    ///
    /// ```
    /// use pullback::{Tensor, TensorAutodiffError, TensorValue};
    ///
    /// let p = TensorValue::parameter(Tensor::scalar(3.0))?;
    /// let y = p.mul(&p)?;
    /// p.set_value(Tensor::scalar(5.0))?;
    /// assert_eq!((p.value().as_slice()[0], p.value_revision()), (5.0, 1));
    ///
    /// // `y` was computed from 3: its gradient there is 6, and at 5 it would be 10.
    /// let error = y.backward().unwrap_err();
    /// let stale = matches!(error, TensorAutodiffError::StaleOperandValue { .. });
    /// assert!(stale);
    /// # Ok::<(), TensorAutodiffError>(())
    /// ```
    pub fn set_value(&self, value: Tensor) -> Result<(), TensorAutodiffError> {
        let state = self.parameter_state()?;
        self.replace_value(state, value)
    }

    /// Edits a parameter's elements, in row-major order, and advances its revision by 1.
    ///
    /// The closure gets a private copy. If it panics, or if the result is refused, then value,
    /// revision and gradient are as before; it may call [`TensorValue::value`] and sees the old
    /// value.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorAutodiffError::NotAParameter`], then [`TensorAutodiffError::Tensor`]
    /// if there is no memory for the copy, both before the closure runs; after it the other errors
    /// of [`TensorValue::set_value`].
    ///
    /// ```
    /// use pullback::{Tensor, TensorValue};
    ///
    /// let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0])?)?;
    /// p.update_value(|elements| elements.iter_mut().for_each(|element| *element -= 0.5))?;
    /// assert_eq!(p.value().as_slice(), [1.5, 2.5]);
    ///
    /// assert!(p.update_value(|elements| elements[1] = f64::INFINITY).is_err());
    /// assert_eq!((p.value().as_slice(), p.value_revision()), (&[1.5, 2.5][..], 1));
    /// # Ok::<(), pullback::TensorAutodiffError>(())
    /// ```
    pub fn update_value(&self, edit: impl FnOnce(&mut [f64])) -> Result<(), TensorAutodiffError> {
        let state = self.parameter_state()?;
        let mut copy = self.value_snapshot();
        let running = RunningUpdate::begin(state);
        edit(copy.as_mut_slice()?);
        drop(running);
        self.replace_value(state, copy)
    }

    fn replace_value(
        &self,
        state: &ParameterState,
        value: Tensor,
    ) -> Result<(), TensorAutodiffError> {
        if value.shape() != self.shape() {
            return Err(TensorAutodiffError::UpdateShapeMismatch {
                expected: self.shape_list().clone(),
                actual: value.shape_list().clone(),
            });
        }
        refuse_non_finite_leaf(&value)?;
        // An update inside another one would be overwritten when the outer one ends.
        if state.updates.get() > 0 {
            return Err(TensorAutodiffError::ValueBorrowed);
        }
        let mut primal =
            self.node.primal.try_borrow_mut().map_err(|_| TensorAutodiffError::ValueBorrowed)?;
        *primal = value;
        state.revision.set(state.revision.get() + 1);
        Ok(())
    }
}

/// Marks that an update runs; the mark goes even if the closure panics.
struct RunningUpdate<'a>(&'a ParameterState);

impl<'a> RunningUpdate<'a> {
    fn begin(state: &'a ParameterState) -> Self {
        state.updates.set(state.updates.get() + 1);
        Self(state)
    }
}

impl Drop for RunningUpdate<'_> {
    fn drop(&mut self) {
        self.0.updates.set(self.0.updates.get().saturating_sub(1));
    }
}
// ANCHOR_END: tensor-parameter-updates

#[cfg(test)]
#[path = "../../tests/listings/tensor-parameter-updates.rs"]
mod check_tensor_parameter_updates;
