use super::*;
use GraphRetention::{Release, Retain};

fn square() -> (TensorValue, TensorValue) {
    let x = TensorValue::parameter(Tensor::scalar(3.0)).unwrap();
    let y = x.mul(&x).unwrap();
    (x, y)
}

fn gradient(x: &TensorValue) -> f64 {
    x.gradient().unwrap().as_slice()[0]
}

/// The four entry points hand seed, retention and observer on: without a seed it is 1 and the graph
/// stays, with one it is as asked; a trace is a record of the very same pass.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let ten = Tensor::scalar(10.0);

    let (x, y) = square();
    y.backward().unwrap();
    assert_eq!((gradient(&x), y.is_released()), (6.0, false));
    let pass = y.backward_with_trace().unwrap();
    assert_eq!((gradient(&x), y.is_released()), (12.0, false));
    assert_eq!((pass.seed, pass.retention), (Tensor::scalar(1.0), Retain));
    assert_eq!((pass.nodes.len(), pass.edges.len()), (2, 2));
    y.backward_with_seed(&ten.view(), Retain).unwrap();
    assert_eq!((gradient(&x), y.is_released()), (72.0, false));
    let pass = y.backward_with_seed_and_trace(&ten.view(), Retain).unwrap();
    assert_eq!((gradient(&x), y.is_released()), (132.0, false));
    assert_eq!((&pass.seed, pass.retention), (&ten, Retain));
    assert_eq!(pass.nodes[0].accumulated_gradient, Some(Tensor::scalar(132.0)));

    y.backward_with_seed(&ten.view(), Release).unwrap();
    assert_eq!((gradient(&x), y.is_released()), (192.0, true));
    let (x, y) = square();
    let pass = y.backward_with_seed_and_trace(&ten.view(), Release).unwrap();
    assert_eq!((gradient(&x), y.is_released()), (60.0, true));
    assert_eq!((pass.retention, pass.edges.len()), (Release, 2));

    // Each of them reports what the pass reports, and changes nothing then.
    let operation = y.operation();
    let gone = TensorAutodiffError::GraphReleased { operation };
    assert_eq!(y.backward(), Err(gone.clone()));
    assert_eq!(y.backward_with_trace(), Err(gone.clone()));
    assert_eq!(y.backward_with_seed(&ten.view(), Retain), Err(gone.clone()));
    assert_eq!(y.backward_with_seed_and_trace(&ten.view(), Retain), Err(gone));
    assert_eq!(gradient(&x), 60.0);
    let one = x.reshape([1]).unwrap();
    let (expected, actual) = (Shape::from([1]), Shape::from([]));
    let no_seed = TensorAutodiffError::SeedShapeMismatch { expected, actual };
    assert_eq!(one.backward(), Err(no_seed.clone()));
    assert_eq!(one.backward_with_trace(), Err(no_seed));

    let kinds: std::collections::HashSet<_> = [Retain, Release, Retain].into();
    assert_eq!(kinds.len(), 2);
    assert_eq!(format!("{Retain:?} {Release:?}"), "Retain Release");
}
