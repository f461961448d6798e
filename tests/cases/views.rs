//! Reshapes, transposes and reductions: an adjoint whose storage order is not the obvious one.

use crate::support::oracle::Op;
use crate::support::variants::{operations, variant};
use crate::support::*;
use crate::{check, Seed};
use pullback::tensor::TensorOpError;
use pullback::TensorAutodiffError;
use std::collections::BTreeSet;

// pytorch/pytorch#30303
#[test]
fn product_with_an_expanded_operand() {
    let right = constant(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    check(
        [parameter(&[1, 2], &[1.0, 2.0])],
        |[x]| product(&x.broadcast_to([2, 2])?, &right),
        Seed::Of(&[1.0, 0.0, 0.0, 1.0]),
        [&[3.0, 7.0]],
    );
}

// pytorch/pytorch#764, pytorch/pytorch#674, minitorch/minitorch PR#19
#[test]
fn reshape_after_a_transpose() {
    check(
        [parameter(&[2, 3], &counting(&[2, 3], 1.0))],
        |[x]| x.transpose(0, 1)?.reshape([6]),
        Seed::Of(&counting(&[6], 1.0)),
        [&[1.0, 3.0, 5.0, 2.0, 4.0, 6.0]],
    );
}

// torch/DEPRECEATED-torch7-distro#5, torch/nn PR#345
#[test]
fn two_means_expand_an_adjoint_twice() {
    let shape = [3, 2, 7, 7];
    let seed = [2.0, 4.0, 6.0, 1.0, 3.0, 5.0];
    let expected: Vec<f64> = seed.iter().flat_map(|&adjoint| [adjoint / 7.0 / 7.0; 49]).collect();
    assert_eq!((expected[0], expected[2 * 49]), (0.04081632653061224, 0.12244897959183673));
    check(
        [parameter(&shape, &counting(&shape, 0.0))],
        |[x]| x.mean_axis(3, false)?.mean_axis(2, false),
        Seed::Of(&seed),
        [&expected],
    );
}

// tracel-ai/burn#2776
#[test]
fn expansion_that_is_summed_again() {
    check(
        [parameter(&[1, 3], &[1.0, 2.0, 3.0])],
        |[p]| p.broadcast_to([4, 3])?.sum_axis(0, true),
        Seed::Sum,
        [&[4.0; 3]],
    );
}

// huggingface/candle#3735
#[test]
fn transposed_operand_equals_its_contiguous_copy() -> Outcome {
    let unary = [
        Op::Reshape(vec![6]),
        Op::Transpose(0, 1),
        Op::BroadcastTo(vec![2, 3, 2]),
        Op::Sum(0, false),
        Op::Sum(1, true),
        Op::Mean(0, true),
        Op::Mean(1, false),
    ];
    let other = constant(&[3, 2], &[3.0, -1.0, 4.0, 1.0, -5.0, 9.0]);
    let row = constant(&[2], &[2.0, -7.0]);
    let binary = [Op::Add, Op::Mul]
        .into_iter()
        .flat_map(|op| [(op.clone(), vec![&other]), (op.clone(), vec![&row]), (op, vec![])]);
    let mut met = BTreeSet::new();
    for (op, others) in unary.into_iter().map(|op| (op, vec![])).chain(binary) {
        let x = parameter(&[2, 3], &counting(&[2, 3], 1.0));
        let moved = x.transpose(0, 1)?;
        let copy = parameter(&[3, 2], &values(&moved));
        let apply = |operand| match (op.operands(), &others[..]) {
            (1, _) => op.apply(&[operand]),
            (_, []) => op.apply(&[operand, operand]),
            (_, others) => op.apply(&[operand, others[0]]),
        };
        let (of_moved, of_copy) = (apply(&moved)?, apply(&copy)?);
        met.insert(variant(&of_moved.operation()));
        assert_eq!(values(&of_moved), values(&of_copy), "{op:?}");
        let seed = counting(of_copy.shape(), 2.0);
        retained(&of_moved, &seed)?;
        retained(&of_copy, &seed)?;
        let back = copy.gradient_snapshot().expect("a gradient").transpose(0, 1)?;
        assert_eq!(gradient_bits(&x), bits(back.as_slice()), "{op:?}");
    }
    assert_eq!(met, operations(), "every operation is tried");
    Ok(())
}

// pytorch/pytorch#1813
#[test]
fn mean_over_the_first_axis() {
    check(
        [parameter(&[5, 5], &[1.0; 25])],
        |[x]| x.mul(x)?.mean_axis(0, false),
        Seed::Sum,
        [&[0.4; 25]],
    );
}

// pytorch/pytorch#28993
#[test]
fn an_axis_that_does_not_exist_is_refused() -> Outcome {
    let x = parameter(&[2, 3], &counting(&[2, 3], 1.0));
    let scalar = parameter(&[], &[1.0]);
    for (node, axis) in [(&x, 2), (&x, usize::MAX), (&scalar, 0)] {
        let attempts = [
            Op::Sum(axis, false),
            Op::Sum(axis, true),
            Op::Mean(axis, false),
            Op::Transpose(axis, 0),
            Op::Transpose(0, axis),
        ];
        for op in attempts {
            let error = refused(&[node], || op.apply(&[node]));
            let TensorAutodiffError::Operation(TensorOpError::AxisOutOfRange {
                axis: named,
                shape,
                ..
            }) = &error
            else {
                panic!("{error}")
            };
            assert_eq!((*named, &shape[..]), (axis, node.shape()));
        }
    }
    releasing(&total(&x)?, &[1.0])?;
    assert_gradient(&x, &[1.0; 6]);
    Ok(())
}

// sebgao/cTensor PR#24
#[test]
fn sum_over_the_first_axis_repeats_the_adjoint() {
    check(
        [parameter(&[2, 3], &counting(&[2, 3], 1.0))],
        |[x]| x.sum_axis(0, false),
        Seed::Of(&[10.0, 20.0, 30.0]),
        [&[10.0, 20.0, 30.0, 10.0, 20.0, 30.0]],
    );
}

// A mean divides, it does not multiply by a rounded reciprocal: 5/3, not 5 * (1/3).
#[test]
fn mean_divides() {
    assert_ne!(5.0 / 3.0, 5.0 * (1.0 / 3.0));
    let mean = check(
        [parameter(&[3], &[1.0, 2.0, 2.0])],
        |[x]| x.mean_axis(0, false),
        Seed::Of(&[5.0]),
        [&[5.0 / 3.0; 3]],
    );
    assert_eq!(values(&mean), [5.0 / 3.0]);
}

// The mean of nothing has no value; the sum of nothing is 0.
#[test]
fn mean_of_an_empty_axis_is_refused() -> Outcome {
    let x = parameter(&[2, 0], &[]);
    let error = refused(&[&x], || x.mean_axis(1, false));
    assert!(
        matches!(error, TensorAutodiffError::Operation(TensorOpError::EmptyMean { axis: 1, .. })),
        "{error}"
    );
    assert_eq!(x.mean_axis(0, true)?.shape(), [1, 0]);
    let sum = x.sum_axis(1, false)?;
    assert_eq!(bits(&values(&sum)), [0, 0]);
    releasing(&sum, &[1.0, 2.0])?;
    assert_gradient(&x, &[]);
    Ok(())
}
