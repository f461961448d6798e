//! Repeated passes, release, zeroing, and what stays alive after use.

use crate::support::oracle::Op;
use crate::support::variants::{operations, variant};
use crate::support::*;
use pullback::{no_grad, GraphRetention, Tensor, TensorAutodiffError, TensorValue};
use std::collections::BTreeSet;

// karpathy/micrograd#53, karpathy/micrograd PR#102: an intermediate adjoint left over from the
// first pass gives 3, 3, 10 there.
#[test]
fn second_pass_starts_from_fresh_adjoints() -> Outcome {
    let [a, b, d] = [2.0, 3.0, 1.0].map(|value| parameter(&[], &[value]));
    let e = a.add(&b)?.mul(&d)?;
    e.backward()?;
    assert_eq!([&a, &b, &d].map(gradient), [[1.0], [1.0], [5.0]]);
    e.backward()?;
    assert_eq!([&a, &b, &d].map(gradient), [[2.0], [2.0], [10.0]]);
    Ok(())
}

fn assert_graph_released(error: &TensorAutodiffError, operation: &str) {
    match error {
        TensorAutodiffError::GraphReleased { operation: named } => {
            assert_eq!(named.to_string(), operation);
        }
        other => panic!("{other}"),
    }
}

// discuss.pytorch.org thread 6795
#[test]
fn pass_over_a_released_graph_is_refused() -> Outcome {
    let x = parameter(&[2], &[2.0, 3.0]);
    let y = x.mul(&x)?.mean_axis(0, false)?;
    releasing(&y, &[1.0])?;
    assert!(y.is_released() && !x.is_released());
    assert_graph_released(&refused(&[&x, &y], || y.backward()), "mean");
    assert_graph_released(&refused(&[&x, &y], || releasing(&y, &[1.0])), "mean");
    assert_gradient(&x, &[2.0, 3.0]);
    assert_eq!(values(&y), [6.5]);
    Ok(())
}

// The output's release is the first check of all: it wins over a seed of the wrong shape.
#[test]
fn release_is_checked_before_the_seed() -> Outcome {
    let x = parameter(&[2], &[2.0, 3.0]);
    let y = x.mul(&x)?;
    releasing(&y, &[1.0, 1.0])?;
    assert_graph_released(&refused(&[&x, &y], || y.backward()), "multiply");
    let seed = tensor(&[3], &[f64::NAN; 3]);
    let error = refused(&[&x, &y], || y.backward_with_seed(&seed.view(), GraphRetention::Release));
    assert_graph_released(&error, "multiply");
    Ok(())
}

// Oneflow-Inc/oneflow#8248, PaddlePaddle/Paddle#37209
#[test]
fn release_reaches_the_prefix_that_two_outputs_share() -> Outcome {
    let x = parameter(&[], &[1.0]);
    let z = x.add(&x)?;
    let (y1, y2) = (z.mul(&z)?, z.mul(&z)?.mul(&z)?);
    releasing(&y1, &[1.0])?;
    assert_gradient(&x, &[8.0]);
    assert!(z.is_released() && !y2.is_released());
    assert_graph_released(&refused(&[&x, &z, &y1, &y2], || y2.backward()), "add");
    // The walk over the graph comes before the seed is looked at.
    let bad = tensor(&[3], &[f64::NAN; 3]);
    let error = refused(&[&x, &z, &y1, &y2], || {
        y2.backward_with_seed_and_trace(&bad.view(), GraphRetention::Release)
    });
    assert_graph_released(&error, "add");
    assert_gradient(&x, &[8.0]);

    // A retaining pass leaves the prefix to the next one.
    let z = x.add(&x)?;
    let (y1, y2) = (z.mul(&z)?, z.mul(&z)?.mul(&z)?);
    x.zero_grad()?;
    retained(&y1, &[1.0])?;
    releasing(&y2, &[1.0])?;
    assert_gradient(&x, &[8.0 + 24.0]);
    Ok(())
}

#[test]
fn released_operand_is_refused_by_slot() -> Outcome {
    let x = parameter(&[2], &[2.0, 3.0]);
    let y = x.mul(&x)?;
    releasing(&y, &[1.0, 1.0])?;
    let c = constant(&[5], &[0.0; 5]);
    // The shapes do not fit either; the release is checked first.
    let attempts: [(Op, Vec<&TensorValue>, usize); 8] = [
        (Op::Add, vec![&y, &c], 0),
        (Op::Add, vec![&c, &y], 1),
        (Op::Mul, vec![&x, &y], 1),
        (Op::Reshape(vec![7]), vec![&y], 0),
        (Op::Transpose(0, 7), vec![&y], 0),
        (Op::BroadcastTo(vec![7]), vec![&y], 0),
        (Op::Sum(7, false), vec![&y], 0),
        (Op::Mean(7, false), vec![&y], 0),
    ];
    let mut met = BTreeSet::new();
    for (op, operands, slot) in attempts {
        match refused(&[&x, &y], || op.apply(&operands)) {
            TensorAutodiffError::ReleasedOperand { operation, operand } => {
                assert_eq!((&operation.to_string()[..], operand), (op.name(), slot));
                met.insert(variant(&operation));
            }
            other => panic!("{other}"),
        }
    }
    assert_eq!(met, operations(), "every operation refuses");
    // Read as numbers only, it serves.
    let metric = no_grad(|| y.mean_axis(0, false))?;
    assert_eq!(values(&metric), [6.5]);
    assert!(!metric.tracks_gradient());
    retained(&y.detach().mul(&x)?, &[1.0, 1.0])?;
    Ok(())
}

