use super::shape::element_count;
use super::{Shape, Strides, TensorViewError};

// ANCHOR: projected-offset-plan
/// A walk that has passed every check and has not begun: it borrows shape and strides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OffsetPlan<'a> {
    shape: &'a [usize],
    strides: &'a [usize],
    elements: usize,
}

impl<'a> OffsetPlan<'a> {
    #[inline]
    pub(crate) fn new(
        shape: &'a [usize],
        strides: &'a [usize],
        logical_len: usize,
        storage: usize,
    ) -> Result<Self, TensorViewError> {
        check_walk(shape, strides, logical_len, storage)?;
        Ok(Self::checked_before(shape, strides, logical_len))
    }

    /// A walk over the same storage as one that has passed.
    #[inline]
    pub(super) fn checked_before(
        shape: &'a [usize],
        strides: &'a [usize],
        elements: usize,
    ) -> Self {
        Self { shape, strides, elements }
    }
}

/// Checks a walk before its first step: one stride for each axis, the announced number of elements,
/// no overflow, and a largest offset that lies inside `storage` elements.
fn check_walk(
    shape: &[usize],
    strides: &[usize],
    logical_len: usize,
    storage: usize,
) -> Result<(), TensorViewError> {
    if strides.len() != shape.len() {
        let (shape, strides) = (shape.into(), strides.len());
        return Err(TensorViewError::StrideCount { shape, strides });
    }
    let elements = element_count(shape)?;
    if elements != logical_len {
        let (shape, expected, actual) = (shape.into(), elements, logical_len);
        return Err(TensorViewError::ElementCount { shape, expected, actual });
    }
    if elements == 0 {
        return Ok(());
    }
    // The last coordinate of every axis is the farthest a walk with steps >= 0 gets.
    let mut steps = shape.iter().zip(strides);
    let farthest = steps.try_fold(0_usize, |offset, (&extent, &stride)| {
        stride.checked_mul(extent - 1).and_then(|step| offset.checked_add(step))
    });
    let (shape, strides) = (|| Shape::from(shape), || Strides::from(strides));
    match farthest {
        Some(offset) if offset < storage => Ok(()),
        Some(offset) => Err(TensorViewError::OffsetOutOfBounds {
            shape: shape(),
            strides: strides(),
            offset,
            storage,
        }),
        None => Err(TensorViewError::OffsetOverflow { shape: shape(), strides: strides() }),
    }
}
// ANCHOR_END: projected-offset-plan

// ANCHOR: projected-offset-walk
/// The storage offsets of a walk, in row-major order of the logical shape.
///
/// The state is one coordinate for each axis that is walked. A step adds one to the last coordinate
/// and one stride to the offset; a coordinate that reaches its extent goes back to 0 and carries
/// into the axis before it.
#[derive(Debug, Clone)]
pub struct ProjectedOffsets {
    shape: Shape,
    strides: Strides,
    coordinate: Shape,
    offset: usize,
    remaining: usize,
}

impl Iterator for ProjectedOffsets {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.remaining = self.remaining.checked_sub(1)?;
        let current = self.offset;
        if self.remaining > 0 {
            let axes = self.shape.iter().zip(self.strides.iter());
            // ANCHOR: projected-offset-carry
            for (coordinate, (&extent, &stride)) in self.coordinate.iter_mut().zip(axes).rev() {
                *coordinate += 1;
                if *coordinate < extent {
                    self.offset += stride;
                    break;
                }
                *coordinate = 0;
                self.offset -= stride * (extent - 1);
            }
            // ANCHOR_END: projected-offset-carry
        }
        Some(current)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for ProjectedOffsets {}

impl OffsetPlan<'_> {
    /// The walk, element by element.
    pub(crate) fn offsets(self) -> ProjectedOffsets {
        self.starts(0)
    }

    /// The walk over all but the last `axes` axes: where each run over those begins.
    pub(crate) fn starts(self, axes: usize) -> ProjectedOffsets {
        let outer = self.shape.len().saturating_sub(axes);
        let (shape, strides) = (Shape::from(&self.shape[..outer]), self.strides[..outer].into());
        let remaining = if self.elements == 0 { 0 } else { shape.iter().product() };
        let coordinate = Shape::repeat(0, outer);
        ProjectedOffsets { shape, strides, coordinate, offset: 0, remaining }
    }
}
// ANCHOR_END: projected-offset-walk

