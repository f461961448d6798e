use super::repeat::Repeat;
use super::{Shape, Tensor};
use std::cell::RefCell;
use triomphe::Arc;

/// What the clones of a tensor point to: its shape, and where its elements are.
///
/// Elements may be followed by others, left over from an earlier and longer tensor.
pub(super) struct Body {
    pub(super) shape: Shape,
    pub(super) elements: usize,
    /// Where the elements start in storage of its own.
    start: usize,
    storage: Storage,
    /// The shelf that keeps the body for another tensor when its last owner goes.
    shelf: usize,
}

enum Storage {
    Own(Vec<f64>),
    /// The elements of a tensor of another shape, whose storage is its own.
    Of(Tensor),
    /// Elements that repeat those of another tensor and may not be written out yet.
    Repeat(Box<Repeat>),
}

/// The rarer cases, out of line.
impl Storage {
    #[inline(never)]
    fn elements(&self) -> &[f64] {
        match self {
            Self::Own(values) => values,
            Self::Of(owner) => owner.as_slice(),
            Self::Repeat(repeat) => repeat.written_out().as_slice(),
        }
    }

    #[inline(never)]
    fn unique_elements(&mut self) -> Option<&mut [f64]> {
        if let Self::Repeat(repeat) = self {
            *self = Self::Of(repeat.written_out().clone());
        }
        match self {
            Self::Of(owner) => owner.unique_mut(),
            _ => None,
        }
    }
}

impl Body {
    /// A body whose elements `write` sets, every one of them: they are left over from an earlier
    /// tensor. `None` if there is no memory.
    #[inline]
    pub(super) fn build<R>(
        shape: &Shape,
        elements: usize,
        write: impl FnOnce(&mut [f64]) -> R,
    ) -> Option<(Arc<Self>, R)> {
        let mut body = Self::with_room(elements)?;
        // A kept body has one owner.
        let own = Arc::get_mut(&mut body)?;
        own.shape.clone_from(shape);
        own.elements = elements;
        let result = write(own.unique_mut().unwrap_or(&mut []));
        Some((body, result))
    }

    fn with_room(elements: usize) -> Option<Arc<Self>> {
        if let 1..=EVEN = elements {
            let shelf = shelf_for_request(elements);
            let kept = KEPT.try_with(|kept| kept.borrow_mut().take_uncounted(shelf));
            if let Ok(Some(body)) = kept {
                return Some(body);
            }
        }
        Self::with_other_room(elements)
    }

    #[inline(never)]
    fn with_other_room(elements: usize) -> Option<Arc<Self>> {
        if elements == 0 {
            return Some(Self::adopt(Shape::default(), Vec::new()));
        }
        let shelf = shelf_for_request(elements);
        let kept = KEPT.try_with(|kept| kept.borrow_mut().lend(shelf)).ok().flatten();
        kept.or_else(|| Self::allocate(shelf, elements))
    }

    #[cold]
    fn allocate(shelf: usize, elements: usize) -> Option<Arc<Self>> {
        let length = shelf_length(shelf).max(elements);
        let mut values: Vec<f64> = Vec::new();
        let slack = if length < WORTH_ALIGNING { 0 } else { LINE };
        if values.try_reserve_exact(length.saturating_add(slack)).is_err() {
            // There is none that could come back.
            let _ = KEPT.try_with(|kept| kept.borrow_mut().settle(shelf));
            return None;
        }
        // The widest loads and stores touch one cache line each if the elements start with one.
        let start = values.as_ptr().align_offset(LINE * size_of::<f64>()).min(slack);
        values.resize(length + slack, 0.0);
        let (shape, storage) = (Shape::default(), Storage::Own(values));
        Some(Arc::new(Self { shape, elements: 0, start, storage, shelf }))
    }

    /// Storage that a caller already owns.
    pub(super) fn adopt(shape: Shape, values: Vec<f64>) -> Arc<Self> {
        Self::bare(shape, values.len(), Storage::Own(values))
    }

