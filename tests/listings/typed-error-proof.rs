use super::*;

/// The proof of an unchanged graph can fail: it tells an accepted pass, a released graph and a
/// graph that runs no further pass from one that is whole.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0]).unwrap()).unwrap();
    let seed = Tensor::from_vec([2], vec![1.0, 0.5]).unwrap();
    let bad = Tensor::scalar(1.0);
    let y = p.mul(&p).unwrap();

    let proof = refused(&p, &y, &bad, &seed).unwrap();
    assert!(proof.gradients_unchanged && proof.graph_unchanged);
    assert!(matches!(proof.error, TensorAutodiffError::SeedShapeMismatch { .. }));
    assert!(!y.is_released(), "the valid pass keeps the graph for the next proof");
    assert_eq!(bits(&p).unwrap(), [4.0_f64.to_bits(), 3.0_f64.to_bits()]);

    // The pass after it is refused too: that graph is not what it was.
    let proof = refused(&p, &y, &bad, &bad).unwrap();
    assert!(proof.gradients_unchanged && !proof.graph_unchanged);
    assert_eq!(bits(&p).unwrap(), [4.0_f64.to_bits(), 3.0_f64.to_bits()]);

    // The pass that must be refused is accepted, and then takes the graph along.
    assert_eq!(refused(&p, &y, &seed, &seed), Err(WorkedExampleError::NotRefused));
    assert!(y.is_released());
    let proof = refused(&p, &y, &bad, &seed).unwrap();
    assert!(proof.gradients_unchanged && !proof.graph_unchanged);
    assert!(matches!(proof.error, TensorAutodiffError::GraphReleased { .. }));

    p.zero_grad().unwrap();
    assert_eq!(bits(&p).unwrap(), [0, 0]);
    assert!(matches!(bits(&y), Err(WorkedExampleError::Tape(_))));
}
