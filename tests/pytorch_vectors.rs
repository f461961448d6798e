//! Values and gradients agree with PyTorch in float64 on stored random graphs.
//! `tests/pytorch/README.md` explains the file and how it is made.

mod support;

use approx::relative_eq;
use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};
use std::collections::{BTreeMap, BTreeSet};
use support::variants::{operations, variant};
use support::{bits, constant, gradient_bits, parameter, tensor, values};

const VECTORS: &str = include_str!("pytorch/vectors.txt");
const TOLERANCE: f64 = 1e-12;
const LEAST_USES: usize = 50;

/// One stored graph: lines that make its nodes, and what must come out.
struct Stored<'a> {
    name: &'a str,
    nodes: Vec<Vec<&'a str>>,
    output: usize,
    shape: Vec<usize>,
    value: Vec<f64>,
    seed: Option<Vec<f64>>,
    gradients: Vec<(usize, Vec<f64>)>,
}

fn shape(word: &str) -> Vec<usize> {
    let inner = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).expect("a shape");
    inner.split(',').filter(|extent| !extent.is_empty()).map(index).collect()
}

fn index(word: &str) -> usize {
    word.parse().expect("an index")
}

fn numbers(words: &[&str]) -> Vec<f64> {
    words.iter().map(|word| word.parse().expect("a number")).collect()
}

fn stored() -> Vec<Stored<'static>> {
    let mut graphs: Vec<Stored> = Vec::new();
    for line in VECTORS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "graph" {
            graphs.push(Stored {
                name: line,
                nodes: Vec::new(),
                output: 0,
                shape: Vec::new(),
                value: Vec::new(),
                seed: None,
                gradients: Vec::new(),
            });
            continue;
        }
        let graph = graphs.last_mut().expect("a graph");
        match words[0] {
            "output" => {
                graph.output = index(words[1]);
                graph.shape = shape(words[2]);
                graph.value = numbers(&words[3..]);
            }
            "untracked" => graph.seed = None,
            "seed" => graph.seed = Some(numbers(&words[1..])),
            "gradient" => graph.gradients.push((index(words[1]), numbers(&words[2..]))),
            _ => graph.nodes.push(words),
        }
    }
    graphs
}

impl Stored<'_> {
    fn build(&self) -> Vec<TensorValue> {
        let mut nodes: Vec<TensorValue> = Vec::new();
        for words in &self.nodes {
            let operand = |position: usize| &nodes[index(words[position])];
            let keep = || words[3] == "keep";
            let node = match words[0] {
                "parameter" => Ok(parameter(&shape(words[1]), &numbers(&words[2..]))),
                "constant" => Ok(constant(&shape(words[1]), &numbers(&words[2..]))),
                "add" => operand(1).add(operand(2)),
                "mul" => operand(1).mul(operand(2)),
                "reshape" => operand(1).reshape(shape(words[2])),
                "broadcast_to" => operand(1).broadcast_to(shape(words[2])),
                "transpose" => operand(1).transpose(index(words[2]), index(words[3])),
                "sum_axis" => operand(1).sum_axis(index(words[2]), keep()),
                "mean_axis" => operand(1).mean_axis(index(words[2]), keep()),
                "detach" => Ok(operand(1).detach()),
                other => panic!("{}: unknown line {other}", self.name),
            };
            nodes.push(node.unwrap_or_else(|error| panic!("{}: {words:?}: {error}", self.name)));
        }
        nodes
    }

    fn assert_close(&self, what: &str, actual: &Tensor, shape: &[usize], expected: &[f64]) {
        assert_eq!(actual.shape(), shape, "{}: shape of {what}", self.name);
        assert_eq!(actual.len(), expected.len(), "{}: {what}", self.name);
        for (position, (&ours, &theirs)) in actual.as_slice().iter().zip(expected).enumerate() {
            assert!(
                relative_eq!(ours, theirs, epsilon = TOLERANCE, max_relative = TOLERANCE),
                "{}: {what}, element {position}: {ours} here, {theirs} in PyTorch",
                self.name
            );
        }
    }

    fn assert_gradients(&self, nodes: &[TensorValue]) {
        for (node, expected) in &self.gradients {
            let gradient = nodes[*node].gradient_snapshot().expect("a parameter has a gradient");
            let what = format!("gradient of node {node}");
            self.assert_close(&what, &gradient, nodes[*node].shape(), expected);
        }
    }

    fn gradient_bits(&self, nodes: &[TensorValue]) -> Vec<Vec<u64>> {
        self.gradients.iter().map(|(node, _)| gradient_bits(&nodes[*node])).collect()
    }
}

