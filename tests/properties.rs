//! What holds for every graph, tried on random ones. The seed of the generator is fixed, so that a
//! run is repeatable; set `PROPTEST_RNG_SEED` for other graphs, `PROPTEST_CASES` for more.

mod support;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use pullback::{GraphRetention, TensorBackwardPass, TensorSavedContext, TensorValue};
use std::collections::BTreeMap;
use support::oracle::{broadcast_shape, Op, Plain};
use support::programs::{self, graph, plain, seeded, shape, value, Built};
use support::variants::{operations, variant, variants};
use support::{bits, constant, elements, gradient, gradient_bits, parameter, retained, tensor};
use support::{releasing, total, values};

fn settings(cases: u32) -> ProptestConfig {
    let mut settings = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        settings.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        settings.rng_seed = RngSeed::Fixed(15);
    }
    settings
}

fn gradients(built: &Built) -> Vec<Vec<f64>> {
    built.parameters.iter().map(gradient).collect()
}

fn all_bits(built: &Built) -> Vec<Vec<u64>> {
    built.parameters.iter().map(gradient_bits).collect()
}

fn multiplied(numbers: &[f64], factor: f64) -> Vec<f64> {
    numbers.iter().map(|number| factor * number).collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// A linear operation and a shape it accepts.
fn linear() -> impl Strategy<Value = (Op, Vec<usize>)> {
    (shape(), programs::choice()).prop_map(|(shape, choice)| {
        let (mut op, _) = programs::decode(choice, &[&shape]);
        if matches!(op, Op::Add | Op::Mul) {
            op = Op::Reshape(vec![elements(&shape)]);
        }
        (op, shape)
    })
}

/// Two shapes that broadcast together, in either direction or in both.
fn pair_of_shapes() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    let axes = proptest::collection::vec((programs::extent(), 0_u8..4), 0..4);
    (axes, 0_usize..3, any::<bool>()).prop_filter_map("small", |(axes, dropped, swapped)| {
        let one_of = |slot: u8| -> Vec<usize> {
            axes.iter().map(|&(extent, role)| if role == slot { 1 } else { extent }).collect()
        };
        let (full, mut other) = (one_of(0), one_of(1));
        other.drain(..dropped.min(other.len()));
        let common = broadcast_shape(&full, &other)?;
        if elements(&full).max(elements(&other)).max(elements(&common)) > 64 {
            return None;
        }
        Some(if swapped { (other, full) } else { (full, other) })
    })
}

fn pair_of_tensors() -> impl Strategy<Value = (Plain, Plain)> {
    pair_of_shapes().prop_flat_map(|(left, right)| (plain(left), plain(right)))
}

/// <seed, J v> = <J^T seed, v> for one slot of one operation; the operation must be linear in it.
fn assert_dot_product_identity(
    op: &Op,
    operands: &[TensorValue],
    slot: usize,
    direction: &[f64],
    seed_from: u64,
) -> Result<(), TestCaseError> {
    let apply = |operands: &[TensorValue]| {
        op.apply(&operands.iter().collect::<Vec<_>>()).expect("operands that fit")
    };
    let output = apply(operands);
    // Whole numbers: nothing here rounds except a mean.
    let seed: Vec<f64> = (0..elements(output.shape()) as u64)
        .map(|i| ((i * 5 + seed_from) % 13) as f64 - 6.0)
        .collect();
    retained(&output, &seed).expect("a pass");
    let pulled_back = dot(&gradient(&operands[slot]), direction);

    // Linear in the slot: f(x + v) - f(x) = J v.
    let base = values(&operands[slot]);
    let sum: Vec<f64> = base.iter().zip(direction).map(|(x, v)| x + v).collect();
    let mut moved = operands.to_vec();
    moved[slot] = constant(operands[slot].shape(), &sum);
    let difference: Vec<f64> = values(&apply(&moved))
        .iter()
        .zip(values(&output))
        .map(|(after, before)| after - before)
        .collect();
    let pushed_forward = dot(&seed, &difference);
    prop_assert!(
        approx::relative_eq!(pulled_back, pushed_forward, max_relative = 1e-10, epsilon = 1e-10),
        "{op:?}, slot {slot}: {pulled_back} back, {pushed_forward} forward"
    );
    Ok(())
}

