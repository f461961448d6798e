use super::TensorError;
use std::sync::Arc;

/// The extents of a tensor, or its strides, outermost axis first.
///
/// It reads like a slice: index it, iterate it, compare it with an array. Two entries live inline;
/// more are shared between clones. A copy allocates nothing either way.
///
/// ```
/// use pullback::tensor::Shape;
///
/// let shape = Shape::from([2, 3]);
/// assert_eq!(shape, [2, 3]);
/// assert_eq!(shape.len(), 2);
/// assert_eq!(format!("{shape:?}"), "[2, 3]");
/// ```
pub struct Shape(Entries);

impl Clone for Shape {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

/// How far a storage offset moves when one coordinate of an axis grows by one.
pub type Strides = Shape;

/// Two words and their length, or shared words. The length is a type with three values, so that the
/// compiler knows it fits; all of them stand in one tag of a whole word, since a copy waits for
/// words that were written in parts. Unused entries are 0.
enum Entries {
    Inline(Length, [usize; 2]),
    Shared(Arc<[usize]>),
}

impl Clone for Entries {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Inline(length, entries) => Self::Inline(*length, *entries),
            Self::Shared(entries) => Self::Shared(Arc::clone(entries)),
        }
    }

    /// Straight to its place, not by way of the stack.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Inline(length, entries), Self::Inline(other_length, other_entries)) => {
                (*length, *entries) = (*other_length, *other_entries);
            }
            _ => self.share_entries(other),
        }
    }
}

impl Entries {
    #[cold]
    #[inline(never)]
    fn share_entries(&mut self, other: &Self) {
        *self = other.clone();
    }
}

#[repr(u64)]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Zero,
    One,
    Two,
}

impl Shape {
    /// No entries: the shape of a scalar.
    pub(crate) const fn rank_zero() -> Self {
        Self(Entries::Inline(Length::Zero, [0; 2]))
    }

    /// `length` entries, each `value`.
    #[inline]
    pub(crate) fn repeat(value: usize, length: usize) -> Self {
        Self(match length {
            0 => Entries::Inline(Length::Zero, [0; 2]),
            1 => Entries::Inline(Length::One, [value, 0]),
            2 => Entries::Inline(Length::Two, [value; 2]),
            _ => Entries::Shared(std::iter::repeat_n(value, length).collect()),
        })
    }

    /// As many entries as `length` says, made from the last to the first.
    #[inline]
    pub(crate) fn from_last(length: usize, mut entry: impl FnMut(usize) -> usize) -> Self {
        Self(match length {
            0 => Entries::Inline(Length::Zero, [0; 2]),
            1 => Entries::Inline(Length::One, [entry(0), 0]),
            2 => {
                let last = entry(1);
                Entries::Inline(Length::Two, [entry(0), last])
            }
            _ => {
                let mut entries = Self::repeat(0, length);
                entries.iter_mut().enumerate().rev().for_each(|(axis, it)| *it = entry(axis));
                return entries;
            }
        })
    }
}

impl Default for Shape {
    fn default() -> Self {
        Self::rank_zero()
    }
}

impl std::ops::Deref for Shape {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        match &self.0 {
            Entries::Inline(length, entries) => &entries[..*length as usize],
            Entries::Shared(entries) => entries,
        }
    }
}

impl std::ops::DerefMut for Shape {
    #[inline]
    fn deref_mut(&mut self) -> &mut [usize] {
        match &mut self.0 {
            Entries::Inline(length, entries) => &mut entries[..*length as usize],
            Entries::Shared(entries) => unshared(entries),
        }
    }
}

/// Out of line, so that the short case stays small enough to be inlined.
#[cold]
fn unshared(entries: &mut Arc<[usize]>) -> &mut [usize] {
    Arc::make_mut(entries)
}

impl PartialEq for Shape {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Entries::Inline(length, one), Entries::Inline(other_length, two)) => {
                length == other_length && one == two
            }
            _ => self.same_entries(other),
        }
    }
}

