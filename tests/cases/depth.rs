//! Depth is never a limit: not to build, not to reverse, not to trace, not to drop. Every test here
//! runs on a stack of 2 MiB. Where a million nodes would only take time, 200,000 stand in: a
//! recursion would have ten bytes for each frame.

use crate::support::*;
use pullback::{no_grad, TensorAutodiffError, TensorValue};
use std::cell::RefCell;

const MILLION: usize = 1_000_000;
const DEEP: usize = 200_000;

/// `start + step + step + ..`
fn chain(start: &TensorValue, nodes: usize) -> Attempt {
    let step = constant(&[1], &[1.0]);
    let mut y = start.clone();
    for _ in 0..nodes {
        y = y.add(&step)?;
    }
    Ok(y)
}

// pytorch/pytorch#5534, pytorch/pytorch PR#6873, pytorch/pytorch PR#11534, karpathy/micrograd PR#90
#[test]
fn million_additions() {
    on_a_small_stack(|| {
        let x = parameter(&[1], &[0.0]);
        let y = chain(&x, MILLION).expect("a chain");
        assert_eq!(values(&y), [1e6]);
        retained(&y, &[3.0]).expect("a pass");
        assert_gradient(&x, &[3.0]);
        drop(y);
        assert_gradient(&x, &[3.0]);
    });
}

#[test]
fn drop_after_release() {
    on_a_small_stack(|| {
        let x = parameter(&[1], &[0.0]);
        let y = chain(&x, DEEP).expect("a chain");
        // The release itself drops every edge; then the output and another output go.
        let z = y.add(&y).expect("a sum");
        releasing(&y, &[3.0]).expect("a pass");
        assert!(y.is_released());
        let error = refused(&[&x, &y], || z.backward_with_trace());
        assert!(matches!(error, TensorAutodiffError::SeedShapeMismatch { .. }), "{error}");
        let error = refused(&[&x, &y], || retained(&z, &[1.0]));
        assert!(matches!(error, TensorAutodiffError::GraphReleased { .. }), "{error}");
        drop(y);
        drop(z);
        assert_gradient(&x, &[3.0]);
    });
}

#[test]
fn drop_after_an_error() {
    on_a_small_stack(|| {
        let x = parameter(&[1], &[0.0]);
        let y = chain(&x, DEEP).expect("a chain");
        refused(&[&x, &y], || releasing(&y, &[f64::NAN]));
        // The stale edge is the deepest, so the scan goes all the way down.
        x.update_value(|values| values[0] = 1.0).expect("an update");
        let error = refused(&[&x, &y], || releasing(&y, &[1.0]));
        assert!(
            matches!(error, TensorAutodiffError::StaleOperandValue { child: 2, .. }),
            "{error}"
        );
        drop(y);

        let y = chain(&x, DEEP).expect("a chain");
        retained(&x, &[f64::MAX]).expect("a pass");
        let error = refused(&[&x, &y], || releasing(&y, &[f64::MAX]));
        assert!(
            matches!(error, TensorAutodiffError::NonFiniteAccumulatedGradient { .. }),
            "{error}"
        );
        drop(y);
    });
}

// users.rust-lang.org thread 17348
#[test]
fn drop_of_both_ends_while_the_middle_lives() {
    on_a_small_stack(|| {
        let x = parameter(&[1], &[0.0]);
        let middle = chain(&x, DEEP).expect("a chain");
        let y = chain(&middle, DEEP).expect("a chain");
        let bridge = y.mul(&x).expect("a product");
        // The upper half goes; the handle to the middle keeps the lower half usable.
        drop(y);
        drop(bridge);
        retained(&middle, &[2.0]).expect("a pass");
        assert_gradient(&x, &[2.0]);
        // The handle to the parameter goes; the chain keeps the node.
        drop(x);
        retained(&middle, &[2.0]).expect("a pass");
        assert_eq!(values(&middle), [DEEP as f64]);
        let branches: Vec<TensorValue> =
            (0..3).map(|_| chain(&middle, 1000).expect("a chain")).collect();
        drop(middle);
        drop(branches);
    });
}

