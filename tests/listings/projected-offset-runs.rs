use super::*;

fn plan(shape: &[usize], strides: &[usize]) -> OffsetPlan {
    let elements = element_count(shape).unwrap();
    OffsetPlan::new(shape.into(), strides.into(), elements, 1 << 20).unwrap()
}

/// Trailing axes of one stride, 0 or 1, join into the longest run; what is left outside is walked
/// one offset a run, and runs and repeats visit exactly the offsets of the plain walk.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    for (shape, strides, run, repeats, starts) in [
        (&[2, 3][..], &[3, 1][..], (2, 6, 1), (2, 1), &[0][..]),
        (&[2, 3], &[1, 0], (1, 3, 0), (1, 1), &[0, 1]),
        (&[2, 3], &[0, 1], (1, 3, 1), (2, 2), &[0, 0]),
        (&[2, 3], &[0, 0], (2, 6, 0), (2, 1), &[0]),
        (&[2, 3], &[1, 2], (0, 1, 0), (0, 1), &[0, 2, 4, 1, 3, 5]),
        (&[2, 3], &[4, 1], (1, 3, 1), (1, 1), &[0, 4]),
        (&[], &[], (0, 1, 0), (0, 1), &[0]),
        (&[2, 1], &[1, 9], (2, 2, 1), (2, 1), &[0]),
        (&[5, 1, 2, 3], &[0, 7, 0, 1], (1, 3, 1), (4, 10), &[0; 10]),
        (&[2, 5, 3], &[3, 0, 1], (1, 3, 1), (2, 5), &[0, 0, 0, 0, 0, 3, 3, 3, 3, 3]),
        (&[2, 3, 2], &[0, 2, 1], (2, 6, 1), (3, 2), &[0, 0]),
        (&[2, 3, 2], &[6, 0, 0], (2, 6, 0), (2, 1), &[0, 6]),
        (&[2, 0], &[1, 1], (1, 0, 1), (1, 1), &[]),
        (&[0, 2], &[5, 1], (1, 2, 1), (1, 1), &[]),
    ] {
        let plan = plan(shape, strides);
        assert_eq!(plan.inner_run(), run, "{shape:?} {strides:?}");
        assert_eq!(plan.repeats(run.0), repeats, "{shape:?} {strides:?}");
        assert!(plan.clone().run_starts(run.0).eq(starts.iter().copied()), "{shape:?} {strides:?}");
        assert_eq!(plan.clone().run_starts(0).len(), plan.elements);
        assert_eq!(plan.clone().offsets().len(), plan.elements);
    }

    // All strides 0, 1, 2 and 6 over all extents up to 3 of three axes.
    let (extents, steps) = ([0, 1, 2, 3], [0, 1, 2, 6]);
    for number in 0..4_usize.pow(6) {
        let digit = |place: u32| number / 4_usize.pow(place) % 4;
        let plan = plan(
            &[0, 1, 2].map(|axis| extents[digit(axis)]),
            &[3, 4, 5].map(|axis| steps[digit(axis)]),
        );
        let (axes, length, stride) = plan.inner_run();
        let starts = plan.clone().run_starts(axes);
        let runs = starts.flat_map(|start| (0..length).map(move |step| start + step * stride));
        assert!(runs.eq(plan.clone().offsets()), "{plan:?}");
        let (outer, times) = plan.repeats(axes);
        let grouped = plan.clone().run_starts(outer);
        let repeated = grouped.flat_map(|start| std::iter::repeat_n(start, times));
        assert!(length == 0 || repeated.eq(plan.clone().run_starts(axes)), "{plan:?}");
    }
}
