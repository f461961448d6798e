use super::repeat::write_strided;
use super::shape::{common_shape, element_count, expanded_strides, row_major_strides};
use super::{kernels, Computed, OffsetPlan, ProjectedOffsets, Shape, Strides};
use super::{Tensor, TensorViewError};

/// A shape and strides over borrowed storage: another way to read a tensor, without a copy.
///
/// Reshape, transpose and broadcast change only shape and strides. An expanded axis has stride 0:
/// it reads one element again and again.
///
/// ```
/// use pullback::tensor::{Tensor, TensorViewError};
///
/// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
/// let view = x.view().transpose(0, 1)?;
/// assert_eq!((view.shape(), view.strides()), (&[3, 2][..], &[1, 3][..]));
/// assert_eq!(view.materialize()?.as_slice(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
///
/// // Its elements are out of row-major order, so no single stride describes six in a row.
/// let error = view.reshape([6]).unwrap_err();
/// assert!(matches!(error, TensorViewError::NotContiguous { .. }));
/// # Ok::<(), TensorViewError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TensorView<'a> {
    storage: &'a [f64],
    shape: Shape,
    strides: Strides,
}

impl<'a> TensorView<'a> {
    pub(crate) fn contiguous(storage: &'a [f64], shape: Shape) -> Self {
        let strides = row_major_strides(&shape);
        Self { storage, shape, strides }
    }

    /// Extents, outermost axis first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    #[inline]
    pub(crate) fn shape_list(&self) -> &Shape {
        &self.shape
    }

    /// Effective strides: 0 along an expanded axis.
    pub fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// Number of logical elements; an expanded axis counts in full.
    pub fn len(&self) -> usize {
        // A shape that overflows cannot be made into a view.
        self.shape.iter().product()
    }

    /// Whether there is no element, because an extent is 0.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The same elements, in the same order, under another shape.
    ///
    /// # Errors
    ///
    /// [`TensorViewError::Tensor`] if the shape has too many axes or overflows,
    /// [`TensorViewError::ReshapeLength`] if it holds another number of elements,
    /// [`TensorViewError::NotContiguous`] if the view's elements do not lie in row-major order.
    pub fn reshape(&self, shape: impl AsRef<[usize]>) -> Result<Self, TensorViewError> {
        let to = Shape::from(shape.as_ref());
        let to_elements = element_count(&to)?;
        if to_elements != self.len() {
            let (from, from_elements) = (self.shape.clone(), self.len());
            return Err(TensorViewError::ReshapeLength { from, from_elements, to, to_elements });
        }
        if !self.is_contiguous() {
            let (shape, strides) = (self.shape.clone(), self.strides.clone());
            return Err(TensorViewError::NotContiguous { shape, strides });
        }
        Ok(Self::contiguous(self.storage, to))
    }

    /// Whether the elements lie in row-major order. The stride of an axis of extent 1 is never
    /// used.
    fn is_contiguous(&self) -> bool {
        let mut step = 1;
        let mut axes = self.shape.iter().zip(self.strides.iter()).rev();
        let row_major = axes.all(|(&extent, &stride)| {
            let expected = step;
            step *= extent;
            extent == 1 || stride == expected
        });
        row_major || self.is_empty()
    }

    /// Two axes swapped.
    ///
    /// # Errors
    ///
    /// [`TensorViewError::AxisOutOfRange`], `first` before `second`.
    pub fn transpose(&self, first: usize, second: usize) -> Result<Self, TensorViewError> {
        for axis in [first, second] {
            if axis >= self.shape.len() {
                return Err(TensorViewError::AxisOutOfRange { axis, shape: self.shape.clone() });
            }
        }
        let mut view = self.clone();
        view.shape.swap(first, second);
        view.strides.swap(first, second);
        Ok(view)
    }

    /// Axes of extent 1 and missing leading axes expanded to those of `shape`, with stride 0.
    ///
    /// # Errors
    ///
    /// [`TensorViewError::Tensor`] if the shape has too many axes or overflows,
    /// [`TensorViewError::IncompatibleBroadcast`] if an axis of another extent would have to
    /// change.
    pub fn broadcast_to(&self, shape: impl AsRef<[usize]>) -> Result<Self, TensorViewError> {
        let to = Shape::from(shape.as_ref());
        element_count(&to)?;
        if common_shape("broadcast", &self.shape, &to).ok().as_ref() != Some(&to) {
            return Err(TensorViewError::IncompatibleBroadcast { from: self.shape.clone(), to });
        }
        let strides = expanded_strides(&self.shape, &self.strides, &to);
        Ok(Self { storage: self.storage, shape: to, strides })
    }

    /// A contiguous tensor of the view's elements.
    ///
    /// # Errors
    ///
    /// [`TensorViewError::Tensor`] if there is no memory for it.
    pub fn materialize(&self) -> Result<Tensor, TensorViewError> {
        if let Some(elements) = self.row_major_elements() {
            let copy = |out: &mut [f64]| out.copy_from_slice(elements);
            return Ok(Tensor::build_counted(&self.shape, elements.len(), copy)?.0);
        }
        let plan = OffsetPlan::new(&self.shape, &self.strides, self.len(), self.storage.len())?;
        let write = |out: &mut [f64]| write_strided(out, self.storage, plan);
        Ok(Tensor::build(&self.shape, write)?.0)
    }