    /// The elements of `owner` under another shape.
    pub(super) fn share(shape: Shape, tensor: Tensor) -> Arc<Self> {
        let owner = match tensor.body().map(|body| &body.storage) {
            Some(Storage::Of(owner)) => owner.clone(),
            _ => tensor,
        };
        Self::bare(shape, owner.len(), Storage::Of(owner))
    }

    /// Elements that are written out when somebody reads them.
    pub(super) fn defer(shape: Shape, elements: usize, repeat: Repeat) -> Arc<Self> {
        Self::bare(shape, elements, Storage::Repeat(Box::new(repeat)))
    }

    /// How to read the elements if they repeat those of another tensor.
    #[inline]
    pub(super) fn repeat(&self) -> Option<&Repeat> {
        match &self.storage {
            Storage::Repeat(repeat) => Some(repeat),
            _ => None,
        }
    }

    fn bare(shape: Shape, elements: usize, storage: Storage) -> Arc<Self> {
        let shelf = match &storage {
            Storage::Own(values) => shelf_of_storage(values),
            Storage::Of(_) | Storage::Repeat(_) => BARE,
        };
        let kept = KEPT.try_with(|kept| kept.borrow_mut().take_uncounted(BARE)).ok().flatten();
        let Some(mut body) = kept else {
            return Arc::new(Self { shape, elements, start: 0, storage, shelf });
        };
        // A kept body has one owner.
        if let Some(own) = Arc::get_mut(&mut body) {
            (own.shape, own.elements, own.start) = (shape, elements, 0);
            (own.storage, own.shelf) = (storage, shelf);
        }
        body
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[f64] {
        match &self.storage {
            Storage::Own(values) => {
                values.get(self.start..).and_then(|own| own.get(..self.elements)).unwrap_or(&[])
            }
            other => other.elements(),
        }
    }

    /// The elements for writing, if no other tensor shares them.
    #[inline]
    pub(super) fn unique_mut(&mut self) -> Option<&mut [f64]> {
        match &mut self.storage {
            Storage::Own(values) => values.get_mut(self.start..)?.get_mut(..self.elements),
            other => other.unique_elements(),
        }
    }

    /// The storage itself, if it is this body's own and has no other elements.
    pub(super) fn give_up_storage(&mut self) -> Option<Vec<f64>> {
        match &mut self.storage {
            Storage::Own(values) if values.len() == self.elements => {
                (self.elements, self.shelf) = (0, BARE);
                Some(std::mem::take(values))
            }
            _ => None,
        }
    }

    /// The elements that the storage has room for, without those before its first whole line.
    fn storage_room(&self) -> usize {
        match &self.storage {
            Storage::Own(values)
                if values.len() == shelf_length(self.shelf).saturating_add(LINE) =>
            {
                values.capacity() - LINE
            }
            Storage::Own(values) => values.capacity(),
            Storage::Of(_) | Storage::Repeat(_) => 0,
        }
    }

    /// Takes a body whose last owner goes. A call, so that letting go of a shared body, which is
    /// only counting, stays small enough to be inlined.
    #[inline(never)]
    pub(super) fn retire(body: Arc<Self>) {
        // During thread exit there is nobody left to keep it for.
        if let Ok(Some(body)) = KEPT.try_with(|kept| kept.borrow_mut().put_short(body)) {
            Self::retire_other(body);
        }
    }

    #[inline(never)]
    fn retire_other(mut body: Arc<Self>) {
        if !matches!(body.storage, Storage::Own(_)) {
            if let Some(body) = Arc::get_mut(&mut body) {
                body.storage = Storage::Own(Vec::new());
            }
        }
        let _ = KEPT.try_with(|kept| kept.borrow_mut().put(body));
    }
}

/// The most a thread keeps in long bodies: 2^25 elements, 256 MiB.
const KEPT_ELEMENTS: usize = 1 << 25;
/// The most bodies on one shelf.
const KEPT_PER_SHELF: usize = 4096;
/// One shelf for bodies without storage, some for short ones, four for each doubling of the length.
const SHELVES: usize = EVEN / SMALLEST + 4 * usize::BITS as usize;
/// The last shelf of short bodies: their number alone bounds them, at 17 MiB, or at 24 if all of
/// them came as callers' vectors with room to spare.
const LAST_SHORT: usize = EVEN / SMALLEST;
/// The shelf of bodies without storage.
const BARE: usize = 0;
/// The shelf that does not exist: storage of such a size is not kept.
const NOT_KEPT: usize = usize::MAX;

/// Bodies that freed tensors left behind, by the length of their storage. A training step frees
/// what the next step asks for; taking a large buffer fresh from the system costs far more than
/// writing it, since every page is faulted in and cleared.
struct KeptBodies {
    shelves: [Vec<Arc<Body>>; SHELVES],
    /// How many bodies of each long shelf this thread has asked for and not got back.
    lent: [usize; SHELVES],
    elements: usize,
}

impl KeptBodies {
    /// A body of a short shelf, or one without storage: room that nobody counts.
    #[inline]
    fn take_uncounted(&mut self, shelf: usize) -> Option<Arc<Body>> {
        self.shelves.get_mut(shelf)?.pop()
    }

