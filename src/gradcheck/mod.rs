//! Sampled central differences: a numerical check of a gradient that knows nothing of the tape.
//!
//! At a coordinate `x`, the slope of a smooth objective is close to the central difference
//! `(f(x + h) - f(x - h)) / (2 h)`. The check compares that number with the gradient to be tested,
//! at up to four coordinates of a tensor.

mod differences;
mod report;

pub use differences::{sampled_coordinates, CentralDifferences};
pub use report::{CoordinateCheck, GradcheckError, GradcheckReport};
