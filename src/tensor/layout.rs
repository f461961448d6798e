use super::shape::{broadcast_strides, common_shape, element_count};
use super::{kernels, Shape, Tensor, TensorOpError};

impl Tensor {
    /// The same elements, in the same order, under another shape. The storage is shared.
    ///
    /// # Errors
    ///
    /// [`TensorOpError::Tensor`] if the shape overflows, [`TensorOpError::ReshapeLength`] if it
    /// holds another number of elements.
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorOpError};
    ///
    /// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(x.reshape([3, 2])?.as_slice(), x.as_slice());
    /// assert!(matches!(x.reshape([4]), Err(TensorOpError::ReshapeLength { .. })));
    /// # Ok::<(), TensorOpError>(())
    /// ```
    pub fn reshape(&self, shape: impl AsRef<[usize]>) -> Result<Self, TensorOpError> {
        self.clone().into_shape(shape.as_ref().into())
    }

    /// [`Tensor::reshape`] of a tensor that nobody needs under its old shape: it is moved,
    /// and its elements stay where they are.
    pub(crate) fn into_shape(self, to: Shape) -> Result<Self, TensorOpError> {
        let to_elements = element_count(&to)?;
        if to_elements != self.len() {
            let (from, from_elements) = (self.shape_list().clone(), self.len());
            return Err(TensorOpError::ReshapeLength { from, from_elements, to, to_elements });
        }
        Ok(self.with_shape(to))
    }

    /// Two axes swapped, the elements moved to their new row-major places.
    ///
    /// # Errors
    ///
    /// [`TensorOpError::AxisOutOfRange`], `first` before `second`; [`TensorOpError::Tensor`] if
    /// there is no memory.
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorOpError};
    ///
    /// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let t = x.transpose(0, 1)?;
    /// assert_eq!((t.shape(), t.as_slice()), (&[3, 2][..], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0][..]));
    /// assert!(matches!(x.transpose(0, 2), Err(TensorOpError::AxisOutOfRange { axis: 2, .. })));
    /// # Ok::<(), TensorOpError>(())
    /// ```
    pub fn transpose(&self, first: usize, second: usize) -> Result<Self, TensorOpError> {
        for axis in [first, second] {
            if axis >= self.rank() {
                let shape = self.shape_list().clone();
                return Err(TensorOpError::AxisOutOfRange { operation: "transpose", axis, shape });
            }
        }
        let (low, high) = (first.min(second), first.max(second));
        if low == high || self.is_empty() {
            let mut shape = self.shape_list().clone();
            shape.swap(low, high);
            return Ok(self.clone().with_shape(shape));
        }
        if let [rows, columns] = *self.shape() {
            let write = |target: &mut [f64]| {
                kernels::transpose(target, rows, self.as_slice(), columns, rows, columns)
            };
            return Ok(Self::build_counted(&[columns, rows].into(), self.len(), write)?.0);
        }
        // Five groups of axes: outer, low, middle, high, inner; low and high change places.
        let extents = self.shape();
        let outer: usize = extents[..low].iter().product();
        let middle: usize = extents[low + 1..high].iter().product();
        let inner: usize = extents[high + 1..].iter().product();
        let (rows, columns) = (extents[low], extents[high]);
        let mut shape = self.shape_list().clone();
        shape.swap(low, high);
        let block = rows * middle * columns * inner;
        let source = self.as_slice();
        let write = |target: &mut [f64]| {
            for start in (0..outer * block).step_by(block.max(1)) {
                let (source, target) =
                    (&source[start..start + block], &mut target[start..start + block]);
                if inner == 1 {
                    for step in 0..middle {
                        kernels::transpose(
                            &mut target[step * rows..],
                            middle * rows,
                            &source[step * columns..],
                            middle * columns,
                            rows,
                            columns,
                        );
                    }
                } else {
                    swap_runs(target, source, rows, middle, columns, inner);
                }
            }
        };
        Ok(Self::build(&shape, write)?.0)
    }

    /// Axes of extent 1 and missing leading axes expanded to those of `shape`; the elements are
    /// repeated.
    ///
    /// # Errors
    ///
    /// [`TensorOpError::IncompatibleShapes`]; [`TensorOpError::BroadcastShrinks`] if the shapes fit
    /// but `shape` is the smaller one; [`TensorOpError::Tensor`] if the shape overflows or there is
    /// no memory.
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorOpError};
    ///
    /// let bias = Tensor::from_vec([3], vec![1.0, -1.0, 0.0])?;
    /// assert_eq!(bias.broadcast_to([2, 3])?.as_slice(), [1.0, -1.0, 0.0, 1.0, -1.0, 0.0]);
    /// assert!(matches!(bias.broadcast_to([2, 4]), Err(TensorOpError::IncompatibleShapes { .. })));
    /// # Ok::<(), TensorOpError>(())
    /// ```
    pub fn broadcast_to(&self, shape: impl AsRef<[usize]>) -> Result<Self, TensorOpError> {
        let requested = Shape::from(shape.as_ref());
        let elements = element_count(&requested)?;
        if common_shape("broadcast", self.shape(), &requested)? != requested {
            let input = self.shape_list().clone();
            return Err(TensorOpError::BroadcastShrinks { input, requested });
        }
        self.expand_to(requested, elements)
    }

    /// [`Tensor::broadcast_to`] for a shape that has passed its checks.
    pub(crate) fn expand_to(
        &self,
        requested: Shape,
        elements: usize,
    ) -> Result<Self, TensorOpError> {
        if self.len() == elements {
            return Ok(self.clone().with_shape(requested));
        }
        let strides = broadcast_strides(self.shape(), &requested);
        Ok(Self::repeated(self, requested, elements, strides)?)
    }
}

/// Swaps two axes that are followed by `inner` elements in a row: whole runs move.
fn swap_runs(
    target: &mut [f64],
    source: &[f64],
    rows: usize,
    middle: usize,
    columns: usize,
    inner: usize,
) {
    let mut runs = source.chunks_exact(inner);
    for row in 0..rows {
        for step in 0..middle {
            for column in 0..columns {
                if let Some(run) = runs.next() {
                    let start = ((column * middle + step) * rows + row) * inner;
                    target[start..start + inner].copy_from_slice(run);
                }
            }
        }
    }
}