// PyTorch: y = y + 1e-6 * y, 150,000 times.
#[test]
fn two_edges_a_level() {
    on_a_small_stack(|| {
        let x = parameter(&[], &[1.0]);
        let rate = number(1e-6);
        let mut y = x.clone();
        for _ in 0..150_000 {
            y = y.add(&y.mul(&rate).expect("a product")).expect("a sum");
        }
        let expected = (150_000.0 * 1e-6_f64.ln_1p()).exp();
        approx::assert_relative_eq!(values(&y)[0], expected, max_relative = 1e-9);
        y.backward().expect("a pass");
        approx::assert_relative_eq!(gradient(&x)[0], expected, max_relative = 1e-9);
    });
}

// h = y / 2, y = h + h: a walk over paths instead of nodes would take 2^100,000 steps.
#[test]
fn ladder_of_a_hundred_thousand_levels() {
    on_a_small_stack(|| {
        let x = parameter(&[], &[3.0]);
        let half = number(0.5);
        let mut y = x.clone();
        for _ in 0..100_000 {
            let h = y.mul(&half).expect("a product");
            y = h.add(&h).expect("a sum");
        }
        assert_eq!(values(&y), [3.0]);
        y.backward().expect("a pass");
        assert_gradient(&x, &[1.0]);
    });
}

#[test]
fn trace_of_a_hundred_thousand_nodes() {
    on_a_small_stack(|| {
        let x = parameter(&[], &[0.0]);
        let one = number(1.0);
        let mut y = x.clone();
        for _ in 0..100_000 {
            y = y.add(&one).expect("a sum");
        }
        let trace = y.backward_with_trace().expect("a pass");
        assert_gradient(&x, &[1.0]);
        assert_eq!((trace.nodes.len(), trace.edges.len()), (100_002, 200_000));
        let copy = trace.clone();
        assert!(copy == trace);
        // The trace outlives its graph.
        drop(y);
        drop(trace);
        assert_eq!(copy.edges.last().expect("an edge").parent, 1);
        drop(copy);
    });
}

// A thread ends with a deep graph in its thread-local storage, before and after the library's own.
#[test]
fn drop_at_the_end_of_a_thread() {
    thread_local! {
        static KEPT: RefCell<Vec<TensorValue>> = const { RefCell::new(Vec::new()) };
    }
    for first_use_of_mine_comes_first in [true, false] {
        on_a_small_stack(move || {
            if first_use_of_mine_comes_first {
                KEPT.with_borrow_mut(Vec::clear);
            }
            let x = parameter(&[1], &[0.0]);
            let y = chain(&x, DEEP / 4).expect("a chain");
            retained(&y, &[1.0]).expect("a pass");
            KEPT.with_borrow_mut(|kept| kept.extend([y, x]));
        });
    }
}

// Results made without recording keep no edges, so there is no chain at all.
#[test]
fn chain_inside_a_pause_keeps_no_edges() {
    on_a_small_stack(|| {
        let x = parameter(&[1], &[0.0]);
        let y = no_grad(|| chain(&x, 1000)).expect("a chain");
        let error = refused(&[&x, &y], || retained(&y, &[1.0]));
        assert!(matches!(error, TensorAutodiffError::UntrackedOutput { .. }), "{error}");
    });
}

// One node with many consumers: its edges are counted, not its paths.
#[test]
fn many_consumers_of_one_node() {
    on_a_small_stack(|| {
        let x = parameter(&[], &[2.0]);
        let shared = x.mul(&x).expect("a product");
        let mut sum = shared.clone();
        for _ in 1..50_000 {
            sum = sum.add(&shared).expect("a sum");
        }
        releasing(&sum, &[1.0]).expect("a pass");
        assert_gradient(&x, &[4.0 * 50_000.0]);
    });
}
