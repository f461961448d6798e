use super::shape::element_count;
use super::{Shape, Strides, TensorViewError};

// ANCHOR: projected-offset-plan
/// A walk over storage that has passed every check: one coordinate per axis, one offset.
#[derive(Debug, Clone)]
pub(crate) struct OffsetPlan {
    shape: Shape,
    strides: Strides,
    elements: usize,
}

impl OffsetPlan {
    /// Checks a walk before its first step: one stride for each axis, the announced number of
    /// elements, no overflow, and a largest offset that lies inside `storage` elements.
    #[inline]
    pub(crate) fn new(
        shape: Shape,
        strides: Strides,
        logical_len: usize,
        storage: usize,
    ) -> Result<Self, TensorViewError> {
        if strides.len() != shape.len() {
            let strides = strides.len();
            return Err(TensorViewError::StrideCount { shape, strides });
        }
        let elements = element_count(&shape)?;
        if elements != logical_len {
            let (expected, actual) = (elements, logical_len);
            return Err(TensorViewError::ElementCount { shape, expected, actual });
        }
        if elements > 0 {
            // The last coordinate of every axis is the farthest a walk with steps >= 0 gets.
            let mut steps = shape.iter().zip(strides.iter());
            let farthest = steps.try_fold(0_usize, |offset, (&extent, &stride)| {
                stride.checked_mul(extent - 1).and_then(|step| offset.checked_add(step))
            });
            match farthest {
                None => return Err(TensorViewError::OffsetOverflow { shape, strides }),
                Some(offset) if offset >= storage => {
                    return Err(TensorViewError::OffsetOutOfBounds {
                        shape,
                        strides,
                        offset,
                        storage,
                    })
                }
                Some(_) => {}
            }
        }
        Ok(Self { shape, strides, elements })
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
    plan: OffsetPlan,
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
            let walked = self.coordinate.len();
            let axes = self.plan.shape[..walked].iter().zip(&self.plan.strides[..walked]);
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
// ANCHOR_END: projected-offset-walk

// ANCHOR: projected-offset-runs
impl OffsetPlan {
    pub(super) fn strides(&self) -> &Strides {
        &self.strides
    }

    /// The walk, element by element.
    pub(crate) fn offsets(self) -> ProjectedOffsets {
        self.run_starts(0)
    }

    /// The inner run of the walk: how many trailing axes it covers, how many elements, and its
    /// stride, 0 or 1. Axes join as long as the whole run keeps one stride.
    #[inline]
    pub(crate) fn inner_run(&self) -> (usize, usize, usize) {
        let (mut axes, mut length, mut run_stride) = (0, 1, None);
        for (&extent, &stride) in self.shape.iter().zip(self.strides.iter()).rev() {
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

    /// Axes of stride 0 right before the inner run's `axes`: with them, how many trailing axes, and
    /// how often the run is repeated at one place.
    #[inline]
    pub(crate) fn repeats(&self, axes: usize) -> (usize, usize) {
        let before = self.shape.iter().zip(self.strides.iter()).rev().skip(axes);
        let repeated = before.take_while(|&(&extent, &stride)| extent == 1 || stride == 0);
        repeated.fold((axes, 1), |(axes, times), (&extent, _)| (axes + 1, times * extent))
    }

    /// The walk over the axes that an inner run of `axes` trailing axes leaves: one offset a run.
    #[inline]
    pub(crate) fn run_starts(self, axes: usize) -> ProjectedOffsets {
        let coordinate = Shape::repeat(0, self.shape.len().saturating_sub(axes));
        let runs = self.shape[..coordinate.len()].iter().product();
        let remaining = if self.elements == 0 { 0 } else { runs };
        ProjectedOffsets { plan: self, coordinate, offset: 0, remaining }
    }
}
// ANCHOR_END: projected-offset-runs

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn offsets(shape: &[usize], strides: &[usize], storage: usize) -> Vec<usize> {
        let elements = element_count(shape).unwrap();
        OffsetPlan::new(shape.into(), strides.into(), elements, storage)
            .unwrap()
            .offsets()
            .collect()
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
            let (walked, strides) = (shape.as_slice().into(), strides.as_slice().into());
            let plan = OffsetPlan::new(walked, strides, elements, 1 << 20).unwrap();
            let (axes, length, stride) = plan.inner_run();
            prop_assert!(stride <= 1);
            let by_runs: Vec<usize> = plan.clone()
                .run_starts(axes)
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
