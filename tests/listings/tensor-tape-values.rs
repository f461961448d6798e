use super::*;

fn non_finite(made: Result<TensorValue, TensorAutodiffError>) -> (usize, u64) {
    match made {
        Err(TensorAutodiffError::NonFiniteLeaf { index, value }) => (index, value.to_bits()),
        other => panic!("{other:?}"),
    }
}

trait Sendable<Marker> {
    const AMBIGUOUS_IF_SEND: () = ();
}
impl<T> Sendable<()> for T {}
impl<T: Send> Sendable<u8> for T {}

/// Leaves are finite; a parameter starts with a gradient of +0.0 in its shape, constants and
/// detached leaves have none; what is detached is a new node of its own.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let () = <TensorValue as Sendable<_>>::AMBIGUOUS_IF_SEND;
    for shape in [vec![], vec![0], vec![2, 1], vec![2, 2, 2]] {
        let primal = Tensor::filled(&shape, -1.5).unwrap();
        drop(Tensor::filled(&shape, 9.0).unwrap()); // leaves its storage behind, full of nines
        let p = TensorValue::parameter(primal.clone()).unwrap();
        let c = TensorValue::constant(primal.clone()).unwrap();
        let d = p.detach();
        assert!([&p, &c, &d].iter().all(|leaf| *leaf.value() == primal));
        assert!([&p, &c, &d].iter().all(|leaf| leaf.node.edges.borrow().is_empty()));
        let operations = [&p, &c, &d].map(|leaf| leaf.operation().to_string());
        assert_eq!(operations, ["parameter", "constant", "detached"]);
        assert_eq!([&p, &c, &d].map(TensorValue::tracks_gradient), [true, false, false]);
        assert!(c.gradient().is_none() && d.gradient().is_none());
        let gradient = p.gradient_snapshot().unwrap();
        assert_eq!(gradient.shape(), shape);
        assert!(gradient.as_slice().iter().all(|element| element.to_bits() == 0));
        assert!(!d.is_same_node(&p));
        p.set_value(Tensor::filled(&shape, 4.0).unwrap()).unwrap();
        assert_eq!(*d.value(), primal);
    }

    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::NAN] {
        let primal = Tensor::from_vec([2, 2], vec![1.0, f64::MAX, value, f64::NAN]).unwrap();
        assert_eq!(non_finite(TensorValue::parameter(primal.clone())), (2, value.to_bits()));
        assert_eq!(non_finite(TensorValue::constant(primal)), (2, value.to_bits()));
    }

    // The first handle is counted: another one may come and go.
    let p = TensorValue::parameter(Tensor::scalar(3.0)).unwrap();
    assert_eq!(p.node.handles.get(), 1);
    drop(p.clone());
    assert_eq!(*p.value(), Tensor::scalar(3.0));
    let y = p.mul(&p.detach()).unwrap();
    y.backward().unwrap();
    assert_eq!(p.gradient_snapshot(), Some(Tensor::scalar(3.0)));
}
