use super::*;

fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_vec(shape, values.to_vec()).unwrap()
}

fn expanded(
    source: &Tensor,
    shape: &[usize],
    strides: &[usize],
) -> Result<Tensor, TensorViewError> {
    Tensor::repeated(source, shape.into(), shape.iter().product(), strides.into())
}

/// Element by element, as the strides say.
fn expected(source: &Tensor, shape: &[usize], strides: &[usize]) -> Vec<f64> {
    let offsets = source.view().projected_offsets(shape, strides, shape.iter().product()).unwrap();
    offsets.map(|offset| source.as_slice()[offset]).collect()
}

/// A large expansion in long runs is written out when it is read, any other at once; either way the
/// elements are those that the strides name, and a walk that leaves the source is refused.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let row = tensor(&[3], &[1.0, -1.0, 0.5]);
    let pairs = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let long: Vec<f64> = (0..SHORTEST_RUN as u32 + 1).map(f64::from).collect();
    let (long, just) = (tensor(&[long.len()], &long), SHORTEST_RUN);
    let repeats = WORTH_DEFERRING / SHORTEST_RUN;
    for (source, shape, strides, deferred) in [
        (&row, &[2, 3][..], &[0, 1][..], false),
        (&row, &[3, 2], &[1, 0], false),
        (&row, &[3, 2], &[0, 1], false),         // in runs of two
        (&pairs, &[2, 2, 3], &[3, 0, 1], false), // each run twice
        (&pairs, &[2, 3], &[3, 1], false),       // one run, once
        (&pairs, &[2, 2], &[3, 1], false),       // two runs, each once
        (&row, &[], &[], false),
        (&row, &[0, 3], &[0, 1], false),
        (&pairs, &[3, 2], &[1, 3], false),
        (&row, &[WORTH_DEFERRING, 3], &[0, 1], false), // in runs of three
        (&pairs, &[3, WORTH_DEFERRING, 2], &[1, 0, 3], false),
        (&row, &[3, WORTH_DEFERRING], &[1, 0], true),
        (&pairs, &[2, 3, WORTH_DEFERRING], &[3, 1, 0], true),
        (&long, &[repeats, just], &[0, 1], true),
        (&long, &[repeats - 1, just + 1], &[0, 1], false), // not enough elements
        (&long, &[repeats + 2, just - 1], &[0, 1], false), // a run too short
    ] {
        drop(Tensor::filled(shape, 9.0)); // leaves its storage behind, full of nines
        let repeated = expanded(source, shape, strides).unwrap();
        assert_eq!((repeated.shape(), repeated.len()), (shape, shape.iter().product()));
        let expected_source = deferred.then(|| (source.as_slice(), Strides::from(strides)));
        let found = repeated.repeated_source().map(|(source, strides)| (source, strides.clone()));
        assert_eq!(found, expected_source, "{shape:?}");
        let copy = repeated.clone();
        assert_eq!(repeated.as_slice(), expected(source, shape, strides));
        assert_eq!(copy.as_slice().as_ptr(), repeated.as_slice().as_ptr(), "written once");
        assert!(copy.repeated_source().is_none(), "a slice is faster to read");
    }

    // A reader on another thread sees the same elements, and a writer gets its own.
    let long = [2, WORTH_DEFERRING];
    let mut repeated = expanded(&row, &long, &[1, 0]).unwrap();
    let other = repeated.clone();
    let read = std::thread::spawn(move || other.as_slice()[WORTH_DEFERRING]);
    repeated.as_mut_slice().unwrap()[0] = 7.0;
    assert_eq!((read.join().unwrap(), repeated.as_slice()[0]), (-1.0, 7.0));
    assert_eq!((repeated.as_slice()[1], row.as_slice()[0]), (1.0, 1.0));

    for shape in [[2, 2], [2, WORTH_DEFERRING]] {
        let error = expanded(&row, &shape, &[2, 1]).unwrap_err();
        assert!(matches!(error, TensorViewError::OffsetOutOfBounds { storage: 3, .. }));
    }
    let error = Tensor::repeated(&row, [2, 3].into(), 5, [0, 1].into()).unwrap_err();
    assert!(matches!(error, TensorViewError::ElementCount { expected: 6, actual: 5, .. }));
}
