use super::repeat::Repeat;
use super::shape::{element_count, row_major_strides};
use super::storage::Body;
use super::{Shape, Strides, TensorError, TensorView};
use triomphe::Arc;

/// A dense array of `f64`: row-major, contiguous, with value semantics.
///
/// # Shapes
///
/// Rank 0 is a scalar with one element. An axis of extent 0 is legal and leaves no element. NaN and
/// infinities are legal here; a leaf of the tape refuses them.
///
/// # Numerics
///
/// `==` compares shapes, then elements as IEEE numbers: NaN differs from itself, -0.0 equals +0.0.
/// For a tolerance use the traits of the `approx` crate.
///
/// # Examples
///
/// ```
/// use pullback::tensor::{Tensor, TensorError};
///
/// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(x.strides(), [3, 1]);
///
/// // A clone is independent: writing one leaves the other alone.
/// let mut y = x.clone();
/// y.as_mut_slice()?[0] = 9.0;
/// assert_eq!((x.as_slice()[0], y.as_slice()[0]), (1.0, 9.0));
///
/// // Five values do not fill six places.
/// let error = Tensor::from_vec([2, 3], vec![0.0; 5]).unwrap_err();
/// assert_eq!(error.to_string(), "shape [2, 3] holds 6 elements, but 5 values were given");
/// # Ok::<(), TensorError>(())
/// ```
///
/// # Layout
///
/// One pointer, so that moving a tensor costs what moving a number costs. Clones point to one body
/// until one of them is written.
#[derive(Clone)]
pub struct Tensor(Option<Arc<Body>>);

/// The shape of a tensor without a body.
static VACANT: Shape = Shape::rank_zero();

impl Tensor {
    /// A tensor of this shape with these values, in row-major order. The values are not copied.
    ///
    /// # Errors
    ///
    /// [`TensorError::TooManyAxes`] beyond 64 axes, then [`TensorError::ShapeOverflow`] if the
    /// extents' product does not fit in a `usize`, then [`TensorError::LengthMismatch`] if it is
    /// not the number of values.
    pub fn from_vec(shape: impl AsRef<[usize]>, values: Vec<f64>) -> Result<Self, TensorError> {
        let shape = Shape::from(shape.as_ref());
        let expected = element_count(&shape)?;
        if expected != values.len() {
            return Err(TensorError::LengthMismatch { shape, expected, actual: values.len() });
        }
        Ok(Self(Some(Body::adopt(shape, values))))
    }

    /// A tensor of rank 0.
    ///
    /// ```
    /// use pullback::Tensor;
    ///
    /// let scalar = Tensor::scalar(2.5);
    /// assert_eq!((scalar.rank(), scalar.len()), (0, 1));
    /// ```
    pub fn scalar(value: f64) -> Self {
        let kept = Self::build(&Shape::default(), |values| values.fill(value));
        kept.map(|(scalar, ())| scalar)
            .unwrap_or_else(|_| Self(Some(Body::adopt(Shape::default(), vec![value]))))
    }

    /// A tensor of this shape with every element +0.0.
    ///
    /// # Errors
    ///
    /// [`TensorError::TooManyAxes`], [`TensorError::ShapeOverflow`],
    /// [`TensorError::AllocationFailed`].
    pub fn zeros(shape: impl AsRef<[usize]>) -> Result<Self, TensorError> {
        Self::filled(shape, 0.0)
    }

