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
    pub(crate) fn new(
        logical_shape: &[usize],
        effective_strides: &[usize],
        logical_len: usize,
        storage: usize,
    ) -> Result<Self, TensorViewError> {
        let shape = || Shape::from(logical_shape);
        let strides = || Strides::from(effective_strides);
        if effective_strides.len() != logical_shape.len() {
            let strides = effective_strides.len();
            return Err(TensorViewError::StrideCount { shape: shape(), strides });
        }
        let elements = element_count(logical_shape)?;
        if elements != logical_len {
            return Err(TensorViewError::ElementCount {
                shape: shape(),
                expected: elements,
                actual: logical_len,
            });
        }
        if elements > 0 {
            // The last coordinate of every axis is the farthest a walk with steps >= 0 gets.
            let farthest = logical_shape.iter().zip(effective_strides).try_fold(
                0_usize,
                |offset, (&extent, &stride)| {
                    stride.checked_mul(extent - 1).and_then(|step| offset.checked_add(step))
                },
            );
            match farthest {
                None => {
                    return Err(TensorViewError::OffsetOverflow {
                        shape: shape(),
                        strides: strides(),
                    })
                }
                Some(offset) if offset >= storage => {
                    return Err(TensorViewError::OffsetOutOfBounds {
                        shape: shape(),
                        strides: strides(),
                        offset,
                        storage,
                    })
                }
                Some(_) => {}
            }
        }
        Ok(Self { shape: shape(), strides: strides(), elements })
    }
}
// ANCHOR_END: projected-offset-plan

// ANCHOR: projected-offset-walk
/// The storage offsets of a walk, in row-major order of the logical shape.
///
/// The state is one coordinate per axis. A step adds one to the last coordinate and one stride to
/// the offset; a coordinate that reaches its extent goes back to 0 and carries into the axis before
/// it.
#[derive(Debug, Clone)]
pub struct ProjectedOffsets {
    plan: OffsetPlan,
    coordinate: Shape,
    offset: usize,
    remaining: usize,
}

impl Iterator for ProjectedOffsets {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.remaining = self.remaining.checked_sub(1)?;
        let current = self.offset;
        if self.remaining > 0 {
            let axes = self.plan.shape.iter().zip(self.plan.strides.iter());
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
    /// The walk, element by element.
    pub(crate) fn offsets(self) -> ProjectedOffsets {
        let (remaining, coordinate) = (self.elements, Shape::repeat(0, self.shape.len()));
        ProjectedOffsets { plan: self, coordinate, offset: 0, remaining }
    }

    /// The inner run of the walk: how many trailing axes it covers, how many elements, and its
    /// stride, 0 or 1. Axes join as long as the whole run keeps one stride.
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
    pub(crate) fn repeats(&self, axes: usize) -> (usize, usize) {
        let before = self.shape.iter().zip(self.strides.iter()).rev().skip(axes);
        let repeated = before.take_while(|&(&extent, &stride)| extent == 1 || stride == 0);
        repeated.fold((axes, 1), |(axes, times), (&extent, _)| (axes + 1, times * extent))
    }

    /// The walk over the axes that an inner run of `axes` trailing axes leaves: one offset a run.
    pub(crate) fn run_starts(&self, axes: usize) -> ProjectedOffsets {
        let outer = self.shape.len() - axes.min(self.shape.len());
        let (shape, run) = self.shape.split_at(outer);
        let strides = Strides::from(&self.strides[..outer]);
        let elements = self.elements.checked_div(run.iter().product()).unwrap_or(0);
        let shape = Shape::from(shape);
        Self { shape, strides, elements }.offsets()
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
