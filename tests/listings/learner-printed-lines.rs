use super::*;

const LINES: &str = "\
parameter x: shape=[2, 3] values=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
parameter bias: shape=[3] values=[1.0, -1.0, 0.0]
reshape: shape=[3, 2] values=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
transpose: shape=[2, 3] values=[1.0, 3.0, 5.0, 2.0, 4.0, 6.0]
broadcast: shape=[2, 3] values=[1.0, -1.0, 0.0, 1.0, -1.0, 0.0]
add: shape=[2, 3] values=[2.0, 2.0, 5.0, 3.0, 3.0, 6.0]
multiply reused: shape=[2, 3] values=[4.0, 4.0, 25.0, 9.0, 9.0, 36.0]
mean axis=1 keep_dim=false: shape=[2] values=[11.0, 18.0]
non-scalar seed: shape=[2] values=[3.0, 6.0]
one backward: x_grad=[4.0, 12.0, 4.0, 12.0, 10.0, 24.0] bias_grad=[16.0, 16.0, 34.0]
repeated backward: x_grad=[8.0, 24.0, 8.0, 24.0, 20.0, 48.0] bias_grad=[32.0, 32.0, 68.0]
zero_grad: x_grad=[0.0, 0.0, 0.0, 0.0, 0.0, 0.0] bias_grad=[0.0, 0.0, 0.0]
after zero and release: x_grad=[4.0, 12.0, 4.0, 12.0, 10.0, 24.0] bias_grad=[16.0, 16.0, 34.0]
released graph: operation=mean gradients unchanged=true
detach and sum: value=63.0 p_grad=[4.0, 6.0] detached_grad=none
gradcheck: add | multiply | reshape | transpose | broadcast | sum | mean; pass=true
typed errors: seed-shape | non-finite-seed | graph-released | non-finite-accumulated-gradient; \
    gradients unchanged=true
chapter 16 handoff: add model-critical tensor VJPs
";

fn printed(change: fn(&mut LearnerEvidence)) -> Result<String, String> {
    let prepare = || {
        let mut evidence = prepare()?;
        change(&mut evidence);
        Ok(evidence)
    };
    let mut out = Vec::new();
    match run(prepare, &mut out) {
        Ok(()) => Ok(String::from_utf8(out).unwrap()),
        Err(error) => {
            assert!(out.is_empty(), "a failure printed something");
            Err(error.to_string())
        }
    }
}

/// The lines are exact and say what the evidence says; evidence that fails its verification, or a
/// failure before the last line is ready, prints none, and a writer that fails is not ignored.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    assert_eq!(printed(|_| ()).as_deref(), Ok(LINES));
    let changed = |change, from: &str, to: &str| {
        assert_eq!(printed(change), Ok(LINES.replace(from, to)));
    };
    changed(|it| it.detached.value = 62.5, "value=63.0", "value=62.5");
    let one = |it: &mut LearnerEvidence| it.detached.detached_gradient = Some(Tensor::scalar(1.0));
    changed(one, "detached_grad=none", "detached_grad=Tensor([], [1.0])");
    changed(
        |it| {
            it.frozen.released_error =
                TensorAutodiffError::GraphReleased { operation: pullback::TensorOperation::Add }
        },
        "operation=mean",
        "operation=add",
    );
    for change in [
        (|it| it.frozen.nodes.truncate(7)) as fn(&mut LearnerEvidence),
        // Evidence that does not hold is not printed, not even as false.
        |it| it.gradcheck.passed = false,
        |it| it.rejections.all_unchanged = false,
        |it| it.frozen.released_gradients_unchanged = false,
        |it| it.frozen.first.bias = it.frozen.zeroed.bias.clone(),
        |it| it.frozen.first_pass.edges.clear(),
        |it| it.frozen.released_error = TensorAutodiffError::GradientBorrowed,
    ] {
        assert!(printed(change).unwrap_err().starts_with("check failed: "));
    }
    let mut out = Vec::new();
    let planted = run(|| Err(WorkedExampleError::NotRefused), &mut out).unwrap_err();
    assert!(out.is_empty() && planted.to_string() == WorkedExampleError::NotRefused.to_string());
    assert!(run(prepare, &mut &mut [0_u8; 100][..]).is_err());
}