    /// A tensor of this shape with every element `value`.
    ///
    /// # Errors
    ///
    /// [`TensorError::TooManyAxes`], [`TensorError::ShapeOverflow`],
    /// [`TensorError::AllocationFailed`].
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorError};
    ///
    /// assert_eq!(Tensor::filled([2], 7.0)?.as_slice(), [7.0, 7.0]);
    ///
    /// let error = Tensor::filled([usize::MAX, 2], 7.0).unwrap_err();
    /// assert!(matches!(error, TensorError::ShapeOverflow { .. }));
    /// # Ok::<(), TensorError>(())
    /// ```
    pub fn filled(shape: impl AsRef<[usize]>, value: f64) -> Result<Self, TensorError> {
        Self::build(&shape.as_ref().into(), |values| values.fill(value)).map(|(tensor, ())| tensor)
    }

    /// A new tensor whose elements `write` sets, every one of them: the slice holds leftovers.
    #[inline]
    pub(crate) fn build<R>(
        shape: &Shape,
        write: impl FnOnce(&mut [f64]) -> R,
    ) -> Result<(Self, R), TensorError> {
        let elements = element_count(shape)?;
        Self::build_counted(shape, elements, write)
    }

    /// [`Tensor::build`] for a shape whose elements the caller has counted.
    #[inline]
    pub(crate) fn build_counted<R>(
        shape: &Shape,
        elements: usize,
        write: impl FnOnce(&mut [f64]) -> R,
    ) -> Result<(Self, R), TensorError> {
        match Body::build(shape, elements, write) {
            Some((body, result)) => Ok((Self(Some(body)), result)),
            None => Err(TensorError::AllocationFailed { elements }),
        }
    }

    #[inline]
    pub(super) fn body(&self) -> Option<&Body> {
        self.0.as_deref()
    }

    pub(super) fn deferred(shape: Shape, elements: usize, repeat: Repeat) -> Self {
        Self(Some(Body::defer(shape, elements, repeat)))
    }

    /// How to read the elements without writing them out, if they repeat those of another tensor.
    #[inline]
    pub(super) fn repeated_source(&self) -> Option<(&[f64], &Strides)> {
        self.body().and_then(Body::repeat).and_then(Repeat::source)
    }

    /// Extents, outermost axis first.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        self.shape_list()
    }

    #[inline]
    pub(crate) fn shape_list(&self) -> &Shape {
        self.body().map_or(&VACANT, |body| &body.shape)
    }

    /// Row-major strides: the last axis moves by 1.
    pub fn strides(&self) -> Strides {
        row_major_strides(self.shape())
    }

    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.body().map_or(0, |body| body.elements)
    }

    /// Whether there is no element, because an extent is 0.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// The elements in row-major order.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        self.body().map_or(&[], Body::as_slice)
    }

    /// The elements in row-major order, for writing. Copies first if a clone shares the storage.
    ///
    /// # Errors
    ///
    /// [`TensorError::AllocationFailed`] if that copy finds no memory; nothing has changed then.
    pub fn as_mut_slice(&mut self) -> Result<&mut [f64], TensorError> {
        if self.unique_mut().is_none() {
            let copy = |values: &mut [f64]| values.copy_from_slice(self.as_slice());
            *self = Self::build_counted(self.shape_list(), self.len(), copy)?.0;
        }
        Ok(self.unique_mut().unwrap_or(&mut []))
    }

    /// The elements for writing if no clone shares them.
    #[inline]
    pub(crate) fn unique_mut(&mut self) -> Option<&mut [f64]> {
        match &mut self.0 {
            None => Some(&mut []),
            Some(body) => Arc::get_mut(body)?.unique_mut(),
        }
    }

    /// The elements as a vector. Copied unless this tensor alone has them and they fill their
    /// storage, as those of [`Tensor::from_vec`] do.
    ///
    /// # Errors
    ///
    /// [`TensorError::AllocationFailed`] if that copy finds no memory.
    pub fn into_vec(mut self) -> Result<Vec<f64>, TensorError> {
        if let Some(values) = self.0.as_mut().and_then(Arc::get_mut).and_then(Body::give_up_storage)
        {
            return Ok(values);
        }
        let mut values = Vec::new();
        if values.try_reserve_exact(self.len()).is_err() {
            return Err(TensorError::AllocationFailed { elements: self.len() });
        }
        values.extend_from_slice(self.as_slice());
        Ok(values)
    }

    /// A borrowed view of the whole tensor, to be read through other strides.
    pub fn view(&self) -> TensorView<'_> {
        TensorView::contiguous(self.as_slice(), self.shape_list().clone())
    }

    /// The same storage under another shape of equally many elements. The caller has counted.
    #[inline]
    pub(super) fn with_shape(mut self, shape: Shape) -> Self {
        match self.0.as_mut().and_then(Arc::get_mut) {
            Some(body) if body.repeat().is_none() => {
                body.shape = shape;
                self
            }
            _ => Self(Some(Body::share(shape, self))),
        }
    }

    /// No elements, for a place that has no value yet. It is never handed out.
    #[inline]
    pub(crate) fn vacant() -> Self {
        Self(None)
    }

    /// Lets go of the elements, for a node of the tape whose value nobody can read any more.
    #[inline]
    pub(crate) fn vacate(&mut self) {
        *self = Self::vacant();
    }
}

impl Drop for Tensor {
    #[inline(always)]
    fn drop(&mut self) {
        // Two last owners on two threads may both see a count of two; then the body is freed in the
        // ordinary way.
        if self.0.as_ref().is_some_and(Arc::is_unique) {
            if let Some(body) = self.0.take() {
                Body::retire(body);
            }
        }
    }
}

impl PartialEq for Tensor {
    fn eq(&self, other: &Self) -> bool {
        self.shape_list() == other.shape_list() && self.as_slice() == other.as_slice()
    }
}

/// Prints on one line, so that a tensor stays readable inside an error or a record; after the first
/// elements an ellipsis.
impl std::fmt::Debug for Tensor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 16;
        let values = self.as_slice();
        write!(formatter, "Tensor({:?}, [", self.shape())?;
        for (index, value) in values.iter().take(SHOWN).enumerate() {
            write!(formatter, "{}{value:?}", if index > 0 { ", " } else { "" })?;
        }
        formatter.write_str(if values.len() > SHOWN { ", ..])" } else { "])" })
    }
}

impl Tensor {
    /// Tensors are close if their shapes are equal and every pair of elements is close.
    fn pairwise(&self, other: &Self, close: impl Fn(&f64, &f64) -> bool) -> bool {
        let mut pairs = self.as_slice().iter().zip(other.as_slice());
        self.shape_list() == other.shape_list() && pairs.all(|(one, two)| close(one, two))
    }
}

impl approx::AbsDiffEq for Tensor {
    type Epsilon = f64;

    fn default_epsilon() -> f64 {
        f64::default_epsilon()
    }

    fn abs_diff_eq(&self, other: &Self, epsilon: f64) -> bool {
        self.pairwise(other, |one, two| one.abs_diff_eq(two, epsilon))
    }
}

impl approx::RelativeEq for Tensor {
    fn default_max_relative() -> f64 {
        f64::default_max_relative()
    }

    fn relative_eq(&self, other: &Self, epsilon: f64, max_relative: f64) -> bool {
        self.pairwise(other, |one, two| one.relative_eq(two, epsilon, max_relative))
    }
}

impl approx::UlpsEq for Tensor {
    fn default_max_ulps() -> u32 {
        f64::default_max_ulps()
    }

    fn ulps_eq(&self, other: &Self, epsilon: f64, max_ulps: u32) -> bool {
        self.pairwise(other, |one, two| one.ulps_eq(two, epsilon, max_ulps))
    }
}