/// The output axes along which one input element is read several times.
fn stretched(input: &[usize], output: &[usize]) -> Vec<usize> {
    let missing = output.len() - input.len();
    (0..output.len())
        .filter(|&axis| axis < missing || (input[axis - missing] == 1 && output[axis] != 1))
        .collect()
}

/// The context that an edge of this operation saves, between these shapes.
fn assert_describes(saved: &TensorSavedContext, name: &str, input: &[usize], output: &[usize]) {
    use TensorSavedContext as Saved;
    let (input_shape, output_shape) = match saved {
        Saved::Broadcast { input_shape, output_shape, reduced_axes } => {
            assert!(name == "add" || name == "broadcast");
            assert!(reduced_axes.iter().eq(stretched(input, output)));
            (input_shape, output_shape)
        }
        Saved::Multiply { other, input_shape, output_shape, reduced_axes } => {
            assert_eq!(name, "multiply");
            assert!(reduced_axes.iter().eq(stretched(input, output)));
            assert_eq!(broadcast_shape(input, other.shape()).as_deref(), Some(output));
            (input_shape, output_shape)
        }
        Saved::Reshape { input_shape, output_shape } => {
            assert_eq!(name, "reshape");
            (input_shape, output_shape)
        }
        Saved::Transpose { first_axis, second_axis, input_shape, output_shape } => {
            assert_eq!(name, "transpose");
            let op = Op::Transpose(*first_axis, *second_axis);
            assert_eq!(op.result_shape(&[input]).as_deref(), Some(output));
            (input_shape, output_shape)
        }
        Saved::Reduction { axis, keep_dim, divisor, input_shape, output_shape } => {
            let (op, expected) = match name {
                "sum" => (Op::Sum(*axis, *keep_dim), 1.0),
                _ => (Op::Mean(*axis, *keep_dim), input[*axis] as f64),
            };
            assert_eq!((op.name(), *divisor), (name, expected));
            assert_eq!(op.result_shape(&[input]).as_deref(), Some(output));
            (input_shape, output_shape)
        }
        other => panic!("an unknown context: {other:?}"),
    };
    assert_eq!((&input_shape[..], &output_shape[..]), (input, output));
}

fn traced(output: &TensorValue, seed: &[f64], retention: GraphRetention) -> TensorBackwardPass {
    let seed = tensor(output.shape(), seed);
    output.backward_with_seed_and_trace(&seed.view(), retention).expect("a pass")
}

fn whole(shape: &[usize], from: u64) -> Vec<f64> {
    (0..elements(shape) as u64).map(|index| ((index * 7 + from) % 9) as f64 - 4.0).collect()
}

