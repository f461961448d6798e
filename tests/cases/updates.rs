//! Values that change in place, values that are cut off, and scopes that record nothing.

use crate::support::variants::{operations, variant};
use crate::support::*;
use pullback::{no_grad, GraphRetention, TensorAutodiffError, TensorValue};
use std::collections::BTreeSet;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

#[track_caller]
fn assert_stale(error: &TensorAutodiffError, edge: (usize, usize, usize), revisions: (u64, u64)) {
    match *error {
        TensorAutodiffError::StaleOperandValue {
            child,
            parent,
            operand,
            recorded_revision,
            current_revision,
        } => {
            assert_eq!((child, parent, operand), edge);
            assert_eq!((recorded_revision, current_revision), revisions);
        }
        ref other => panic!("{other}"),
    }
}

// pytorch/pytorch PR#20612; candle's `Var::set` gives a silent 10.
#[test]
fn value_that_changed_after_the_forward_pass() -> Outcome {
    let x = parameter(&[], &[3.0]);
    let y = x.mul(&x)?;
    let revision = x.value_revision();
    x.set_value(tensor(&[], &[5.0]))?;
    for _ in 0..2 {
        let error = refused(&[&x, &y], || releasing(&y, &[1.0]));
        assert_stale(&error, (1, 0, 0), (revision, revision + 1));
    }
    assert_eq!(values(&y), [9.0]);
    x.mul(&x)?.backward()?;
    assert_gradient(&x, &[10.0]);
    Ok(())
}

// Setting the value back does not bring the revision back, and an addition needs no value at all:
// the rule is one, whatever the operation saves.
#[test]
fn every_operation_counts_as_a_reader() -> Outcome {
    let x = parameter(&[1, 2], &[3.0, 4.0]);
    // Each with the operand that it reads x as.
    let readers = [
        (x.add(&number(1.0))?, 0),
        (number(1.0).mul(&x)?, 1),
        (x.reshape([2])?, 0),
        (x.transpose(0, 1)?, 0),
        (x.broadcast_to([2, 2])?, 0),
        (x.sum_axis(0, false)?, 0),
        (x.mean_axis(1, true)?, 0),
    ];
    let met: BTreeSet<_> = readers.iter().map(|(reader, _)| variant(&reader.operation())).collect();
    assert_eq!(met, operations(), "every operation reads");
    x.update_value(|_| ())?;
    for (reader, operand) in &readers {
        let seed = ones(reader.shape());
        match refused(&[&x, reader], || releasing(reader, &seed)) {
            TensorAutodiffError::StaleOperandValue { operand: named, .. } => {
                assert_eq!(named, *operand, "{reader:?}");
            }
            other => panic!("{other}"),
        }
    }
    Ok(())
}

// The scan over revisions goes before any write: the stale edge here is the last one that the pass
// would come to, behind parameters that are up to date.
#[test]
fn stale_edge_behind_fresh_ones_stops_everything() -> Outcome {
    let [a, b, c] = [2.0, 3.0, 4.0].map(|value| parameter(&[], &[value]));
    let inner = a.mul(&a)?;
    let y = inner.mul(&b)?.mul(&c)?;
    y.backward()?;
    a.set_value(tensor(&[], &[2.0]))?;
    let error = refused(&[&a, &b, &c, &inner, &y], || releasing(&y, &[1.0]));
    // a 0, inner 1, b 2, product 3, c 4, y 5
    assert_stale(&error, (1, 0, 0), (0, 1));
    // With two stale parents, the child that stands later in topological order is named first.
    c.set_value(tensor(&[], &[4.0]))?;
    c.set_value(tensor(&[], &[5.0]))?;
    let error = refused(&[&a, &b, &c, &inner, &y], || releasing(&y, &[1.0]));
    assert_stale(&error, (5, 4, 1), (0, 2));
    Ok(())
}