// karpathy/nn-zero-to-hero#31, karpathy/micrograd#25, #32, #63
#[test]
fn gradients_add_up_until_they_are_zeroed() -> Outcome {
    let x = parameter(&[2], &[2.0, 3.0]);
    let y = total(&x.mul(&x)?)?;
    y.backward()?;
    y.backward()?;
    assert_gradient(&x, &[8.0, 12.0]);
    // A record of the pass keeps what it saw, also while it shares the stored elements.
    let trace = y.backward_with_trace()?;
    x.zero_grad()?;
    assert_positive_zero(&x);
    let recorded = trace.nodes[0].accumulated_gradient.as_ref().expect("a gradient");
    assert_eq!(recorded.as_slice(), [12.0, 18.0]);
    releasing(&y, &[1.0])?;
    assert_gradient(&x, &[4.0, 6.0]);
    x.zero_grad()?;
    x.zero_grad()?;
    assert_positive_zero(&x);
    for node in [&y, &constant(&[], &[1.0]), &x.detach()] {
        let error = refused(&[&x, node], || node.zero_grad());
        assert!(matches!(error, TensorAutodiffError::NotAParameter { .. }), "{error}");
    }
    Ok(())
}

// Leaves and untracked results serve the next step too.
#[test]
fn release_spares_leaves_and_untracked_results() -> Outcome {
    let (p, c) = (parameter(&[2], &[2.0, 3.0]), constant(&[2], &[1.0, 0.0]));
    let mask = c.add(&c)?;
    for step in 1..=3 {
        releasing(&p.mul(&mask)?, &[1.0, 1.0])?;
        assert!([&p, &c, &mask].iter().all(|node| !node.is_released()));
        assert_gradient(&p, &[2.0 * f64::from(step), 0.0]);
    }
    Ok(())
}

// A refused releasing pass has released nothing.
#[test]
fn refused_release_leaves_the_graph_usable() -> Outcome {
    let x = parameter(&[2], &[2.0, 3.0]);
    let z = x.mul(&x)?;
    let y = z.add(&x)?;
    refused(&[&x, &z, &y], || releasing(&y, &[1.0, f64::NAN]));
    let guard = x.gradient();
    assert_eq!(releasing(&y, &[1.0, 1.0]), Err(TensorAutodiffError::GradientBorrowed));
    assert_eq!(x.zero_grad(), Err(TensorAutodiffError::GradientBorrowed));
    assert_eq!(bits(guard.as_ref().unwrap().as_slice()), [0, 0]);
    drop(guard);
    assert!(!z.is_released() && !y.is_released());
    releasing(&y, &[1.0, 1.0])?;
    assert_gradient(&x, &[5.0, 7.0]);
    Ok(())
}

// All gradients are acquired before the first is written: the guard here is on the last of them.
#[test]
fn one_borrowed_gradient_stops_the_whole_commit() -> Outcome {
    let leaves: Vec<TensorValue> =
        (1..=4).map(|value| parameter(&[], &[f64::from(value)])).collect();
    let y = leaves[0].mul(&leaves[1])?.add(&leaves[2].mul(&leaves[3])?)?;
    y.backward()?;
    let before: Vec<Vec<u64>> = leaves.iter().map(gradient_bits).collect();
    for held in &leaves {
        let guard = held.gradient();
        assert_eq!(y.backward(), Err(TensorAutodiffError::GradientBorrowed));
        assert_eq!(releasing(&y, &[1.0]), Err(TensorAutodiffError::GradientBorrowed));
        drop(guard);
        assert_eq!(leaves.iter().map(gradient_bits).collect::<Vec<_>>(), before);
    }
    // Guards on primals stand in nobody's way.
    let values: Vec<_> = leaves.iter().map(TensorValue::value).collect();
    y.backward()?;
    drop(values);
    assert_eq!(leaves.iter().map(gradient).collect::<Vec<_>>(), [[4.0], [2.0], [8.0], [6.0]]);
    Ok(())
}

/// Whether nothing else holds the elements: writing a shared tensor moves them first.
fn is_unshared(tensor: &mut Tensor) -> bool {
    let before = tensor.as_slice().as_ptr();
    tensor.as_mut_slice().expect("memory").as_ptr() == before
}

