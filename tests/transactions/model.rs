//! The slow, obviously right reference: plain vectors, derivatives as lists of partials, a
//! recursive walk. It foresees the outcome of every call.

use super::sums::{settle, sum_of_products, Sum};
use crate::support::elements;
use crate::support::oracle::{broadcast_shape, Op, Partial, Plain};
use pullback::TensorAutodiffError;
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub struct ModelEdge {
    pub parent: usize,
    pub operand: usize,
    pub revision: u64,
    /// Empty if the parent tracks no gradient.
    pub partials: Vec<Partial>,
}

#[derive(Debug, Clone)]
pub struct ModelNode {
    pub operation: &'static str,
    pub plain: Plain,
    pub tracked: bool,
    pub parameter: bool,
    pub released: bool,
    pub revision: u64,
    pub gradient: Vec<f64>,
    pub edges: Vec<ModelEdge>,
    pub value_guards: usize,
    pub gradient_guards: usize,
}

impl ModelNode {
    pub fn leaf(operation: &'static str, plain: Plain) -> Self {
        let parameter = operation == "parameter";
        Self {
            operation,
            tracked: parameter,
            parameter,
            released: false,
            revision: 0,
            gradient: if parameter { vec![0.0; plain.values.len()] } else { Vec::new() },
            plain,
            edges: Vec::new(),
            value_guards: 0,
            gradient_guards: 0,
        }
    }
}

/// What a call must do: a result, the text of an error, or nothing that can be foreseen.
pub type Foreseen<T> = Option<Result<T, String>>;

/// What a successful pass does.
pub struct ModelPass {
    /// The new stored gradients of parameters.
    pub gradients: Vec<(usize, Vec<f64>)>,
    /// Every node it visits, in topological order.
    pub order: Vec<usize>,
}

#[derive(Debug, Default)]
pub struct Model {
    pub nodes: Vec<ModelNode>,
}

pub fn first_bad(values: &[f64]) -> Option<usize> {
    values.iter().position(|value| !value.is_finite())
}

impl Model {
    pub fn forward(&self, op: &Op, operands: &[usize], recording: bool) -> Foreseen<ModelNode> {
        let nodes: Vec<&ModelNode> = operands.iter().map(|&node| &self.nodes[node]).collect();
        if let (true, Some(slot)) = (recording, nodes.iter().position(|node| node.released)) {
            return Some(Err(format!("ReleasedOperand {} {slot}", op.name())));
        }
        let plains: Vec<&Plain> = nodes.iter().map(|node| &node.plain).collect();
        let shapes: Vec<&[usize]> = plains.iter().map(|plain| &plain.shape[..]).collect();
        let Some(shape) = op.result_shape(&shapes) else {
            let fits_the_other_way = match op {
                Op::BroadcastTo(to) => broadcast_shape(shapes[0], to).is_some(),
                _ => false,
            };
            let kind = if fits_the_other_way { "BroadcastTargetMismatch" } else { "Operation" };
            return Some(Err(kind.to_owned()));
        };
        let partials = op.partials(&plains);
        let mut sums = Vec::new();
        for output in 0..elements(&shape) {
            let terms: Vec<(f64, f64)> = partials
                .iter()
                .filter(|partial| partial.output == output)
                .filter(|partial| *op != Op::Mul || partial.operand == 0)
                .map(|partial| (plains[partial.operand].values[partial.input], partial.factor))
                .collect();
            sums.push(match sum_of_products(&terms) {
                // Two terms are added in one way only.
                Sum::Unclear if *op == Op::Add => {
                    let sum = terms[0].0 + terms[1].0;
                    if sum.is_finite() {
                        Sum::Known(sum)
                    } else {
                        Sum::NotFinite
                    }
                }
                sum => sum,
            });
        }
        let mut values = match settle(sums)? {
            Ok(values) => values,
            Err(index) => return Some(Err(format!("NonFiniteForward {} {index}", op.name()))),
        };
        if let Op::Mean(axis, _) = op {
            values.iter_mut().for_each(|value| *value /= shapes[0][*axis] as f64);
        }
        let mut made = ModelNode::leaf(op.name(), Plain { shape, values });
        made.tracked = recording && nodes.iter().any(|node| node.tracked);
        if made.tracked {
            for (operand, &parent) in operands.iter().enumerate() {
                let of_slot = |partial: &&Partial| partial.operand == operand;
                let partials = match self.nodes[parent].tracked {
                    true => partials.iter().filter(of_slot).copied().collect(),
                    false => Vec::new(),
                };
                let revision = self.nodes[parent].revision;
                made.edges.push(ModelEdge { parent, operand, revision, partials });
            }
        }
        Some(Ok(made))
    }

