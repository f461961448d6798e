use super::{CoordinateCheck, GradcheckError, GradcheckReport};
use crate::tensor::Tensor;

/// The flat coordinates that a check of `len` elements samples: 0, 1, `len / 2` and `len - 1`,
/// without repeats, ascending.
///
/// ```
/// use pullback::gradcheck::sampled_coordinates;
///
/// assert_eq!(sampled_coordinates(6), [0, 1, 3, 5]);
/// assert_eq!(sampled_coordinates(3), [0, 1, 2]);
/// assert_eq!(sampled_coordinates(1), [0]);
/// assert!(sampled_coordinates(0).is_empty());
/// ```
pub fn sampled_coordinates(len: usize) -> Vec<usize> {
    let mut coordinates: Vec<usize> =
        [0, 1, len / 2, len.saturating_sub(1)].into_iter().filter(|&index| index < len).collect();
    coordinates.sort_unstable();
    coordinates.dedup();
    coordinates
}

/// A check of a gradient by central differences: step and tolerances.
///
/// # Formula
///
/// `numeric[i] = (f(x + h eᵢ) - f(x - h eᵢ)) / (2 h)` with `h = relative_step · max(|xᵢ|, scale)`.
/// The check passes where
/// `|analytic - numeric| <= absolute + relative · max(|analytic|, |numeric|)`.
///
/// # Numerics
///
/// The truncation error grows with h², the rounding error with 1/h; the default step, the cube root
/// of the machine epsilon, balances them for an objective near 1. The divisor is the difference of
/// the two coordinates as they were stored, not `2 h`.
///
/// # Examples
///
/// ```
/// use pullback::gradcheck::CentralDifferences;
/// use pullback::Tensor;
///
/// let x = Tensor::from_vec([2], vec![3.0, -2.0])?;
/// let squares = |x: &[f64]| x[0] * x[0] + x[1] * x[1];
/// let gradient = Tensor::from_vec([2], vec![6.0, -4.0])?;
/// let report = CentralDifferences::default().check(&x, &gradient, squares)?;
/// assert!(report.passed());
///
/// // A sign too many is caught, and the report says where.
/// let wrong = Tensor::from_vec([2], vec![6.0, 4.0])?;
/// let report = CentralDifferences::default().check(&x, &wrong, squares)?;
/// assert!(!report.passed());
/// assert_eq!(report.worst().map(|worst| worst.index), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CentralDifferences {
    /// The step in units of the coordinate's size; by default the cube root of the machine epsilon.
    pub relative_step: f64,
    /// The size that a smaller coordinate is taken to have; by default 1.
    pub scale: f64,
    /// Allowed error in units of the larger of the two derivatives; by default 1e-7.
    pub relative_tolerance: f64,
    /// Allowed error on top; by default 1e-9.
    pub absolute_tolerance: f64,
}

impl Default for CentralDifferences {
    fn default() -> Self {
        Self {
            relative_step: f64::EPSILON.cbrt(),
            scale: 1.0,
            relative_tolerance: 1e-7,
            absolute_tolerance: 1e-9,
        }
    }
}

impl CentralDifferences {
    /// Compares `gradient` with central differences of `objective` at `point`, at the
    /// [`sampled_coordinates`]. The objective gets an independent copy in row-major order.
    ///
    /// # Errors
    ///
    /// In this order: [`GradcheckError::Setting`], [`GradcheckError::ShapeMismatch`], at the first
    /// coordinate where it happens [`GradcheckError::Step`] or
    /// [`GradcheckError::NonFiniteObjective`]. [`GradcheckError::Tensor`] if there is no memory for
    /// a copy of the point.
    pub fn check(
        &self,
        point: &Tensor,
        gradient: &Tensor,
        mut objective: impl FnMut(&[f64]) -> f64,
    ) -> Result<GradcheckReport, GradcheckError> {
        self.refuse_unusable_settings()?;
        if point.shape() != gradient.shape() {
            let (point, gradient) = (point.shape().into(), gradient.shape().into());
            return Err(GradcheckError::ShapeMismatch { point, gradient });
        }
        let mut copy = point.clone();
        let moved = copy.as_mut_slice()?;
        let mut coordinates = Vec::new();
        for index in sampled_coordinates(moved.len()) {
            let (element, analytic) = (moved[index], gradient.as_slice()[index]);
            let step = self.relative_step * element.abs().max(self.scale);
            let (above, below) = (element + step, element - step);
            if !(above > element && element > below && (above - below).is_finite()) {
                return Err(GradcheckError::Step { index, element, step });
            }
            let mut at = |element: f64| {
                moved[index] = element;
                match objective(moved) {
                    value if value.is_finite() => Ok(value),
                    value => Err(GradcheckError::NonFiniteObjective { index, element, value }),
                }
            };
            let numeric = (at(above)? - at(below)?) / (above - below);
            moved[index] = element;
            let error = (analytic - numeric).abs();
            let allowed = self.absolute_tolerance
                + self.relative_tolerance * analytic.abs().max(numeric.abs());
            coordinates.push(CoordinateCheck { index, analytic, numeric, step, error, allowed });
        }
        Ok(GradcheckReport { coordinates })
    }

