use super::*;
use crate::GraphRetention;

/// A handle tells what its node is and which node it is; the last handle to go takes the primal
/// along, an earlier one does not.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(Tensor::from_vec([1, 2], vec![2.0, 3.0]).unwrap()).unwrap();
    let c = TensorValue::constant(Tensor::from_vec([2], vec![1.0, 1.0]).unwrap()).unwrap();
    let y = p.add(&c).unwrap();
    assert_eq!([p.shape(), c.shape(), y.shape()], [&[1, 2][..], &[2], &[1, 2]]);
    assert_eq!(*y.shape_list(), [1, 2]);
    let operations = [p.operation(), c.operation(), y.operation()];
    let expected = [TensorOperation::Parameter, TensorOperation::Constant, TensorOperation::Add];
    assert_eq!(operations, expected);
    assert_eq!([&p, &c, &y].map(TensorValue::tracks_gradient), [true, false, true]);
    assert_eq!([&p, &c, &y].map(TensorValue::is_parameter), [true, false, false]);

    let equal = TensorValue::constant(c.value_snapshot()).unwrap();
    assert!(c.is_same_node(&c.clone()) && !c.is_same_node(&equal));

    let parameter = "TensorValue { shape: [1, 2], operation: parameter, tracks_gradient: true, \
                     gradient: Some(Tensor([1, 2], [0.0, 0.0])), released: false }";
    assert_eq!(format!("{p:?}"), parameter);
    let seed = Tensor::filled([1, 2], 1.0).unwrap();
    y.backward_with_seed(&seed.view(), GraphRetention::Release).unwrap();
    assert_eq!([&p, &c, &y].map(TensorValue::is_released), [false, false, true]);
    let released = "TensorValue { shape: [1, 2], operation: add, tracks_gradient: true, \
                    gradient: None, released: true }";
    assert_eq!(format!("{y:?}"), released);

    // The node lives on in its consumer; its primal lives as long as a handle can read it.
    let square = p.mul(&p).unwrap();
    let sum = square.add(&c).unwrap();
    let elements = || sum.node.edges.borrow()[0].parent.primal.borrow().len();
    let (second, third) = (square.clone(), square.clone());
    for handle in [square, second] {
        drop(handle);
        assert_eq!((elements(), third.value().as_slice()), (2, &[4.0, 9.0][..]));
    }
    drop(third);
    assert_eq!(elements(), 0);
    sum.backward_with_seed(&seed.view(), GraphRetention::Retain).unwrap();
    assert_eq!(p.gradient_snapshot().unwrap().as_slice(), [5.0, 7.0]);
    let node = p.node.clone();
    drop(p);
    assert!(node.primal.borrow().is_empty(), "a parameter's too");

    // A guard that is forgotten, not dropped, keeps the primal where it is.
    let node = c.node.clone();
    std::mem::forget(c.value());
    drop((c, y, sum));
    assert_eq!(node.primal.borrow().as_slice(), [1.0, 1.0]);
}
