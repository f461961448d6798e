use super::TensorError;
use std::cell::RefCell;
use triomphe::Arc;

/// Storage of a tensor: shared by its clones, copied when one of them is written while shared.
///
/// `None` stands for no elements. A buffer may be longer than the tensor that owns it, because
/// buffers are handed on from one tensor to the next.
#[derive(Clone, Default)]
pub(crate) struct Buffer(Option<Arc<Vec<f64>>>);

impl Buffer {
    /// A buffer of at least `elements` elements whose contents are left over from an earlier
    /// tensor: the caller writes every element before it lets anyone read one.
    #[inline]
    pub(crate) fn take(elements: usize) -> Result<Self, TensorError> {
        if elements == 0 {
            return Ok(Self(None));
        }
        let class = class_for_request(elements);
        let kept = KEPT.try_with(|kept| kept.borrow_mut().take(class)).ok().flatten();
        match kept {
            Some(storage) => Ok(Self(Some(storage))),
            None => Self::allocate(class_length(class).max(elements), elements),
        }
    }

    #[cold]
    fn allocate(length: usize, elements: usize) -> Result<Self, TensorError> {
        let mut storage = Vec::new();
        if storage.try_reserve_exact(length).is_err() {
            return Err(TensorError::AllocationFailed { elements });
        }
        storage.resize(length, 0.0);
        Ok(Self(Some(Arc::new(storage))))
    }

    /// Storage that a caller already owns.
    pub(crate) fn adopt(values: Vec<f64>) -> Self {
        Self(if values.is_empty() { None } else { Some(Arc::new(values)) })
    }

    #[inline]
    pub(crate) fn as_slice(&self, elements: usize) -> &[f64] {
        self.0.as_deref().and_then(|storage| storage.get(..elements)).unwrap_or(&[])
    }

    /// The elements for writing, if no clone shares them.
    #[inline]
    pub(crate) fn unique_mut(&mut self, elements: usize) -> Option<&mut [f64]> {
        match &mut self.0 {
            None => Some(&mut []),
            Some(storage) => Arc::get_mut(storage)?.get_mut(..elements),
        }
    }

    /// The elements for writing; copied first if a clone shares them.
    pub(crate) fn make_mut(&mut self, elements: usize) -> Result<&mut [f64], TensorError> {
        if self.unique_mut(elements).is_none() {
            let mut copy = Self::take(elements)?;
            if let Some(values) = copy.unique_mut(elements) {
                values.copy_from_slice(self.as_slice(elements));
            }
            *self = copy;
        }
        Ok(self.unique_mut(elements).unwrap_or(&mut []))
    }

    /// The storage itself if no clone shares it and it has exactly this length.
    pub(crate) fn into_vec(mut self, elements: usize) -> Result<Vec<f64>, TensorError> {
        if let Some(storage) = self.0.take_if(|storage| storage.len() == elements) {
            match Arc::try_unwrap(storage) {
                Ok(values) => return Ok(values),
                Err(shared) => self.0 = Some(shared),
            }
        }
        let mut values = Vec::new();
        if values.try_reserve_exact(elements).is_err() {
            return Err(TensorError::AllocationFailed { elements });
        }
        values.extend_from_slice(self.as_slice(elements));
        Ok(values)
    }

    #[cfg(test)]
    pub(crate) fn shares_with(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        if let Some(storage) = self.0.take() {
            // The last owner hands the storage on. Two last owners on two threads may both see a
            // count of two; then the storage is freed in the ordinary way.
            if storage.is_unique() {
                // During thread exit there is nobody left to hand it to.
                let _ = KEPT.try_with(|kept| kept.borrow_mut().put(storage));
            }
        }
    }
}

/// The most a thread keeps: 2^25 elements, 256 MiB.
const KEPT_ELEMENTS: usize = 1 << 25;
/// The most buffers of one size class.
const KEPT_PER_CLASS: usize = 4096;
/// Four classes for each doubling of the length.
const CLASSES: usize = 4 * usize::BITS as usize;

/// Buffers that a freed tensor left behind, by size class. A training step frees what the next step
/// asks for; taking a large buffer fresh from the system costs far more than writing it, since
/// every page is faulted in and cleared.
struct KeptBuffers {
    shelves: [Vec<Arc<Vec<f64>>>; CLASSES],
    elements: usize,
}

impl KeptBuffers {
    fn take(&mut self, class: usize) -> Option<Arc<Vec<f64>>> {
        let storage = self.shelves.get_mut(class)?.pop()?;
        self.elements -= storage.len();
        Some(storage)
    }

    fn put(&mut self, storage: Arc<Vec<f64>>) {
        let length = storage.len();
        // A caller's vector may have room for far more than its elements, and the room would be
        // kept.
        let roomy = storage.capacity() - length > length / 4;
        if !(SMALLEST..=KEPT_ELEMENTS).contains(&length) || roomy {
            return;
        }
        let class = class_of_length(length);
        while length > KEPT_ELEMENTS - self.elements {
            if !self.evict_from_another(class) {
                return;
            }
        }
        if let Some(shelf) = self.shelves.get_mut(class) {
            if shelf.len() < KEPT_PER_CLASS {
                self.elements += length;
                shelf.push(storage);
            }
        }
    }

    /// Frees one buffer of the class that keeps the most, so that sizes nobody asks for any more
    /// make room for those in use.
    #[cold]
    fn evict_from_another(&mut self, class: usize) -> bool {
        let others = self.shelves.iter().enumerate().filter(|&(other, _)| other != class);
        let kept =
            |&(other, shelf): &(usize, &Vec<_>)| class_length(other).saturating_mul(shelf.len());
        let largest = others.filter(|(_, shelf)| !shelf.is_empty()).max_by_key(kept);
        match largest.map(|(other, _)| other) {
            Some(other) => self.take(other).is_some(),
            None => false,
        }
    }
}

