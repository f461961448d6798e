//! Exercise: effective strides for three walks over shape `[2, 3]`.
//!
//! 1. The pullback of a sum over axis 0: six elements read three adjoints.
//! 2. The pullback of a broadcast from `[2, 1]`: six adjoints are added into two places.
//! 3. A transposed read: element `[i, j]` of the walk is element `[j, i]` of a `[3, 2]` tensor.
//!
//! Put your strides into `answer` and run `cargo run --example exercise_strides`.

use pullback::{Tensor, TensorViewError};

/// Two strides, for the first and the second axis, for each of the three walks.
pub type Answer = [[usize; 2]; 3];

/// What stands here before you start.
pub const UNTOUCHED: Answer = [[9, 9]; 3];

/// Your answer.
pub fn answer() -> Answer {
    UNTOUCHED
}

/// The storage of each walk: its shape, and what a walk with the right strides reads from
/// 0, 1, 2 and so on.
const WALKS: [(&[usize], [f64; 6], &str); 3] = [
    (&[3], [0.0, 1.0, 2.0, 0.0, 1.0, 2.0], "the sum went down the columns"),
    (&[2, 1], [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "each row was one element, read three times"),
    (&[3, 2], [0.0, 2.0, 4.0, 1.0, 3.0, 5.0], "rows of the walk are columns of the storage"),
];

fn read(shape: &[usize], strides: [usize; 2]) -> Result<Vec<f64>, TensorViewError> {
    let values = (0..shape.iter().product()).map(|position: usize| position as f64).collect();
    let storage = Tensor::from_vec(shape, values)?;
    let offsets = storage.view().projected_offsets(&[2, 3], &strides, 6)?;
    Ok(offsets.map(|offset| storage.as_slice()[offset]).collect())
}

/// Says which walk goes wrong, and how.
pub fn check(answer: Answer) -> Result<(), String> {
    if answer == UNTOUCHED {
        return Err("fill in six strides; a stride of 0 reads one element again and again".into());
    }
    for ((number, (shape, right, why)), strides) in (1..).zip(WALKS).zip(answer) {
        match read(shape, strides) {
            Err(error) => {
                return Err(format!("walk {number} is refused: {error}; remember that {why}"))
            }
            Ok(found) if found != right => {
                return Err(format!(
                    "walk {number} with strides {strides:?} visits {found:?}; remember that {why}"
                ))
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    match check(answer()) {
        Ok(()) => {
            println!("Right: three walks, no step outside.");
            std::process::ExitCode::SUCCESS
        }
        Err(hint) => {
            eprintln!("Not yet: {hint}");
            std::process::ExitCode::FAILURE
        }
    }
}