// PyTorch counts the handles of a leaf before and after; tracel-ai/burn#2333, tracel-ai/burn#4339,
// tracel-ai/burn PR#3957: graphs kept after use; pytorch/pytorch#3818, pytorch/pytorch#82528: a
// cycle through a saved value. Here the elements themselves tell whether a graph still saves them.
#[test]
fn graph_lets_go_of_what_it_saved() -> Outcome {
    let square = |probe: &Tensor| -> Attempt<(TensorValue, TensorValue)> {
        let p = TensorValue::parameter(probe.clone())?;
        let z = p.mul(&p)?;
        // The result is saved by its own consumer, and the consumer's result by the next.
        let y = z.mul(&z)?.mul(&p)?;
        Ok((p, y))
    };
    // The control: a live graph shares the elements even after its parameter has moved on.
    let mut probe = tensor(&[8], &[2.0; 8]);
    let (p, y) = square(&probe)?;
    p.set_value(tensor(&[8], &[3.0; 8]))?;
    assert!(!is_unshared(&mut probe));
    drop((p, y));

    // Dropped without a pass, after a retained one, and after a releasing one.
    for passes in [&[][..], &[GraphRetention::Retain], &[GraphRetention::Release]] {
        let mut probe = tensor(&[8], &[2.0; 8]);
        let (p, y) = square(&probe)?;
        for &retention in passes {
            y.backward_with_seed(&tensor(&[8], &[1.0; 8]).view(), retention)?;
        }
        drop((y, p));
        assert!(is_unshared(&mut probe), "after {passes:?}");
    }

    // Released, with every handle alive: only the parameter itself shares, until it moves on.
    let mut probe = tensor(&[8], &[2.0; 8]);
    let (p, y) = square(&probe)?;
    releasing(&y, &[1.0; 8])?;
    p.set_value(tensor(&[8], &[3.0; 8]))?;
    assert!(is_unshared(&mut probe));
    assert_eq!(values(&y), [32.0; 8]);
    Ok(())
}

#[test]
fn thousand_steps_keep_no_graph() -> Outcome {
    let mut probe = tensor(&[8], &[0.5; 8]);
    let p = parameter(&[8], &[1.0; 8]);
    for step in 0..1000 {
        let input = TensorValue::constant(probe.clone())?;
        let y = total(&p.mul(&input)?.mul(&p)?)?;
        p.zero_grad()?;
        match step % 3 {
            0 => y.backward()?,
            1 => releasing(&y, &[1.0])?,
            _ => drop(refused(&[&p, &y], || releasing(&y, &[f64::NAN]))),
        }
    }
    assert!(is_unshared(&mut probe));
    Ok(())
}

// huggingface/candle#2168, #3011, #3569, huggingface/candle PR#3823: an operation without a rule
// severs the graph, training runs and some parameters never move.
#[test]
fn every_parameter_of_a_model_moves() -> Outcome {
    let weights = [[3, 4], [4, 4], [4, 2]].map(|shape| {
        let values: Vec<f64> =
            (0..elements(&shape)).map(|index| ((index * 7 + 3) % 11) as f64 / 11.0 - 0.4).collect();
        parameter(&shape, &values)
    });
    let biases = [4, 4, 2].map(|width| parameter(&[width], &vec![0.1; width]));
    let gains = [4, 4].map(|width| parameter(&[1, width], &vec![0.9; width]));
    let mut hidden =
        constant(&[5, 3], &counting(&[5, 3], -7.0)).transpose(0, 1)?.transpose(0, 1)?;
    for (layer, (weight, bias)) in weights.iter().zip(&biases).enumerate() {
        hidden = product(&hidden, weight)?.add(&bias.broadcast_to([5, bias.shape()[0]])?)?;
        if let Some(gain) = gains.get(layer) {
            let centred = minus(&hidden, &hidden.mean_axis(1, true)?)?;
            hidden =
                scaled(&centred.mul(&hidden)?.mul(gain)?.reshape([20])?.reshape([5, 4])?, 0.1)?;
        }
    }
    let loss = hidden.mul(&hidden)?.mean_axis(0, false)?.sum_axis(0, false)?;
    releasing(&loss, &[1.0])?;
    for parameter in weights.iter().chain(&biases).chain(&gains) {
        let gradient = gradient(parameter);
        assert!(gradient.iter().all(|&value| value != 0.0), "{parameter:?} does not move");
    }
    Ok(())
}

// tracel-ai/burn#5573, tracel-ai/burn#1142: two threads lose each other's gradient. The tape
// belongs to one thread: this function compiles only while its handle is neither `Send` nor `Sync`,
// because otherwise two implementations of `Ambiguous` fit and the compiler cannot choose.
#[test]
fn tape_stays_on_its_thread_and_tensors_travel() {
    trait Ambiguous<Marker> {
        fn chosen() {}
    }
    struct IfSend;
    struct IfSync;
    impl<T> Ambiguous<()> for T {}
    impl<T: Send> Ambiguous<IfSend> for T {}
    impl<T: Sync> Ambiguous<IfSync> for T {}
    <TensorValue as Ambiguous<_>>::chosen();

    fn travels<T: Send + Sync>() {}
    travels::<Tensor>();
    travels::<TensorAutodiffError>();
}