    /// [`TensorView::materialize`] with every -0.0 turned into +0.0.
    pub(crate) fn materialize_unsigned_zero(&self) -> Result<Computed, TensorViewError> {
        let (tensor, finite) = match self.row_major_elements() {
            Some(elements) => {
                let copy = |out: &mut [f64]| kernels::add_scalar(out, elements, 0.0);
                Tensor::build_counted(&self.shape, elements.len(), copy)?
            }
            None => {
                let mut tensor = self.materialize()?;
                let finite = kernels::clear_signed_zeros(tensor.as_mut_slice()?);
                (tensor, finite)
            }
        };
        Ok(Computed { tensor, finite })
    }

    /// The elements themselves, if they lie in row-major order.
    fn row_major_elements(&self) -> Option<&'a [f64]> {
        self.is_contiguous().then(|| self.storage.get(..self.len())).flatten()
    }

    /// The storage offsets at which a walk over `logical_shape` with `effective_strides` reads this
    /// view's storage, in row-major order.
    ///
    /// # Errors
    ///
    /// In this order: [`TensorViewError::StrideCount`] unless there is one stride for each axis,
    /// [`TensorViewError::Tensor`] if the shape has too many axes or overflows,
    /// [`TensorViewError::ElementCount`] unless
    /// `logical_len` is the shape's number of elements, [`TensorViewError::OffsetOverflow`],
    /// [`TensorViewError::OffsetOutOfBounds`] if the farthest offset lies outside the storage. All
    /// before the first offset; a walk without elements yields none and fits any storage.
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorViewError};
    ///
    /// let means = Tensor::from_vec([2], vec![11.0, 18.0]).unwrap();
    /// let offsets = means.view().projected_offsets(&[2, 3], &[1, 0], 6)?;
    /// assert_eq!(offsets.collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1]);
    ///
    /// let error = means.view().projected_offsets(&[2, 3], &[1, 1], 6).unwrap_err();
    /// assert!(matches!(error, TensorViewError::OffsetOutOfBounds { offset: 3, storage: 2, .. }));
    /// # Ok::<(), TensorViewError>(())
    /// ```
    pub fn projected_offsets(
        &self,
        logical_shape: &[usize],
        effective_strides: &[usize],
        logical_len: usize,
    ) -> Result<ProjectedOffsets, TensorViewError> {
        let storage = self.storage.len();
        Ok(OffsetPlan::new(logical_shape, effective_strides, logical_len, storage)?.offsets())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::TensorError;

    fn counted(shape: [usize; 2]) -> Tensor {
        let values = (0..shape[0] * shape[1]).map(|i| i as f64).collect();
        Tensor::from_vec(shape, values).unwrap()
    }

    #[test]
    fn a_reshape_looks_at_the_shape_then_the_count_then_the_order() {
        let table = counted([2, 3]);
        assert_eq!(table.view().reshape([6]).unwrap().strides(), [1]);
        for (count, view) in [(6, table.view()), (6, table.view().transpose(0, 1).unwrap())] {
            let overflow = view.reshape([usize::MAX, 2]).unwrap_err();
            assert!(matches!(overflow, TensorViewError::Tensor(TensorError::ShapeOverflow { .. })));
            for other in [count - 1, count + 1] {
                let length = view.reshape([other]).unwrap_err();
                assert!(matches!(length, TensorViewError::ReshapeLength { .. }));
            }
        }
        // An expanded axis repeats elements; an axis of extent 1 has no step; nothing has an order.
        let row = counted([1, 3]);
        let expanded = row.view().broadcast_to([2, 3]).unwrap().reshape([6]).unwrap_err();
        assert!(matches!(expanded, TensorViewError::NotContiguous { .. }));
        let column = row.view().transpose(0, 1).unwrap();
        assert_eq!(column.reshape([3]).unwrap().materialize().unwrap(), row.reshape([3]).unwrap());
        let nothing = counted([2, 0]);
        let turned = nothing.view().transpose(0, 1).unwrap();
        assert!(turned.broadcast_to([5, 0, 2]).unwrap().reshape([0]).is_ok());
    }

    #[test]
    fn a_broadcast_looks_at_the_shape_first_and_keeps_the_strides_of_the_view() {
        let error = counted([2, 2]).view().broadcast_to([usize::MAX, 2, 3]).unwrap_err();
        assert!(matches!(error, TensorViewError::Tensor(TensorError::ShapeOverflow { .. })));
        let table = counted([2, 3]);
        let turned = table.view().transpose(0, 1).unwrap().broadcast_to([2, 3, 2]).unwrap();
        assert_eq!(turned.strides(), [0, 1, 3]);
        let once = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0];
        assert_eq!(turned.materialize().unwrap().as_slice(), [once, once].concat());
        // Offsets are bounded by the storage, not by the elements that it stands for.
        let error = turned.projected_offsets(&[7], &[1], 7).unwrap_err();
        assert!(matches!(error, TensorViewError::OffsetOutOfBounds { offset: 6, storage: 6, .. }));
        let nothing = counted([1, 1]).view().broadcast_to([0, 1]).unwrap().materialize().unwrap();
        assert_eq!((nothing.shape(), nothing.len()), (&[0, 1][..], 0));
    }

    #[test]
    fn signed_zeros_go_and_infinities_are_seen_in_and_out_of_order() {
        for last in [1.0, f64::INFINITY] {
            let table = Tensor::from_vec([2, 2], vec![-0.0, -0.0, last, 2.0]).unwrap();
            for view in [table.view(), table.view().transpose(0, 1).unwrap()] {
                let computed = view.materialize_unsigned_zero().unwrap();
                assert_eq!(computed.finite, last.is_finite());
                assert!(computed.tensor.as_slice().iter().all(|value| value.is_sign_positive()));
            }
        }
    }
}
