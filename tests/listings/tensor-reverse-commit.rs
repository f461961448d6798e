use super::*;
use crate::TensorValue;
use TensorAutodiffError as E;

fn pair(values: [f64; 2]) -> Tensor {
    Tensor::from_vec([2], values.to_vec()).unwrap()
}

/// A topology whose sweep left these adjoints.
fn swept<const N: usize>(output: &TensorValue, adjoints: [Option<[f64; 2]>; N]) -> Box<Topology> {
    let mut topology = Topology::of(&output.node).unwrap();
    let reached = adjoints.into_iter().enumerate().rev();
    let reached = reached.filter_map(|(node, values)| Some((node, pair(values?))));
    topology.gradients = reached.collect();
    topology
}

/// The adjoint of the first parameter.
fn first_of(topology: &Topology) -> &Tensor {
    &topology.gradients.last().unwrap().1
}

/// What is to be stored is computed beside what is stored, each sum checked; every stored gradient
/// is acquired before the first is written.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let parameter = || TensorValue::parameter(pair([1.0, 1.0])).unwrap();
    let (a, b) = (parameter(), parameter());
    let y = a.reshape([2]).unwrap().add(&b).unwrap(); // a, its reshape, b, y
    let gradients = || [&a, &b].map(|it| it.gradient().unwrap().as_slice().to_vec());

    // Into zeros an adjoint moves, without a copy; what no parameter owns is not stored.
    a.zero_grad().unwrap();
    let mut first = swept(&y, [Some([3.0, -0.5]), Some([9.0, 9.0]), None, None]);
    let place = first_of(&first).as_slice().as_ptr();
    first.stage().unwrap();
    assert_eq!(gradients(), [[0.0, 0.0], [0.0, 0.0]], "staging writes nothing");
    a.zero_grad().unwrap();
    first.commit().unwrap();
    assert_eq!(gradients(), [[3.0, -0.5], [0.0, 0.0]]);
    assert_eq!(a.gradient().unwrap().as_slice().as_ptr(), place);
    assert!(first.gradients.is_empty());

    // Later adjoints are added, whether or not a trace keeps a share of them.
    let mut later = swept(&y, [Some([1.0, 0.5]), None, Some([-2.0, 4.0]), None]);
    let kept = first_of(&later).clone();
    later.stage().unwrap();
    assert_eq!(later.gradients, [(2, pair([-2.0, 4.0])), (0, pair([4.0, 0.0]))]);
    assert_eq!(gradients(), [[3.0, -0.5], [0.0, 0.0]]);
    later.commit().unwrap();
    assert_eq!(gradients(), [[4.0, 0.0], [-2.0, 4.0]]);
    assert_eq!(a.gradient().unwrap().as_slice()[1].to_bits(), 0, "-0.5 + 0.5 is +0.0");
    assert_eq!(kept, pair([1.0, 0.5]));

    // A guard on the second gradient is found before the first is written.
    let mut both = swept(&y, [Some([1.0, 1.0]), None, Some([1.0, 1.0]), None]);
    let guard = b.gradient();
    both.stage().unwrap();
    assert_eq!(both.commit(), Err(E::GradientBorrowed));
    drop(guard);
    assert_eq!(gradients(), [[4.0, 0.0], [-2.0, 4.0]]);
    // A guard on a parameter that the pass did not reach is no obstacle.
    let mut one = swept(&y, [Some([0.0, 0.0]), None, None, None]);
    let guard = b.gradient();
    one.stage().unwrap();
    assert_eq!(one.commit(), Ok(()));
    drop(guard);

    b.zero_grad().unwrap();
    let mut large = swept(&y, [None, None, Some([f64::MAX, f64::MAX / 2.0]), None]);
    large.stage().unwrap();
    large.commit().unwrap();
    let overflow = E::NonFiniteAccumulatedGradient {
        node: 2,
        index: 1,
        stored: f64::MAX / 2.0,
        pass_adjoint: f64::MAX,
    };
    for share in [false, true] {
        let mut more = swept(&y, [Some([1.0, 1.0]), None, Some([0.0, f64::MAX]), None]);
        let kept = share.then(|| more.gradients.clone());
        assert_eq!(more.stage(), Err(overflow.clone()));
        drop(kept);
    }
    assert_eq!(gradients(), [[4.0, 0.0], [f64::MAX, f64::MAX / 2.0]]);
    // Of two sums that overflow the one of the earlier node is reported.
    swept(&y, [Some([f64::MAX, 0.0]), None, None, None]).commit().unwrap();
    let error = swept(&y, [Some([f64::MAX, 0.0]), None, Some([f64::MAX, 0.0]), None]).stage();
    assert!(matches!(error, Err(E::NonFiniteAccumulatedGradient { node: 0, index: 0, .. })));

    // Of three gradients a guard on the middle one keeps the other two from being written.
    let three = [1.0, 2.0, 3.0].map(|it| TensorValue::parameter(pair([it, it])).unwrap());
    let [a, b, c] = &three;
    let y = a.add(b).unwrap().add(c).unwrap();
    let one = Some([1.0, 1.0]);
    let staged = || {
        let mut pass = swept(&y, [one, one, None, one, None]);
        pass.stage().map(|()| pass)
    };
    staged().unwrap().commit().unwrap();
    let guard = b.gradient().unwrap();
    assert_eq!(staged().unwrap().commit(), Err(E::GradientBorrowed));
    drop(guard);
    assert!(three.iter().all(|it| it.gradient_snapshot() == Some(pair([1.0, 1.0]))));
}
