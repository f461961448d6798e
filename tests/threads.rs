//! Tensors cross threads, the tape does not, and `no_grad` belongs to its thread.

use pullback::{no_grad, Tensor, TensorValue, TensorView};
use static_assertions::{assert_impl_all, assert_not_impl_any};
use std::cell::RefCell;

assert_impl_all!(Tensor: Send, Sync);
assert_impl_all!(TensorView<'static>: Send, Sync);
assert_not_impl_any!(TensorValue: Send, Sync);

#[test]
fn clones_of_one_tensor_are_independent_on_many_threads() {
    let shared = Tensor::from_vec([1000], vec![1.0; 1000]).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let mut mine = shared.clone();
            scope.spawn(move || {
                for round in 0..200 {
                    let kept = mine.clone();
                    mine.as_mut_slice().unwrap().fill(f64::from(thread * 1000 + round));
                    assert_ne!(mine, kept);
                    drop(kept);
                    assert!(mine.as_slice().iter().all(|&e| e == f64::from(thread * 1000 + round)));
                }
            });
        }
    });
    assert_eq!(shared, Tensor::filled([1000], 1.0).unwrap());
}

#[test]
fn a_new_thread_records_while_this_one_does_not() {
    no_grad(|| {
        let inside = std::thread::spawn(|| {
            let p = TensorValue::parameter(Tensor::scalar(2.0)).unwrap();
            p.mul(&p).unwrap().tracks_gradient()
        });
        assert!(inside.join().unwrap());
        let p = TensorValue::parameter(Tensor::scalar(2.0)).unwrap();
        assert!(!p.mul(&p).unwrap().tracks_gradient());
    });
}

/// Values that live in a thread-local are dropped while the thread ends, when the kept buffers and
/// spare nodes may be gone already.
#[test]
fn values_may_outlive_what_a_thread_keeps() {
    std::thread_local! {
        static LATE: RefCell<Vec<TensorValue>> = const { RefCell::new(Vec::new()) };
    }
    let thread = std::thread::spawn(|| {
        LATE.with(|late| {
            let p = TensorValue::parameter(Tensor::filled([100], 1.0).unwrap()).unwrap();
            let y = p.mul(&p).unwrap().sum_axis(0, false).unwrap();
            y.backward().unwrap();
            late.borrow_mut().extend([p, y]);
        });
    });
    thread.join().unwrap();
}
