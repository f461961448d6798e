//! The four workloads of the speed table, shared by the benchmark programs.
//!
//! | name | one step |
//! |---|---|
//! | W1 | the worked graph: reshape, transpose, broadcast, add, multiply, mean |
//! | W2 | the same graph with an `[n, n]` parameter and an `[n]` bias |
//! | W3 | a chain of `n` adds of one `[16]` constant, then a sum |
//! | W4 | one `[1000]` parameter in 1,000 products with constants, all added, then a sum |
//!
//! A step zeroes the gradients, builds the graph anew and runs one backward pass. Parameters and
//! constants live on between steps, as they do in a training loop. Each workload knows what it
//! must compute: W1 exactly, the others to 1e-12 of sums that other libraries agree on.

use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};

/// What a call on the tape returns.
pub type Outcome<T> = Result<T, TensorAutodiffError>;

/// What a step computed, under the names that every compared program gives it.
pub type Evidence = Vec<(&'static str, Vec<f64>)>;

/// The extents W2 is measured at.
pub const EXTENTS: [usize; 4] = [64, 256, 1024, 2048];

/// The depths W3 is measured at.
pub const DEPTHS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// The number of W4's products, and the length of their operands.
const WIDTH: usize = 1000;

/// What lives on between the steps of one workload, and how to build its graph.
pub struct Workload {
    /// The name in reports, such as `W2.64`.
    pub name: String,
    /// Operations in the graph of one step.
    pub operations: usize,
    parameters: Vec<TensorValue>,
    /// Without a seed the output is a scalar, and `backward` supplies 1.
    seed: Option<Tensor>,
    build: Box<dyn Fn() -> Outcome<TensorValue>>,
    summarise: fn(&Tensor, &[Tensor]) -> Evidence,
    expected: Evidence,
    /// The largest relative difference from what is expected.
    tolerance: f64,
}

impl Workload {
    /// Builds the graph: the forward half of a step.
    pub fn forward(&self) -> Outcome<TensorValue> {
        (self.build)()
    }

    /// One whole step. The graph lives until the returned output is dropped.
    pub fn step(&self) -> Outcome<TensorValue> {
        for parameter in &self.parameters {
            parameter.zero_grad()?;
        }
        let output = self.forward()?;
        match &self.seed {
            Some(seed) => output.backward_with_seed(&seed.view(), GraphRetention::Release)?,
            None => output.backward()?,
        }
        Ok(output)
    }

    /// Runs one step and returns what it computed, or says how that differs from what is known.
    pub fn evidence(&self) -> Result<Evidence, String> {
        let output = self.step().map_err(|error| format!("{}: {error}", self.name))?;
        let gradients: Vec<Tensor> =
            self.parameters.iter().filter_map(TensorValue::gradient_snapshot).collect();
        let found = (self.summarise)(&output.value_snapshot(), &gradients);
        if close(&found, &self.expected, self.tolerance) {
            Ok(found)
        } else {
            Err(format!("{}: computed {found:?}, but {:?} is right", self.name, self.expected))
        }
    }
}

fn close(found: &Evidence, expected: &Evidence, tolerance: f64) -> bool {
    let near = |a: &[f64], b: &[f64]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * b.abs())
    };
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| a.0 == b.0 && near(&a.1, &b.1))
}

