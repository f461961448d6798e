//! Values from the test suites of other engines.

use crate::support::oracle::{Op, Plain};
use crate::support::*;
use crate::{check, Seed};
use pullback::{TensorAutodiffError, TensorValue};

// candle: simple_grad, sum_grad (keep_dim), expand_grad.
#[test]
fn polynomial_sum_and_expansion() {
    check(
        [parameter(&[3], &[3.0, 1.0, 4.0])],
        |[x]| x.mul(x)?.add(&scaled(x, 5.0)?)?.add(&number(4.0)),
        Seed::Sum,
        [&[11.0, 7.0, 13.0]],
    );
    check(
        [parameter(&[3], &[3.0, 1.0, 4.0])],
        |[x]| scaled(&x.mul(x)?.sum_axis(0, true)?, 2.0)?.sum_axis(0, false),
        Seed::Sum,
        [&[12.0, 4.0, 16.0]],
    );
    let values = counting(&[1, 1, 4, 6], 1.0);
    let tripled: Vec<f64> = values.iter().map(|value| 3.0 * value).collect();
    check(
        [parameter(&[1, 1, 4, 6], &values)],
        |[x]| {
            let y = x.broadcast_to([3, 1, 4, 6])?;
            scaled(&y.mul(&y)?, 0.5)
        },
        Seed::Sum,
        [&tripled],
    );
}

