use super::*;
use crate::tensor::TensorError;
use TensorViewError as E;

fn refusal(shape: &[usize], strides: &[usize], len: usize, storage: usize) -> E {
    OffsetPlan::new(shape, strides, len, storage).unwrap_err()
}

/// A walk is checked before its first step, in this order: one stride for each axis, a shape that
/// can be counted, the announced number of elements, no overflow, no offset outside the storage.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    for (shape, strides, len, storage) in [
        (&[2, 3][..], &[1, 0][..], 6, 2),
        (&[2, 3], &[0, 1], 6, 3),
        (&[2, 3], &[3, 1], 6, 6),
        (&[], &[], 1, 1),
        (&[1, 1], &[usize::MAX, usize::MAX], 1, 1), // never moved by
        (&[3, 0, 2], &[usize::MAX, 9, usize::MAX], 0, 0), // never walked
        (&[3, 0, 2], &[usize::MAX, 9, usize::MAX], 0, 6),
    ] {
        let plan = OffsetPlan::new(shape, strides, len, storage).unwrap();
        assert_eq!((plan.shape, plan.strides, plan.elements), (shape, strides, len));
    }

    // From the first check to the last; each walk but the last breaks the later rules too.
    let shape = || Shape::from([usize::MAX, 2]);
    for strides in [&[1][..], &[1, 1, 1]] {
        let count = E::StrideCount { shape: shape(), strides: strides.len() };
        assert_eq!(refusal(&shape(), strides, 3, 0), count);
    }
    let overflow = TensorError::ShapeOverflow { shape: shape() };
    assert_eq!(refusal(&shape(), &[1, 1], 3, 0), E::Tensor(overflow));
    let too_many = TensorError::TooManyAxes { rank: 65, most: 64 };
    assert_eq!(refusal(&[1; 65], &[0; 65], 1, 1), E::Tensor(too_many));

    let count = E::ElementCount { shape: Shape::from([2, 0]), expected: 0, actual: 6 };
    assert_eq!(refusal(&[2, 0], &[0, 1], 6, 9), count);
    let (shape, strides) = (Shape::from([2, 3]), [usize::MAX, 1]);
    for actual in [0, 5, 7] {
        let count = E::ElementCount { shape: shape.clone(), expected: 6, actual };
        assert_eq!(refusal(&shape, &strides, actual, 0), count);
    }
    let far = |strides: [usize; 2]| E::OffsetOverflow {
        shape: Shape::from([2, 3]),
        strides: Strides::from(strides),
    };
    assert_eq!(refusal(&shape, &strides, 6, 0), far(strides)); // the sum
    let strides = [0, usize::MAX / 2 + 1];
    assert_eq!(refusal(&shape, &strides, 6, 0), far(strides)); // the product

    for (strides, offset, storage) in [([3, 1], 5, 5), ([1, 1], 3, 2), ([0, 0], 0, 0)] {
        let strides = Strides::from(strides);
        let out = E::OffsetOutOfBounds {
            shape: shape.clone(),
            strides: strides.clone(),
            offset,
            storage,
        };
        assert_eq!(refusal(&shape, &strides, 6, storage), out);
        assert!(OffsetPlan::new(&shape, &strides, 6, offset + 1).is_ok());
    }
    let out = E::OffsetOutOfBounds {
        shape: Shape::from([]),
        strides: Strides::from([]),
        offset: 0,
        storage: 0,
    };
    assert_eq!(refusal(&[], &[], 1, 0), out);
}
