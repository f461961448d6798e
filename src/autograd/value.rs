use super::node::NodeRef;
use super::{ParameterState, TensorAutodiffError, TensorOperation};
use crate::tensor::{kernels, Shape, Tensor};
use std::cell::Ref;

// ANCHOR: tensor-tape-values
/// A handle to one node of the tape: a primal, the operation that made it, and for a parameter a
/// stored gradient.
///
/// Cloning a handle gives another handle to the same node. A node lives as long as a handle or a
/// node computed from it; its primal lives as long as a handle or a saved context needs it. The
/// tape belongs to one thread, so a handle is neither `Send` nor `Sync`; its tensors are both.
///
/// ```
/// use pullback::{Tensor, TensorAutodiffError, TensorValue};
///
/// let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0])?)?;
/// let y = p.mul(&p)?.sum_axis(0, false)?;
/// y.backward()?;
/// assert_eq!(p.gradient_snapshot().unwrap().as_slice(), [4.0, 6.0]);
///
/// let error = TensorValue::parameter(Tensor::scalar(f64::NAN)).unwrap_err();
/// assert!(matches!(error, TensorAutodiffError::NonFiniteLeaf { index: 0, .. }));
/// # Ok::<(), TensorAutodiffError>(())
/// ```
pub struct TensorValue {
    pub(super) node: NodeRef,
}

impl TensorValue {
    /// A leaf that passes add gradients into. Its stored gradient starts as +0.0 in its exact
    /// shape.
    ///
    /// # Errors
    ///
    /// [`TensorAutodiffError::NonFiniteLeaf`] with the first element that is infinite or NaN;
    /// [`TensorAutodiffError::Tensor`] if there is no memory for the gradient.
    pub fn parameter(primal: Tensor) -> Result<Self, TensorAutodiffError> {
        refuse_non_finite_leaf(&primal)?;
        let state = ParameterState::new(primal.shape_list().clone())?;
        Ok(Self::leaf(TensorOperation::Parameter, primal, Some(Box::new(state))))
    }

    /// A leaf without a gradient: data, a mask, a factor.
    ///
    /// # Errors
    ///
    /// [`TensorAutodiffError::NonFiniteLeaf`] with the first element that is infinite or NaN.
    pub fn constant(primal: Tensor) -> Result<Self, TensorAutodiffError> {
        refuse_non_finite_leaf(&primal)?;
        Ok(Self::leaf(TensorOperation::Constant, primal, None))
    }

    /// A new untracked leaf with this node's primal and no edge back: a factor that counts as
    /// fixed.
    ///
    /// The primal is independent: an update of a parameter does not reach what was detached from
    /// it.
    ///
    /// ```
    /// use pullback::{Tensor, TensorValue};
    ///
    /// let p = TensorValue::parameter(Tensor::scalar(3.0))?;
    /// let y = p.mul(&p.detach())?;
    /// y.backward()?;
    /// assert_eq!(p.gradient_snapshot(), Some(Tensor::scalar(3.0))); // p · 3, not p²
    /// assert!(p.detach().gradient().is_none());
    /// # Ok::<(), pullback::TensorAutodiffError>(())
    /// ```
    pub fn detach(&self) -> Self {
        Self::leaf(TensorOperation::Detached, self.value_snapshot(), None)
    }

    fn leaf(
        operation: TensorOperation,
        primal: Tensor,
        parameter: Option<Box<ParameterState>>,
    ) -> Self {
        Self::first(NodeRef::new(operation, parameter.is_some(), primal, parameter, |_, _| ()))
    }

    /// The first handle to a new node.
    #[inline]
    pub(super) fn first(node: NodeRef) -> Self {
        node.handles.set(1);
        Self { node }
    }
}

/// Leaves are finite, so that a NaN found later was made by an operation that can be named.
pub(super) fn refuse_non_finite_leaf(primal: &Tensor) -> Result<(), TensorAutodiffError> {
    if kernels::all_finite(primal.as_slice()) {
        return Ok(());
    }
    match kernels::first_non_finite(primal.as_slice()) {
        Some((index, value)) => Err(TensorAutodiffError::NonFiniteLeaf { index, value }),
        None => Ok(()),
    }
}
// ANCHOR_END: tensor-tape-values