/// W1: the worked graph, whose every number is exact.
pub fn worked_graph() -> Workload {
    let x = parameter([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let bias = parameter([3], vec![1.0, -1.0, 0.0]);
    Workload {
        name: "W1".to_owned(),
        operations: 6,
        parameters: vec![x.clone(), bias.clone()],
        seed: Some(tensor([2], vec![3.0, 6.0])),
        build: Box::new(move || mean_of_squares(&x, &bias, 2, 3)),
        summarise: |output, gradients| {
            let list = |tensor: &Tensor| tensor.as_slice().to_vec();
            vec![("y", list(output)), ("gx", list(&gradients[0])), ("gb", list(&gradients[1]))]
        },
        expected: vec![
            ("y", vec![11.0, 18.0]),
            ("gx", vec![4.0, 12.0, 4.0, 12.0, 10.0, 24.0]),
            ("gb", vec![16.0, 16.0, 34.0]),
        ],
        tolerance: 0.0,
    }
}

/// W2: the same graph at one of [`EXTENTS`].
pub fn square_graph(extent: usize) -> Workload {
    let gradient_magnitudes = match extent {
        64 => [45.67085713228875, 6.226386869863908],
        256 => [168.38594743434152, 20.92839267405737],
        1024 => [689.5216560336934, 25.61761324490188],
        2048 => [1381.9147953253355, 32.88115005879795],
        other => panic!("no result is known for the extent {other}"),
    };
    let x = parameter([extent, extent], fill(extent * extent, 1));
    let bias = parameter([extent], fill(extent, 2));
    Workload {
        name: format!("W2.{extent}"),
        operations: 6,
        parameters: vec![x.clone(), bias.clone()],
        seed: Some(tensor([extent], fill(extent, 3))),
        build: Box::new(move || mean_of_squares(&x, &bias, extent, extent)),
        summarise: |_, gradients| vec![("s", gradients.iter().map(magnitude).collect())],
        expected: vec![("s", gradient_magnitudes.to_vec())],
        tolerance: 1e-12,
    }
}

fn mean_of_squares(
    x: &TensorValue,
    bias: &TensorValue,
    rows: usize,
    columns: usize,
) -> Outcome<TensorValue> {
    let shifted =
        x.reshape([columns, rows])?.transpose(0, 1)?.add(&bias.broadcast_to([rows, columns])?)?;
    shifted.mul(&shifted)?.mean_axis(1, false)
}

/// W3: `depth` adds of one constant, one of [`DEPTHS`].
pub fn chain(depth: usize) -> Workload {
    let sum = match depth {
        10_000 => 24219.95843040573,
        100_000 => 242211.85521099,
        1_000_000 => 2422130.822980522,
        other => panic!("no result is known for the depth {other}"),
    };
    let start = parameter([16], fill(16, 1));
    let increment = constant([16], fill(16, 2));
    Workload {
        name: format!("W3.{depth}"),
        operations: depth + 1,
        parameters: vec![start.clone()],
        seed: None,
        build: Box::new(move || {
            let mut end = start.clone();
            for _ in 0..depth {
                end = end.add(&increment)?;
            }
            end.sum_axis(0, false)
        }),
        summarise: |output, gradients| head_and_sum(output, &gradients[0], 1),
        expected: vec![("g", vec![1.0]), ("s", vec![sum])],
        tolerance: 1e-12,
    }
}

/// W4: one parameter that takes part in many products.
pub fn wide_reuse() -> Workload {
    let shared = parameter([WIDTH], fill(WIDTH, 1));
    let constants: Vec<TensorValue> = fill(WIDTH * WIDTH, 2)
        .chunks_exact(WIDTH)
        .map(|values| constant([WIDTH], values.to_vec()))
        .collect();
    Workload {
        name: "W4".to_owned(),
        operations: 2 * WIDTH,
        parameters: vec![shared.clone()],
        seed: None,
        build: Box::new(move || {
            let mut total = shared.mul(&constants[0])?;
            for other in &constants[1..] {
                total = total.add(&shared.mul(other)?)?;
            }
            total.sum_axis(0, false)
        }),
        summarise: |output, gradients| head_and_sum(output, &gradients[0], 2),
        expected: vec![
            ("g", vec![-4.8099351448126635, -7.9240506928151415]),
            ("s", vec![-368.0770432964924]),
        ],
        tolerance: 1e-12,
    }
}

fn head_and_sum(output: &Tensor, gradient: &Tensor, coordinates: usize) -> Evidence {
    let head = gradient.as_slice().iter().take(coordinates).copied().collect();
    vec![("g", head), ("s", output.as_slice().to_vec())]
}

/// The sum of absolute values, in blocks so that its rounding stays far below the tolerance.
fn magnitude(tensor: &Tensor) -> f64 {
    tensor.as_slice().chunks(1024).map(|block| block.iter().map(|v| v.abs()).sum::<f64>()).sum()
}

fn tensor<const RANK: usize>(shape: [usize; RANK], values: Vec<f64>) -> Tensor {
    Tensor::from_vec(shape, values).expect("the workload's shapes fit their values")
}

fn parameter<const RANK: usize>(shape: [usize; RANK], values: Vec<f64>) -> TensorValue {
    TensorValue::parameter(tensor(shape, values)).expect("the workload's values are finite")
}

fn constant<const RANK: usize>(shape: [usize; RANK], values: Vec<f64>) -> TensorValue {
    TensorValue::constant(tensor(shape, values)).expect("the workload's values are finite")
}

/// `count` numbers in [-1, 1): SplitMix64 of seed and index, so that any program can make the same.
fn fill(count: usize, seed: u64) -> Vec<f64> {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let number = |index: u64| {
        let mut bits = ((seed << 32) + index).wrapping_mul(GOLDEN).wrapping_add(GOLDEN);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        // The upper 53 bits make a uniform number in [0, 1).
        2.0 * ((bits >> 11) as f64 / (1_u64 << 53) as f64) - 1.0
    };
    (0..count as u64).map(number).collect()
}
