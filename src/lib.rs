//! A reverse-mode tape for tensors of `f64` on the CPU, and the book that prints its source.
//!
//! Values that remember how they were computed ([`TensorValue`]) hold tensors ([`Tensor`]). A
//! reverse pass from an output adds its gradient to every parameter it depends on.
//!
//! ```
//! use pullback::{Tensor, TensorAutodiffError, TensorValue};
//!
//! let w = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0])?)?;
//! let x = TensorValue::constant(Tensor::from_vec([2], vec![10.0, 1.0])?)?;
//! let y = w.mul(&x)?.sum_axis(0, false)?;
//! y.backward()?;
//! assert_eq!(y.value().as_slice(), [23.0]);
//! assert_eq!(w.gradient().unwrap().as_slice(), [10.0, 1.0]);
//!
//! // Shapes that do not fit are an error that says where, and nothing has changed.
//! let error = w.add(&TensorValue::constant(Tensor::zeros([3])?)?).unwrap_err();
//! assert!(error.to_string().starts_with("add: shapes [2] and [3] do not broadcast"));
//! # Ok::<(), TensorAutodiffError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod autograd;
#[cfg(feature = "export")]
pub mod export;
pub mod gradcheck;
pub mod tensor;
pub mod worked_example;

pub use autograd::{
    no_grad, GraphRetention, TensorAutodiffError, TensorBackwardEdge, TensorBackwardNode,
    TensorBackwardPass, TensorOperation, TensorSavedContext, TensorValue,
};
pub use tensor::{Shape, Tensor, TensorError, TensorOpError, TensorView, TensorViewError};
