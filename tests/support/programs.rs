//! Random small graphs for proptest. A program is a list of plain numbers that are read modulo
//! whatever fits at that point, so that every list is a valid graph and proptest can shrink it.

use super::oracle::{broadcast_shape, Op, Plain};
use super::{constant, elements, parameter};
use proptest::prelude::*;
use pullback::TensorValue;

const MOST_ELEMENTS: usize = 64;
const MOST_RANK: usize = 4;
/// Larger values are not multiplied any further.
const MODERATE: f64 = 100.0;

#[derive(Debug, Clone)]
pub struct Leaf {
    pub parameter: bool,
    pub plain: Plain,
}

/// Numbers that [`decode`] turns into an operation on the nodes there are.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub operation: u8,
    pub first: u8,
    pub second: u8,
    pub argument: u16,
}

#[derive(Debug, Clone)]
pub struct Program {
    pub leaves: Vec<Leaf>,
    pub choices: Vec<Choice>,
}

#[derive(Debug, Clone)]
pub enum Node {
    Leaf(Leaf),
    Made { op: Op, operands: Vec<usize>, plain: Plain },
}

impl Node {
    pub fn plain(&self) -> &Plain {
        match self {
            Node::Leaf(leaf) => &leaf.plain,
            Node::Made { plain, .. } => plain,
        }
    }
}

/// A program with every choice made; its values come from the oracle.
#[derive(Debug, Clone)]
pub struct Graph {
    pub nodes: Vec<Node>,
}

/// The graph on the tape: one value for each node, and which of them are parameters.
pub struct Built {
    pub nodes: Vec<TensorValue>,
    pub parameters: Vec<TensorValue>,
    pub output: TensorValue,
}

pub fn extent() -> impl Strategy<Value = usize> {
    prop_oneof![1 => Just(0_usize), 5 => Just(1), 5 => Just(2), 5 => Just(3), 2 => Just(4)]
}

pub fn shape() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(extent(), 0..=MOST_RANK)
        .prop_filter("small", |shape| elements(shape) <= MOST_ELEMENTS)
}

/// Values with a few digits behind the point, among them both zeros and ties.
pub fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-2000_i32..2000).prop_map(|thousandths| f64::from(thousandths) / 1000.0),
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(1.0),
    ]
}

pub fn plain(shape: Vec<usize>) -> impl Strategy<Value = Plain> {
    proptest::collection::vec(value(), elements(&shape))
        .prop_map(move |values| Plain { shape: shape.clone(), values })
}

fn leaf() -> impl Strategy<Value = Leaf> {
    (any::<bool>(), shape().prop_flat_map(plain))
        .prop_map(|(parameter, plain)| Leaf { parameter, plain })
}

pub fn choice() -> impl Strategy<Value = Choice> {
    any::<(u8, u8, u8, u16)>().prop_map(|(operation, first, second, argument)| Choice {
        operation,
        first,
        second,
        argument,
    })
}

/// A graph whose output tracks a gradient.
pub fn graph() -> impl Strategy<Value = Graph> {
    let leaves = proptest::collection::vec(leaf(), 1..4);
    let choices = proptest::collection::vec(choice(), 1..9);
    (leaves, choices).prop_map(|(mut leaves, choices)| {
        // The newest leaf is the likeliest operand of the first operation.
        leaves.last_mut().expect("a leaf").parameter = true;
        Program { leaves, choices }.graph()
    })
}

/// A graph and a seed for its output.
pub fn seeded() -> impl Strategy<Value = (Graph, Vec<f64>)> {
    graph().prop_flat_map(|graph| {
        let seed = proptest::collection::vec(value(), graph.output().plain().values.len());
        (Just(graph), seed)
    })
}

/// Picks a node: mostly one of the newest, so that little stays unreachable.
pub fn pick(choice: u8, nodes: usize) -> usize {
    let choice = usize::from(choice);
    match choice {
        0..=159 => nodes - 1,
        160..=219 => nodes - 1 - choice % nodes.min(4),
        _ => choice % nodes,
    }
}

/// The operation that a choice means, given the shapes of the nodes there are. A choice that does
/// not fit its operand becomes the nearest operation that does.
pub fn decode(choice: Choice, shapes: &[&[usize]]) -> (Op, Vec<usize>) {
    let first = pick(choice.first, shapes.len());
    let shape = shapes[first];
    let rank = shape.len();
    let argument = usize::from(choice.argument);
    let (one, other) = (argument % rank.max(1), (argument / 7) % rank.max(1));
    let keep = argument & 256 != 0;
    let op = match choice.operation % 8 {
        2 => Op::Reshape(reshape_target(shape, argument)),
        3 if rank > 0 => Op::Transpose(one, other),
        4 | 5 => Op::BroadcastTo(broadcast_target(shape, argument)),
        6 if rank > 0 => Op::Sum(one, keep),
        7 if rank > 0 && shape[one] > 0 => Op::Mean(one, keep),
        pair => {
            let fitting: Vec<usize> = (0..shapes.len())
                .filter(|&node| {
                    broadcast_shape(shape, shapes[node])
                        .is_some_and(|common| elements(&common) <= MOST_ELEMENTS)
                })
                .collect();
            let second = fitting[usize::from(choice.second) % fitting.len()];
            let swapped = argument % 2 == 1;
            let operands = if swapped { vec![second, first] } else { vec![first, second] };
            return (if pair % 2 == 0 { Op::Add } else { Op::Mul }, operands);
        }
    };
    (op, vec![first])
}

