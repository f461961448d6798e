use super::*;

/// The evidence is what the four examples compute.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let evidence = prepare().unwrap();
    assert_eq!(Ok(evidence.frozen), frozen_tensor_example());
    assert_eq!(Ok(evidence.detached), detach_sum_example());
    assert_eq!(Ok(evidence.gradcheck), vjp_gradcheck_example());
    // Not with `==`: one of the refusals carries a NaN.
    let again = typed_error_example().map(|example| format!("{example:?}"));
    assert_eq!(Ok(format!("{:?}", evidence.rejections)), again);
}