impl Shape {
    /// Out of line, like all that only long shapes need: comparing two short ones is a few
    /// instructions, and it stands in many places.
    #[cold]
    #[inline(never)]
    fn same_entries(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Shape {}

impl std::hash::Hash for Shape {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl AsRef<[usize]> for Shape {
    #[inline]
    fn as_ref(&self) -> &[usize] {
        self
    }
}

impl From<&[usize]> for Shape {
    #[inline]
    fn from(entries: &[usize]) -> Self {
        Self(match *entries {
            [] => Entries::Inline(Length::Zero, [0; 2]),
            [one] => Entries::Inline(Length::One, [one, 0]),
            [one, two] => Entries::Inline(Length::Two, [one, two]),
            _ => Entries::Shared(entries.into()),
        })
    }
}

impl<const LENGTH: usize> From<[usize; LENGTH]> for Shape {
    fn from(entries: [usize; LENGTH]) -> Self {
        entries.as_slice().into()
    }
}

impl<const LENGTH: usize> PartialEq<[usize; LENGTH]> for Shape {
    fn eq(&self, other: &[usize; LENGTH]) -> bool {
        **self == *other
    }
}

impl PartialEq<[usize]> for Shape {
    fn eq(&self, other: &[usize]) -> bool {
        **self == *other
    }
}

impl std::fmt::Debug for Shape {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // One line even under `{:#?}`: a shape is read as one thing.
        write!(formatter, "{:?}", &**self)
    }
}

/// The most axes a tensor may have. A set of axes fits in one word then.
pub(crate) const MOST_AXES: usize = 64;

/// A set of axes, in ascending order: those along which an operand was expanded, for one.
///
/// ```
/// use pullback::tensor::Axes;
///
/// let axes: Axes = [2, 0].into_iter().collect();
/// assert_eq!(axes.iter().collect::<Vec<_>>(), [0, 2]);
/// assert!(axes.contains(2) && !axes.contains(1));
/// assert_eq!(format!("{axes:?}"), "[0, 2]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Axes(u64);

impl Axes {
    /// Whether there is no axis.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of axes.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `axis` is one of them.
    pub fn contains(self, axis: usize) -> bool {
        axis < MOST_AXES && self.0 >> axis & 1 == 1
    }

    /// The axes, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_AXES).filter(move |&axis| self.contains(axis))
    }
}

impl FromIterator<usize> for Axes {
    /// Axes beyond the most a tensor may have are not kept: there is none to name.
    fn from_iter<I: IntoIterator<Item = usize>>(axes: I) -> Self {
        let known = axes.into_iter().filter(|&axis| axis < MOST_AXES);
        Self(known.fold(0, |set, axis| set | 1 << axis))
    }
}

impl<const LENGTH: usize> PartialEq<[usize; LENGTH]> for Axes {
    fn eq(&self, other: &[usize; LENGTH]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl std::fmt::Debug for Axes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", self.iter().collect::<Vec<_>>())
    }
}

/// Refuses more axes than a set of axes can name.
#[inline]
pub(crate) fn refuse_too_many_axes(shape: &[usize]) -> Result<(), TensorError> {
    if shape.len() > MOST_AXES {
        return Err(too_many_axes(shape));
    }
    Ok(())
}

#[cold]
fn too_many_axes(shape: &[usize]) -> TensorError {
    TensorError::TooManyAxes { rank: shape.len(), most: MOST_AXES }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{DefaultHasher, Hash, Hasher};

    fn hash(entries: &(impl Hash + ?Sized)) -> u64 {
        let mut state = DefaultHasher::new();
        entries.hash(&mut state);
        state.finish()
    }

    #[test]
    fn a_set_of_axes_names_the_first_and_the_last_and_none_beyond() {
        let axes: Axes = [63, 0, 2, 63, 64, 65].into_iter().collect();
        assert_eq!(axes, [0, 2, 63]);
        assert_ne!(axes, [0, 2]);
        assert_ne!(axes, [0, 2, 63, 63]);
        assert_eq!((axes.len(), axes.is_empty()), (3, false));
        assert!(axes.contains(63) && !axes.contains(64) && !axes.contains(usize::MAX));
    }

    #[test]
    fn shapes_of_every_length_compare_by_their_entries() {
        for length in 0..6 {
            let entries: Vec<usize> = (0..length).collect();
            let shape = Shape::from(entries.as_slice());
            assert_eq!(&*shape, entries.as_slice());
            assert_eq!(shape, shape.clone());
            let longer: Vec<usize> = (0..length + 1).collect();
            assert_ne!(shape, Shape::from(longer.as_slice()));
            let mut other = shape.clone();
            for axis in 0..length {
                other[axis] += 1;
                assert_ne!(shape, other);
                other[axis] -= 1;
            }
            assert_eq!(shape, other);
            assert_eq!(Shape::repeat(7, length), vec![7; length][..]);
            assert_eq!(Shape::repeat(7, length), Shape::from(vec![7; length].as_slice()));
            assert_eq!(hash(&shape), hash(entries.as_slice()));
        }
    }

    #[test]
    fn shapes_of_every_length_are_made_from_the_last_entry_and_copied_over_each_other() {
        let made = |length: usize| {
            let mut asked = Vec::new();
            let shape = Shape::from_last(length, |axis| {
                asked.push(axis);
                axis + 7
            });
            assert!(asked.into_iter().eq((0..length).rev()));
            assert_eq!(shape, (7..7 + length).collect::<Vec<_>>()[..]);
            shape
        };
        for (from, to) in (0..5).flat_map(|from| (0..5).map(move |to| (from, to))) {
            let (shape, mut copy) = (made(from), Shape::repeat(1, to));
            copy.clone_from(&shape);
            assert_eq!(copy, shape);
            copy.iter_mut().for_each(|entry| *entry += 1);
            assert_eq!(copy, (8..8 + from).collect::<Vec<_>>()[..]);
            assert_eq!(shape, made(from), "long shapes are shared until one is written");
        }
    }
}