// ANCHOR: projected-offset-runs
/// Trailing axes of a walk that visit `length` offsets in a row, and the same ones `repeats` times.
pub(crate) struct Group {
    pub(crate) axes: usize,
    pub(crate) length: usize,
    pub(crate) repeats: usize,
}

impl OffsetPlan<'_> {
    /// The inner run of the walk: how many trailing axes it covers, how many elements, and its
    /// stride, 0 or 1. Axes join as long as the whole run keeps one stride; a run of one element
    /// has stride 0.
    pub(crate) fn inner_run(&self) -> (usize, usize, usize) {
        let (mut axes, mut length, mut run_stride) = (0, 1, None);
        for (&extent, &stride) in self.shape.iter().zip(self.strides).rev() {
            if extent != 1 {
                let joins = match run_stride {
                    None => stride <= 1,
                    Some(0) => stride == 0,
                    Some(_) => stride == length,
                };
                if !joins {
                    break;
                }
                run_stride = run_stride.or(Some(stride));
            }
            axes += 1;
            length *= extent;
        }
        (axes, length, run_stride.unwrap_or(0))
    }

    /// Visits the whole walk in groups: a run of stride 1 and what repeats it, or one place that is
    /// visited again and again. `visit` gets the offset at which each group starts.
    #[inline]
    pub(crate) fn each_group(self, mut visit: impl FnMut(usize, &Group)) {
        let group = self.inner_group();
        match self.shape.len() - group.axes {
            _ if self.elements == 0 => {}
            0 => visit(0, &group),
            1 => (0..self.shape[0]).for_each(|row| visit(row * self.strides[0], &group)),
            _ => self.starts(group.axes).for_each(|start| visit(start, &group)),
        }
    }

    #[inline]
    fn inner_group(&self) -> Group {
        let mut group = Group { axes: 0, length: 1, repeats: 1 };
        for (&extent, &stride) in self.shape.iter().zip(self.strides).rev() {
            if stride == 0 || extent == 1 {
                group.repeats *= extent;
            } else if stride == group.length && group.repeats == 1 {
                group.length *= extent;
            } else {
                break;
            }
            group.axes += 1;
        }
        group
    }
}
// ANCHOR_END: projected-offset-runs

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn offsets(shape: &[usize], strides: &[usize], storage: usize) -> Vec<usize> {
        let elements = element_count(shape).unwrap();
        OffsetPlan::new(shape, strides, elements, storage).unwrap().offsets().collect()
    }

    #[test]
    fn the_walks_of_the_worked_graph() {
        assert_eq!(offsets(&[2, 3], &[1, 0], 2), [0, 0, 0, 1, 1, 1]);
        assert_eq!(offsets(&[2, 3], &[0, 1], 3), [0, 1, 2, 0, 1, 2]);
        assert_eq!(offsets(&[], &[], 1), [0]);
        assert_eq!(offsets(&[3, 0, 2], &[9, 9, 9], 0), [0; 0]);
    }

    proptest! {
        #[test]
        fn runs_visit_the_same_offsets(
            shape in proptest::collection::vec(0_usize..4, 0..5),
            choice in proptest::collection::vec(0_usize..4, 5),
        ) {
            let contiguous = super::super::shape::row_major_strides(&shape);
            let strides: Vec<usize> = contiguous
                .iter()
                .zip(&choice)
                .map(|(&stride, &choice)| match choice { 0 | 1 => stride, 2 => 0, _ => 2 })
                .collect();
            let elements = element_count(&shape).unwrap();
            let plan = OffsetPlan::new(&shape, &strides, elements, 1 << 20).unwrap();
            let (axes, length, stride) = plan.inner_run();
            prop_assert!(stride <= 1);
            let by_runs: Vec<usize> = plan
                .starts(axes)
                .flat_map(|start| (0..length).map(move |step| start + step * stride))
                .collect();
            prop_assert_eq!(by_runs, plan.offsets().collect::<Vec<_>>());
        }
    }
}

#[cfg(test)]
#[path = "../../tests/listings/projected-offset-carry.rs"]
mod check_projected_offset_carry;

#[cfg(test)]
#[path = "../../tests/listings/projected-offset-plan.rs"]
mod check_projected_offset_plan;

#[cfg(test)]
#[path = "../../tests/listings/projected-offset-walk.rs"]
mod check_projected_offset_walk;

#[cfg(test)]
#[path = "../../tests/listings/projected-offset-runs.rs"]
mod check_projected_offset_runs;
