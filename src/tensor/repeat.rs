use super::shape::element_count;
use super::{OffsetPlan, Shape, Strides, Tensor, TensorViewError};
use std::sync::{Mutex, OnceLock, PoisonError};

// ANCHOR: repeated-elements
/// Below this many elements, writing a tensor out costs less than remembering how.
const WORTH_DEFERRING: usize = 1 << 12;

/// A tensor that repeats the elements of another. It knows how to write itself out, and waits until
/// somebody reads it as a slice: an elementwise loop reads the source through the strides instead,
/// and then a row that stands for a matrix never becomes one in memory.
pub(super) struct Repeat {
    source: Tensor,
    plan: OffsetPlan,
    /// Where it will be written. Taken at the start, so that a reader meets no error.
    room: Mutex<Tensor>,
    written: OnceLock<Tensor>,
}

impl Tensor {
    /// The tensor of this shape that reads `source` through effective strides.
    pub(crate) fn repeated(
        source: &Tensor,
        shape: Shape,
        strides: Strides,
    ) -> Result<Self, TensorViewError> {
        let elements = element_count(&shape)?;
        let plan = OffsetPlan::new(shape.clone(), strides, elements, source.len())?;
        if elements < WORTH_DEFERRING {
            let write = |out: &mut [f64]| write_strided(out, source.as_slice(), plan);
            return Ok(Self::build_counted(shape, elements, write)?.0);
        }
        let (room, ()) = Self::build_counted(shape.clone(), elements, |_| ())?;
        let (room, written) = (Mutex::new(room), OnceLock::new());
        Ok(Self::deferred(shape, elements, Repeat { source: source.clone(), plan, room, written }))
    }
}

impl Repeat {
    /// The repeated elements, and the strides to read them through.
    pub(super) fn source(&self) -> (&[f64], &Strides) {
        (self.source.as_slice(), self.plan.strides())
    }

    pub(super) fn written_out(&self) -> &Tensor {
        self.written.get_or_init(|| {
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            let mut tensor = std::mem::replace(&mut *room, Tensor::vacant());
            if let Some(elements) = tensor.unique_mut() {
                write_strided(elements, self.source.as_slice(), self.plan.clone());
            }
            tensor
        })
    }
}

/// Writes the elements that a checked walk over `storage` reads, in order.
pub(super) fn write_strided(out: &mut [f64], storage: &[f64], plan: OffsetPlan) {
    let (axes, length, stride) = plan.inner_run();
    if length == 1 {
        for (out, offset) in out.iter_mut().zip(plan.offsets()) {
            *out = storage[offset];
        }
        return;
    }
    for (out, start) in out.chunks_exact_mut(length.max(1)).zip(plan.run_starts(axes)) {
        if stride == 1 {
            out.copy_from_slice(&storage[start..start + length]);
        } else {
            out.fill(storage[start]);
        }
    }
}
// ANCHOR_END: repeated-elements

#[cfg(test)]
#[path = "../../tests/listings/repeated-elements.rs"]
mod check_repeated_elements;
