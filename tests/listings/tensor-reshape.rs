use super::*;
use crate::tensor::{TensorError, TensorOpError};
use crate::GraphRetention;
use TensorAutodiffError as E;

/// `reshape` keeps the elements and their order, forward and back, without a copy; it refuses a
/// released operand first, then a shape that overflows, then another number of elements.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let x = TensorValue::parameter(Tensor::from_vec([2, 3], values).unwrap()).unwrap();
    let r = x.reshape([3, 2]).unwrap();
    assert_eq!((r.operation(), r.shape()), (TensorOperation::Reshape, &[3, 2][..]));
    assert_eq!(r.value().as_slice(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(r.value().as_slice().as_ptr(), x.value().as_slice().as_ptr());

    let seed = Tensor::from_vec([3, 2], vec![4.0, 12.0, 4.0, 12.0, 10.0, 24.0]).unwrap();
    let pass = r.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
    let (input_shape, output_shape) = ([2, 3].into(), [3, 2].into());
    let saved = TensorSavedContext::Reshape { input_shape, output_shape };
    assert_eq!(pass.edges[0].saved, Some(saved));
    let back = Tensor::from_vec([2, 3], seed.as_slice().to_vec()).unwrap();
    assert_eq!(x.gradient_snapshot(), Some(back.clone()));

    let pulled = reshape_vjp(seed.clone(), &[2, 3].into()).unwrap();
    assert!(pulled.finite && pulled.tensor == back);
    assert_eq!(pulled.tensor.as_slice().as_ptr(), seed.as_slice().as_ptr());

    let refusal = |value: &TensorValue, shape: &[usize]| value.reshape(shape).unwrap_err();
    let released = E::ReleasedOperand { operation: TensorOperation::Reshape, operand: 0 };
    assert_eq!(refusal(&r, &[usize::MAX, 2]), released);
    let shape = [usize::MAX, 2].into();
    assert_eq!(refusal(&x, &[usize::MAX, 2]), E::Tensor(TensorError::ShapeOverflow { shape }));
    let (from, to) = ([2, 3].into(), [4].into());
    let length = TensorOpError::ReshapeLength { from, from_elements: 6, to, to_elements: 4 };
    assert_eq!(refusal(&x, &[4]), E::Operation(length.clone()));
    let misfit = reshape_vjp(back.clone(), &[4].into()).map(|_| ()).unwrap_err();
    assert_eq!(misfit, E::Operation(length));

    let one = TensorValue::constant(Tensor::scalar(7.0)).unwrap();
    assert_eq!(*one.reshape([1, 1]).unwrap().reshape([]).unwrap().value(), Tensor::scalar(7.0));
    let none = TensorValue::constant(Tensor::zeros([0, 3]).unwrap()).unwrap();
    assert_eq!(none.reshape([2, 0]).unwrap().shape(), [2, 0]);
}
