use super::{Group, OffsetPlan, Shape, Strides, Tensor, TensorViewError};
use std::sync::{Mutex, OnceLock, PoisonError};

// ANCHOR: repeated-elements
/// Below this many elements, writing a tensor out costs less than remembering how.
const WORTH_DEFERRING: usize = 1 << 12;
/// Runs shorter than this are slower to read through strides than to write out.
const SHORTEST_RUN: usize = 64;

/// A tensor that repeats the elements of another. It knows how to write itself out, and waits until
/// somebody reads it as a slice: an elementwise loop reads the source through the strides instead,
/// and then a row that stands for a matrix never becomes one in memory.
pub(super) struct Repeat {
    source: Tensor,
    strides: Strides,
    /// Where it will be written. Taken at the start, so that a reader meets no error.
    room: Mutex<Tensor>,
    written: OnceLock<Tensor>,
}

impl Tensor {
    /// A tensor that repeats the elements of `source`: of this shape and number of elements, it
    /// reads them through effective strides, 0 along an axis that repeats.
    pub(crate) fn repeated(
        source: &Tensor,
        shape: Shape,
        elements: usize,
        strides: Strides,
    ) -> Result<Self, TensorViewError> {
        let plan = OffsetPlan::new(&shape, &strides, elements, source.len())?;
        let long = |(_, run, _): (usize, usize, usize)| run >= SHORTEST_RUN;
        if elements < WORTH_DEFERRING || !long(plan.inner_run()) {
            let write = |out: &mut [f64]| write_strided(out, source.as_slice(), plan);
            return Ok(Self::build_counted(&shape, elements, write)?.0);
        }
        let (room, ()) = Self::build_counted(&shape, elements, |_| ())?;
        let (room, written) = (Mutex::new(room), OnceLock::new());
        let repeat = Repeat { source: source.clone(), strides, room, written };
        Ok(Self::deferred(shape, elements, repeat))
    }
}

impl Repeat {
    /// The repeated elements, and the strides to read them through; nothing once they are written
    /// out, since a slice is faster to read.
    pub(super) fn source(&self) -> Option<(&[f64], &Strides)> {
        match self.written.get() {
            None => Some((self.source.as_slice(), &self.strides)),
            Some(_) => None,
        }
    }

    pub(super) fn written_out(&self) -> &Tensor {
        self.written.get_or_init(|| {
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            let mut tensor = std::mem::replace(&mut *room, Tensor::vacant());
            let shape = tensor.shape_list().clone();
            // The walk was checked when the tensor was made, and nobody else has had the room.
            let plan = OffsetPlan::checked_before(&shape, &self.strides, tensor.len());
            if let Some(elements) = tensor.unique_mut() {
                write_strided(elements, self.source.as_slice(), plan);
            }
            tensor
        })
    }
}

/// Writes the elements that a checked walk over `storage` reads, in order.
#[inline]
pub(super) fn write_strided(out: &mut [f64], storage: &[f64], plan: OffsetPlan<'_>) {
    let mut rest = out;
    plan.each_group(|start, &Group { length, repeats, .. }| {
        if length == 1 {
            let (group, others) = std::mem::take(&mut rest).split_at_mut(repeats);
            rest = others;
            group.fill(storage[start]);
            return;
        }
        for _ in 0..repeats {
            let (run, others) = std::mem::take(&mut rest).split_at_mut(length);
            rest = others;
            run.copy_from_slice(&storage[start..start + length]);
        }
    });
}
// ANCHOR_END: repeated-elements

#[cfg(test)]
#[path = "../../tests/listings/repeated-elements.rs"]
mod check_repeated_elements;
