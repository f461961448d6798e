use super::*;
use crate::autograd::reverse::GraphRetention;
use crate::autograd::trace::Untraced;
use crate::TensorValue;
use TensorAutodiffError as E;

/// Writes down, in order, what the engine shows; may refuse the first contribution.
#[derive(Default)]
struct Log(Vec<String>, Option<E>);

impl PassObserver for Log {
    type Record = ();
    fn node(&mut self, node: usize, adjoint: Option<&Tensor>) {
        self.0.push(format!("{node}: {:?}", adjoint.map(Tensor::as_slice)));
    }
    fn untracked_edge(&mut self, visit: EdgeVisit<'_>) {
        self.0.push(format!("{}→{} {} untracked", visit.child, visit.parent, visit.operand));
    }
    fn before_accumulation(
        &mut self,
        visit: EdgeVisit<'_>,
        contribution: &Tensor,
        adjoint: Option<&Tensor>,
    ) -> Result<(), E> {
        let EdgeVisit { child, parent, operand, upstream, .. } = visit;
        let numbers = [upstream, contribution].map(Tensor::as_slice);
        let before = adjoint.map(Tensor::as_slice);
        self.0.push(format!("{child}→{parent} {operand} {numbers:?} {before:?}"));
        self.1.take().map_or(Ok(()), Err)
    }
    fn after_accumulation(&mut self, adjoint: Option<&Tensor>) {
        self.0.push(format!("= {:?}", adjoint.map(Tensor::as_slice)));
    }
    fn complete(self, _: GraphRetention, _: &Topology) -> Result<(), E> {
        Ok(())
    }
}

fn pair(values: [f64; 2]) -> Tensor {
    Tensor::from_vec([2], values.to_vec()).unwrap()
}

type Adjoints = Vec<Option<Tensor>>;

fn observed<O: PassObserver>(
    output: &TensorValue,
    seed: Tensor,
    observer: &mut O,
) -> Result<Adjoints, E> {
    let mut topology = Topology::of(&output.node)?;
    topology.sweep(seed, observer)?;
    assert!(topology.adjoints.is_empty(), "an adjoint goes with its node");
    let gradients = std::mem::take(&mut topology.gradients);
    assert!(gradients.is_sorted_by(|(one, _), (next, _)| one > next), "the last one first");
    let mut adjoints = vec![None; topology.nodes.len()];
    gradients.into_iter().for_each(|(node, adjoint)| adjoints[node] = Some(adjoint));
    Ok(adjoints)
}

fn sweep(output: &TensorValue, seed: [f64; 2]) -> Result<Adjoints, E> {
    observed(output, pair(seed), &mut Untraced)
}

