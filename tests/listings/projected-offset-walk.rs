use super::*;

fn plan<'a>(shape: &'a [usize], strides: &'a [usize]) -> OffsetPlan<'a> {
    let elements = element_count(shape).unwrap();
    OffsetPlan::new(shape, strides, elements, 1 << 20).unwrap()
}

fn walk(shape: &[usize], strides: &[usize]) -> ProjectedOffsets {
    plan(shape, strides).offsets()
}

/// The offsets that index arithmetic gives, one coordinate after the other.
fn by_division(shape: &[usize], strides: &[usize]) -> Vec<usize> {
    let elements: usize = shape.iter().product();
    let offset = |mut position: usize| {
        let mut offset = 0;
        for (extent, stride) in shape.iter().zip(strides).rev() {
            offset += position % extent * stride;
            position /= extent;
        }
        offset
    };
    (0..elements).map(offset).collect()
}

/// The last coordinate runs fastest, a full one returns to 0 and carries, and the walk always knows
/// how many offsets are left.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    for (shape, strides, offsets) in [
        (&[2, 3][..], &[1, 0][..], &[0, 0, 0, 1, 1, 1][..]), // the mean of the worked graph
        (&[2, 3], &[0, 1], &[0, 1, 2, 0, 1, 2]),             // its broadcast, reversed
        (&[2, 3], &[1, 2], &[0, 2, 4, 1, 3, 5]),             // its transpose
        (&[], &[], &[0]),
        (&[1, 1], &[7, 9], &[0]),
        (&[3, 0, 2], &[9, 9, 9], &[]),
        (&[2, 1, 2], &[10, 5, 1], &[0, 1, 10, 11]),
    ] {
        let mut walk = walk(shape, strides);
        for (position, &offset) in offsets.iter().enumerate() {
            let left = offsets.len() - position;
            assert_eq!((walk.size_hint(), walk.len()), ((left, Some(left)), left));
            assert_eq!(walk.next(), Some(offset));
        }
        assert_eq!(walk.len(), 0);
        assert_eq!((walk.next(), walk.next(), walk.size_hint()), (None, None, (0, Some(0))));
        assert_eq!(walk.offset, offsets.last().copied().unwrap_or(0), "no step after the last");
    }
    for (shape, strides) in
        [([2, 3, 4], [100, 10, 1]), ([3, 2, 3], [1, 0, 5]), ([4, 1, 2], [0, 3, 0])]
    {
        assert!(walk(&shape, &strides).eq(by_division(&shape, &strides)));
    }

    // Without the last axes it visits where the runs over those begin; an empty walk has no run.
    for (shape, axes, starts) in [
        ([2, 2, 3], 1, &[0, 10, 100, 110][..]),
        ([2, 2, 3], 2, &[0, 100]),
        ([2, 2, 3], 3, &[0]),
        ([2, 2, 0], 1, &[]),
        ([0, 2, 3], 1, &[]),
    ] {
        let walk = plan(&shape, &[100, 10, 1]).starts(axes);
        assert_eq!(walk.len(), starts.len());
        assert_eq!(walk.coordinate.len(), shape.len() - axes, "a coordinate for each axis");
        assert!(walk.eq(starts.iter().copied()), "{shape:?} {axes}");
    }

    // A walk that is cloned on its way goes on twice.
    let mut one = walk(&[2, 3], &[3, 1]);
    assert_eq!(one.nth(3), Some(3));
    let two = one.clone();
    assert!(one.eq([4, 5]) && two.eq([4, 5]));
}
