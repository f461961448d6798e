use super::*;

/// The loops written for this one graph give its exact output and gradients.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let expected = HandwrittenBaseline {
        output: [11.0, 18.0],
        x_gradient: [[4.0, 12.0, 4.0], [12.0, 10.0, 24.0]],
        bias_gradient: [16.0, 16.0, 34.0],
    };
    assert_eq!(handwritten_fixed_shape_baseline(), expected);
}