fn reshape_target(shape: &[usize], argument: usize) -> Vec<usize> {
    let mut target: Vec<usize> = match argument % 3 {
        0 => vec![elements(shape)],
        1 => shape.iter().rev().copied().collect(),
        _ => shape.iter().copied().filter(|&extent| extent != 1).collect(),
    };
    if argument & 64 != 0 && target.len() < MOST_RANK {
        target.insert((argument / 128) % (target.len() + 1), 1);
    }
    target
}

fn broadcast_target(shape: &[usize], argument: usize) -> Vec<usize> {
    let mut target = shape.to_vec();
    for (axis, extent) in target.iter_mut().enumerate() {
        if *extent == 1 && argument >> axis & 1 == 1 {
            *extent = [2, 3, 0, 1, 2, 3, 2, 1][argument / 16 % 8];
        }
    }
    if target.len() < MOST_RANK && argument & 1024 != 0 {
        target.insert(0, [2, 1, 3, 2][argument / 4096 % 4]);
    }
    if elements(&target) <= MOST_ELEMENTS {
        target
    } else {
        shape.to_vec()
    }
}

impl Program {
    pub fn graph(&self) -> Graph {
        let mut nodes: Vec<Node> = self.leaves.iter().cloned().map(Node::Leaf).collect();
        for &choice in &self.choices {
            let (mut op, operands) = {
                let shapes: Vec<&[usize]> =
                    nodes.iter().map(|node| &node.plain().shape[..]).collect();
                decode(choice, &shapes)
            };
            let plains: Vec<&Plain> = operands.iter().map(|&node| nodes[node].plain()).collect();
            let large = |plain: &&Plain| plain.values.iter().any(|value| value.abs() > MODERATE);
            if op == Op::Mul && plains.iter().any(large) {
                op = Op::Add;
            }
            let plain = op.forward(&plains);
            nodes.push(Node::Made { op, operands, plain });
        }
        // The output is the newest node that depends on a parameter; the rest stays unreachable.
        let mut tracked = Vec::new();
        for node in &nodes {
            tracked.push(match node {
                Node::Leaf(leaf) => leaf.parameter,
                Node::Made { operands, .. } => operands.iter().any(|&operand| tracked[operand]),
            });
        }
        let output = tracked.iter().rposition(|&tracked| tracked).expect("a parameter");
        nodes.truncate(output + 1);
        Graph { nodes }
    }
}

impl Graph {
    pub fn output(&self) -> &Node {
        self.nodes.last().expect("a node")
    }

    pub fn build(&self) -> Built {
        self.build_with(|_, plain| plain.clone())
    }

    /// Builds the graph with other values in its leaves.
    pub fn build_with(&self, change: impl Fn(usize, &Plain) -> Plain) -> Built {
        let mut nodes: Vec<TensorValue> = Vec::new();
        let mut parameters = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let made = match node {
                Node::Leaf(leaf) => {
                    let plain = change(index, &leaf.plain);
                    if leaf.parameter {
                        let made = parameter(&plain.shape, &plain.values);
                        parameters.push(made.clone());
                        made
                    } else {
                        constant(&plain.shape, &plain.values)
                    }
                }
                Node::Made { op, operands, .. } => {
                    let operands: Vec<&TensorValue> =
                        operands.iter().map(|&operand| &nodes[operand]).collect();
                    op.apply(&operands).expect("operands that fit")
                }
            };
            nodes.push(made);
        }
        let output = nodes.last().expect("a node").clone();
        Built { nodes, parameters, output }
    }

    /// Which nodes a path leads to from the output.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        *reached.last_mut().expect("a node") = true;
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let (true, Node::Made { operands, .. }) = (reached[index], node) {
                operands.iter().for_each(|&operand| reached[operand] = true);
            }
        }
        reached
    }

    /// The gradients of the parameters by the oracle, pulled back node by node. Nodes stand in the
    /// order they were made, so a walk from the last to the first meets consumers first.
    pub fn gradients(&self, seed: &[f64]) -> Vec<Vec<f64>> {
        let mut adjoints: Vec<Vec<f64>> =
            self.nodes.iter().map(|node| vec![0.0; node.plain().values.len()]).collect();
        adjoints.last_mut().expect("a node").copy_from_slice(seed);
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Node::Made { op, operands, .. } = node {
                let plains: Vec<&Plain> =
                    operands.iter().map(|&operand| self.nodes[operand].plain()).collect();
                for (slot, &operand) in operands.iter().enumerate() {
                    let contribution = op.pull_back(&plains, slot, &adjoints[index]);
                    for (sum, part) in adjoints[operand].iter_mut().zip(contribution) {
                        *sum += part;
                    }
                }
            }
        }
        let is_parameter = |node: &Node| matches!(node, Node::Leaf(leaf) if leaf.parameter);
        self.nodes
            .iter()
            .zip(adjoints)
            .filter(|(node, _)| is_parameter(node))
            .map(|(_, adjoint)| adjoint)
            .collect()
    }
}