// candle: matmul_grad. burn: matmul, complex, sum_dim and mean_dim. tinygrad: eye. The product is
// written with broadcasts and a sum, so that many shapes meet in one graph.
#[test]
fn products_written_as_broadcasts() {
    check(
        [
            parameter(&[2, 2, 3], &counting(&[2, 2, 3], 0.0)),
            parameter(&[2, 3, 2], &counting(&[2, 3, 2], 0.0)),
        ],
        |[x, y]| product(x, y),
        Seed::Sum,
        [
            &[1.0, 5.0, 9.0, 1.0, 5.0, 9.0, 13.0, 17.0, 21.0, 13.0, 17.0, 21.0],
            &[3.0, 3.0, 5.0, 5.0, 7.0, 7.0, 15.0, 15.0, 17.0, 17.0, 19.0, 19.0],
        ],
    );
    let b = || parameter(&[2, 2], &[4.0, 7.0, 2.0, 3.0]);
    check(
        [parameter(&[2, 2], &[1.0, 7.0, 2.0, 3.0]), b()],
        |[a, b]| product(a, b),
        Seed::Sum,
        [&[11.0, 5.0, 11.0, 5.0], &[3.0, 3.0, 10.0, 10.0]],
    );
    check(
        [parameter(&[2, 2], &[1.0, 7.0, 13.0, -3.0]), b()],
        |[a, b]| product(&product(a, b)?, a)?.mul(b),
        Seed::Sum,
        [&[593.0, 463.0, 487.0, 539.0], &[734.0, 294.0, 1414.0, 242.0]],
    );
    let leaves = || {
        [parameter(&[2, 2], &[1.0, 7.0, -2.0, -3.0]), parameter(&[2, 2], &[4.0, -7.0, 2.0, 3.0])]
    };
    check(
        leaves(),
        |[a, b]| a.mul(&product(a, b)?.sum_axis(1, true)?),
        Seed::Sum,
        [&[8.0, 72.0, 6.0, -34.0], &[18.0, 18.0, 71.0, 71.0]],
    );
    check(
        leaves(),
        |[a, b]| a.mul(&product(a, b)?.mean_axis(1, true)?),
        Seed::Sum,
        [&[4.0, 36.0, 3.0, -17.0], &[9.0, 9.0, 35.5, 35.5]],
    );
    check(
        [
            parameter(&[3, 3], &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
            parameter(&[1, 3], &[2.0, 0.0, -2.0]),
        ],
        |[x, y]| product(y, x),
        Seed::Sum,
        [&[2.0, 2.0, 2.0, 0.0, 0.0, 0.0, -2.0, -2.0, -2.0], &[1.0, 1.0, 1.0]],
    );
}

// candle: products of empty matrices. Every value that remains is an empty sum.
#[test]
fn products_without_elements() -> Outcome {
    let rows: [(&[usize], &[usize], &[usize]); 5] = [
        (&[2, 0], &[0, 3], &[2, 3]),
        (&[0, 2], &[2, 3], &[0, 3]),
        (&[2, 3], &[3, 0], &[2, 0]),
        (&[0, 2, 3], &[0, 3, 4], &[0, 2, 4]),
        (&[2, 3, 0], &[2, 0, 4], &[2, 3, 4]),
    ];
    for (left, right, shape) in rows {
        let a = parameter(left, &ones(left));
        let b = parameter(right, &ones(right));
        let y = product(&a, &b)?;
        assert_eq!(y.shape(), shape);
        assert!(values(&y).iter().all(|&value| value == 0.0));
        releasing(&total(&y)?, &[1.0])?;
        assert_positive_zero(&a);
        assert_positive_zero(&b);
    }
    Ok(())
}

// candle: grad_descent.
#[test]
fn a_hundred_steps_downhill() -> Outcome {
    let x = parameter(&[], &[0.0]);
    let target = number(-4.2);
    for _ in 0..100 {
        let distance = x.add(&target)?;
        x.zero_grad()?;
        distance.mul(&distance)?.backward()?;
        let slope = gradient(&x)[0];
        x.update_value(|values| values[0] -= 0.1 * slope)?;
    }
    let distance = (values(&x)[0] - 4.2).abs();
    approx::assert_relative_eq!(distance, 4.2 * 0.8_f64.powi(100), max_relative = 1e-5);
    assert!((8.5e-10..8.7e-10).contains(&distance), "{distance}");
    Ok(())
}

// tinygrad: an outer sum, and a seed other than ones.
#[test]
fn outer_sum_and_a_seed_of_threes() {
    check(
        [parameter(&[3, 1], &[1.0, 2.0, 3.0]), parameter(&[1, 4], &[1.0, 2.0, 3.0, 4.0])],
        |[a, b]| a.add(b),
        Seed::Sum,
        [&[4.0; 3], &[3.0; 4]],
    );
    check(
        [parameter(&[3], &[1.0, 2.0, 3.0])],
        |[x]| x.mul(x),
        Seed::Of(&[3.0; 3]),
        [&[6.0, 12.0, 18.0]],
    );
}

// minitorch: the chain rule's first exercise.
#[test]
fn product_plus_operand() {
    let f = check(
        [parameter(&[], &[5.0]), parameter(&[], &[10.0])],
        |[x, y]| x.mul(y)?.add(x),
        Seed::Of(&[5.0]),
        [&[55.0], &[25.0]],
    );
    assert_eq!(values(&f), [55.0]);
}

// PyTorch: reshape after a transpose, and after two that rotate the axes.
#[test]
fn reshape_of_moved_axes() {
    check(
        [parameter(&[2, 3], &counting(&[2, 3], 1.0))],
        |[x]| x.transpose(0, 1)?.reshape([2, 3]),
        Seed::Of(&counting(&[2, 3], 1.0)),
        [&[1.0, 3.0, 5.0, 2.0, 4.0, 6.0]],
    );
    let y = check(
        [parameter(&[2, 3, 4], &counting(&[2, 3, 4], 0.0))],
        |[x]| x.transpose(0, 2)?.transpose(1, 2)?.reshape([8, 3]),
        Seed::Of(&counting(&[8, 3], 0.0)),
        [&[
            0.0, 6.0, 12.0, 18.0, 1.0, 7.0, 13.0, 19.0, 2.0, 8.0, 14.0, 20.0, //
            3.0, 9.0, 15.0, 21.0, 4.0, 10.0, 16.0, 22.0, 5.0, 11.0, 17.0, 23.0,
        ]],
    );
    assert_eq!(values(&y)[..6], [0.0, 4.0, 8.0, 12.0, 16.0, 20.0]);
}

/// Small whole numbers, so that sums and products are exact in whatever order they are taken.
fn whole(shape: &[usize], step: usize) -> Plain {
    let values = (0..elements(shape)).map(|index| ((index * step) % 11) as f64 - 5.0).collect();
    Plain { shape: shape.to_vec(), values }
}

fn against_loops(op: &Op, operands: &[Plain]) -> Outcome {
    let leaves: Vec<TensorValue> =
        operands.iter().map(|plain| parameter(&plain.shape, &plain.values)).collect();
    let y = op.apply(&leaves.iter().collect::<Vec<_>>())?;
    let plains: Vec<&Plain> = operands.iter().collect();
    let expected = op.forward(&plains);
    assert_eq!(y.shape(), expected.shape, "{op:?}");
    assert_eq!(values(&y), expected.values, "{op:?}");
    let seed = whole(&expected.shape, 7).values;
    retained(&y, &seed)?;
    for (slot, leaf) in leaves.iter().enumerate() {
        assert_gradient(leaf, &op.pull_back(&plains, slot, &seed));
    }
    Ok(())
}

// PyTorch OpInfo: the shape pairs of binary operations, with M = 10 and S = 5.
#[test]
fn binary_shape_pairs_against_plain_loops() -> Outcome {
    let pairs: [(&[usize], &[usize]); 12] = [
        (&[], &[]),
        (&[5], &[]),
        (&[5, 1], &[5]),
        (&[10, 5], &[]),
        (&[5, 10, 5], &[10, 5]),
        (&[10, 1, 5], &[10, 5]),
        (&[10, 1, 5], &[1, 10, 5]),
        (&[0, 1, 3], &[0, 10, 3]),
        (&[1], &[]),
        (&[2], &[1]),
        (&[3, 1, 2], &[3, 2]),
        (&[3, 1, 2], &[1, 3, 2]),
    ];
    for (left, right) in pairs {
        for op in [Op::Add, Op::Mul] {
            against_loops(&op, &[whole(left, 3), whole(right, 4)])?;
            against_loops(&op, &[whole(right, 4), whole(left, 3)])?;
        }
    }
    Ok(())
}

// PyTorch OpInfo: expand, reshape and transpose.
#[test]
fn expansions_and_reshapes_against_plain_loops() -> Outcome {
    let expansions: [(&[usize], &[usize]); 5] = [
        (&[5, 1, 1], &[5, 5, 5]),
        (&[1], &[5, 5, 5]),
        (&[1, 5], &[1, 1, 5]),
        (&[], &[]),
        (&[], &[1, 3, 2]),
    ];
    for (from, to) in expansions {
        against_loops(&Op::BroadcastTo(to.to_vec()), &[whole(from, 3)])?;
    }
    let reshapes: [(&[usize], &[usize]); 5] = [
        (&[125], &[25, 5]),
        (&[1], &[]),
        (&[5, 0, 2, 3], &[5, 0, 2, 3]),
        (&[2, 1, 0, 3, 1], &[5, 0]),
        (&[], &[1, 1, 1, 1]),
    ];
    for (one, other) in reshapes {
        against_loops(&Op::Reshape(other.to_vec()), &[whole(one, 3)])?;
        against_loops(&Op::Reshape(one.to_vec()), &[whole(other, 3)])?;
    }
    let scalar = parameter(&[], &[3.0]);
    let error = refused(&[&scalar], || scalar.transpose(0, 0));
    assert!(matches!(error, TensorAutodiffError::Operation(_)), "{error}");
    releasing(&scalar, &[2.0])?;
    assert_gradient(&scalar, &[2.0]);
    Ok(())
}

// The same for the operations that OpInfo tables leave out here: every axis of awkward shapes.
#[test]
fn every_axis_against_plain_loops() -> Outcome {
    let shapes: [&[usize]; 8] =
        [&[1], &[4], &[2, 4], &[4, 1, 2], &[0, 4], &[2, 0, 4], &[1, 4, 1, 2], &[2, 1, 4, 2, 1]];
    for shape in shapes {
        for axis in 0..shape.len() {
            for keep in [true, false] {
                against_loops(&Op::Sum(axis, keep), &[whole(shape, 3)])?;
                if shape[axis] > 0 {
                    against_loops(&Op::Mean(axis, keep), &[whole(shape, 3)])?;
                }
            }
            for other in 0..shape.len() {
                against_loops(&Op::Transpose(axis, other), &[whole(shape, 3)])?;
            }
        }
    }
    Ok(())
}
