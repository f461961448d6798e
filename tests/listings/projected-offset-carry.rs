use super::*;

/// A step moves the last coordinate that has room; those after it start again and give back what
/// they had moved.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let step = |strides: [usize; 2], coordinate: [usize; 2], offset| {
        let (shape, strides) = ([2, 3].into(), strides.into());
        let coordinate = coordinate.into();
        let mut walk = ProjectedOffsets { shape, strides, coordinate, offset, remaining: 3 };
        assert_eq!(walk.next(), Some(offset));
        (walk.offset, [walk.coordinate[0], walk.coordinate[1]])
    };
    assert_eq!(step([1, 0], [0, 2], 0), (1, [1, 0]));
    assert_eq!(step([0, 1], [0, 2], 2), (0, [1, 0]));
    assert_eq!(step([10, 4], [0, 1], 4), (8, [0, 2]));
    assert_eq!(step([10, 4], [0, 2], 8), (10, [1, 0]));
}
