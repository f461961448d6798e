use super::{gradient_of, WorkedExampleError};
use crate::gradcheck::{CentralDifferences, GradcheckReport};
use crate::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};

// ANCHOR: vjp-gradcheck-example
/// A gradient check of every operation, one report for each operand.
#[derive(Debug, Clone, PartialEq)]
pub struct VjpGradcheckExample {
    /// `x [2, 3] + row [3]`.
    pub add: Vec<GradcheckReport>,
    /// `x [2, 3] ⊙ column [2, 1]`.
    pub multiply: Vec<GradcheckReport>,
    /// `[2, 3]` to `[3, 2]`.
    pub reshape: Vec<GradcheckReport>,
    /// `[2, 3]`, axes 0 and 1.
    pub transpose: Vec<GradcheckReport>,
    /// `[3]` to `[2, 3]`.
    pub broadcast: Vec<GradcheckReport>,
    /// `[2, 3]`, axis 1.
    pub sum: Vec<GradcheckReport>,
    /// `[2, 3]`, axis 1.
    pub mean: Vec<GradcheckReport>,
    /// Whether every coordinate of every report agrees.
    pub passed: bool,
}

impl VjpGradcheckExample {
    fn of(reports: [Vec<GradcheckReport>; 7]) -> Self {
        let passed = reports.iter().flatten().all(GradcheckReport::passed);
        let [add, multiply, reshape, transpose, broadcast, sum, mean] = reports;
        Self { add, multiply, reshape, transpose, broadcast, sum, mean, passed }
    }
}

/// Checks the seven operations against objectives written as plain loops, which share no line with
/// the tape.
///
/// # Errors
///
/// [`WorkedExampleError`] if the tape refuses a step or an objective is not finite.
pub fn vjp_gradcheck_example() -> Result<VjpGradcheckExample, WorkedExampleError> {
    let x = Tensor::from_vec([2, 3], vec![0.5, -1.5, 2.0, 3.0, -0.25, 1.25])?;
    let row = Tensor::from_vec([3], vec![1.5, -2.0, 0.75])?;
    let column = Tensor::from_vec([2, 1], vec![-0.5, 2.5])?;
    let wide = Tensor::from_vec([2, 3], vec![1.0, -2.0, 0.5, 3.0, -1.5, 2.0])?;
    let tall = Tensor::from_vec([3, 2], vec![0.5, 1.0, -1.0, 2.0, 3.0, -0.25])?;
    let turned = Tensor::from_vec([3, 2], vec![1.0, -2.0, 3.0, -4.0, 5.0, -6.0])?;
    let pair = Tensor::from_vec([2], vec![2.0, -3.0])?;

    let add = check([&x, &row], &wide, |[x, row]| x.add(row), |[x, row], i| x[i] + row[i % 3])?;
    let multiply =
        check([&x, &column], &wide, |[x, c]| x.mul(c), |[x, column], i| x[i] * column[i / 3])?;
    let reshape = check([&x], &tall, |[x]| x.reshape([3, 2]), |[x], i| x[i])?;
    let transpose = check([&x], &turned, |[x]| x.transpose(0, 1), |[x], i| x[i % 2 * 3 + i / 2])?;
    let broadcast = check([&row], &wide, |[row]| row.broadcast_to([2, 3]), |[row], i| row[i % 3])?;
    let total = |x: &[f64], i: usize| x[3 * i] + x[3 * i + 1] + x[3 * i + 2];
    let sum = check([&x], &pair, |[x]| x.sum_axis(1, false), |[x], i| total(x, i))?;
    let mean = check([&x], &pair, |[x]| x.mean_axis(1, false), |[x], i| total(x, i) / 3.0)?;

    let reports = [add, multiply, reshape, transpose, broadcast, sum, mean];
    Ok(VjpGradcheckExample::of(reports))
}
// ANCHOR_END: vjp-gradcheck-example

// ANCHOR: vjp-gradcheck-check
/// Runs `operation` on parameters, sends `seed` back, and compares each operand's gradient with
/// central differences of `Σ seed[i] · element(operands, i)`.
fn check<const N: usize>(
    points: [&Tensor; N],
    seed: &Tensor,
    operation: impl Fn(&[TensorValue; N]) -> Result<TensorValue, TensorAutodiffError>,
    element: impl Fn(&[&[f64]; N], usize) -> f64,
) -> Result<Vec<GradcheckReport>, WorkedExampleError> {
    let mut parameters = Vec::new();
    for point in points {
        parameters.push(TensorValue::parameter(point.clone())?);
    }
    let parameters: [TensorValue; N] =
        parameters.try_into().map_err(|_| WorkedExampleError::Check("operand count"))?;
    operation(&parameters)?.backward_with_seed(&seed.view(), GraphRetention::Release)?;

    let mut reports = Vec::new();
    for (slot, point) in points.into_iter().enumerate() {
        let objective = |moved: &[f64]| {
            let mut operands = points.map(Tensor::as_slice);
            operands[slot] = moved;
            let seeded = seed.as_slice().iter().enumerate();
            seeded.map(|(i, seed)| seed * element(&operands, i)).sum()
        };
        let gradient = gradient_of(&parameters[slot])?;
        reports.push(CentralDifferences::default().check(point, &gradient, objective)?);
    }
    Ok(reports)
}
// ANCHOR_END: vjp-gradcheck-check

#[cfg(test)]
#[path = "../../tests/listings/vjp-gradcheck-example.rs"]
mod check_vjp_gradcheck_example;

#[cfg(test)]
#[path = "../../tests/listings/vjp-gradcheck-check.rs"]
mod check_vjp_gradcheck_check;
