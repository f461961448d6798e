use crate::tensor::{Shape, TensorError};

/// What the check found at one coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoordinateCheck {
    /// Flat row-major position.
    pub index: usize,
    /// The gradient under test.
    pub analytic: f64,
    /// The central difference.
    pub numeric: f64,
    /// The step that gave it.
    pub step: f64,
    /// `|analytic - numeric|`.
    pub error: f64,
    /// The error allowed here: the absolute tolerance plus the relative one times the larger of the
    /// two numbers.
    pub allowed: f64,
}

impl CoordinateCheck {
    /// Whether the two numbers agree. A NaN or an infinity agrees with nothing.
    pub fn passed(&self) -> bool {
        self.error.is_finite() && self.error <= self.allowed
    }
}

/// Every coordinate that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct GradcheckReport {
    /// In ascending order of the flat index.
    pub coordinates: Vec<CoordinateCheck>,
}

impl GradcheckReport {
    /// Whether every checked coordinate agrees. A tensor without elements has none to disagree.
    pub fn passed(&self) -> bool {
        self.coordinates.iter().all(CoordinateCheck::passed)
    }

    /// The coordinate with the largest error in units of what is allowed there.
    pub fn worst(&self) -> Option<&CoordinateCheck> {
        let excess = |check: &CoordinateCheck| match check.error / check.allowed {
            _ if !check.error.is_finite() => f64::INFINITY,
            excess if excess.is_nan() => 0.0, // both 0
            excess => excess,
        };
        self.coordinates.iter().max_by(|one, two| excess(one).total_cmp(&excess(two)))
    }
}

/// Why a check could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GradcheckError {
    /// The gradient has another shape than the point it was taken at.
    #[error("gradcheck: the point has shape {point:?}, the gradient {gradient:?}")]
    ShapeMismatch {
        /// Shape of the point.
        point: Shape,
        /// Shape of the gradient.
        gradient: Shape,
    },
    /// A step or tolerance is not a number the check can use.
    #[error("gradcheck: {name} is {value:?}; it must be finite and {bound}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        bound: &'static str,
    },
    /// The objective is not finite next to the point, so its slope is not defined there.
    #[error("gradcheck: the objective is {value:?} with element {index} at {element:?}")]
    NonFiniteObjective {
        /// The flat index that was moved.
        index: usize,
        /// Where it was moved to.
        element: f64,
        /// The objective there.
        value: f64,
    },
    /// The step does not lead to a larger and a smaller number, or not to two with a finite
    /// distance.
    #[error(
        "gradcheck: a step of {step:?} from element {index} at {element:?} leads to no two numbers \
         around it with a finite distance; choose another `relative_step` or `scale`"
    )]
    Step {
        /// The flat index that was to be moved.
        index: usize,
        /// Its value.
        element: f64,
        /// The step.
        step: f64,
    },
    /// There is no memory for a copy of the point.
    #[error("{0}")]
    Tensor(#[from] TensorError),
}