// ANCHOR: tensor-tape-guards
impl TensorValue {
    /// The primal, lent without a copy. While the guard lives, an update of this value is refused.
    pub fn value(&self) -> Ref<'_, Tensor> {
        self.node.primal.borrow()
    }

    /// The stored gradient, lent without a copy; `None` unless this is a parameter. While the guard
    /// lives, a pass that reaches this parameter is refused as a whole.
    ///
    /// ```
    /// use pullback::{Tensor, TensorAutodiffError, TensorValue};
    ///
    /// let p = TensorValue::parameter(Tensor::scalar(3.0))?;
    /// let y = p.mul(&p)?;
    /// let guard = p.gradient();
    /// assert_eq!(y.backward(), Err(TensorAutodiffError::GradientBorrowed));
    /// drop(guard);
    /// y.backward()?;
    /// assert_eq!(p.gradient().unwrap().as_slice(), [6.0]);
    /// # Ok::<(), TensorAutodiffError>(())
    /// ```
    pub fn gradient(&self) -> Option<Ref<'_, Tensor>> {
        self.node.parameter.as_ref().map(|state| state.read())
    }

    /// The primal as it is now. Later updates do not reach the snapshot. No element is copied until
    /// one of the two is written.
    pub fn value_snapshot(&self) -> Tensor {
        self.value().clone()
    }

    /// The stored gradient as it is now, or `None` unless this is a parameter. Later passes do not
    /// reach the snapshot.
    pub fn gradient_snapshot(&self) -> Option<Tensor> {
        self.gradient().map(|gradient| gradient.clone())
    }

    /// Sets the stored gradient to +0.0.
    ///
    /// # Errors
    ///
    /// [`TensorAutodiffError::NotAParameter`]; [`TensorAutodiffError::GradientBorrowed`] while a
    /// guard lives; [`TensorAutodiffError::Tensor`] if a snapshot keeps the old values and there is
    /// no memory for new ones.
    pub fn zero_grad(&self) -> Result<(), TensorAutodiffError> {
        self.parameter_state()?.set_zero()
    }

    pub(super) fn parameter_state(&self) -> Result<&ParameterState, TensorAutodiffError> {
        let operation = self.node.operation;
        self.node.parameter.as_deref().ok_or(TensorAutodiffError::NotAParameter { operation })
    }
}
// ANCHOR_END: tensor-tape-guards

// ANCHOR: tensor-tape-identity
impl TensorValue {
    /// Extents of the primal, outermost axis first.
    pub fn shape(&self) -> &[usize] {
        &self.node.shape
    }

    pub(super) fn shape_list(&self) -> &Shape {
        &self.node.shape
    }

    /// What made this node.
    pub fn operation(&self) -> TensorOperation {
        self.node.operation
    }

    /// Whether a pass from here reaches a parameter.
    pub fn tracks_gradient(&self) -> bool {
        self.node.tracked
    }

    /// Whether this node has a stored gradient.
    pub fn is_parameter(&self) -> bool {
        self.node.parameter.is_some()
    }

    /// Whether a releasing pass dropped this node's edges. Leaves are never released.
    pub fn is_released(&self) -> bool {
        self.node.released.get()
    }

    /// Whether two handles point to one node. Equal values are not enough.
    pub fn is_same_node(&self, other: &Self) -> bool {
        self.node.is_same(&other.node)
    }
}

impl Clone for TensorValue {
    fn clone(&self) -> Self {
        self.node.handles.set(self.node.handles.get() + 1);
        Self { node: self.node.clone() }
    }
}

/// The last handle takes the primal along: nobody can read it any more, and the pullbacks that need
/// it have their own share of it. A chain of sums keeps one value alive this way, not all of them.
impl Drop for TensorValue {
    fn drop(&mut self) {
        let left = self.node.handles.get().saturating_sub(1);
        self.node.handles.set(left);
        if left == 0 {
            if let Ok(mut primal) = self.node.primal.try_borrow_mut() {
                primal.vacate();
            }
        }
    }
}

impl std::fmt::Debug for TensorValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("TensorValue")
            .field("shape", &self.node.shape)
            .field("operation", &format_args!("{}", self.node.operation))
            .field("tracks_gradient", &self.node.tracked)
            .field("gradient", &self.gradient_snapshot())
            .field("released", &self.is_released())
            .finish()
    }
}
// ANCHOR_END: tensor-tape-identity

#[cfg(test)]
#[path = "../../tests/listings/tensor-tape-values.rs"]
mod check_tensor_tape_values;

#[cfg(test)]
#[path = "../../tests/listings/tensor-tape-guards.rs"]
mod check_tensor_tape_guards;

#[cfg(test)]
#[path = "../../tests/listings/tensor-tape-identity.rs"]
mod check_tensor_tape_identity;
