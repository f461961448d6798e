use super::*;

fn assert_analytic(reports: &[GradcheckReport], expected: &[&[(usize, f64)]]) {
    assert_eq!(reports.len(), expected.len());
    for (report, expected) in reports.iter().zip(expected) {
        assert!(report.passed());
        let found: Vec<_> = report.coordinates.iter().map(|it| (it.index, it.analytic)).collect();
        assert_eq!(found, *expected);
        assert!(report.coordinates.iter().all(|it| (it.numeric - it.analytic).abs() < 1e-8));
    }
}

fn reports(example: VjpGradcheckExample) -> [Vec<GradcheckReport>; 7] {
    let VjpGradcheckExample { add, multiply, reshape, transpose, broadcast, sum, mean, .. } =
        example;
    [add, multiply, reshape, transpose, broadcast, sum, mean]
}

/// Every operation is checked, one report for each operand, with the seeds and coordinates that
/// the text names. One report that fails, of whichever operand, and the example has not passed.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let VjpGradcheckExample { add, multiply, reshape, transpose, broadcast, sum, mean, passed } =
        vjp_gradcheck_example().unwrap();
    assert!(passed);
    let row = [(0, 4.0), (1, -3.5), (2, 2.5)];
    assert_analytic(&add, &[&[(0, 1.0), (1, -2.0), (3, 3.0), (5, 2.0)], &row]);
    let x = [(0, -0.5), (1, 1.0), (3, 7.5), (5, 5.0)];
    assert_analytic(&multiply, &[&x, &[(0, 4.5), (1, 11.875)]]);
    assert_analytic(&reshape, &[&[(0, 0.5), (1, 1.0), (3, 2.0), (5, -0.25)]]);
    assert_analytic(&transpose, &[&[(0, 1.0), (1, 3.0), (3, -2.0), (5, -6.0)]]);
    assert_analytic(&broadcast, &[&row]);
    assert_analytic(&sum, &[&[(0, 2.0), (1, 2.0), (3, -3.0), (5, -3.0)]]);
    assert_analytic(&mean, &[&[(0, 2.0 / 3.0), (1, 2.0 / 3.0), (3, -1.0), (5, -1.0)]]);

    let sound = reports(vjp_gradcheck_example().unwrap());
    assert_eq!(VjpGradcheckExample::of(sound.clone()), vjp_gradcheck_example().unwrap());
    for operation in 0..sound.len() {
        for operand in 0..sound[operation].len() {
            let mut planted = sound.clone();
            planted[operation][operand].coordinates[1].error = 1.0;
            let example = VjpGradcheckExample::of(planted.clone());
            assert!(!example.passed, "report {operand} of operation {operation}");
            assert_eq!(reports(example), planted);
        }
    }
}
