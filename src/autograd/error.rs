use super::TensorOperation;
use crate::tensor::{Shape, TensorError, TensorOpError, TensorViewError};

// ANCHOR: tensor-autodiff-errors
/// Why the tape refused. Stored gradients and the graph are as they were before the call.
///
/// `node`, `child` and `parent` are topology indexes of the pass that failed, `operand` is the slot
/// at the child, `index` the flat row-major position of the offending element.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields are the words of the message.
pub enum TensorAutodiffError {
    /// A tensor could not be made: its shape overflows, or there is no memory.
    #[error("{0}")]
    Tensor(#[from] TensorError),
    /// The seed's view could not be read.
    #[error("{0}")]
    View(#[from] TensorViewError),
    /// Shapes or axes do not fit the operation.
    #[error("{0}")]
    Operation(#[from] TensorOpError),
    #[error("leaf: element {index} is {value}; parameters and constants hold finite numbers only")]
    NonFiniteLeaf { index: usize, value: f64 },
    #[error("{operation}: element {index} of the result is {value}; scale the operands down")]
    NonFiniteForward { operation: TensorOperation, index: usize, value: f64 },
    #[error(
        "{operation}: operand {operand} belongs to a released graph; run a new forward pass, or \
         use no_grad to read values only"
    )]
    ReleasedOperand { operation: TensorOperation, operand: usize },
    #[error(
        "broadcast: shape {input:?} cannot become {requested:?}, their common shape is {inferred:?}"
    )]
    BroadcastTargetMismatch { input: Shape, requested: Shape, inferred: Shape },
    #[error(
        "backward: this {operation} depends on no parameter, so there is no gradient to compute"
    )]
    UntrackedOutput { operation: TensorOperation },
    #[error("backward: a node of this graph ({operation}) was released; run a new forward pass")]
    GraphReleased { operation: TensorOperation },
    #[error("this {operation} is not a parameter: only parameters are updated or zeroed")]
    NotAParameter { operation: TensorOperation },
    #[error(
        "backward: the output has shape {expected:?} and the seed {actual:?}; only rank 0 has an \
         implied seed, for any other shape give one of exactly that shape"
    )]
    SeedShapeMismatch { expected: Shape, actual: Shape },
    #[error("backward: element {index} of the seed is {value}; a seed holds finite numbers only")]
    NonFiniteSeed { index: usize, value: f64 },
    #[error("update: the parameter has shape {expected:?}, the new value {actual:?}")]
    UpdateShapeMismatch { expected: Shape, actual: Shape },
    #[error(
        "backward: node {child} read operand {operand} (node {parent}) at revision \
         {recorded_revision}, which is now {current_revision}; run a new forward pass"
    )]
    StaleOperandValue {
        child: usize,
        parent: usize,
        operand: usize,
        recorded_revision: u64,
        current_revision: u64,
    },
    #[error(
        "backward: the contribution of node {child} to operand {operand} (node {parent}) is \
         {value} at element {index}; scale the seed or the values down"
    )]
    NonFiniteVjp { child: usize, parent: usize, operand: usize, index: usize, value: f64 },
    #[error(
        "backward: the adjoint of node {node} overflows at element {index}: {previous:?} + \
         {contribution:?}; scale the seed or the values down"
    )]
    NonFinitePassAdjoint { node: usize, index: usize, previous: f64, contribution: f64 },
    #[error(
        "backward: the stored gradient of node {node} overflows at element {index}: {stored:?} + \
         {pass_adjoint:?}; call zero_grad, or scale the seed down"
    )]
    NonFiniteAccumulatedGradient { node: usize, index: usize, stored: f64, pass_adjoint: f64 },
    #[error("a guard returned by gradient() is alive; drop it before this gradient is written")]
    GradientBorrowed,
    #[error(
        "a guard returned by value() or an update is alive; end it before this value is written"
    )]
    ValueBorrowed,
}
// ANCHOR_END: tensor-autodiff-errors

#[cfg(test)]
#[path = "../../tests/listings/tensor-autodiff-errors.rs"]
mod check_tensor_autodiff_errors;