    /// Recursive depth-first postorder. An error names the first released operation.
    fn visit(&self, node: usize, order: &mut Vec<usize>) -> Result<(), String> {
        if order.contains(&node) {
            return Ok(());
        }
        if self.nodes[node].released {
            return Err(format!("GraphReleased {}", self.nodes[node].operation));
        }
        for edge in &self.nodes[node].edges {
            self.visit(edge.parent, order)?;
        }
        order.push(node);
        Ok(())
    }

    /// The new stored gradients of a pass, and the nodes it visits.
    pub fn pass(&self, output: usize, seed: Option<&Plain>) -> Foreseen<ModelPass> {
        let node = &self.nodes[output];
        let shape = &node.plain.shape;
        let mut order = Vec::new();
        if node.released {
            return Some(Err(format!("GraphReleased {}", node.operation)));
        }
        if !node.tracked {
            return Some(Err(format!("UntrackedOutput {}", node.operation)));
        }
        if seed.is_none() && !shape.is_empty() {
            return Some(Err(format!("SeedShapeMismatch {shape:?} []")));
        }
        if let Err(error) = self.visit(output, &mut order) {
            return Some(Err(error));
        }
        let one = Plain { shape: Vec::new(), values: vec![1.0] };
        let seed = seed.unwrap_or(&one);
        if seed.shape != *shape {
            return Some(Err(format!("SeedShapeMismatch {shape:?} {:?}", seed.shape)));
        }
        if let Some(index) = first_bad(&seed.values) {
            return Some(Err(format!("NonFiniteSeed {index}")));
        }
        let index_of = |node: usize| order.iter().position(|&other| other == node).unwrap();
        for (child, &node) in order.iter().enumerate().rev() {
            for edge in &self.nodes[node].edges {
                let current = self.nodes[edge.parent].revision;
                if current != edge.revision {
                    return Some(Err(format!(
                        "StaleOperandValue {child} {} {} {} {current}",
                        index_of(edge.parent),
                        edge.operand,
                        edge.revision
                    )));
                }
            }
        }
        let mut adjoints: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        adjoints.insert(output, seed.values.iter().map(|value| value + 0.0).collect());
        for (child, &node) in order.iter().enumerate().rev() {
            for edge in self.nodes[node].edges.iter().filter(|edge| self.nodes[edge.parent].tracked)
            {
                let parent = index_of(edge.parent);
                let upstream = &adjoints[&node];
                let sums = (0..self.nodes[edge.parent].plain.values.len())
                    .map(|input| {
                        let terms: Vec<(f64, f64)> = edge
                            .partials
                            .iter()
                            .filter(|partial| partial.input == input)
                            .map(|partial| {
                                (upstream[partial.output] / partial.divisor, partial.factor)
                            })
                            .collect();
                        sum_of_products(&terms)
                    })
                    .collect();
                let contribution: Vec<f64> = match settle(sums)? {
                    Ok(values) => values.iter().map(|value| value + 0.0).collect(),
                    Err(index) => {
                        let operand = edge.operand;
                        return Some(Err(format!(
                            "NonFiniteVjp {child} {parent} {operand} {index}"
                        )));
                    }
                };
                let Some(adjoint) = adjoints.get_mut(&edge.parent) else {
                    adjoints.insert(edge.parent, contribution);
                    continue;
                };
                for (sum, part) in adjoint.iter_mut().zip(contribution) {
                    *sum += part;
                }
                if let Some(index) = first_bad(adjoint) {
                    return Some(Err(format!("NonFinitePassAdjoint {parent} {index}")));
                }
            }
        }
        let mut gradients = Vec::new();
        for (index, &node) in order.iter().enumerate() {
            let (node_is, adjoint) = (&self.nodes[node], adjoints.get(&node));
            let (true, Some(adjoint)) = (node_is.parameter, adjoint) else { continue };
            let sum: Vec<f64> =
                node_is.gradient.iter().zip(adjoint).map(|(stored, new)| stored + new).collect();
            if let Some(element) = first_bad(&sum) {
                return Some(Err(format!("NonFiniteAccumulatedGradient {index} {element}")));
            }
            gradients.push((node, sum));
        }
        if gradients.iter().any(|&(node, _)| self.nodes[node].gradient_guards > 0) {
            return Some(Err("GradientBorrowed".to_owned()));
        }
        Some(Ok(ModelPass { gradients, order }))
    }

