use super::*;
use std::cell::RefCell;

/// The check sends the seed back through the tape once, moves one operand at a time, and fails for
/// an objective that is not what the tape computed.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = Tensor::from_vec([2], vec![2.0, -3.0]).unwrap();
    let y = Tensor::from_vec([2], vec![5.0, 7.0]).unwrap();
    let seed = Tensor::from_vec([2], vec![1.0, 10.0]).unwrap();
    let output = RefCell::new(None);
    let product = |[x, y]: &[TensorValue; 2]| {
        let product = x.mul(y)?;
        *output.borrow_mut() = Some(product.clone());
        Ok(product)
    };
    let reports = super::check([&x, &y], &seed, product, |[x, y], i| x[i] * y[i]).unwrap();
    let analytic = |report: &GradcheckReport| {
        report.coordinates.iter().map(|it| (it.index, it.analytic)).collect::<Vec<_>>()
    };
    assert!(reports.len() == 2 && reports.iter().all(GradcheckReport::passed));
    assert_eq!(analytic(&reports[0]), [(0, 5.0), (1, 70.0)]);
    assert_eq!(analytic(&reports[1]), [(0, 2.0), (1, -30.0)]);
    assert!(output.borrow().as_ref().is_some_and(TensorValue::is_released));

    // Wrong in the second operand only: the first report passes, the second does not.
    let reports = super::check([&x, &y], &seed, product, |[x, y], i| x[i] * y[i] + y[1]).unwrap();
    assert_eq!([reports[0].passed(), reports[1].passed()], [true, false]);
    assert!(reports[1].coordinates[0].passed() && !reports[1].coordinates[1].passed());
    let reports = super::check([&x, &x], &seed, product, |[x, _], i| -x[i]).unwrap();
    assert_eq!([reports[0].passed(), reports[1].passed()], [false, false]);

    // What the tape or the differences refuse comes through.
    let infinite = Tensor::from_vec([2], vec![0.0, f64::INFINITY]).unwrap();
    let error = super::check([&infinite, &y], &seed, product, |_, _| 0.0).unwrap_err();
    assert!(matches!(error, WorkedExampleError::Tape(TensorAutodiffError::NonFiniteLeaf { .. })));
    let short = Tensor::scalar(1.0);
    let error = super::check([&x, &y], &short, product, |_, _| 0.0).unwrap_err();
    assert!(matches!(error, WorkedExampleError::Tape(_)));
    let error = super::check([&x, &y], &seed, product, |_, _| f64::NAN).unwrap_err();
    assert!(matches!(error, WorkedExampleError::Gradcheck(_)));
}
