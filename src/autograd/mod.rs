//! The tape: values with a history, and the pass that sends gradients back through it.
//!
//! A [`TensorValue`] is a node; each operation adds one whose ordered edges lead to its operands.
//! An edge saves what its pullback needs. A reverse pass starts at an output with a seed, evaluates
//! one pullback for each edge, adds the contributions up, and commits the sums to the stored
//! gradients of the parameters, all of them or none.

mod context;
mod error;
mod gradient;
mod mode;
mod node;
mod operation;
mod ops;
mod record;
mod reverse;
mod trace;
mod update;
mod value;

pub use context::TensorSavedContext;
pub use error::TensorAutodiffError;
pub use mode::no_grad;
pub use operation::TensorOperation;
pub use reverse::GraphRetention;
pub use trace::{TensorBackwardEdge, TensorBackwardNode, TensorBackwardPass};
pub use value::TensorValue;

use gradient::ParameterState;
