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
    /// [`TensorViewError::Tensor`] if the shape overflows, [`TensorViewError::ReshapeLength`] if it
    /// holds another number of elements, [`TensorViewError::NotContiguous`] if the view's elements
    /// do not lie in row-major order.
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
    /// [`TensorViewError::Tensor`] if the shape overflows,
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
    /// [`TensorViewError::Tensor`] if the shape overflows, [`TensorViewError::ElementCount`] unless
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