// thuml/Anomaly-Transformer#1
#[test]
fn optimizer_step_between_two_losses_of_one_graph() -> Outcome {
    let w = parameter(&[2], &[1.0, 2.0]);
    let hidden = w.mul(&w)?;
    let (loss1, loss2) = (total(&hidden)?, total(&hidden.mul(&w)?)?);
    loss1.backward()?;
    let step = gradient(&w);
    w.update_value(|values| {
        values.iter_mut().zip(&step).for_each(|(value, slope)| *value -= 0.5 * slope);
    })?;
    assert_eq!(values(&w), [0.0, 0.0]);
    match refused(&[&w, &loss1, &loss2], || loss2.backward()) {
        TensorAutodiffError::StaleOperandValue { recorded_revision, current_revision, .. } => {
            assert_eq!((recorded_revision, current_revision), (0, 1));
        }
        other => panic!("{other}"),
    }
    Ok(())
}

// discuss.pytorch.org thread 308: a leaf changes through its update functions only, in this order
// of checks.
#[test]
fn update_is_checked_in_order() -> Outcome {
    let p = parameter(&[2], &[1.0, 2.0]);
    let y = p.mul(&p)?;
    retained(&y, &[1.0, 1.0])?;
    for node in [&y, &constant(&[2], &[0.0; 2]), &p.detach()] {
        // The shape and the value are wrong too.
        let bad = tensor(&[1], &[f64::NAN]);
        let error = refused(&[&p, node], || node.set_value(bad));
        let TensorAutodiffError::NotAParameter { operation } = error else { panic!("{error}") };
        assert_eq!(operation, node.operation());
        let error = refused(&[&p, node], || node.update_value(|_| panic!("not called")));
        assert!(matches!(error, TensorAutodiffError::NotAParameter { .. }), "{error}");
    }
    for shape in [&[1][..], &[2, 1], &[]] {
        let bad = tensor(shape, &vec![f64::NAN; elements(shape)]);
        match refused(&[&p, &y], || p.set_value(bad)) {
            TensorAutodiffError::UpdateShapeMismatch { expected, actual } => {
                assert_eq!((&expected[..], &actual[..]), (&[2][..], shape));
            }
            other => panic!("{other}"),
        }
    }
    let guard = p.value();
    for bad in [f64::NAN, f64::INFINITY] {
        let error = refused(&[&p, &y], || p.set_value(tensor(&[2], &[0.0, bad])));
        assert!(matches!(error, TensorAutodiffError::NonFiniteLeaf { index: 1, .. }), "{error}");
        let error = refused(&[&p, &y], || p.update_value(|values| values[1] = bad));
        assert!(matches!(error, TensorAutodiffError::NonFiniteLeaf { index: 1, .. }), "{error}");
    }
    let error = refused(&[&p, &y], || p.set_value(tensor(&[2], &[5.0, 5.0])));
    assert_eq!(error, TensorAutodiffError::ValueBorrowed);
    let error = refused(&[&p, &y], || p.update_value(|values| values[1] = 5.0));
    assert_eq!(error, TensorAutodiffError::ValueBorrowed);
    drop(guard);
    // None of this made the graph stale.
    retained(&y, &[1.0, 1.0])?;
    assert_gradient(&p, &[4.0, 8.0]);
    p.update_value(|values| values[1] = 5.0)?;
    assert_eq!((values(&p), p.value_revision()), (vec![1.0, 5.0], 1));
    p.set_value(tensor(&[2], &[7.0, 8.0]))?;
    assert_eq!((values(&p), p.value_revision()), (vec![7.0, 8.0], 2));
    assert_gradient(&p, &[4.0, 8.0]);
    Ok(())
}

#[test]
fn panicking_update_is_unobservable() -> Outcome {
    let p = parameter(&[2], &[1.0, 2.0]);
    let y = p.mul(&p)?;
    retained(&y, &[1.0, 1.0])?;
    let before = (state(&p), state(&y));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        p.update_value(|values| {
            values[0] = 9.0;
            resume_unwind(Box::new("half way"));
        })
    }));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"half way"));
    assert_eq!((state(&p), state(&y)), before);
    // Inside, the old value can be read, by a guard and by an operation.
    p.update_value(|edited| {
        edited[0] = 9.0;
        assert_eq!(values(&p), [1.0, 2.0]);
        assert_eq!(values(&p.add(&p).expect("a sum")), [2.0, 4.0]);
        assert_eq!((gradient(&p), p.value_revision()), (vec![2.0, 4.0], 0));
    })?;
    assert_eq!((values(&p), p.value_revision()), (vec![9.0, 2.0], 1));
    Ok(())
}

