//! One node, several uses: each use is an edge of its own, each node is visited once.

use crate::support::*;
use crate::{assert_close, check, Seed};
use pullback::GraphRetention;

// karpathy/micrograd PR#64
#[test]
fn node_used_twice_by_a_node_used_twice() {
    check(
        [parameter(&[], &[1.0])],
        |[a]| {
            let b = a.add(a)?;
            b.add(&b)
        },
        Seed::Sum,
        [&[4.0]],
    );
}

// karpathy/micrograd#68
#[test]
fn diamonds_that_share_their_corners() {
    let y = check(
        [parameter(&[], &[2.0]), parameter(&[], &[3.0])],
        |[a, b]| {
            let (c, d) = (a.add(b)?, a.mul(b)?);
            c.add(&d)?.add(&c.mul(&d)?)
        },
        Seed::Sum,
        [&[25.0], &[19.0]],
    );
    assert_eq!(values(&y), [41.0]);
}

// ictxiangxin/paradox PR#3
#[test]
fn difference_with_itself() {
    let y = check([parameter(&[], &[7.0])], |[a]| minus(a, a), Seed::Sum, [&[0.0]]);
    assert_eq!(values(&y), [0.0]);
}

// NervanaSystems/neon#169, PaddlePaddle/Paddle#11977
#[test]
fn product_with_its_own_transpose() {
    check([parameter(&[1, 1], &[1.0])], |[x]| product(x, &x.transpose(0, 1)?), Seed::Sum, [&[2.0]]);
    check(
        [parameter(&[2, 1], &[1.0, 2.0])],
        |[x]| product(x, &x.transpose(0, 1)?),
        Seed::Sum,
        [&[6.0, 6.0]],
    );
}

// tensorflow/tensorflow#36999
#[test]
fn both_slots_of_an_addition_are_edges() -> Outcome {
    let x = parameter(&[], &[3.0]);
    let trace = x.add(&x)?.backward_with_trace()?;
    assert_gradient(&x, &[2.0]);
    let edges: Vec<(usize, usize, usize)> =
        trace.edges.iter().map(|edge| (edge.child, edge.parent, edge.operand)).collect();
    assert_eq!(edges, [(1, 0, 0), (1, 0, 1)]);
    assert_eq!(trace.nodes.len(), 2);
    Ok(())
}

// dfdx 0.13 borrows the gradient of one tensor twice and panics.
#[test]
fn square_as_a_product_with_itself() {
    check([parameter(&[], &[3.0])], |[x]| x.mul(x), Seed::Sum, [&[6.0]]);
}

// pytorch/pytorch#183604
#[test]
fn aliased_operands_of_products_and_sums() -> Outcome {
    let x = parameter(&[5], &[0.7, -1.3, 2.1, 0.05, -0.5]);
    releasing(&total(&x.mul(&x)?.add(&x)?.add(&x)?)?, &[1.0])?;
    assert_close(&x, &[3.4, -0.6, 6.2, 2.1, 1.0]);
    Ok(())
}

// The trace shows the adjoints of intermediate nodes: x = 2, a = x^2, b = x^3, q = a + b
// (tracel-ai/burn#1802, LaurentMazare/tch-rs#874).
#[test]
fn adjoints_of_intermediate_nodes_are_in_the_trace() -> Outcome {
    let x = parameter(&[], &[2.0]);
    let a = x.mul(&x)?;
    let b = a.mul(&x)?;
    let q = a.add(&b)?;
    let seed = tensor(&[], &[1.0]);
    let trace = q.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain)?;
    assert_gradient(&x, &[16.0]);
    let adjoints: Vec<f64> =
        trace.nodes.iter().map(|node| node.pass_adjoint.as_ref().unwrap().as_slice()[0]).collect();
    // a has its own consumer b besides q: 1 + x.
    assert_eq!(adjoints, [16.0, 3.0, 1.0, 1.0]);
    Ok(())
}