/// Each edge sends the adjoint of a finished consumer back once, the first contribution moves in,
/// later ones are added, and the first number that is not finite is reported where it arises.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = TensorValue::parameter(pair([1.0, 0.5])).unwrap();
    let stored = pair([0.25, -8.0]);
    x.backward_with_seed(&stored.view(), GraphRetention::Retain).unwrap();
    let times = |values| TensorValue::constant(pair(values)).unwrap().mul(&x).unwrap();
    let product = times([3.0, -5.0]);
    let y = product.add(&x).unwrap();
    let mut log = Log::default();
    let adjoints = observed(&y, pair([1.0, 10.0]), &mut log).unwrap();
    assert_eq!(*adjoints, [None, Some(pair([4.0, -40.0])), None, None]);
    let expected = [
        "3: Some([1.0, 10.0])",
        "3→2 0 [[1.0, 10.0], [1.0, 10.0]] None",
        "= Some([1.0, 10.0])",
        "3→1 1 [[1.0, 10.0], [1.0, 10.0]] None",
        "= Some([1.0, 10.0])",
        "2: Some([1.0, 10.0])",
        "2→0 0 untracked",
        "2→1 1 [[1.0, 10.0], [3.0, -50.0]] Some([1.0, 10.0])",
        "= Some([4.0, -40.0])",
        "1: Some([4.0, -40.0])",
        "0: None",
    ];
    assert_eq!(log.0, expected);
    let mut refusing = Log(Vec::new(), Some(E::ValueBorrowed));
    let refused = observed(&y, pair([1.0, 10.0]), &mut refusing);
    assert_eq!((refused.map(|_| ()), refusing.0.len()), (Err(E::ValueBorrowed), 2));
    assert_eq!(*sweep(&x, [7.0, 8.0]).unwrap(), [Some(pair([7.0, 8.0]))]);
    let twice = x.add(&x).unwrap();
    assert_eq!(*sweep(&twice, [1.0, 10.0]).unwrap(), [Some(pair([2.0, 20.0])), None]);
    // Of two parameters the later one comes first.
    let other = TensorValue::parameter(pair([2.0, 4.0])).unwrap();
    let adjoints = sweep(&x.mul(&other).unwrap(), [1.0, 10.0]).unwrap();
    assert_eq!(*adjoints, [Some(pair([2.0, 40.0])), Some(pair([1.0, 5.0])), None]);
    let both = times([1.0, 2.0]).add(&times([3.0, 4.0])).unwrap();
    assert_eq!(sweep(&both, [1.0, 10.0]).unwrap()[1], Some(pair([4.0, 60.0])));

    // Nobody looks on, so the last pullback of a node works in the adjoint's own storage, whichever
    // slot its edge has.
    let flipped = x.mul(&TensorValue::constant(pair([3.0, -5.0])).unwrap()).unwrap();
    for (output, node) in [(&product, 1), (&flipped, 0)] {
        let seed = pair([1.0, 10.0]);
        let place = seed.as_slice().as_ptr();
        let swept = observed(output, seed, &mut Untraced).unwrap()[node].take().unwrap();
        assert_eq!((swept.as_slice().as_ptr(), swept), (place, pair([3.0, -50.0])));
    }

    // A sum overflows: in its own storage, and in one that an upstream adjoint shares.
    let (half, most) = (f64::MAX / 2.0, f64::MAX);
    let error = |previous, contribution| {
        Err(E::NonFinitePassAdjoint { node: 1, index: 1, previous, contribution })
    };
    let fresh = times([1.0, half]).add(&times([1.0, most])).unwrap();
    assert_eq!(sweep(&fresh, [1.0, 1.0]).map(|_| ()), error(most, half));
    let small = TensorValue::parameter(pair([0.5, 1.0])).unwrap();
    let of_small = |values| TensorValue::constant(pair(values)).unwrap().mul(&small).unwrap();
    let first = of_small([half, 1.0]).add(&of_small([most, 1.0])).unwrap();
    let error_at_0 =
        E::NonFinitePassAdjoint { node: 1, index: 0, previous: most, contribution: half };
    assert_eq!(sweep(&first, [1.0, 1.0]).map(|_| ()), Err(error_at_0));
    let zero = TensorValue::constant(pair([0.0, 0.0])).unwrap();
    let shared = times([0.0, 0.5]).add(&x.add(&zero).unwrap()).unwrap();
    assert_eq!(sweep(&shared, [1.0, most]).map(|_| ()), error(most, half));
    let looked_at = observed(&shared, pair([1.0, most]), &mut Log::default());
    assert_eq!(looked_at.map(|_| ()), error(most, half));
    assert!(sweep(&twice, [1.0, most]).is_err());

    // A contribution overflows: which edge, which element, which value.
    let vjp = |parent, value| E::NonFiniteVjp { child: 2, parent, operand: 1, index: 1, value };
    let constant = TensorValue::constant(pair([1.0, 10.0])).unwrap();
    let big = constant.mul(&x).unwrap();
    assert_eq!(sweep(&big, [1.0, -most]).map(|_| ()), Err(vjp(1, f64::NEG_INFINITY)));
    let scalar = TensorValue::parameter(Tensor::scalar(1.0)).unwrap();
    let opposite = TensorValue::constant(pair([10.0, -10.0])).unwrap().mul(&scalar).unwrap();
    let error = sweep(&opposite, [most, most]).unwrap_err();
    assert!(matches!(error, E::NonFiniteVjp { index: 0, value, .. } if value.is_nan()));
    // Of two overflows the one that the walk meets first is reported.
    let first = big.add(&x.add(&x).unwrap()).unwrap();
    let E::NonFinitePassAdjoint { node: 1, .. } = sweep(&first, [1.0, most]).unwrap_err() else {
        panic!("the accumulation comes before the other branch")
    };

    // What is stored had no part in any of these sweeps, and is as it was.
    assert_eq!(x.gradient_snapshot(), Some(stored));
}