// An update inside an update of the same value would be overwritten; a guard that leaves the
// closure is a guard like any other. A pass inside still sees the old value.
#[test]
fn work_inside_an_update() -> Outcome {
    let p = parameter(&[2], &[1.0, 2.0]);
    let y = p.mul(&p)?;
    p.update_value(|edited| {
        edited[0] = 9.0;
        let inner = tensor(&[2], &[7.0, 7.0]);
        assert_eq!(p.set_value(inner), Err(TensorAutodiffError::ValueBorrowed));
        let inner = p.update_value(|values| values[1] = 7.0);
        assert_eq!(inner, Err(TensorAutodiffError::ValueBorrowed));
        retained(&y, &[1.0, 1.0]).expect("the graph is not stale yet");
    })?;
    assert_eq!((values(&p), gradient(&p), p.value_revision()), (vec![9.0, 2.0], vec![2.0, 4.0], 1));
    assert!(matches!(
        retained(&y, &[1.0, 1.0]),
        Err(TensorAutodiffError::StaleOperandValue { .. })
    ));

    let mut escaped = None;
    let error = p.update_value(|edited| {
        edited[0] = 3.0;
        escaped = Some(p.value());
    });
    assert_eq!(error, Err(TensorAutodiffError::ValueBorrowed));
    assert_eq!(escaped.take().expect("a guard").as_slice(), [9.0, 2.0]);
    p.update_value(|edited| edited[0] = 3.0)?;
    assert_eq!((values(&p), p.value_revision()), (vec![3.0, 2.0], 2));
    Ok(())
}

// A guard that is forgotten blocks its own value for good, and no other: not even one whose node
// stands where the blocked one stood.
#[test]
fn forgotten_guard_blocks_no_later_value() -> Outcome {
    let p = parameter(&[2], &[1.0, 2.0]);
    std::mem::forget((p.value(), p.gradient()));
    let error = refused(&[&p], || p.set_value(tensor(&[2], &[5.0, 5.0])));
    assert_eq!(error, TensorAutodiffError::ValueBorrowed);
    assert_eq!(p.zero_grad(), Err(TensorAutodiffError::GradientBorrowed));
    drop(p);
    for _ in 0..10 {
        let fresh = parameter(&[2], &[1.0, 2.0]);
        fresh.set_value(tensor(&[2], &[5.0, 5.0]))?;
        retained(&fresh, &[1.0, 1.0])?;
        fresh.zero_grad()?;
    }
    Ok(())
}

// Snapshots, detached values and what edges saved do not follow an update.
#[test]
fn update_reaches_no_copy() -> Outcome {
    let p = parameter(&[2], &[1.0, 2.0]);
    let (snapshot, detached, y) = (p.value_snapshot(), p.detach(), p.mul(&p)?);
    retained(&y, &[1.0, 1.0])?;
    let gradient_before = p.gradient_snapshot().expect("a gradient");
    p.update_value(|values| values.fill(7.0))?;
    p.zero_grad()?;
    assert_eq!(snapshot.as_slice(), [1.0, 2.0]);
    assert_eq!((values(&detached), values(&y)), (vec![1.0, 2.0], vec![1.0, 4.0]));
    assert_eq!(gradient_before.as_slice(), [2.0, 4.0]);
    assert_positive_zero(&p);
    // Nor does a tensor that was handed in follow the parameter, or the other way round.
    let mut given = tensor(&[2], &[3.0, 4.0]);
    p.set_value(given.clone())?;
    given.as_mut_slice()?[0] = -1.0;
    assert_eq!(values(&p), [3.0, 4.0]);
    Ok(())
}

// PaddlePaddle/Paddle PR#27921
#[test]
fn detached_value_counts_as_fixed() -> Outcome {
    let p = parameter(&[2], &[2.0, 3.0]);
    let detached = p.detach();
    assert!(!detached.is_same_node(&p) && !detached.tracks_gradient());
    assert!(!detached.is_parameter() && detached.gradient().is_none());
    assert_eq!(detached.operation().to_string(), "detached");
    let y = total(&p.mul(&p)?.add(&scaled(&detached, 10.0)?)?)?;
    assert_eq!(values(&y), [63.0]);
    releasing(&y, &[1.0])?;
    assert_gradient(&p, &[4.0, 6.0]);
    Ok(())
}

