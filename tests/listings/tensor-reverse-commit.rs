use super::*;
use crate::TensorValue;
use TensorAutodiffError as E;

fn pair(values: [f64; 2]) -> Tensor {
    Tensor::from_vec([2], values.to_vec()).unwrap()
}

fn adjoints<const N: usize>(values: [Option<[f64; 2]>; N]) -> Adjoints {
    values.into_iter().map(|values| values.map(pair)).collect()
}

/// New gradients are computed beside the stored ones, each sum checked; every stored gradient is
/// acquired before the first is written.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let parameter = || TensorValue::parameter(pair([1.0, 1.0])).unwrap();
    let (a, b) = (parameter(), parameter());
    let y = a.reshape([2]).unwrap().add(&b).unwrap();
    let topology = Topology::of(&y.node).unwrap(); // a, its reshape, b, y
    let gradients = || [&a, &b].map(|it| it.gradient().unwrap().as_slice().to_vec());
    let staged = |adjoints| {
        topology.stage(adjoints).map(|staged| {
            staged.iter().map(|one| (one.node, one.values.clone())).collect::<Vec<_>>()
        })
    };

    // Into zeros an adjoint moves, without a copy; what no parameter owns is dropped.
    a.zero_grad().unwrap();
    let first = pair([3.0, -0.5]);
    let place = first.as_slice().as_ptr();
    let moved =
        topology.stage([Some(first), Some(pair([9.0, 9.0])), None, None].into_iter().collect());
    let moved = moved.unwrap();
    assert_eq!((moved.len(), moved[0].node, moved[0].values.as_slice().as_ptr()), (1, 0, place));
    assert_eq!(gradients(), [[0.0, 0.0], [0.0, 0.0]], "staging writes nothing");
    topology.commit(moved).unwrap();
    assert_eq!(gradients(), [[3.0, -0.5], [0.0, 0.0]]);

    // Later adjoints are added, in topology order.
    let sums = staged(adjoints([Some([1.0, 0.5]), None, Some([-2.0, 4.0]), None])).unwrap();
    assert_eq!(sums, [(0, pair([4.0, 0.0])), (2, pair([-2.0, 4.0]))]);
    assert_eq!(gradients(), [[3.0, -0.5], [0.0, 0.0]]);
    let sums = adjoints([Some([1.0, 0.5]), None, Some([-2.0, 4.0]), None]);
    topology.commit(topology.stage(sums).unwrap()).unwrap();
    assert_eq!(gradients(), [[4.0, 0.0], [-2.0, 4.0]]);
    assert_eq!(a.gradient().unwrap().as_slice()[1].to_bits(), 0, "-0.5 + 0.5 is +0.0");

    // A guard on the second gradient is found before the first is written.
    let both = adjoints([Some([1.0, 1.0]), None, Some([1.0, 1.0]), None]);
    let guard = b.gradient();
    let both = topology.stage(both).unwrap();
    assert_eq!(topology.commit(both), Err(E::GradientBorrowed));
    drop(guard);
    assert_eq!(gradients(), [[4.0, 0.0], [-2.0, 4.0]]);

    let large = adjoints([None, None, Some([f64::MAX, f64::MAX / 2.0]), None]);
    b.zero_grad().unwrap();
    topology.commit(topology.stage(large).unwrap()).unwrap();
    let overflow = E::NonFiniteAccumulatedGradient {
        node: 2,
        index: 1,
        stored: f64::MAX / 2.0,
        pass_adjoint: f64::MAX,
    };
    let more = adjoints([Some([1.0, 1.0]), None, Some([0.0, f64::MAX]), None]);
    assert_eq!(staged(more), Err(overflow));
    assert_eq!(gradients(), [[4.0, 0.0], [f64::MAX, f64::MAX / 2.0]]);
}