    fn refuse_unusable_settings(&self) -> Result<(), GradcheckError> {
        for (name, value, usable, bound) in [
            ("relative_step", self.relative_step, self.relative_step > 0.0, "above 0"),
            ("scale", self.scale, self.scale > 0.0, "above 0"),
            (
                "relative_tolerance",
                self.relative_tolerance,
                self.relative_tolerance >= 0.0,
                "at least 0",
            ),
            (
                "absolute_tolerance",
                self.absolute_tolerance,
                self.absolute_tolerance >= 0.0,
                "at least 0",
            ),
        ] {
            if !(usable && value.is_finite()) {
                return Err(GradcheckError::Setting { name, value, bound });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_scale_with_the_coordinate() {
        let square = |x: &[f64]| x[0] * x[0];
        for (at, scale) in [(1e8, 1.0), (1.0, 1.0), (1e-8, 1e-8)] {
            let check = CentralDifferences { scale, absolute_tolerance: 0.0, ..Default::default() };
            let (point, right) = (Tensor::scalar(at), Tensor::scalar(2.0 * at));
            assert!(check.check(&point, &right, square).unwrap().passed(), "{at}");
            let wrong = Tensor::scalar(2.001 * at);
            assert!(!check.check(&point, &wrong, square).unwrap().passed(), "{at}");
        }
    }

    #[test]
    fn the_point_is_never_written_and_errors_come_in_order() {
        let point = Tensor::from_vec([3], vec![1.0, 2.0, 3.0]).unwrap();
        let seen = point.clone();
        let sum = |x: &[f64]| x.iter().sum::<f64>();
        let report =
            CentralDifferences::default().check(&point, &Tensor::filled([3], 1.0).unwrap(), sum);
        assert!(report.unwrap().passed());
        assert_eq!(point, seen);

        let narrow = CentralDifferences { relative_step: 0.0, ..Default::default() };
        let other = Tensor::zeros([2]).unwrap();
        let error = narrow.check(&point, &other, sum).unwrap_err();
        assert!(matches!(error, GradcheckError::Setting { name: "relative_step", .. }));
        let error = CentralDifferences::default().check(&point, &other, sum).unwrap_err();
        assert!(matches!(error, GradcheckError::ShapeMismatch { .. }));
        let error = CentralDifferences::default().check(&point, &point, |_| f64::NAN).unwrap_err();
        assert!(matches!(error, GradcheckError::NonFiniteObjective { index: 0, .. }));
        for wrong in [f64::NAN, f64::INFINITY] {
            let wrong = Tensor::from_vec([3], vec![1.0, wrong, 1.0]).unwrap();
            let report = CentralDifferences::default().check(&point, &wrong, sum).unwrap();
            assert!(!report.passed());
            assert_eq!(report.worst().map(|worst| worst.index), Some(1));
        }
        // An objective that jumps has an infinite slope, or one beyond every number.
        let jump = |x: &[f64]| if x[0] > 0.0 { 1.5e308 } else { -1.5e308 };
        let zero = Tensor::scalar(0.0);
        let report = CentralDifferences::default().check(&zero, &Tensor::scalar(5.0), jump);
        assert!(!report.unwrap().passed());
        // Nowhere, down only, up only, to infinity, to two numbers with an infinite distance.
        for (relative_step, element) in
            [(1e-20, 1.0), (1e-16, 1.0), (1e-16, -1.0), (1e20, 1e300), (1.0, 1e308)]
        {
            let check = CentralDifferences { relative_step, ..Default::default() };
            let error = check.check(&Tensor::scalar(element), &zero, |_| 0.0).unwrap_err();
            assert!(matches!(error, GradcheckError::Step { index: 0, .. }), "{element}");
        }
    }
}