// tinygrad/tinygrad PR#16230
#[test]
fn nothing_flows_through_a_detached_path() -> Outcome {
    let p = parameter(&[2], &[2.0, 3.0]);
    let cut = p.mul(&p)?.detach();
    releasing(&cut.mul(&p)?, &[1.0, 1.0])?;
    assert_gradient(&p, &[4.0, 9.0]);
    let only_cut = cut.add(&cut)?;
    let error = refused(&[&p, &only_cut], || releasing(&only_cut, &[1.0, 1.0]));
    assert!(matches!(error, TensorAutodiffError::UntrackedOutput { .. }), "{error}");
    Ok(())
}

// kyutai-labs/pocket-tts PR#16
#[test]
fn pause_belongs_to_one_thread() {
    no_grad(|| {
        let tracks = std::thread::spawn(|| {
            let p = parameter(&[], &[3.0]);
            let y = p.mul(&p).expect("a product");
            y.backward().expect("a pass");
            (y.tracks_gradient(), gradient(&p))
        });
        assert_eq!(tracks.join().expect("no panic"), (true, vec![6.0]));
        let p = parameter(&[], &[3.0]);
        assert!(!p.mul(&p).expect("a product").tracks_gradient());
    });
}

#[test]
fn pause_nests_and_ends_on_every_way_out() -> Outcome {
    let p = parameter(&[], &[3.0]);
    let records = || p.mul(&p).expect("a product").tracks_gradient();
    no_grad(|| {
        no_grad(|| assert!(!records()));
        assert!(!records(), "the inner scope ended, the outer one did not");
    });
    assert!(records());

    let early: Result<f64, &str> = no_grad(|| {
        if !records() {
            return Err("left early");
        }
        Ok(0.0)
    });
    assert_eq!(early, Err("left early"));
    assert!(records());

    let panicked = catch_unwind(AssertUnwindSafe(|| {
        no_grad(|| no_grad(|| resume_unwind(Box::new("inside"))))
    }));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"inside"));
    assert!(records());
    Ok(())
}

#[test]
fn work_inside_a_pause() -> Outcome {
    let p = parameter(&[2], &[3.0, 4.0]);
    let older = p.mul(&p)?;
    let made_inside: TensorValue = no_grad(|| -> Attempt {
        // A pass over an older graph works, and so does an optimizer step after it.
        retained(&older, &[1.0, 1.0])?;
        assert_gradient(&p, &[6.0, 8.0]);
        let result = p.add(&older)?;
        assert!(!result.tracks_gradient());
        let made = parameter(&[2], &[1.0, 1.0]);
        assert!(made.is_parameter() && made.tracks_gradient());
        retained(&made, &[2.0, 2.0])?;
        releasing(&older, &[1.0, 1.0])?;
        Ok(made)
    })?;
    assert!(older.is_released());
    retained(&made_inside.mul(&p)?, &[1.0, 1.0])?;
    assert_gradient(&made_inside, &[5.0, 6.0]);
    assert_gradient(&p, &[13.0, 17.0]);
    Ok(())
}

// A constant's edge saves nothing and is evaluated by no kind of pass.
#[test]
fn edge_to_a_constant_is_recorded_and_never_evaluated() -> Outcome {
    let p = parameter(&[2], &[4.0, 3.0]);
    let y = p.mul(&constant(&[2], &[0.5, 1.0]))?;
    // A contribution to the constant would be 4 times the seed and overflow.
    let seed = tensor(&[2], &[f64::MAX, 1.0]);
    y.backward_with_seed(&seed.view(), GraphRetention::Retain)?;
    assert_gradient(&p, &[f64::MAX / 2.0, 1.0]);
    p.zero_grad()?;
    let trace = y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release)?;
    assert_gradient(&p, &[f64::MAX / 2.0, 1.0]);
    let edge = &trace.edges[1];
    assert_eq!((edge.operand, edge.parent_tracked), (1, false));
    assert!(edge.saved.is_none() && edge.contribution.is_none());
    assert!(edge.parent_adjoint_before.is_none() && edge.parent_adjoint_after.is_none());
    Ok(())
}
