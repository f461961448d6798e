use super::{Shape, Strides};

/// Why a tensor could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorError {
    /// The number of values is not the number of elements of the shape.
    #[error("shape {shape:?} holds {expected} elements, but {actual} values were given")]
    LengthMismatch {
        /// The requested shape.
        shape: Shape,
        /// The elements it holds.
        expected: usize,
        /// The values that came.
        actual: usize,
    },
    /// The product of the extents does not fit in a `usize`. Extents of 0 count as 1 here, so that
    /// strides fit as well.
    #[error("shape {shape:?} has more elements than a usize can count")]
    ShapeOverflow {
        /// The requested shape.
        shape: Shape,
    },
    /// A shape has more axes than the library works with.
    #[error("a shape of rank {rank} has too many axes; the most is {most}")]
    TooManyAxes {
        /// The axes of the shape.
        rank: usize,
        /// The most it may have.
        most: usize,
    },
    /// The allocator has no room.
    #[error(
        "no memory for a tensor of {elements} elements ({elements} x 8 bytes); use a smaller shape"
    )]
    AllocationFailed {
        /// The elements asked for.
        elements: usize,
    },
}

/// Why a view, or a walk over one, is not possible.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorViewError {
    /// The axis is not one of the shape's.
    #[error("axis {axis} is out of range for shape {shape:?} of rank {}", shape.len())]
    AxisOutOfRange {
        /// The requested axis.
        axis: usize,
        /// The view's shape.
        shape: Shape,
    },
    /// A reshape must keep the number of elements.
    #[error("reshape from {from:?} ({from_elements} elements) to {to:?} ({to_elements} elements)")]
    ReshapeLength {
        /// The view's shape.
        from: Shape,
        /// Its elements.
        from_elements: usize,
        /// The requested shape.
        to: Shape,
        /// Its elements.
        to_elements: usize,
    },
    /// Only a view whose elements lie in row-major order can be reshaped.
    #[error(
        "reshape of a view with shape {shape:?} and strides {strides:?}, which is not contiguous; \
         materialize it first"
    )]
    NotContiguous {
        /// The view's shape.
        shape: Shape,
        /// Its strides.
        strides: Strides,
    },
    /// An axis can be expanded only if its extent is 1.
    #[error("shape {from:?} does not broadcast to {to:?}")]
    IncompatibleBroadcast {
        /// The view's shape.
        from: Shape,
        /// The requested shape.
        to: Shape,
    },
    /// A walk needs one stride for each axis.
    #[error("{strides} strides were given for a logical shape {shape:?} of rank {}", shape.len())]
    StrideCount {
        /// The logical shape.
        shape: Shape,
        /// The strides that came.
        strides: usize,
    },
    /// The promised number of elements is not the logical shape's.
    #[error("logical shape {shape:?} has {expected} elements, but {actual} were announced")]
    ElementCount {
        /// The logical shape.
        shape: Shape,
        /// Its elements.
        expected: usize,
        /// The announced number.
        actual: usize,
    },
    /// The largest offset does not fit in a `usize`.
    #[error("logical shape {shape:?} with strides {strides:?} reaches an offset beyond usize")]
    OffsetOverflow {
        /// The logical shape.
        shape: Shape,
        /// The effective strides.
        strides: Strides,
    },
    /// The largest offset lies outside the storage.
    #[error(
        "logical shape {shape:?} with strides {strides:?} reaches offset {offset}, but the storage \
         ends at {storage}"
    )]
    OffsetOutOfBounds {
        /// The logical shape.
        shape: Shape,
        /// The effective strides.
        strides: Strides,
        /// The largest offset the walk would reach.
        offset: usize,
        /// The elements in storage.
        storage: usize,
    },
    /// The tensor itself could not be made.
    #[error("{0}")]
    Tensor(#[from] TensorError),
}

/// Why an operation on tensors is not possible.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorOpError {
    /// Aligned at their last axes, two extents differ and neither is 1.
    #[error(
        "{operation}: shapes {left:?} and {right:?} do not broadcast: {left_extent} meets \
         {right_extent} at axis {axis} of the result"
    )]
    IncompatibleShapes {
        /// The operation.
        operation: &'static str,
        /// Shape of the first operand.
        left: Shape,
        /// Shape of the second operand, or the requested shape.
        right: Shape,
        /// The first axis of the common shape at which they differ.
        axis: usize,
        /// The first operand's extent there.
        left_extent: usize,
        /// The other extent there.
        right_extent: usize,
    },
    /// The axis is not one of the shape's.
    #[error("{operation}: axis {axis} is out of range for shape {shape:?} of rank {}", shape.len())]
    AxisOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The requested axis.
        axis: usize,
        /// The operand's shape.
        shape: Shape,
    },
    /// A reshape must keep the number of elements.
    #[error(
        "reshape: from {from:?} ({from_elements} elements) to {to:?} ({to_elements} elements); the \
         product of the extents must stay the same"
    )]
    ReshapeLength {
        /// The operand's shape.
        from: Shape,
        /// Its elements.
        from_elements: usize,
        /// The requested shape.
        to: Shape,
        /// Its elements.
        to_elements: usize,
    },
    /// A mean divides by the extent, and this extent is 0.
    #[error("mean: axis {axis} of shape {shape:?} is empty, and 0 / 0 has no value")]
    EmptyMean {
        /// The requested axis.
        axis: usize,
        /// The operand's shape.
        shape: Shape,
    },
    /// An expansion may not shrink or drop an axis.
    #[error("broadcast: shape {input:?} cannot shrink to {requested:?}")]
    BroadcastShrinks {
        /// The operand's shape.
        input: Shape,
        /// The requested shape.
        requested: Shape,
    },
    /// The tensor itself could not be made.
    #[error("{0}")]
    Tensor(#[from] TensorError),
    /// A view of it could not be made.
    #[error("{0}")]
    View(#[source] TensorViewError),
}

/// A tensor that could not be made is the same error whether a view was on the way or not.
impl From<TensorViewError> for TensorOpError {
    fn from(error: TensorViewError) -> Self {
        match error {
            TensorViewError::Tensor(error) => Self::Tensor(error),
            error => Self::View(error),
        }
    }
}
