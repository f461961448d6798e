use crate::gradcheck::GradcheckError;
use crate::{Tensor, TensorAutodiffError, TensorError, TensorValue};

// ANCHOR: worked-example-errors
/// Why an example is no evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkedExampleError {
    /// The tape refused a step that is valid.
    #[error("{0}")]
    Tape(#[from] TensorAutodiffError),
    /// A gradient check could not be made.
    #[error("{0}")]
    Gradcheck(#[from] GradcheckError),
    /// A tensor could not be made.
    #[error("{0}")]
    Tensor(#[from] TensorError),
    /// The tape accepted a step that it must refuse.
    #[error("a pass that must be refused was accepted")]
    NotRefused,
    /// A result is not what the text says.
    #[error("check failed: {0}")]
    Check(&'static str),
}

/// The error of a step that must fail.
pub(super) fn refusal_of(
    step: Result<(), TensorAutodiffError>,
) -> Result<TensorAutodiffError, WorkedExampleError> {
    step.err().ok_or(WorkedExampleError::NotRefused)
}

/// The stored gradient of a node that must be a parameter.
pub(super) fn gradient_of(node: &TensorValue) -> Result<Tensor, WorkedExampleError> {
    let operation = node.operation();
    let missing = TensorAutodiffError::NotAParameter { operation };
    node.gradient_snapshot().ok_or(WorkedExampleError::Tape(missing))
}
// ANCHOR_END: worked-example-errors

#[cfg(test)]
#[path = "../../tests/listings/worked-example-errors.rs"]
mod check_worked_example_errors;