/// What holds for random graphs says nothing about what is not in them.
#[test]
fn random_graphs_hold_everything() {
    let mut runner = TestRunner::new(settings(160));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..160 {
        let (graph, seed) = seeded().new_tree(&mut runner).expect("a graph").current();
        let built = graph.build();
        let trace = traced(&built.output, &seed, GraphRetention::Retain);
        let mut saw = |what: String| *seen.entry(what).or_default() += 1;
        for edge in &trace.edges {
            match &edge.saved {
                Some(saved) => {
                    saw(format!("context {}", variant(saved)));
                    saw(format!("rule {}", variant(&trace.nodes[edge.child].operation)));
                }
                None => saw("edge to an untracked operand".to_owned()),
            }
            let before = edge.parent_adjoint_before.iter().flat_map(|adjoint| adjoint.as_slice());
            if before.clone().any(|&element| element != 0.0) {
                saw("second contribution".to_owned());
            }
        }
        for node in trace.nodes.iter().filter(|node| node.shape.contains(&0)) {
            saw(format!("empty {}", if node.parameter { "parameter" } else { "value" }));
        }
        if trace.nodes.len() < built.nodes.len() {
            saw("unreachable node".to_owned());
        }
    }
    let rules = operations().into_iter().map(|operation| format!("rule {operation}"));
    let contexts = variants("TensorSavedContext").into_iter().map(|it| format!("context {it}"));
    let rest = [
        "edge to an untracked operand",
        "second contribution",
        "empty parameter",
        "empty value",
        "unreachable node",
    ];
    for what in rules.chain(contexts).chain(rest.map(str::to_owned)) {
        assert!(seen.get(&what).is_some_and(|&count| count >= 5), "{what} is missing: {seen:?}");
    }
}

