//! The graph of chapter 15, computed by the tape and once more by hand, and the evidence that the
//! learner command prints.

mod baseline;
mod detach;
mod error;
mod frozen;
mod gradcheck;
mod rejections;

pub use baseline::{handwritten_fixed_shape_baseline, HandwrittenBaseline};
pub use detach::{detach_sum_example, DetachSumExample};
pub use error::WorkedExampleError;
pub use frozen::{frozen_tensor_example, FrozenTensorExample, NamedTensor, ParameterGradients};
pub use gradcheck::{vjp_gradcheck_example, VjpGradcheckExample};
pub use rejections::{typed_error_example, AtomicTensorError, TypedErrorExample};

use error::{gradient_of, refusal_of};
