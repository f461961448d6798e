use super::*;

fn pair(values: [f64; 2]) -> Tensor {
    Tensor::from_vec([2], values.to_vec()).unwrap()
}

fn bits(state: &ParameterState) -> Vec<u64> {
    state.read().as_slice().iter().map(|element| element.to_bits()).collect()
}

/// A stored gradient reads as exact +0.0 before the first pass and after `set_zero`, whatever its
/// storage held; zeroing spares what a snapshot shares; a guard keeps every writer out.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    drop(pair([9.0, 9.0])); // leaves its storage behind, full of nines
    let state = ParameterState::new(Shape::from([2])).unwrap();
    // What is stored where nobody has read the zeros is no zero.
    for values in [[3.0, 8.0], [0.0, 2.0]] {
        state.acquire().unwrap().set(pair(values));
        assert_eq!(state.peek().non_zero(), Some(&pair(values)));
        assert_eq!(*state.read(), pair(values));
        state.set_zero().unwrap();
    }

    drop(pair([9.0, 9.0]));
    let state = ParameterState::new(Shape::from([2])).unwrap();
    assert_eq!((state.revision.get(), state.updates.get()), (0, 0));
    assert!(state.peek().non_zero().is_none());
    assert_eq!((bits(&state), state.read().shape()), (vec![0, 0], &[2][..]));

    state.acquire().unwrap().set(pair([-4.0, 6.0]));
    assert_eq!(state.peek().non_zero(), Some(&pair([-4.0, 6.0])));
    let place = state.read().as_slice().as_ptr();
    assert_eq!(*state.read(), pair([-4.0, 6.0]));

    // Nobody shares the values: zero is a flag until somebody reads.
    state.set_zero().unwrap();
    assert!(state.acquire().unwrap().non_zero().is_none());
    assert_eq!(state.gradient.borrow().values.as_slice(), [-4.0, 6.0]);
    assert_eq!(bits(&state), [0, 0]);
    assert_eq!(state.read().as_slice().as_ptr(), place);
    assert!(state.peek().non_zero().is_some(), "zeros that were written out are values");

    // A snapshot shares them: it keeps them.
    state.acquire().unwrap().set(pair([1.0, 2.0]));
    let snapshot = state.read().clone();
    state.set_zero().unwrap();
    assert!(state.peek().non_zero().is_none());
    assert_eq!((bits(&state), snapshot), (vec![0, 0], pair([1.0, 2.0])));

    // A guard of a reader keeps writers out, and other readers in.
    state.acquire().unwrap().set(pair([5.0, 7.0]));
    let guard = state.read();
    assert_eq!(state.set_zero(), Err(TensorAutodiffError::GradientBorrowed));
    assert!(matches!(state.acquire(), Err(TensorAutodiffError::GradientBorrowed)));
    assert_eq!((&*guard, &*state.read()), (&pair([5.0, 7.0]), &pair([5.0, 7.0])));
    drop(guard);
    assert!(state.acquire().is_ok());

    let overflow = ParameterState::new(Shape::from([usize::MAX, 2]));
    assert!(matches!(overflow, Err(TensorError::ShapeOverflow { .. })));
}
