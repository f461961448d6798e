//! The gradient table: every operation against central differences of a plain loop, on shapes that
//! are awkward on purpose. One row for each way to call an operation; an operation or a kind of
//! saved context that no row meets fails.

mod support;

use pullback::gradcheck::CentralDifferences;
use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};
use std::collections::BTreeSet;
use support::variants::{operations, variant, variants};

type Operation = fn(&[TensorValue]) -> Result<TensorValue, TensorAutodiffError>;

struct Row {
    name: &'static str,
    operands: &'static [&'static [usize]],
    operation: Operation,
    /// The same operation as a loop over plain vectors: output elements from operand elements.
    oracle: fn(&[&[f64]]) -> Vec<f64>,
}

const ROWS: &[Row] = &[
    Row {
        name: "add, equal shapes",
        operands: &[&[2, 3], &[2, 3]],
        operation: |v| v[0].add(&v[1]),
        oracle: |v| (0..6).map(|i| v[0][i] + v[1][i]).collect(),
    },
    Row {
        name: "add, both operands expanded",
        operands: &[&[2, 1], &[1, 3]],
        operation: |v| v[0].add(&v[1]),
        oracle: |v| (0..6).map(|i| v[0][i / 3] + v[1][i % 3]).collect(),
    },
    Row {
        name: "add, one operand twice",
        operands: &[&[3]],
        operation: |v| v[0].add(&v[0]),
        oracle: |v| (0..3).map(|i| v[0][i] + v[0][i]).collect(),
    },
    Row {
        name: "multiply, equal shapes",
        operands: &[&[2, 3], &[2, 3]],
        operation: |v| v[0].mul(&v[1]),
        oracle: |v| (0..6).map(|i| v[0][i] * v[1][i]).collect(),
    },
    Row {
        name: "multiply, scalar by matrix",
        operands: &[&[], &[2, 3]],
        operation: |v| v[0].mul(&v[1]),
        oracle: |v| (0..6).map(|i| v[0][0] * v[1][i]).collect(),
    },
    Row {
        name: "multiply, middle axis expanded",
        operands: &[&[2, 1, 2], &[3, 1]],
        operation: |v| v[0].mul(&v[1]),
        oracle: |v| (0..12).map(|i| v[0][i / 6 * 2 + i % 2] * v[1][i / 2 % 3]).collect(),
    },
    Row {
        name: "multiply, one operand twice",
        operands: &[&[2, 2]],
        operation: |v| v[0].mul(&v[0]),
        oracle: |v| (0..4).map(|i| v[0][i] * v[0][i]).collect(),
    },
    Row {
        name: "reshape",
        operands: &[&[2, 3]],
        operation: |v| v[0].reshape([3, 1, 2]),
        oracle: |v| v[0].to_vec(),
    },
    Row {
        name: "transpose, last two axes",
        operands: &[&[2, 3, 4]],
        operation: |v| v[0].transpose(1, 2),
        oracle: |v| (0..24).map(|i| v[0][i / 12 * 12 + i % 3 * 4 + i / 3 % 4]).collect(),
    },
    Row {
        name: "transpose, outer axes around a middle one",
        operands: &[&[2, 3, 4]],
        operation: |v| v[0].transpose(2, 0),
        oracle: |v| (0..24).map(|i| v[0][i % 2 * 12 + i / 2 % 3 * 4 + i / 6]).collect(),
    },
    Row {
        name: "transpose, runs of inner elements",
        operands: &[&[2, 3, 2]],
        operation: |v| v[0].transpose(0, 1),
        oracle: |v| (0..12).map(|i| v[0][i / 2 % 2 * 6 + i / 4 * 2 + i % 2]).collect(),
    },
    Row {
        name: "broadcast, leading and middle axes",
        operands: &[&[2, 1, 2]],
        operation: |v| v[0].broadcast_to([2, 2, 3, 2]),
        oracle: |v| (0..24).map(|i| v[0][i / 6 % 2 * 2 + i % 2]).collect(),
    },
    Row {
        name: "sum, first axis",
        operands: &[&[3, 2]],
        operation: |v| v[0].sum_axis(0, false),
        oracle: |v| (0..2).map(|j| (0..3).map(|k| v[0][k * 2 + j]).sum()).collect(),
    },
    Row {
        name: "sum, middle axis kept",
        operands: &[&[2, 3, 2]],
        operation: |v| v[0].sum_axis(1, true),
        oracle: |v| (0..4).map(|i| (0..3).map(|k| v[0][i / 2 * 6 + k * 2 + i % 2]).sum()).collect(),
    },
    Row {
        name: "mean, last axis",
        operands: &[&[2, 3]],
        operation: |v| v[0].mean_axis(1, false),
        oracle: |v| (0..2).map(|i| (0..3).map(|k| v[0][i * 3 + k]).sum::<f64>() / 3.0).collect(),
    },
    Row {
        name: "mean, axis of extent 1",
        operands: &[&[2, 1, 2]],
        operation: |v| v[0].mean_axis(1, true),
        oracle: |v| v[0].to_vec(),
    },
];

