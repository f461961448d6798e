//! The operations as plain loops over coordinates: slow, and with nothing in common with the
//! library's strides, kernels or rules. A derivative is a list of partials, one for each pair of an
//! output and an input element; a rule applied to an adjoint is a sum over that list.

use super::Attempt;
use pullback::TensorValue;

#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    pub shape: Vec<usize>,
    pub values: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Add,
    Mul,
    Reshape(Vec<usize>),
    Transpose(usize, usize),
    BroadcastTo(Vec<usize>),
    Sum(usize, bool),
    Mean(usize, bool),
}

/// Output element `output` moves by `factor / divisor` when element `input` of an operand moves
/// by one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Partial {
    pub output: usize,
    pub operand: usize,
    pub input: usize,
    pub factor: f64,
    pub divisor: f64,
}

impl Op {
    pub fn name(&self) -> &'static str {
        match self {
            Op::Add => "add",
            Op::Mul => "multiply",
            Op::Reshape(_) => "reshape",
            Op::Transpose(..) => "transpose",
            Op::BroadcastTo(_) => "broadcast",
            Op::Sum(..) => "sum",
            Op::Mean(..) => "mean",
        }
    }

    pub fn operands(&self) -> usize {
        match self {
            Op::Add | Op::Mul => 2,
            _ => 1,
        }
    }

    /// The library's version of the operation.
    pub fn apply(&self, operands: &[&TensorValue]) -> Attempt {
        let first = operands[0];
        match self {
            Op::Add => first.add(operands[1]),
            Op::Mul => first.mul(operands[1]),
            Op::Reshape(shape) => first.reshape(shape),
            Op::Transpose(one, other) => first.transpose(*one, *other),
            Op::BroadcastTo(shape) => first.broadcast_to(shape),
            Op::Sum(axis, keep) => first.sum_axis(*axis, *keep),
            Op::Mean(axis, keep) => first.mean_axis(*axis, *keep),
        }
    }

    /// The shape of the result, or None where the operation must be refused.
    pub fn result_shape(&self, operands: &[&[usize]]) -> Option<Vec<usize>> {
        let shape = operands[0];
        match self {
            Op::Add | Op::Mul => broadcast_shape(shape, operands[1]),
            Op::Reshape(target) => {
                let keeps = target.iter().product::<usize>() == shape.iter().product::<usize>();
                keeps.then(|| target.clone())
            }
            Op::Transpose(one, other) => {
                let mut swapped = shape.to_vec();
                (*one < shape.len() && *other < shape.len()).then(|| swapped.swap(*one, *other))?;
                Some(swapped)
            }
            Op::BroadcastTo(target) => {
                let common = broadcast_shape(shape, target)?;
                (common == *target).then_some(common)
            }
            Op::Sum(axis, keep) | Op::Mean(axis, keep) => {
                let extent = *shape.get(*axis)?;
                if extent == 0 && matches!(self, Op::Mean(..)) {
                    return None;
                }
                let mut reduced = shape.to_vec();
                if *keep {
                    reduced[*axis] = 1;
                } else {
                    reduced.remove(*axis);
                }
                Some(reduced)
            }
        }
    }

    /// The input element that each operand lends to each output element, with what it is
    /// multiplied and divided by.
    pub fn partials(&self, operands: &[&Plain]) -> Vec<Partial> {
        let shapes: Vec<&[usize]> = operands.iter().map(|plain| &plain.shape[..]).collect();
        let result = self.result_shape(&shapes).expect("operands that fit");
        let input_shape = &operands[0].shape;
        let plain =
            |output, input| Partial { output, operand: 0, input, factor: 1.0, divisor: 1.0 };
        match self {
            Op::Add | Op::Mul => {
                let mut partials = Vec::new();
                for output in 0..count(&result) {
                    let sources = [0, 1].map(|slot| source(&result, output, shapes[slot]));
                    for operand in [0, 1] {
                        let other = 1 - operand;
                        let factor = match self {
                            Op::Mul => operands[other].values[sources[other]],
                            _ => 1.0,
                        };
                        let input = sources[operand];
                        partials.push(Partial { output, operand, input, factor, divisor: 1.0 });
                    }
                }
                partials
            }
            Op::Reshape(_) => (0..count(&result)).map(|index| plain(index, index)).collect(),
            Op::Transpose(one, other) => (0..count(&result))
                .map(|output| {
                    let mut coordinate = coordinate_of(&result, output);
                    coordinate.swap(*one, *other);
                    plain(output, index_of(input_shape, &coordinate))
                })
                .collect(),
            Op::BroadcastTo(_) => (0..count(&result))
                .map(|output| plain(output, source(&result, output, input_shape)))
                .collect(),
            Op::Sum(axis, keep) | Op::Mean(axis, keep) => (0..count(input_shape))
                .map(|input| {
                    let mut coordinate = coordinate_of(input_shape, input);
                    if *keep {
                        coordinate[*axis] = 0;
                    } else {
                        coordinate.remove(*axis);
                    }
                    let divisor = match self {
                        Op::Mean(..) => input_shape[*axis] as f64,
                        _ => 1.0,
                    };
                    let output = index_of(&result, &coordinate);
                    Partial { output, operand: 0, input, factor: 1.0, divisor }
                })
                .collect(),
        }
    }

    pub fn forward(&self, operands: &[&Plain]) -> Plain {
        let shapes: Vec<&[usize]> = operands.iter().map(|plain| &plain.shape[..]).collect();
        let shape = self.result_shape(&shapes).expect("operands that fit");
        let mut values = vec![0.0; count(&shape)];
        for partial in self.partials(operands) {
            let input = operands[partial.operand].values[partial.input];
            match self {
                // Both slots have the same product; one of them is enough.
                Op::Mul if partial.operand == 1 => {}
                _ => values[partial.output] += input * partial.factor,
            }
        }
        if let Op::Mean(axis, _) = self {
            values.iter_mut().for_each(|value| *value /= shapes[0][*axis] as f64);
        }
        Plain { shape, values }
    }

    /// What the adjoint of the result contributes to one operand.
    pub fn pull_back(&self, operands: &[&Plain], operand: usize, adjoint: &[f64]) -> Vec<f64> {
        let mut contribution = vec![0.0; operands[operand].values.len()];
        for partial in self.partials(operands) {
            if partial.operand == operand {
                contribution[partial.input] +=
                    adjoint[partial.output] * partial.factor / partial.divisor;
            }
        }
        contribution
    }
}

