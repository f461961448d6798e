use super::*;

fn plan<'a>(shape: &'a [usize], strides: &'a [usize]) -> OffsetPlan<'a> {
    let elements = element_count(shape).unwrap();
    OffsetPlan::new(shape, strides, elements, 1 << 20).unwrap()
}

/// The groups of a walk: where each starts, and what all of them have in common.
fn groups(plan: OffsetPlan<'_>) -> (Vec<usize>, [usize; 3]) {
    let (mut starts, mut common) = (Vec::new(), [0; 3]);
    plan.each_group(|start, &Group { axes, length, repeats }| {
        starts.push(start);
        common = [axes, length, repeats];
    });
    (starts, common)
}

/// Trailing axes of one stride, 0 or 1, join into the longest run; a run and the axes that repeat
/// it join into a group; and both visit exactly the offsets of the plain walk.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    for (shape, strides, run, group, starts) in [
        (&[2, 3][..], &[3, 1][..], (2, 6, 1), [2, 6, 1], &[0][..]),
        (&[2, 3], &[1, 0], (1, 3, 0), [1, 1, 3], &[0, 1]),
        (&[2, 3], &[0, 1], (1, 3, 1), [2, 3, 2], &[0]),
        (&[2, 3], &[0, 0], (2, 6, 0), [2, 1, 6], &[0]),
        (&[2, 3], &[1, 2], (0, 1, 0), [0, 1, 1], &[0, 2, 4, 1, 3, 5]),
        (&[2, 3], &[4, 1], (1, 3, 1), [1, 3, 1], &[0, 4]),
        (&[], &[], (0, 1, 0), [0, 1, 1], &[0]),
        (&[2, 1], &[1, 9], (2, 2, 1), [2, 2, 1], &[0]),
        (&[5, 1, 2, 3], &[0, 7, 0, 1], (1, 3, 1), [4, 3, 10], &[0]),
        (&[2, 5, 3], &[3, 0, 1], (1, 3, 1), [2, 3, 5], &[0, 3]),
        (&[2, 3, 2], &[0, 2, 1], (2, 6, 1), [3, 6, 2], &[0]),
        (&[2, 3, 2], &[6, 0, 0], (2, 6, 0), [2, 1, 6], &[0, 6]),
        (&[2, 2, 3, 2], &[9, 5, 0, 1], (1, 2, 1), [2, 2, 3], &[0, 5, 9, 14]),
        (&[2, 0], &[1, 1], (1, 0, 1), [0, 0, 0], &[]),
        (&[0, 2], &[5, 1], (1, 2, 1), [0, 0, 0], &[]),
    ] {
        let plan = plan(shape, strides);
        assert_eq!(plan.inner_run(), run, "{shape:?} {strides:?}");
        assert_eq!(groups(plan), (starts.to_vec(), group), "{shape:?} {strides:?}");
    }

    // All strides 0, 1, 2 and 6 over all extents up to 3 of three axes.
    let (extents, steps) = ([0, 1, 2, 3], [0, 1, 2, 6]);
    for number in 0..4_usize.pow(6) {
        let digit = |place: u32| number / 4_usize.pow(place) % 4;
        let shape = [0, 1, 2].map(|axis| extents[digit(axis)]);
        let strides = [3, 4, 5].map(|axis| steps[digit(axis)]);
        let plan = plan(&shape, &strides);
        let (axes, length, stride) = plan.inner_run();
        let starts = plan.starts(axes);
        let runs = starts.flat_map(|start| (0..length).map(move |step| start + step * stride));
        assert!(runs.eq(plan.offsets()), "{plan:?}");
        let (starts, [_, length, repeats]) = groups(plan);
        let again = |&start: &usize| (0..repeats * length).map(move |step| start + step % length);
        assert!(starts.iter().flat_map(again).eq(plan.offsets()), "{plan:?}");
    }
}