thread_local! {
    static KEPT: RefCell<KeptBuffers> = const {
        RefCell::new(KeptBuffers { shelves: [const { Vec::new() }; CLASSES], elements: 0 })
    };
}

/// Gives the buffers that this thread keeps for its next tensors back to the system.
///
/// Each thread keeps at most 256 MiB of storage that freed tensors left behind, because a training
/// step asks for the very sizes that the step before it freed. Call this when a phase with large
/// tensors is over. It never touches a live tensor.
///
/// ```
/// use pullback::tensor::{release_kept_buffers, Tensor};
///
/// drop(Tensor::zeros([1024, 1024])?);
/// release_kept_buffers();
/// # Ok::<(), pullback::tensor::TensorError>(())
/// ```
pub fn release_kept_buffers() {
    // The shelves are emptied after the borrow ends: freeing is the system's business, not ours.
    let shelves = KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        kept.elements = 0;
        std::mem::replace(&mut kept.shelves, [const { Vec::new() }; CLASSES])
    });
    drop(shelves);
}

/// The length of the smallest class.
const SMALLEST: usize = 4;

/// The class a buffer of `length >= 4` elements can serve: the exponent and two more bits of the
/// length.
#[inline]
fn class_of_length(length: usize) -> usize {
    let exponent = length.max(SMALLEST).ilog2() as usize;
    (exponent - 2) * 4 + ((length.max(SMALLEST) >> (exponent - 2)) & 3)
}

/// The shortest length of a class: at most a quarter longer than any request it serves.
#[inline]
fn class_length(class: usize) -> usize {
    (4 + class % 4).checked_shl(class as u32 / 4).unwrap_or(usize::MAX)
}

/// The first class whose every buffer is long enough.
#[inline]
fn class_for_request(elements: usize) -> usize {
    let class = class_of_length(elements);
    if class_length(class) < elements {
        class + 1
    } else {
        class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_serves_its_requests_with_a_quarter_to_spare() {
        for elements in (1..5000).chain([1 << 20, (1 << 20) + 1, (1 << 21) - 1]) {
            let length = class_length(class_for_request(elements));
            assert!(length >= elements, "{elements} got {length}");
            assert!(length <= (elements + elements / 4).max(SMALLEST), "{elements} got {length}");
            assert_eq!(class_of_length(length), class_for_request(elements));
        }
    }

    #[test]
    fn a_freed_buffer_serves_the_next_request_of_its_size() {
        release_kept_buffers();
        let first = Buffer::take(1000).unwrap();
        let address = first.as_slice(1).as_ptr();
        drop(first);
        let second = Buffer::take(999).unwrap();
        assert_eq!(second.as_slice(1).as_ptr(), address);
    }

    #[test]
    fn a_shared_buffer_is_not_handed_on_and_is_copied_before_a_write() {
        let mut one = Buffer::adopt(vec![1.0, 2.0, 3.0, 4.0]);
        let two = one.clone();
        assert!(one.shares_with(&two));
        one.make_mut(4).unwrap()[0] = 9.0;
        assert!(!one.shares_with(&two));
        assert_eq!((one.as_slice(4)[0], two.as_slice(4)[0]), (9.0, 1.0));
    }

    #[test]
    fn what_a_thread_keeps_is_bounded() {
        release_kept_buffers();
        let held: Vec<_> = (0..KEPT_PER_CLASS + 10).map(|_| Buffer::take(4).unwrap()).collect();
        drop(held);
        KEPT.with(|kept| {
            assert_eq!(kept.borrow().shelves[0].len(), KEPT_PER_CLASS);
            assert_eq!(kept.borrow().elements, 4 * KEPT_PER_CLASS);
        });
        KEPT.with(|kept| kept.borrow_mut().put(Arc::new(vec![0.0; KEPT_ELEMENTS + 1])));
        KEPT.with(|kept| assert_eq!(kept.borrow().elements, 4 * KEPT_PER_CLASS));
        release_kept_buffers();
        KEPT.with(|kept| assert_eq!(kept.borrow().elements, 0));
    }

    #[test]
    fn room_beyond_the_elements_is_not_kept() {
        release_kept_buffers();
        let mut values = vec![1.0; 1 << 12];
        values.truncate(8);
        drop(Buffer::adopt(values));
        KEPT.with(|kept| assert_eq!(kept.borrow().elements, 0));
        drop(Buffer::adopt(vec![1.0; 8]));
        KEPT.with(|kept| assert_eq!(kept.borrow().elements, 8));
    }

    #[test]
    fn sizes_nobody_asks_for_make_room() {
        release_kept_buffers();
        KEPT.with(|kept| {
            for _ in 0..32 {
                kept.borrow_mut().put(Arc::new(vec![0.0; KEPT_ELEMENTS / 32]));
            }
            assert_eq!(kept.borrow().elements, KEPT_ELEMENTS);
        });
        let live = Buffer::take(KEPT_ELEMENTS / 16).unwrap();
        let address = live.as_slice(1).as_ptr();
        drop(live);
        let again = Buffer::take(KEPT_ELEMENTS / 16).unwrap();
        assert_eq!(again.as_slice(1).as_ptr(), address, "the live size is recycled");
        KEPT.with(|kept| assert!(kept.borrow().elements <= KEPT_ELEMENTS));
        release_kept_buffers();
    }
}
