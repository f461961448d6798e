//! The exercises: untouched they fail and say what to do, solved they pass, and a wrong answer is
//! told where it is wrong. What a reader has filled in is not looked at here.

#[path = "../examples/exercise_gradient.rs"]
#[allow(dead_code)]
mod gradient;

#[path = "../examples/exercise_pullback.rs"]
#[allow(dead_code)]
mod pullback_of_a_cube;

#[path = "../examples/exercise_strides.rs"]
#[allow(dead_code)]
mod strides;

const GRADIENT: gradient::Answer = ([2.0, 0.0, 6.0, 4.0, 2.0, 0.0], [2.0, 10.0, 2.0]);

#[test]
fn the_gradient_by_hand() {
    let hint = gradient::check(gradient::UNTOUCHED).unwrap_err();
    assert!(hint.starts_with("fill in all nine numbers"), "{hint}");
    assert_eq!(gradient::check(GRADIENT), Ok(()));
    let mut wrong = GRADIENT;
    wrong.0[3] += 1.0;
    let hint = gradient::check(wrong).unwrap_err();
    assert!(hint.starts_with("x at flat position 3 is not 5: it is row 1 and column 1"), "{hint}");
    wrong.1[1] = 4.0;
    let hint = gradient::check(wrong).unwrap_err();
    assert!(hint.starts_with("bias[1] is not 4: it was added in both rows of column 1"), "{hint}");
}

#[test]
fn the_strides_of_three_walks() {
    let hint = strides::check(strides::UNTOUCHED).unwrap_err();
    assert!(hint.starts_with("fill in six strides"), "{hint}");
    assert_eq!(strides::check([[0, 1], [1, 0], [1, 2]]), Ok(()));
    let hint = strides::check([[0, 1], [0, 1], [1, 2]]).unwrap_err();
    assert!(hint.starts_with("walk 2 is refused: "), "{hint}");
    let hint = strides::check([[0, 1], [1, 0], [2, 1]]).unwrap_err();
    assert!(hint.ends_with("remember that rows of the walk are columns of the storage"), "{hint}");
}

#[test]
fn the_pullback_of_a_cube() {
    let hint = pullback_of_a_cube::check(pullback_of_a_cube::untouched).unwrap_err();
    assert_eq!(
        hint,
        "fill in `answer`: a contribution has exactly the parent's shape, 4 numbers, not 0"
    );
    assert_eq!(pullback_of_a_cube::check(|x, adjoint| cube_of(3.0, x, adjoint)), Ok(()));
    let hint = pullback_of_a_cube::check(|x, adjoint| cube_of(1.0, x, adjoint)).unwrap_err();
    assert!(hint.ends_with("sends back the adjoint times the other two"), "{hint}");
}

fn cube_of(factor: f64, x: &[f64], adjoint: &[f64]) -> Vec<f64> {
    x.iter().zip(adjoint).map(|(x, adjoint)| factor * x * x * adjoint).collect()
}
