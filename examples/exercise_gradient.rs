//! Exercise: the gradients of the worked graph of chapter 15, with other numbers, by hand.
//!
//! ```text
//! x    [2,3] = 1 0 2 / 0 1 0      bias [3] = 0 1 0
//! y = mean over axis 1 of (transpose(reshape(x, [3,2])) + bias)², seed 3 and 6
//! ```
//!
//! Put your numbers into `answer` and run `cargo run --example exercise_gradient`.

use pullback::{GraphRetention, Tensor, TensorAutodiffError, TensorValue};

/// The gradient of `x`, row by row, and the gradient of `bias`.
pub type Answer = ([f64; 6], [f64; 3]);

/// What stands here before you start.
pub const UNTOUCHED: Answer = ([f64::NAN; 6], [f64::NAN; 3]);

/// Your answer.
pub fn answer() -> Answer {
    UNTOUCHED
}

fn gradients() -> Result<Answer, TensorAutodiffError> {
    let x = Tensor::from_vec([2, 3], vec![1.0, 0.0, 2.0, 0.0, 1.0, 0.0])?;
    let x = TensorValue::parameter(x)?;
    let bias = TensorValue::parameter(Tensor::from_vec([3], vec![0.0, 1.0, 0.0])?)?;
    let z = x.reshape([3, 2])?.transpose(0, 1)?.add(&bias)?;
    let y = z.mul(&z)?.mean_axis(1, false)?;
    let seed = Tensor::from_vec([2], vec![3.0, 6.0])?;
    y.backward_with_seed(&seed.view(), GraphRetention::Release)?;
    let (mut of_x, mut of_bias) = ([0.0; 6], [0.0; 3]);
    for (place, parameter) in [(&mut of_x[..], &x), (&mut of_bias[..], &bias)] {
        if let Some(gradient) = parameter.gradient() {
            place.copy_from_slice(gradient.as_slice());
        }
    }
    Ok((of_x, of_bias))
}

/// Says where an answer is wrong first, and what to look at.
pub fn check((of_x, of_bias): Answer) -> Result<(), String> {
    let (right_x, right_bias) = gradients().map_err(|error| error.to_string())?;
    if of_x.iter().chain(&of_bias).any(|number| number.is_nan()) {
        return Err(
            "fill in all nine numbers of `answer`; start at the mean: the adjoint of q is 1 \
                    everywhere in row 0 and 2 everywhere in row 1"
                .to_owned(),
        );
    }
    if let Some(at) = (0..3).find(|&at| of_bias[at] != right_bias[at]) {
        return Err(format!(
            "bias[{at}] is not {}: it was added in both rows of column {at} of z, so add what both \
             rows of z's adjoint hold there",
            of_bias[at]
        ));
    }
    if let Some(at) = (0..6).find(|&at| of_x[at] != right_x[at]) {
        return Err(format!(
            "x at flat position {at} is not {}: it is row {} and column {} of the reshape, so \
             look at row {} and column {} of the adjoint of z",
            of_x[at],
            at / 2,
            at % 2,
            at % 2,
            at / 2
        ));
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    match check(answer()) {
        Ok(()) => {
            println!("Right: all nine slopes.");
            std::process::ExitCode::SUCCESS
        }
        Err(hint) => {
            eprintln!("Not yet: {hint}");
            std::process::ExitCode::FAILURE
        }
    }
}
