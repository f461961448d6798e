//! Owned tensors, borrowed views and the kernels that run over them.
//!
//! A [`Tensor`] holds `f64` elements row-major and contiguous, and behaves like a number: a clone
//! is independent. Underneath, clones share one buffer until one of them is written, so that saving
//! a tensor for later costs no copy. A [`TensorView`] reads a tensor's storage through other
//! strides, and [`ProjectedOffsets`] walks such strides after checking that every step stays
//! inside.

mod axes;
mod elementwise;
mod error;
pub(crate) mod kernels;
mod layout;
mod offsets;
mod owned;
mod reduction;
mod repeat;
mod shape;
mod storage;
mod view;

pub use axes::{Axes, Shape, Strides};
pub use error::{TensorError, TensorOpError, TensorViewError};
pub use offsets::ProjectedOffsets;
pub use owned::Tensor;
pub use storage::release_kept_buffers;
pub use view::TensorView;

pub(crate) use elementwise::Computed;
pub(crate) use offsets::{Group, OffsetPlan};
pub(crate) use shape::{
    broadcast_strides, common_shape, element_count, reduced_axes, reduced_strides,
};