    /// What [`KeptBodies::take_counted`] finds, or the promise that another one comes back.
    fn lend(&mut self, shelf: usize) -> Option<Arc<Body>> {
        *self.lent.get_mut(shelf)? += 1;
        self.take_counted(shelf)
    }

    /// A body of a long shelf. A short request comes here only if its shelf was empty.
    fn take_counted(&mut self, shelf: usize) -> Option<Arc<Body>> {
        let body = self.shelves.get_mut(shelf)?.pop()?;
        self.elements -= body.storage_room();
        Some(body)
    }

    /// The common case: a short body, and a shelf with room for it. Gives other bodies back.
    #[inline]
    fn put_short(&mut self, body: Arc<Body>) -> Option<Arc<Body>> {
        match self.shelves.get_mut(body.shelf) {
            Some(kept)
                if (BARE + 1..=LAST_SHORT).contains(&body.shelf)
                    && kept.len() < kept.capacity() =>
            {
                kept.push(body);
                None
            }
            _ => Some(body),
        }
    }

    fn put(&mut self, body: Arc<Body>) {
        let shelf = body.shelf;
        let long = shelf > LAST_SHORT;
        if shelf < SHELVES && (!long || self.settle(shelf) && self.has_room(&body)) {
            let kept = &mut self.shelves[shelf];
            // Where memory has run out, letting go of a tensor must not ask for more.
            if kept.len() < KEPT_PER_SHELF && kept.try_reserve(1).is_ok() {
                if long {
                    self.elements += body.storage_room();
                }
                kept.push(body);
            }
        }
    }

    /// Counts a body as back, and says whether this thread had asked for more of them than came
    /// back. Bodies of callers' vectors and of other threads, which nobody here asks for again,
    /// would pile up.
    fn settle(&mut self, shelf: usize) -> bool {
        match self.lent.get_mut(shelf) {
            Some(lent) if *lent > 0 => {
                *lent -= 1;
                true
            }
            _ => false,
        }
    }

    fn has_room(&mut self, body: &Body) -> bool {
        body.storage_room() <= KEPT_ELEMENTS - self.elements || self.make_room(body)
    }

