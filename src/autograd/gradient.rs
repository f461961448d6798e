use super::TensorAutodiffError;
use crate::tensor::{Shape, Tensor, TensorError};
use std::cell::{Cell, Ref, RefCell, RefMut};

// ANCHOR: tensor-stored-gradients
/// What a parameter has and no other node: a stored gradient and a revision.
pub(super) struct ParameterState {
    gradient: RefCell<StoredGradient>,
    pub(super) revision: Cell<u64>,
    /// How many updates of the value are running, one inside the other.
    pub(super) updates: Cell<usize>,
}

/// A gradient that lives between passes. Zero is a flag: no memory is written until somebody reads
/// the zeros, and the first pass after `zero_grad` moves its adjoint in instead of adding to them.
pub(super) struct StoredGradient {
    values: Tensor,
    /// The values are leftovers that nobody shares, and stand for +0.0.
    zero: bool,
}

impl StoredGradient {
    fn zeros(shape: Shape) -> Result<Self, TensorError> {
        let (values, ()) = Tensor::build(&shape, |_| ())?;
        Ok(Self { values, zero: true })
    }

    /// The stored values, unless they are all +0.0.
    pub(super) fn non_zero(&self) -> Option<&Tensor> {
        (!self.zero).then_some(&self.values)
    }

    pub(super) fn set(&mut self, values: Tensor) {
        (self.values, self.zero) = (values, false);
    }

    fn set_zero(&mut self) -> Result<(), TensorError> {
        if self.values.unique_mut().is_none() {
            // A snapshot or a trace shares the old values and keeps them.
            *self = Self::zeros(self.values.shape_list().clone())?;
        }
        self.zero = true;
        Ok(())
    }

    fn write_out_zeros(&mut self) {
        if self.zero {
            if let Some(values) = self.values.unique_mut() {
                values.fill(0.0);
                self.zero = false;
            }
        }
    }
}

impl ParameterState {
    pub(super) fn new(shape: Shape) -> Result<Self, TensorError> {
        Ok(Self {
            gradient: RefCell::new(StoredGradient::zeros(shape)?),
            revision: Cell::new(0),
            updates: Cell::new(0),
        })
    }

    /// A guard for reading. While a guard lives the zeros are written out already.
    pub(super) fn read(&self) -> Ref<'_, Tensor> {
        if let Ok(mut gradient) = self.gradient.try_borrow_mut() {
            gradient.write_out_zeros();
        }
        Ref::map(self.gradient.borrow(), |gradient| &gradient.values)
    }

    /// The stored gradient as it is, for adding to it.
    pub(super) fn peek(&self) -> Ref<'_, StoredGradient> {
        self.gradient.borrow()
    }

    /// The stored gradient for writing, unless a guard reads it.
    pub(super) fn acquire(&self) -> Result<RefMut<'_, StoredGradient>, TensorAutodiffError> {
        self.gradient.try_borrow_mut().map_err(|_| TensorAutodiffError::GradientBorrowed)
    }

    pub(super) fn set_zero(&self) -> Result<(), TensorAutodiffError> {
        Ok(self.acquire()?.set_zero()?)
    }
}
// ANCHOR_END: tensor-stored-gradients

#[cfg(test)]
#[path = "../../tests/listings/tensor-stored-gradients.rs"]
mod check_tensor_stored_gradients;
