use super::*;

/// A detached factor counts in the value and not in the gradient, and it is a node of its own that
/// tracks and stores nothing.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let example = detach_sum_example().unwrap();
    let expected = DetachSumExample {
        value: 63.0, // 4 + 9 + 10 · (2 + 3)
        p_gradient: Tensor::from_vec([2], vec![4.0, 6.0]).unwrap(),
        detached_gradient: None,
        detached_is_new_node: true,
        detached_tracks_gradient: false,
    };
    assert_eq!(example, expected);
}
