use std::cell::Cell;

// ANCHOR: tensor-no-grad
thread_local! {
    /// How many `no_grad` scopes this thread is inside.
    static PAUSED: Cell<usize> = const { Cell::new(0) };
}

/// Whether this thread records edges at the moment.
#[inline]
pub(super) fn is_recording() -> bool {
    PAUSED.get() == 0
}

/// Runs `body` without recording: results made inside are untracked and keep no edges.
///
/// The pause belongs to this thread, nests, and ends when `body` returns or panics. Parameters made
/// inside are parameters all the same. A value whose graph was released may be an operand inside,
/// so that a metric can still read it. `backward` on an older output works inside.
///
/// ```
/// use pullback::{no_grad, Tensor, TensorValue};
///
/// let p = TensorValue::parameter(Tensor::scalar(3.0))?;
/// let (inside, outside) = (no_grad(|| p.mul(&p))?, p.mul(&p)?);
/// assert!(!inside.tracks_gradient() && outside.tracks_gradient());
///
/// // What was made inside has no way back to `p`.
/// let error = inside.backward().unwrap_err();
/// assert!(error.to_string().contains("depends on no parameter"));
/// # Ok::<(), pullback::TensorAutodiffError>(())
/// ```
pub fn no_grad<R>(body: impl FnOnce() -> R) -> R {
    struct Scope;
    impl Drop for Scope {
        fn drop(&mut self) {
            PAUSED.set(PAUSED.get().saturating_sub(1));
        }
    }
    PAUSED.set(PAUSED.get() + 1);
    let _ends_on_every_way_out = Scope;
    body()
}
// ANCHOR_END: tensor-no-grad

#[cfg(test)]
#[path = "../../tests/listings/tensor-no-grad.rs"]
mod check_tensor_no_grad;
