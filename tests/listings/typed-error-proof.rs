use super::*;

/// Each half of the proof can fail: a refused pass that wrote a gradient shows, and so does a graph
/// that is not what it was.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0]).unwrap()).unwrap();
    let seed = Tensor::from_vec([2], vec![1.0, 0.5]).unwrap();
    let bad = Tensor::scalar(1.0);
    let y = p.mul(&p).unwrap();
    let proved = |proof: &AtomicTensorError| (proof.gradients_unchanged, proof.graph_unchanged);

    let proof = refused(&p, || releasing(&y, &bad), || runs(&y, &seed)).unwrap();
    assert_eq!(proved(&proof), (true, true));
    assert!(matches!(proof.error, TensorAutodiffError::SeedShapeMismatch { .. }));
    assert!(!y.is_released(), "the valid pass keeps the graph for the next proof");
    let once = [4.0_f64.to_bits(), 3.0_f64.to_bits()];
    assert_eq!(bits(&p).unwrap(), once, "the valid pass comes after the comparison");

    // The pass after it is refused too: that graph is not what it was.
    let proof = refused(&p, || releasing(&y, &bad), || runs(&y, &bad)).unwrap();
    assert_eq!((proved(&proof), bits(&p).unwrap()), ((true, false), once.to_vec()));

    // A pass that commits and then refuses, here by hand: what it wrote is seen.
    let refusal = || Err(TensorAutodiffError::GradientBorrowed);
    let written = || releasing(&p, &seed).and_then(|()| refusal());
    let proof = refused(&p, written, || true).unwrap();
    assert_eq!(proof.error, TensorAutodiffError::GradientBorrowed);
    assert_eq!(proved(&proof), (false, true));

    // The pass that must be refused is accepted, and takes the graph along.
    let accepted = refused(&p, || releasing(&y, &seed), || unreachable!("no refusal to prove"));
    assert_eq!(accepted, Err(WorkedExampleError::NotRefused));
    assert!(y.is_released() && !runs(&y, &seed));

    p.zero_grad().unwrap();
    assert_eq!(bits(&p).unwrap(), [0, 0]);
    assert!(matches!(bits(&y), Err(WorkedExampleError::Tape(_))));
}