proptest! {
    #![proptest_config(settings(160))]

    #[test]
    fn values_and_gradients_agree_with_plain_loops((graph, seed) in seeded()) {
        let built = graph.build();
        let close = |ours: &[f64], theirs: &[f64]| {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| {
                approx::relative_eq!(ours, theirs, max_relative = 1e-12, epsilon = 1e-9)
            })
        };
        for (ours, theirs) in built.nodes.iter().zip(&graph.nodes) {
            prop_assert_eq!(ours.shape(), &theirs.plain().shape[..]);
            prop_assert!(close(&values(ours), &theirs.plain().values));
        }
        retained(&built.output, &seed).unwrap();
        for (ours, theirs) in gradients(&built).iter().zip(graph.gradients(&seed)) {
            prop_assert!(close(ours, &theirs), "{ours:?} here, {theirs:?} by loops");
        }
    }

    #[test]
    fn gradient_is_linear_in_the_seed((graph, seed) in seeded(), exponent in -8_i32..9) {
        let factor = 2.0_f64.powi(exponent);
        let (plain, scaled) = (graph.build(), graph.build());
        retained(&plain.output, &seed).unwrap();
        retained(&scaled.output, &multiplied(&seed, factor)).unwrap();
        for (plain, scaled) in gradients(&plain).iter().zip(gradients(&scaled)) {
            prop_assert_eq!(bits(&multiplied(plain, factor)), bits(&scaled));
        }
    }

    #[test]
    fn zero_seed_gives_positive_zeros(graph in graph(), sign in any::<bool>()) {
        let built = graph.build();
        let zeros = vec![if sign { -0.0 } else { 0.0 }; elements(built.output.shape())];
        retained(&built.output, &zeros).unwrap();
        for gradient in all_bits(&built) {
            prop_assert!(gradient.iter().all(|&bits| bits == 0));
        }
    }

    #[test]
    fn linear_operations_satisfy_the_dot_product_identity(
        (op, shape) in linear(),
        from in 0_u64..13,
    ) {
        let operand = parameter(&shape, &whole(&shape, from));
        assert_dot_product_identity(&op, &[operand], 0, &whole(&shape, from + 4), from)?;
    }

    #[test]
    fn each_slot_satisfies_the_dot_product_identity(
        (left, right) in pair_of_shapes(),
        multiply in any::<bool>(),
        slot in 0_usize..2,
        from in 0_u64..13,
    ) {
        let op = if multiply { Op::Mul } else { Op::Add };
        let operands =
            [parameter(&left, &whole(&left, from)), parameter(&right, &whole(&right, from + 1))];
        let direction = whole(operands[slot].shape(), from + 5);
        assert_dot_product_identity(&op, &operands, slot, &direction, from)?;
    }

    #[test]
    fn adjoints_have_their_nodes_shapes((graph, seed) in seeded()) {
        let built = graph.build();
        let trace = traced(&built.output, &seed, GraphRetention::Retain);
        for parameter in &built.parameters {
            let gradient = parameter.gradient().unwrap();
            prop_assert_eq!(gradient.shape(), parameter.shape());
        }
        for node in &trace.nodes {
            prop_assert_eq!(node.pass_adjoint.is_some(), node.tracked);
            if let Some(adjoint) = &node.pass_adjoint {
                prop_assert_eq!(adjoint.shape(), &node.shape[..]);
            }
        }
        for edge in &trace.edges {
            prop_assert_eq!(edge.upstream.shape(), &trace.nodes[edge.child].shape[..]);
            prop_assert!(edge.parent < edge.child);
            if let Some(contribution) = &edge.contribution {
                prop_assert_eq!(contribution.shape(), &trace.nodes[edge.parent].shape[..]);
                let before = edge.parent_adjoint_before.as_ref().unwrap();
                let after = edge.parent_adjoint_after.as_ref().unwrap();
                let sum = before.add(contribution).unwrap();
                prop_assert_eq!(bits(sum.as_slice()), bits(after.as_slice()));
            }
        }
    }

    #[test]
    fn saved_contexts_describe_their_edges((graph, seed) in seeded()) {
        let built = graph.build();
        let trace = traced(&built.output, &seed, GraphRetention::Retain);
        for edge in &trace.edges {
            let (child, parent) = (&trace.nodes[edge.child], &trace.nodes[edge.parent]);
            prop_assert_eq!(edge.saved.is_some(), parent.tracked);
            if let Some(saved) = &edge.saved {
                assert_describes(saved, &child.operation.to_string(), &parent.shape, &child.shape);
            }
        }
    }

    #[test]
    fn second_retained_pass_doubles((graph, seed) in seeded()) {
        let built = graph.build();
        retained(&built.output, &seed).unwrap();
        let once = gradients(&built);
        retained(&built.output, &seed).unwrap();
        for (once, twice) in once.iter().zip(gradients(&built)) {
            prop_assert_eq!(bits(&multiplied(once, 2.0)), bits(&twice));
        }
    }

    #[test]
    fn swapped_operands_swap_their_gradients(
        (left, right) in pair_of_tensors(),
        multiply in any::<bool>(),
        numbers in proptest::collection::vec(value(), 64),
    ) {
        let op = if multiply { Op::Mul } else { Op::Add };
        let run = |swapped: bool| {
            let l = parameter(&left.shape, &left.values);
            let r = parameter(&right.shape, &right.values);
            let y = op.apply(&if swapped { [&r, &l] } else { [&l, &r] }).unwrap();
            retained(&y, &numbers[..elements(y.shape())]).unwrap();
            (bits(&values(&y)), gradient_bits(&l), gradient_bits(&r))
        };
        prop_assert_eq!(run(false), run(true));
    }

    #[test]
    fn equal_leaves_get_their_own_gradients(
        point in shape().prop_flat_map(plain),
        numbers in proptest::collection::vec(value(), 3 * 64),
    ) {
        // Three leaves with one buffer between them.
        let shared = tensor(&point.shape, &point.values);
        let leaf = || TensorValue::parameter(shared.clone()).unwrap();
        let (used, other, unused) = (leaf(), leaf(), leaf());
        let count = point.values.len();
        let factors = [&numbers[..count], &numbers[64..64 + count]];
        let y = used.mul(&constant(&point.shape, factors[0])).unwrap();
        let y = y.add(&other.mul(&constant(&point.shape, factors[1])).unwrap()).unwrap();
        let seed = &numbers[128..128 + count];
        retained(&y, seed).unwrap();
        for (leaf, factors) in [(&used, factors[0]), (&other, factors[1])] {
            let expected: Vec<f64> =
                seed.iter().zip(factors).map(|(seed, factor)| seed * factor + 0.0).collect();
            prop_assert_eq!(gradient_bits(leaf), bits(&expected));
        }
        prop_assert!(gradient_bits(&unused).iter().all(|&bits| bits == 0));
        used.update_value(|values| values.fill(7.0)).unwrap();
        prop_assert_eq!(bits(&values(&other)), bits(&point.values));
    }

    #[test]
    fn remainder_shrinks_with_the_square_of_the_step(
        (graph, seed) in seeded(),
        numbers in proptest::collection::vec(value(), 64),
    ) {
        let built = graph.build();
        retained(&built.output, &seed).unwrap();
        let slope: f64 = gradients(&built).iter().map(|gradient| dot(gradient, &numbers)).sum();
        let objective = |step: f64| {
            let moved = graph.build_with(|node, plain| {
                let is_parameter =
                    matches!(&graph.nodes[node], programs::Node::Leaf(leaf) if leaf.parameter);
                let step = if is_parameter { step } else { 0.0 };
                let values =
                    plain.values.iter().zip(&numbers).map(|(x, d)| x + step * d).collect();
                Plain { shape: plain.shape.clone(), values }
            });
            dot(&values(&moved.output), &seed)
        };
        let base = objective(0.0);
        let remainder = |step: f64| (objective(step) - base - step * slope).abs();
        // A right gradient leaves a remainder of at least second order, a wrong one of first: over
        // eight halvings of the step that is 2^16 against 2^8. Near a point where higher orders
        // cancel a single coarse step may be close by chance, so the largest of three counts. What
        // is left of a linear graph is rounding.
        let coarse = [5, 6, 7].map(|halvings| remainder(0.5_f64.powi(halvings)));
        let coarse = coarse.into_iter().fold(0.0, f64::max);
        let fine = remainder(0.5_f64.powi(13));
        let rounding = 1e-11 * (1.0 + base.abs() + slope.abs());
        prop_assert!(
            fine <= rounding || (coarse / fine).log2() > 12.0,
            "remainders {coarse:e} and {fine:e}"
        );
    }

    #[test]
    fn two_runs_have_the_same_bits((graph, seed) in seeded()) {
        let (one, two, three) = (graph.build(), graph.build(), graph.build());
        retained(&one.output, &seed).unwrap();
        releasing(&two.output, &seed).unwrap();
        traced(&three.output, &seed, GraphRetention::Release);
        for (one, two) in one.nodes.iter().zip(&two.nodes) {
            prop_assert_eq!(bits(&values(one)), bits(&values(two)));
        }
        prop_assert_eq!(all_bits(&one), all_bits(&two));
        prop_assert_eq!(all_bits(&one), all_bits(&three));
    }

    #[test]
    fn releasing_frees_every_operation_and_no_leaf((graph, seed) in seeded()) {
        let built = graph.build();
        let before: Vec<_> = built.nodes.iter().map(|node| bits(&values(node))).collect();
        let reached = graph.reached();
        releasing(&built.output, &seed).unwrap();
        for ((node, before), reached) in built.nodes.iter().zip(before).zip(reached) {
            let goes = reached && node.tracks_gradient() && !node.operation().is_leaf();
            prop_assert_eq!(node.is_released(), goes);
            prop_assert_eq!(bits(&values(node)), before);
        }
        prop_assert!(built.output.is_parameter() || retained(&built.output, &seed).is_err());
    }

    #[test]
    fn scalar_entry_equals_a_seed_of_one(graph in graph()) {
        let (plain, seeded, traced) = (graph.build(), graph.build(), graph.build());
        total(&plain.output).unwrap().backward().unwrap();
        retained(&total(&seeded.output).unwrap(), &[1.0]).unwrap();
        let trace = total(&traced.output).unwrap().backward_with_trace().unwrap();
        prop_assert_eq!(trace.seed.as_slice(), [1.0]);
        prop_assert_eq!(trace.retention, GraphRetention::Retain);
        prop_assert_eq!(all_bits(&plain), all_bits(&seeded));
        prop_assert_eq!(all_bits(&plain), all_bits(&traced));
    }
}