#[test]
fn values_and_gradients_agree_with_pytorch() {
    for graph in stored() {
        let nodes = graph.build();
        let output = &nodes[graph.output];
        graph.assert_close("output", &output.value(), &graph.shape, &graph.value);
        let Some(seed) = &graph.seed else {
            let seed = tensor(&graph.shape, &vec![1.0; graph.value.len()]);
            let error = output
                .backward_with_seed(&seed.view(), GraphRetention::Retain)
                .expect_err("an untracked output");
            assert!(matches!(error, TensorAutodiffError::UntrackedOutput { .. }), "{error}");
            continue;
        };
        let seed = tensor(&graph.shape, seed);
        output.backward_with_seed(&seed.view(), GraphRetention::Retain).expect(graph.name);
        graph.assert_gradients(&nodes);

        let first: Vec<Vec<f64>> = graph
            .gradients
            .iter()
            .map(|(node, _)| nodes[*node].gradient_snapshot().unwrap().as_slice().to_vec())
            .collect();
        output.backward_with_seed(&seed.view(), GraphRetention::Release).expect(graph.name);
        let doubled: Vec<Vec<u64>> = first
            .iter()
            .map(|gradient| gradient.iter().map(|value| (2.0 * value).to_bits()).collect())
            .collect();
        assert_eq!(graph.gradient_bits(&nodes), doubled, "{}: second pass", graph.name);
    }
}

#[test]
fn a_trace_and_a_strided_seed_change_no_bit() {
    for graph in stored() {
        let Some(seed) = &graph.seed else { continue };
        let seed = tensor(&graph.shape, seed);
        let run = |pass: &dyn Fn(&TensorValue) -> Result<(), TensorAutodiffError>| {
            let nodes = graph.build();
            pass(&nodes[graph.output]).expect(graph.name);
            (bits(&values(&nodes[graph.output])), graph.gradient_bits(&nodes))
        };
        let plain = run(&|output| output.backward_with_seed(&seed.view(), GraphRetention::Retain));
        let traced = run(&|output| {
            let trace =
                output.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain)?;
            for node in trace.nodes.iter().filter(|node| node.parameter) {
                let stored = node.accumulated_gradient.as_ref().expect("a stored gradient");
                assert_eq!(stored.shape(), &node.shape[..], "{}", graph.name);
            }
            Ok(())
        });
        assert_eq!(plain, traced, "{}: with a trace", graph.name);

        let rank = graph.shape.len();
        if rank >= 2 {
            // The same numbers in another storage order.
            let swapped = seed.transpose(0, rank - 1).expect("two axes");
            let view = swapped.view().transpose(0, rank - 1).expect("two axes");
            let strided = run(&|output| output.backward_with_seed(&view, GraphRetention::Retain));
            assert_eq!(plain, strided, "{}: with a strided seed", graph.name);
        }
    }
}

#[test]
fn every_operation_is_used_and_differentiated_often() {
    let graphs = stored();
    assert!(graphs.len() >= 600, "{} graphs", graphs.len());
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    let mut evaluated: BTreeMap<String, usize> = BTreeMap::new();
    let (mut ranks, mut extents) = ([0; 5], [0; 5]);
    let (mut repeated, mut parameters, mut constants) = (0, 0, 0);
    for graph in &graphs {
        // Each parameter has its gradient, or there is no pass: what is not stored is not compared.
        let parameters_of = (0..graph.nodes.len()).filter(|&n| graph.nodes[n][0] == "parameter");
        let compared = graph.gradients.iter().map(|(node, _)| *node);
        assert!(graph.seed.is_none() || compared.eq(parameters_of), "{}", graph.name);
        for words in &graph.nodes {
            *uses.entry(words[0].to_owned()).or_default() += 1;
            repeated += usize::from(matches!(words[0], "add" | "mul") && words[1] == words[2]);
            parameters += usize::from(words[0] == "parameter");
            constants += usize::from(words[0] == "constant");
            if matches!(words[0], "parameter" | "constant") {
                let shape = shape(words[1]);
                ranks[shape.len()] += 1;
                shape.iter().for_each(|&extent| extents[extent.min(4)] += 1);
            }
        }
        let Some(seed) = &graph.seed else { continue };
        let nodes = graph.build();
        let seed = tensor(&graph.shape, seed);
        let trace = nodes[graph.output]
            .backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain)
            .expect(graph.name);
        for edge in trace.edges.iter().filter(|edge| edge.contribution.is_some()) {
            let operation = trace.nodes[edge.child].operation;
            *evaluated.entry(variant(&operation)).or_default() += 1;
        }
    }
    // Detach has no rule: nothing flows through it.
    let met: BTreeSet<String> = evaluated.keys().cloned().collect();
    assert_eq!(met, operations(), "tests/pytorch/README.md says how to make vectors for all");
    let counted = uses.iter().filter(|(name, _)| !matches!(&name[..], "parameter" | "constant"));
    assert_eq!(counted.clone().count(), operations().len() + 1, "{uses:?}");
    assert!(counted.clone().all(|(_, &count)| count >= LEAST_USES), "{uses:?}");
    assert!(evaluated.values().all(|&count| count >= LEAST_USES), "{evaluated:?}");
    assert!(
        ranks.iter().chain(&extents).all(|&count| count >= LEAST_USES),
        "{ranks:?} {extents:?}"
    );
    assert!(repeated >= LEAST_USES && parameters > 2 * graphs.len() && constants > 500);
    assert!(graphs.iter().filter(|graph| graph.seed.is_none()).count() >= 10);
}
