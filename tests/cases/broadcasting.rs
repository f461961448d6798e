//! Shapes that stretch: what is summed on the way back, and into which shape.

use crate::support::oracle::Op;
use crate::support::*;
use crate::{check, Seed};
use pullback::tensor::TensorOpError;
use pullback::{Tensor, TensorAutodiffError};

// tracel-ai/burn#181
#[test]
fn bias_gradient_of_a_linear_layer() {
    let (x, l) = (constant(&[2, 3], &counting(&[2, 3], 1.0)), constant(&[2, 1], &[1.0, 2.0]));
    check(
        [parameter(&[3, 1], &[1.0, 0.0, -1.0]), parameter(&[1, 3], &[0.0, 1.0, 2.0])],
        |[w, b]| {
            let residual = minus(&product(&x, w)?.add(b)?, &l)?;
            residual.mul(&residual)
        },
        Seed::Sum,
        [&[-84.0, -114.0, -144.0], &[-14.0, -10.0, -6.0]],
    );
}

// pytorch/pytorch#1787
#[test]
fn product_of_operands_that_stretch_on_one_or_both_sides() {
    check(
        [parameter(&[1], &[1.0]), parameter(&[5, 4], &[1.0; 20])],
        |[a, b]| a.mul(b),
        Seed::Sum,
        [&[20.0], &[1.0; 20]],
    );
    check(
        [parameter(&[4, 1], &[1.0; 4]), parameter(&[1, 4], &[1.0; 4])],
        |[a, b]| a.mul(b),
        Seed::Sum,
        [&[4.0; 4], &[4.0; 4]],
    );
}

// pytorch/pytorch#913
#[test]
fn shapes_that_do_not_fit_are_refused() -> Outcome {
    let a = parameter(&[5, 2, 1], &ones(&[5, 2, 1]));
    let b = parameter(&[5, 2], &ones(&[5, 2]));
    for op in [Op::Add, Op::Mul] {
        let error = refused(&[&a, &b], || op.apply(&[&a, &b]));
        let TensorAutodiffError::Operation(TensorOpError::IncompatibleShapes {
            left,
            right,
            axis,
            left_extent,
            right_extent,
            ..
        }) = error
        else {
            panic!("{error}")
        };
        assert_eq!((left, right), ([5, 2, 1].into(), [5, 2].into()));
        assert_eq!((axis, left_extent, right_extent), (1, 2, 5));
    }
    releasing(&total(&a.add(&b.reshape([5, 2, 1])?)?)?, &[1.0])?;
    assert_gradient(&a, &[1.0; 10]);
    Ok(())
}

// pytorch/pytorch#107007
#[test]
fn value_minus_its_own_mean() {
    let seeds: [(&[f64], &[f64]); 2] =
        [(&[1.0; 4], &[0.0; 4]), (&[1.0, 0.0, 0.0, 0.0], &[0.75, -0.25, -0.25, -0.25])];
    for (seed, expected) in seeds {
        check(
            [parameter(&[4], &[1.0, 2.0, 3.0, 4.0])],
            |[x]| minus(x, &x.mean_axis(0, true)?),
            Seed::Of(seed),
            [expected],
        );
    }
}

// aesara-devs/aesara#1089, deeplearning4j/nd4j#2424, deeplearning4j/nd4j#2503
#[test]
fn sum_over_the_axes_along_which_an_operand_repeats() {
    let rows: [(&[usize], &[usize], f64); 3] =
        [(&[5, 5], &[1, 5], 5.0), (&[3, 4], &[1, 4], 3.0), (&[3, 4, 5], &[3, 1, 5], 4.0)];
    for (large, small, expected) in rows {
        let stretched = vec![expected; elements(small)];
        check(
            [parameter(large, &ones(large)), parameter(small, &ones(small))],
            |[a, b]| b.add(a),
            Seed::Sum,
            [&ones(large), &stretched],
        );
    }
}

// minitorch/minitorch PR#1, minitorch/Module-2 PR#14, crystal-data/num.cr PR#87
#[test]
fn gradient_keeps_the_rank_of_its_operand() {
    check(
        [parameter(&[1], &[3.0]), parameter(&[1, 2], &[1.0, 1.0])],
        |[a, b]| a.add(b),
        Seed::Sum,
        [&[2.0], &[1.0, 1.0]],
    );
    check(
        [parameter(&[2], &[3.0, 4.0]), parameter(&[3, 2], &[1.0; 6])],
        |[a, b]| a.add(b),
        Seed::Sum,
        [&[3.0, 3.0], &[1.0; 6]],
    );
}

// HIPS/autograd#384
#[test]
fn expansion_has_a_rule() {
    check(
        [parameter(&[3], &[1.0, 2.0, 3.0])],
        |[x]| x.broadcast_to([4, 3]),
        Seed::Sum,
        [&[4.0; 3]],
    );
}

// tensor4all/tenferro-rs#1092
#[test]
fn axes_moved_after_an_expansion() {
    check(
        [parameter(&[2], &[1.0, 2.0])],
        |[p]| p.broadcast_to([3, 2])?.transpose(0, 1),
        Seed::Of(&counting(&[2, 3], 1.0)),
        [&[6.0, 15.0]],
    );
}

// tenstorrent/tt-metal#40008
#[test]
fn last_axis_of_a_factor_repeats() {
    let (large, small) = ([2, 1, 4, 64], [2, 1, 4, 1]);
    check(
        [parameter(&large, &ones(&large)), parameter(&small, &ones(&small))],
        |[a, b]| a.mul(b),
        Seed::Sum,
        [&ones(&large), &[64.0; 8]],
    );
}

// An expansion never shrinks: shapes with another common shape than the requested one.
#[test]
fn an_expansion_to_a_smaller_shape_is_refused() -> Outcome {
    let x = parameter(&[2, 3], &counting(&[2, 3], 1.0));
    let error = refused(&[&x], || x.broadcast_to([3]));
    let TensorAutodiffError::BroadcastTargetMismatch { input, requested, inferred } = error else {
        panic!("{error}")
    };
    assert_eq!((input, requested, inferred), ([2, 3].into(), [3].into(), [2, 3].into()));
    let error = refused(&[&x], || x.broadcast_to([2, 4]));
    assert!(matches!(error, TensorAutodiffError::Operation(_)), "{error}");
    releasing(&x.broadcast_to([1, 2, 3])?, &[1.0; 6])?;
    assert_gradient(&x, &[1.0; 6]);
    Ok(())
}

// Shapes that overflow, that no memory holds, or that have more axes than a tensor may have: errors
// like any other, never an abort.
#[test]
fn impossible_shapes_are_refused() -> Outcome {
    let x = parameter(&[1], &[3.0]);
    let many_axes = vec![1; 1000];
    let impossible: [&[usize]; 5] =
        [&[usize::MAX], &[usize::MAX, 2], &[1 << 50, 1], &[0, usize::MAX, 2, 1], &many_axes];
    for shape in impossible {
        refused(&[&x], || x.broadcast_to(shape));
        assert!(Tensor::zeros(shape).is_err(), "{shape:?}");
        if shape.contains(&0) || shape.len() == 1000 {
            refused(&[&x], || x.reshape(shape));
        }
    }
    releasing(&x.broadcast_to([2, 1])?, &[1.0, 1.0])?;
    assert_gradient(&x, &[2.0]);
    Ok(())
}