    pub fn commit(&mut self, pass: ModelPass, release: bool) {
        for (node, gradient) in pass.gradients {
            self.nodes[node].gradient = gradient;
        }
        for node in pass.order.into_iter().filter(|_| release) {
            let node = &mut self.nodes[node];
            if node.tracked && !node.parameter {
                node.released = true;
                node.edges.clear();
            }
        }
    }

    pub fn update(&self, node: usize, shape: &[usize], values: &[f64]) -> Result<(), String> {
        let node = &self.nodes[node];
        if !node.parameter {
            return Err(format!("NotAParameter {}", node.operation));
        }
        if node.plain.shape != shape {
            return Err(format!("UpdateShapeMismatch {:?} {shape:?}", node.plain.shape));
        }
        if let Some(index) = first_bad(values) {
            return Err(format!("NonFiniteLeaf {index}"));
        }
        if node.value_guards > 0 {
            return Err("ValueBorrowed".to_owned());
        }
        Ok(())
    }
}

/// The same words for an error of the library.
pub fn words(error: &TensorAutodiffError) -> String {
    use TensorAutodiffError as E;
    match error {
        E::Operation(_) => "Operation".to_owned(),
        E::NonFiniteLeaf { index, .. } => format!("NonFiniteLeaf {index}"),
        E::NonFiniteForward { operation, index, .. } => {
            format!("NonFiniteForward {operation} {index}")
        }
        E::ReleasedOperand { operation, operand } => {
            format!("ReleasedOperand {operation} {operand}")
        }
        E::BroadcastTargetMismatch { .. } => "BroadcastTargetMismatch".to_owned(),
        E::UntrackedOutput { operation } => format!("UntrackedOutput {operation}"),
        E::GraphReleased { operation } => format!("GraphReleased {operation}"),
        E::NotAParameter { operation } => format!("NotAParameter {operation}"),
        E::SeedShapeMismatch { expected, actual } => {
            format!("SeedShapeMismatch {expected:?} {actual:?}")
        }
        E::NonFiniteSeed { index, .. } => format!("NonFiniteSeed {index}"),
        E::UpdateShapeMismatch { expected, actual } => {
            format!("UpdateShapeMismatch {expected:?} {actual:?}")
        }
        E::StaleOperandValue { child, parent, operand, recorded_revision, current_revision } => {
            let revisions = format!("{recorded_revision} {current_revision}");
            format!("StaleOperandValue {child} {parent} {operand} {revisions}")
        }
        E::NonFiniteVjp { child, parent, operand, index, .. } => {
            format!("NonFiniteVjp {child} {parent} {operand} {index}")
        }
        E::NonFinitePassAdjoint { node, index, .. } => {
            format!("NonFinitePassAdjoint {node} {index}")
        }
        E::NonFiniteAccumulatedGradient { node, index, .. } => {
            format!("NonFiniteAccumulatedGradient {node} {index}")
        }
        E::GradientBorrowed => "GradientBorrowed".to_owned(),
        E::ValueBorrowed => "ValueBorrowed".to_owned(),
        other => format!("unexpected: {other}"),
    }
}
