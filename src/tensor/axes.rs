use smallvec::SmallVec;

/// A short list of extents, strides or axes that lives inline up to `N` entries.
///
/// It reads like a slice: index it, iterate it, compare it with an array. Tensors of rank four or
/// less need no allocation for their shape.
///
/// ```
/// use pullback::tensor::Shape;
///
/// let shape = Shape::from([2, 3]);
/// assert_eq!(shape, [2, 3]);
/// assert_eq!(shape.len(), 2);
/// assert_eq!(format!("{shape:?}"), "[2, 3]");
/// ```
#[derive(PartialEq, Eq, Hash, Default)]
pub struct UsizeList<const N: usize>(SmallVec<[usize; N]>);

/// The extents of a tensor, outermost axis first.
pub type Shape = UsizeList<4>;
/// How far a storage offset moves when one coordinate of an axis grows by one.
pub type Strides = UsizeList<4>;
/// A list of axes, ascending.
pub type Axes = UsizeList<2>;

impl<const N: usize> UsizeList<N> {
    /// A list of `length` entries, each `value`.
    pub(crate) fn repeat(value: usize, length: usize) -> Self {
        Self(SmallVec::from_elem(value, length))
    }
}

impl<const N: usize> Clone for UsizeList<N> {
    // SmallVec's own clone walks element by element; entries are plain integers.
    #[inline]
    fn clone(&self) -> Self {
        Self(SmallVec::from_slice(&self.0))
    }
}

impl<const N: usize> std::ops::Deref for UsizeList<N> {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl<const N: usize> std::ops::DerefMut for UsizeList<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [usize] {
        &mut self.0
    }
}

impl<const N: usize> AsRef<[usize]> for UsizeList<N> {
    #[inline]
    fn as_ref(&self) -> &[usize] {
        &self.0
    }
}

impl<const N: usize> From<&[usize]> for UsizeList<N> {
    #[inline]
    fn from(entries: &[usize]) -> Self {
        Self(SmallVec::from_slice(entries))
    }
}

impl<const N: usize, const LENGTH: usize> From<[usize; LENGTH]> for UsizeList<N> {
    fn from(entries: [usize; LENGTH]) -> Self {
        Self(SmallVec::from_slice(&entries))
    }
}

impl<const N: usize> FromIterator<usize> for UsizeList<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<const N: usize, const LENGTH: usize> PartialEq<[usize; LENGTH]> for UsizeList<N> {
    fn eq(&self, other: &[usize; LENGTH]) -> bool {
        self.0.as_slice() == other.as_slice()
    }
}

impl<const N: usize> PartialEq<[usize]> for UsizeList<N> {
    fn eq(&self, other: &[usize]) -> bool {
        self.0.as_slice() == other
    }
}

impl<const N: usize> std::fmt::Debug for UsizeList<N> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // One line even under `{:#?}`: a shape is read as one thing.
        write!(formatter, "{:?}", self.0.as_slice())
    }
}
