//! Exercise: a pullback of your own, for `z[i] = x[i] · x[i] · x[i]`, element by element.
//!
//! It gets `x` and the adjoint of `z`, and returns what flows back to `x`. Central differences and
//! the tape both check it. Fill in `answer` and run `cargo run --example exercise_pullback`.

use pullback::gradcheck::CentralDifferences;
use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};

/// From `x` and the adjoint of `z` to the contribution to `x`.
pub type Answer = fn(&[f64], &[f64]) -> Vec<f64>;

/// What stands here before you start.
pub fn untouched(_x: &[f64], _adjoint: &[f64]) -> Vec<f64> {
    Vec::new()
}

/// Your answer.
pub fn answer(x: &[f64], adjoint: &[f64]) -> Vec<f64> {
    untouched(x, adjoint)
}

const X: [f64; 4] = [1.0, -2.0, 0.5, 3.0];
const ADJOINT: [f64; 4] = [1.0, 0.5, -2.0, 4.0];

fn on_the_tape() -> Result<Vec<f64>, TensorAutodiffError> {
    let x = TensorValue::parameter(Tensor::from_vec([4], X.to_vec())?)?;
    let z = x.mul(&x)?.mul(&x)?;
    let seed = Tensor::from_vec([4], ADJOINT.to_vec())?;
    z.backward_with_seed(&seed.view(), GraphRetention::Release)?;
    let gradient = x.gradient_snapshot();
    Ok(gradient.map(|gradient| gradient.as_slice().to_vec()).unwrap_or_default())
}

/// Compares an answer with slopes that know nothing of it.
pub fn check(answer: Answer) -> Result<(), String> {
    let found = answer(&X, &ADJOINT);
    if found.len() != X.len() {
        return Err(format!(
            "fill in `answer`: a contribution has exactly the parent's shape, {} numbers, not {}",
            X.len(),
            found.len()
        ));
    }
    let tensor = |values: &[f64]| Tensor::from_vec([4], values.to_vec());
    let (x, gradient) = match (tensor(&X), tensor(&found)) {
        (Ok(x), Ok(gradient)) => (x, gradient),
        (Err(error), _) | (_, Err(error)) => return Err(error.to_string()),
    };
    let objective =
        |x: &[f64]| x.iter().zip(ADJOINT).map(|(x, weight)| x * x * x * weight).sum::<f64>();
    let report = CentralDifferences::default().check(&x, &gradient, objective);
    let report = report.map_err(|error| error.to_string())?;
    if let (false, Some(worst)) = (report.passed(), report.worst()) {
        return Err(format!(
            "at x = {} with adjoint {} the contribution should be about {:.4}, not {}: each of the \
             three factors is a use of x, and each use sends back the adjoint times the other two",
            X[worst.index], ADJOINT[worst.index], worst.numeric, worst.analytic
        ));
    }
    let tape = on_the_tape().map_err(|error| error.to_string())?;
    let close = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-12 * other.abs();
    if !found.iter().zip(&tape).all(close) {
        return Err(format!("close to the slopes, but the tape says {tape:?}"));
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    match check(answer) {
        Ok(()) => {
            println!("Right: the slopes and the tape agree.");
            std::process::ExitCode::SUCCESS
        }
        Err(hint) => {
            eprintln!("Not yet: {hint}");
            std::process::ExitCode::FAILURE
        }
    }
}