    /// Frees bodies of the shelves that keep the most, so that sizes nobody asks for any more make
    /// room for those in use.
    #[cold]
    fn make_room(&mut self, body: &Body) -> bool {
        if body.storage_room() > KEPT_ELEMENTS {
            return false;
        }
        while body.storage_room() > KEPT_ELEMENTS - self.elements {
            let others = (LAST_SHORT + 1..SHELVES).filter(|&shelf| shelf != body.shelf);
            let kept =
                |&shelf: &usize| shelf_length(shelf).saturating_mul(self.shelves[shelf].len());
            let largest = others.filter(|&shelf| !self.shelves[shelf].is_empty()).max_by_key(kept);
            if largest.and_then(|shelf| self.take_counted(shelf)).is_none() {
                return false;
            }
        }
        true
    }
}

thread_local! {
    static KEPT: RefCell<KeptBodies> = const {
        RefCell::new(KeptBodies {
            shelves: [const { Vec::new() }; SHELVES],
            lent: [0; SHELVES],
            elements: 0,
        })
    };
}

/// Gives the buffers that this thread keeps for its next tensors back to the allocator.
///
/// Each thread keeps storage that freed tensors left behind, at most about 280 MiB of elements,
/// because a training step asks for the very sizes that the step before it freed. Beyond 64
/// elements it keeps no more buffers of a size than its own operations had at one time; one that
/// another thread frees counts as still there. Call this when a phase with large tensors is over.
/// It never touches a live tensor. Emptied nodes of the tape, at most 65,536 of them, stay for the
/// next graph.
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
        std::mem::replace(&mut kept.shelves, [const { Vec::new() }; SHELVES])
    });
    drop(shelves);
}

/// Elements in a line of the processor's cache.
const LINE: usize = 8;
/// Below this length, the room to start with a line would be a large part of the whole.
const WORTH_ALIGNING: usize = 64;
/// The length on the first shelf with storage.
const SMALLEST: usize = 4;

/// Up to this length, the shelves are [`SMALLEST`] elements apart.
const EVEN: usize = 64;

/// The shelf whose requests storage of `length` elements can serve. Beyond [`EVEN`] there are four
/// for each doubling: the exponent and two more bits of the length.
#[inline]
fn shelf_of_length(length: usize) -> usize {
    if length <= EVEN {
        return length / SMALLEST;
    }
    let exponent = length.ilog2() as usize;
    EVEN / SMALLEST + (exponent - 6) * 4 + ((length >> (exponent - 2)) & 3)
}

/// The shortest length on a shelf: beyond [`EVEN`] at most a quarter longer than any request.
#[inline]
fn shelf_length(shelf: usize) -> usize {
    match shelf.checked_sub(EVEN / SMALLEST) {
        None => shelf * SMALLEST,
        Some(beyond) => (4 + beyond % 4).checked_shl(beyond as u32 / 4 + 4).unwrap_or(usize::MAX),
    }
}

/// The first shelf on which every body is long enough.
#[inline]
fn shelf_for_request(elements: usize) -> usize {
    if elements <= EVEN {
        return elements.div_ceil(SMALLEST);
    }
    let shelf = shelf_of_length(elements);
    shelf + usize::from(shelf_length(shelf) < elements)
}

