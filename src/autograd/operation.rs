// ANCHOR: tensor-operations
/// What made a node of the tape.
///
/// It prints as one lower-case word, the way errors and traces name it. Chapter 16 adds operations,
/// so a `match` needs a last arm.
///
/// ```
/// use pullback::autograd::TensorOperation;
///
/// assert_eq!(TensorOperation::Broadcast.to_string(), "broadcast");
/// assert!(TensorOperation::Detached.is_leaf());
/// assert!(!TensorOperation::Mean.is_leaf());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TensorOperation {
    /// A leaf that stores a gradient.
    Parameter,
    /// A leaf without a gradient.
    Constant,
    /// A leaf copied from another node's primal, cut off from its history.
    Detached,
    /// Elementwise sum.
    Add,
    /// Elementwise product.
    Multiply,
    /// The same elements under another shape.
    Reshape,
    /// Two axes swapped.
    Transpose,
    /// Axes of extent 1, or missing ones, expanded.
    Broadcast,
    /// Sum along one axis.
    Sum,
    /// Mean along one axis.
    Mean,
}

impl TensorOperation {
    /// Whether a node of this kind has no operands by nature.
    pub fn is_leaf(self) -> bool {
        matches!(self, Self::Parameter | Self::Constant | Self::Detached)
    }
}

impl std::fmt::Display for TensorOperation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(match self {
            Self::Parameter => "parameter",
            Self::Constant => "constant",
            Self::Detached => "detached",
            Self::Add => "add",
            Self::Multiply => "multiply",
            Self::Reshape => "reshape",
            Self::Transpose => "transpose",
            Self::Broadcast => "broadcast",
            Self::Sum => "sum",
            Self::Mean => "mean",
        })
    }
}
// ANCHOR_END: tensor-operations

#[cfg(test)]
#[path = "../../tests/listings/tensor-operations.rs"]
mod check_tensor_operations;