/// Different numbers of both signs, none near zero.
fn values(count: usize, salt: usize) -> Vec<f64> {
    (0..count)
        .map(|i| {
            let size = 0.5 + ((i * 7 + salt * 5) % 11) as f64 / 4.0;
            if (i + salt) % 3 == 1 {
                -size
            } else {
                size
            }
        })
        .collect()
}

fn tensor(shape: &[usize], salt: usize) -> Tensor {
    Tensor::from_vec(shape, values(shape.iter().product(), salt)).unwrap()
}

#[test]
fn every_operation_agrees_with_central_differences() {
    let (mut met, mut saved) = (BTreeSet::new(), BTreeSet::new());
    for row in ROWS {
        let points: Vec<Tensor> =
            row.operands.iter().enumerate().map(|(slot, shape)| tensor(shape, slot)).collect();
        let parameters: Vec<TensorValue> =
            points.iter().map(|point| TensorValue::parameter(point.clone()).unwrap()).collect();
        let output = (row.operation)(&parameters).unwrap();
        let slices: Vec<&[f64]> = points.iter().map(Tensor::as_slice).collect();
        let expected = Tensor::from_vec(output.shape(), (row.oracle)(&slices)).unwrap();
        approx::assert_relative_eq!(*output.value(), expected, max_relative = 1e-15);

        let seed = tensor(output.shape(), 9);
        let pass =
            output.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
        let gradients_of_the_seed: Vec<Tensor> =
            parameters.iter().map(|parameter| parameter.gradient_snapshot().unwrap()).collect();
        for edge in &pass.edges {
            met.insert(variant(&pass.nodes[edge.child].operation));
            saved.insert(variant(edge.saved.as_ref().unwrap()));
        }
        // Neither a seed nor a rule lets a -0.0 through.
        for parameter in &parameters {
            parameter.zero_grad().unwrap();
        }
        let output = (row.operation)(&parameters).unwrap();
        let zeros = Tensor::filled(output.shape(), -0.0).unwrap();
        let still =
            output.backward_with_seed_and_trace(&zeros.view(), GraphRetention::Release).unwrap();
        let gradients = parameters.iter().map(|parameter| parameter.gradient_snapshot().unwrap());
        let contributions = still.edges.iter().filter_map(|edge| edge.contribution.clone());
        for zero in gradients.chain(contributions) {
            assert!(zero.as_slice().iter().all(|zero| zero.to_bits() == 0), "{}: -0.0", row.name);
        }
        for (slot, point) in points.iter().enumerate() {
            let objective = |moved: &[f64]| {
                let mut operands = slices.clone();
                operands[slot] = moved;
                let output = (row.oracle)(&operands);
                output.iter().zip(seed.as_slice()).map(|(y, s)| y * s).sum()
            };
            let gradient = &gradients_of_the_seed[slot];
            let report = CentralDifferences::default().check(point, gradient, objective).unwrap();
            assert!(report.passed(), "{}, operand {slot}: {:?}", row.name, report.worst());
        }
    }
    assert_eq!(met, operations(), "a row for every operation");
    assert_eq!(saved, variants("TensorSavedContext"), "a row for every kind of saved context");
}

/// The checker must catch a wrong rule. These are the classic ones.
#[test]
fn planted_wrong_gradients_are_caught() {
    let x = tensor(&[2, 3], 0);
    let square_sum = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    let mean_of_rows =
        |x: &[f64]| x[..3].iter().sum::<f64>() / 3.0 * 2.0 + x[3..].iter().sum::<f64>();
    let passes = |gradient: Vec<f64>, objective: &dyn Fn(&[f64]) -> f64| {
        let gradient = Tensor::from_vec([2, 3], gradient).unwrap();
        CentralDifferences::default().check(&x, &gradient, objective).unwrap().passed()
    };
    let twice: Vec<f64> = x.as_slice().iter().map(|x| 2.0 * x).collect();
    assert!(passes(twice.clone(), &square_sum));
    assert!(!passes(x.as_slice().to_vec(), &square_sum), "one of two uses lost");
    assert!(!passes(twice.iter().map(|g| -g).collect(), &square_sum), "a sign");
    assert!(!passes(twice.iter().map(|g| g * 1.00001).collect(), &square_sum), "a small factor");
    assert!(passes(vec![2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 1.0, 1.0, 1.0], &mean_of_rows));
    assert!(!passes(vec![2.0, 2.0, 2.0, 1.0, 1.0, 1.0], &mean_of_rows), "a divisor forgotten");
    assert!(!passes(vec![f64::NAN; 6], &square_sum), "NaN agrees with nothing");
}