/// The shelf that storage goes back to.
fn shelf_of_storage(values: &Vec<f64>) -> usize {
    let length = values.len();
    // A caller's vector may have room for far more than its elements, and the room would be kept.
    let roomy = values.capacity() - length > length / 4;
    match length {
        0 if !roomy => BARE,
        SMALLEST..=EVEN if !roomy => shelf_of_length(length),
        // Between the two, only a shorter request could use it, and no long one is counted for it.
        length if length < shelf_length(LAST_SHORT + 1) => NOT_KEPT,
        _ if length <= KEPT_ELEMENTS && !roomy => shelf_of_length(length),
        _ => NOT_KEPT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(elements: usize) -> Arc<Body> {
        Body::build(&[elements].into(), elements, |_| ()).unwrap().0
    }

    /// Retires a body that this thread has asked for.
    fn keep(body: Arc<Body>) {
        KEPT.with(|kept| *kept.borrow_mut().lent.get_mut(body.shelf).unwrap() += 1);
        Body::retire(body);
    }

    /// What is kept on all shelves, by the room of each body.
    fn kept_elements() -> usize {
        KEPT.with(|kept| {
            let kept = kept.borrow();
            let room = |shelves: &[Vec<Arc<Body>>]| -> usize {
                shelves.iter().flatten().map(|body| body.storage_room()).sum()
            };
            let (short, long) = kept.shelves.split_at(LAST_SHORT + 1);
            let (short, long) = (room(short), room(long));
            assert_eq!(kept.elements, long, "long bodies are counted as they come and go");
            short + long
        })
    }

    #[test]
    fn every_shelf_serves_its_requests_with_little_to_spare() {
        for elements in (1..5000).chain([1 << 20, (1 << 20) + 1, (1 << 21) - 1]) {
            let length = shelf_length(shelf_for_request(elements));
            assert!(length >= elements, "{elements} got {length}");
            let most = if elements <= EVEN { elements + 3 } else { elements + elements / 4 };
            assert!(length <= most, "{elements} got {length}");
            assert_eq!(shelf_of_length(length), shelf_for_request(elements));
        }
    }

    #[test]
    fn the_storage_of_a_freed_tensor_serves_the_next_request_of_its_size() {
        release_kept_buffers();
        let first = take(1000);
        let address = first.as_slice().as_ptr();
        assert_eq!(address.align_offset(LINE * size_of::<f64>()), 0, "starts with a line");
        Body::retire(first);
        let second = take(999);
        assert_eq!((second.as_slice().as_ptr(), second.as_slice().len()), (address, 999));
        assert_eq!(second.shape, [999]);
    }

    #[test]
    fn short_bodies_come_and_go_uncounted_and_long_ones_counted() {
        for shelf in [1, 2, LAST_SHORT - 1, LAST_SHORT, LAST_SHORT + 1, LAST_SHORT + 2] {
            release_kept_buffers();
            let (length, below) = (shelf_length(shelf), shelf_length(shelf - 1));
            // A shelf has no room for the first and some for the second, which takes another way.
            let bodies = [take(length), take(length), take(below)];
            let rooms = bodies.each_ref().map(|body| body.storage_room());
            bodies.into_iter().for_each(Body::retire);
            assert_eq!(kept_elements(), rooms.iter().sum::<usize>());
            KEPT.with(|kept| assert_eq!(kept.borrow().shelves[shelf].len(), 2));
            // The longest and the shortest request that the shelf serves.
            let again = [take(length), take(below + 1)];
            assert_eq!(kept_elements(), rooms[2], "{length}");
            assert_eq!(again.map(|body| body.as_slice().len()), [length, below + 1]);
        }
    }

    #[test]
    fn a_body_that_shared_the_storage_of_another_lets_go_of_it() {
        release_kept_buffers();
        // The second time, the shelf of bodies without storage has room, and bodies to fill again.
        for (kept, rows) in [(0, 2), (4, 4)] {
            let values: Vec<f64> = (0..2 * rows as u32).map(f64::from).collect();
            let owner = Tensor::from_vec([values.len()], values.clone()).unwrap();
            let table = owner.reshape([rows, 2]).unwrap();
            let column = table.reshape([values.len(), 1]).unwrap();
            assert_eq!((table.shape(), table.as_slice()), (&[rows, 2][..], &values[..]));
            drop(table);
            assert_eq!(kept_elements(), kept);
            drop(owner);
            assert_eq!((column.len(), column.as_slice()), (values.len(), &values[..]));
            drop(column);
            assert_eq!(kept_elements(), kept + values.len());
            let shelf = shelf_of_length(values.len());
            KEPT.with(|kept| assert_eq!(kept.borrow().shelves[shelf].len(), 1));
        }
    }

    #[test]
    fn what_a_thread_keeps_is_bounded() {
        release_kept_buffers();
        let held: Vec<_> = (0..KEPT_PER_SHELF + 10).map(|_| take(4)).collect();
        held.into_iter().for_each(Body::retire);
        KEPT.with(|kept| assert_eq!(kept.borrow().shelves[1].len(), KEPT_PER_SHELF));
        assert_eq!(kept_elements(), 4 * KEPT_PER_SHELF);
        let longest_short = shelf_length(LAST_SHORT);
        assert!(KEPT_PER_SHELF * longest_short * (LAST_SHORT + 1) / 2 * 8 < 18 << 20);
        assert_eq!(KEPT_ELEMENTS * size_of::<f64>(), 256 << 20, "as the documentation says");
        // What is larger than everything a thread keeps moves nothing out.
        let border = [LAST_SHORT, LAST_SHORT, LAST_SHORT + 1].map(shelf_length).map(take);
        let [one, two, long] = border.each_ref().map(|body| body.storage_room());
        border.into_iter().for_each(Body::retire);
        let short = 4 * KEPT_PER_SHELF + one + two;
        let mut large = Body::adopt([KEPT_ELEMENTS + 1].into(), vec![0.0; KEPT_ELEMENTS + 1]);
        for shelf in [NOT_KEPT, shelf_of_length(KEPT_ELEMENTS + 1)] {
            Arc::get_mut(&mut large).unwrap().shelf = shelf;
            Body::retire(large.clone());
        }
        assert_eq!(kept_elements(), short + long);
        // What is just as large moves the long bodies out and leaves the short ones alone.
        let all = || Body::adopt([KEPT_ELEMENTS].into(), vec![0.0; KEPT_ELEMENTS]);
        keep(all());
        assert_eq!(kept_elements(), short + KEPT_ELEMENTS);
        // A short body needs no such room.
        Body::retire(Body::adopt([8].into(), vec![0.0; 8]));
        assert_eq!(kept_elements(), short + KEPT_ELEMENTS + 8);
        release_kept_buffers();
        assert_eq!(kept_elements(), 0);
    }

    #[test]
    fn room_beyond_the_elements_is_not_kept() {
        release_kept_buffers();
        for length in [8, 0] {
            let mut values = vec![1.0; 1 << 12];
            values.truncate(length);
            Body::retire(Body::adopt([length].into(), values));
            KEPT.with(|kept| assert!(kept.borrow().shelves.iter().all(Vec::is_empty)));
        }
        let mut values = Vec::with_capacity(100);
        values.resize(80, 1.0);
        keep(Body::adopt([80].into(), values));
        assert_eq!(kept_elements(), 100, "the room counts, not the elements");
        assert_eq!(take(80).as_slice().len(), 80);
        assert_eq!(kept_elements(), 0);
    }

    #[test]
    fn a_thread_keeps_all_it_says_of_powers_of_two_and_nothing_it_could_not_have() {
        release_kept_buffers();
        for (length, count) in [(KEPT_ELEMENTS, 1), (KEPT_ELEMENTS / 8, 8), (1 << 12, 100)] {
            let live: Vec<_> = (0..count).map(|_| take(length)).collect();
            live.into_iter().for_each(Body::retire);
            let shelf = shelf_of_length(length);
            KEPT.with(|kept| assert_eq!(kept.borrow().shelves[shelf].len(), count, "{length}"));
            assert_eq!(kept_elements(), length * count, "the room before a line is not counted");
            release_kept_buffers();
        }
        // A vector of a caller that is longer than short and shorter than long.
        for length in EVEN + 1..shelf_length(LAST_SHORT + 1) {
            (0..3).for_each(|_| Body::retire(Body::adopt([length].into(), vec![0.0; length])));
            assert_eq!(kept_elements(), 0, "{length}");
        }
        // A body that there was no memory for was not lent.
        let elements = isize::MAX as usize / size_of::<f64>();
        assert!(Body::build(&[elements].into(), elements, |_| ()).is_none());
        KEPT.with(|kept| assert_eq!(kept.borrow().lent[shelf_for_request(elements)], 0));
    }

    #[test]
    fn a_thread_keeps_no_more_long_bodies_than_it_asked_for() {
        release_kept_buffers();
        let shelf = shelf_of_length(1024);
        let kept = || KEPT.with(|kept| kept.borrow().shelves[shelf].len());
        let brought = || Body::adopt([1024].into(), vec![0.0; 1024]);
        (0..10).for_each(|_| Body::retire(brought()));
        assert_eq!(kept(), 0, "nobody asked for such a body");
        let live = [(); 3].map(|()| take(1024));
        (0..10).for_each(|_| Body::retire(brought()));
        assert_eq!(kept(), 3, "each in the place of a live one");
        live.into_iter().for_each(Body::retire);
        assert_eq!(kept(), 3);
        for _ in 0..10 {
            let step = [take(1024), brought(), take(1024)];
            step.into_iter().for_each(Body::retire);
            std::thread::spawn(|| take(1024)).join().map(Body::retire).unwrap();
            assert_eq!(kept(), 3, "a step brings what it brings");
        }
    }

    #[test]
    fn sizes_nobody_asks_for_make_room() {
        release_kept_buffers();
        for _ in 0..32 {
            let length = KEPT_ELEMENTS / 32;
            keep(Body::adopt([length].into(), vec![0.0; length]));
        }
        assert_eq!(kept_elements(), KEPT_ELEMENTS);
        let live = take(KEPT_ELEMENTS / 16);
        let address = live.as_slice().as_ptr();
        Body::retire(live);
        let again = take(KEPT_ELEMENTS / 16);
        assert_eq!(again.as_slice().as_ptr(), address, "the live size is recycled");
        assert!(kept_elements() <= KEPT_ELEMENTS);
        release_kept_buffers();
    }

    #[test]
    fn the_size_that_keeps_the_most_makes_room_first() {
        release_kept_buffers();
        let retire = |part: usize| {
            let length = KEPT_ELEMENTS / part;
            keep(Body::adopt([length].into(), vec![0.0; length]));
        };
        // Neither the longest body, nor the largest number of them, nor what has just come.
        let kept = || {
            KEPT.with(|kept| {
                let shelf = |part: usize| shelf_of_length(KEPT_ELEMENTS / part);
                [4, 8, 16, 128].map(|part| kept.borrow().shelves[shelf(part)].len())
            })
        };
        retire(4);
        (0..10).for_each(|_| retire(16));
        (0..16).for_each(|_| retire(128));
        assert_eq!((kept(), kept_elements()), ([1, 0, 10, 16], KEPT_ELEMENTS));
        retire(8);
        assert_eq!((kept(), kept_elements()), ([1, 1, 8, 16], KEPT_ELEMENTS));
        retire(16);
        assert_eq!(kept(), [0, 1, 9, 16]);
        release_kept_buffers();
    }

    /// Makes tensors and lets go of them, short, long and sharing, while the thread exits.
    struct UntilTheEnd;

    impl Drop for UntilTheEnd {
        fn drop(&mut self) {
            for rows in [4, 100] {
                let square = Tensor::filled([rows, 2], 7.0).unwrap();
                assert_eq!(square.reshape([2 * rows]).unwrap().as_slice(), vec![7.0; 2 * rows]);
            }
            release_kept_buffers();
        }
    }

    thread_local! {
        static ONE: UntilTheEnd = const { UntilTheEnd };
        static OTHER: UntilTheEnd = const { UntilTheEnd };
    }

    #[test]
    fn while_a_thread_exits_nothing_is_kept() {
        let in_a_new_thread = || {
            // One of the two goes before the shelves, the other after them.
            ONE.with(|_| ());
            drop(Tensor::scalar(1.0));
            OTHER.with(|_| ());
        };
        std::thread::spawn(in_a_new_thread).join().unwrap();
    }
}
