use super::*;

type Plant = fn(&mut LearnerEvidence);

fn evidence() -> LearnerEvidence {
    prepare().unwrap()
}

/// Each claim is refused by its own words when its evidence is wrong, by a sign of zero too, and of
/// several wrong claims the first one is named.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    assert_eq!(evidence().verify(), Ok(()));
    let plants: [(Plant, &str); 17] = [
        (|it| it.frozen.nodes.truncate(7), "the output is the baseline's"),
        (|it| it.frozen.nodes.clear(), "the output is the baseline's"),
        (|it| it.frozen.baseline.output[1] = 18.5, "the output is the baseline's"),
        (|it| it.frozen.baseline.x_gradient[1][0] = -12.0, "the gradient of x is the baseline's"),
        (|it| it.frozen.baseline.bias_gradient[2] = 0.0, "the gradient of bias is the baseline's"),
        (|it| flip(&mut it.frozen.repeated.x), "a second pass doubles"),
        (|it| flip(&mut it.frozen.repeated.bias), "a second pass doubles"),
        (|it| it.frozen.repeated = it.frozen.first.clone(), "a second pass doubles"),
        (|it| flip(&mut it.frozen.zeroed.x), "zero_grad writes +0.0"),
        (|it| flip(&mut it.frozen.zeroed.bias), "zero_grad writes +0.0"),
        (
            |it| flip(&mut it.frozen.after_zero_and_release.bias),
            "a releasing pass commits the first values again",
        ),
        (
            |it| it.frozen.after_zero_and_release = it.frozen.repeated.clone(),
            "a releasing pass commits the first values again",
        ),
        (|it| it.frozen.released_gradients_unchanged = false, "a released graph changes nothing"),
        (|it| it.detached.detached_is_new_node = false, "a detached node is new and untracked"),
        (|it| it.detached.detached_tracks_gradient = true, "a detached node is new and untracked"),
        (|it| it.gradcheck.passed = false, "every gradient check passes"),
        (|it| it.rejections.all_unchanged = false, "every refusal changes nothing"),
    ];
    let mut all = evidence();
    for (plant, claim) in plants.into_iter().rev() {
        let mut one = evidence();
        plant(&mut one);
        assert_eq!(one.verify(), Err(WorkedExampleError::Check(claim)));
        plant(&mut all);
        assert_eq!(all.verify(), Err(WorkedExampleError::Check(claim)));
    }
    assert_eq!(bits([1.0, -0.0]), [1.0_f64.to_bits(), 1 << 63]);
}

fn flip(tensor: &mut Tensor) {
    let last = tensor.as_mut_slice().unwrap().last_mut().unwrap();
    *last = -*last;
}