fn count(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Aligned at the last axis, each pair of extents is equal or holds a 1.
pub fn broadcast_shape(left: &[usize], right: &[usize]) -> Option<Vec<usize>> {
    let rank = left.len().max(right.len());
    (0..rank)
        .map(|axis| {
            let extent = |shape: &[usize]| match (axis + shape.len()).checked_sub(rank) {
                Some(own) => shape[own],
                None => 1,
            };
            match (extent(left), extent(right)) {
                (one, other) if one == other => Some(one),
                (1, other) => Some(other),
                (one, 1) => Some(one),
                _ => None,
            }
        })
        .collect()
}

/// The element of a broadcast operand that output element `output` reads.
fn source(result: &[usize], output: usize, operand: &[usize]) -> usize {
    let coordinate = coordinate_of(result, output);
    let own: Vec<usize> = coordinate[result.len() - operand.len()..]
        .iter()
        .zip(operand)
        .map(|(&position, &extent)| if extent == 1 { 0 } else { position })
        .collect();
    index_of(operand, &own)
}

pub fn coordinate_of(shape: &[usize], mut index: usize) -> Vec<usize> {
    let mut coordinate = vec![0; shape.len()];
    for axis in (0..shape.len()).rev() {
        coordinate[axis] = index % shape[axis];
        index /= shape[axis];
    }
    coordinate
}

pub fn index_of(shape: &[usize], coordinate: &[usize]) -> usize {
    shape.iter().zip(coordinate).fold(0, |index, (extent, position)| index * extent + position)
}
