//! What the tests by claim share: short names, a check that a refused call changed nothing, what
//! there is to test (in `variants`), and the operations as plain loops (in `oracle`).

// Every test binary compiles this module and uses a part of it.
#![allow(dead_code)]

pub mod oracle;
pub mod programs;
pub mod variants;

use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};

pub type Outcome = Result<(), TensorAutodiffError>;
pub type Attempt<T = TensorValue> = Result<T, TensorAutodiffError>;

pub fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_vec(shape, values.to_vec()).expect("as many values as the shape has elements")
}

pub fn parameter(shape: &[usize], values: &[f64]) -> TensorValue {
    TensorValue::parameter(tensor(shape, values)).expect("finite values")
}

pub fn constant(shape: &[usize], values: &[f64]) -> TensorValue {
    TensorValue::constant(tensor(shape, values)).expect("finite values")
}

pub fn number(value: f64) -> TensorValue {
    constant(&[], &[value])
}

pub fn elements(shape: &[usize]) -> usize {
    shape.iter().product()
}

pub fn ones(shape: &[usize]) -> Vec<f64> {
    vec![1.0; elements(shape)]
}

/// `start, start + 1, ..`: as many as the shape has elements.
pub fn counting(shape: &[usize], start: f64) -> Vec<f64> {
    (0..elements(shape)).map(|index| start + index as f64).collect()
}

/// The sum of all elements, a scalar.
pub fn total(value: &TensorValue) -> Attempt {
    let mut sum = value.clone();
    while !sum.shape().is_empty() {
        sum = sum.sum_axis(0, false)?;
    }
    Ok(sum)
}

pub fn scaled(value: &TensorValue, factor: f64) -> Attempt {
    value.mul(&number(factor))
}

/// `left - right`, from the operations there are: left + (-1) * right.
pub fn minus(left: &TensorValue, right: &TensorValue) -> Attempt {
    left.add(&scaled(right, -1.0)?)
}

/// The matrix product of `[.., n, k]` and `[.., k, m]`, from the operations there are: products of
/// all pairs, summed over `k`.
pub fn product(left: &TensorValue, right: &TensorValue) -> Attempt {
    let mut tall = left.shape().to_vec();
    tall.push(1);
    let mut wide = right.shape().to_vec();
    wide.insert(wide.len() - 2, 1);
    let pairs = left.reshape(tall)?.mul(&right.reshape(wide)?)?;
    let axis = pairs.shape().len() - 2;
    pairs.sum_axis(axis, false)
}

/// One retained pass with these adjoints in the output's shape.
pub fn retained(output: &TensorValue, seed: &[f64]) -> Outcome {
    let seed = tensor(output.shape(), seed);
    output.backward_with_seed(&seed.view(), GraphRetention::Retain)
}

/// One releasing pass with these adjoints in the output's shape.
pub fn releasing(output: &TensorValue, seed: &[f64]) -> Outcome {
    let seed = tensor(output.shape(), seed);
    output.backward_with_seed(&seed.view(), GraphRetention::Release)
}

pub fn values(node: &TensorValue) -> Vec<f64> {
    node.value().as_slice().to_vec()
}

pub fn gradient(node: &TensorValue) -> Vec<f64> {
    node.gradient().expect("a parameter has a gradient").as_slice().to_vec()
}

pub fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

pub fn gradient_bits(node: &TensorValue) -> Vec<u64> {
    bits(&gradient(node))
}

/// The gradient has the operand's shape and these values. No tolerance: cases are chosen exact.
#[track_caller]
pub fn assert_gradient(node: &TensorValue, expected: &[f64]) {
    let gradient = node.gradient_snapshot().expect("a parameter has a gradient");
    assert_eq!(gradient.shape(), node.shape(), "the gradient's shape is the operand's");
    assert_eq!(gradient.as_slice(), expected);
}

/// Every element is +0.0 and not -0.0.
#[track_caller]
pub fn assert_positive_zero(node: &TensorValue) {
    let gradient = node.gradient_snapshot().expect("a parameter has a gradient");
    assert_eq!(gradient.shape(), node.shape());
    assert_eq!(bits(gradient.as_slice()), vec![0; gradient.len()]);
}

/// All that a refused call must leave as it was.
#[derive(Debug, PartialEq)]
pub struct State {
    shape: Vec<usize>,
    value: Vec<u64>,
    gradient: Option<Vec<u64>>,
    revision: u64,
    released: bool,
    tracked: bool,
}

pub fn state(node: &TensorValue) -> State {
    State {
        shape: node.shape().to_vec(),
        value: bits(&values(node)),
        gradient: node.gradient().map(|gradient| bits(gradient.as_slice())),
        revision: node.value_revision(),
        released: node.is_released(),
        tracked: node.tracks_gradient(),
    }
}

/// The error of a call that must fail, after a proof that it changed none of the watched nodes.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(
    watched: &[&TensorValue],
    attempt: impl FnOnce() -> Result<T, TensorAutodiffError>,
) -> TensorAutodiffError {
    let before: Vec<State> = watched.iter().map(|node| state(node)).collect();
    let error = attempt().expect_err("this call must be refused");
    let after: Vec<State> = watched.iter().map(|node| state(node)).collect();
    assert_eq!(before, after, "a refused call changed something: {error}");
    error
}

/// Runs `test` on a thread whose stack is 2 MiB, the default of a spawned thread: recursion over a
/// deep graph would overflow it and abort the process.
pub fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}
