//! What an ordinary step allocates once it is warm: nothing, and so nothing for a trace.

use allocation_counter::measure;
use pullback::{GraphRetention, Tensor, TensorValue};

#[test]
fn an_ordinary_pass_allocates_nothing_for_a_trace() {
    let x = TensorValue::parameter(
        Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap(),
    )
    .unwrap();
    let bias =
        TensorValue::parameter(Tensor::from_vec([3], vec![1.0, -1.0, 0.0]).unwrap()).unwrap();
    let seed = Tensor::from_vec([2], vec![3.0, 6.0]).unwrap();
    let forward = || {
        let z = x.reshape([3, 2]).unwrap().transpose(0, 1).unwrap().add(&bias).unwrap();
        z.mul(&z).unwrap().mean_axis(1, false).unwrap()
    };
    let step = || {
        forward().backward_with_seed(&seed.view(), GraphRetention::Release).unwrap();
        x.zero_grad().unwrap();
        bias.zero_grad().unwrap();
    };
    step();
    step();
    // Nodes, buffers and the lists of the pass come from what the step before left behind.
    let ordinary = measure(step);
    assert_eq!(ordinary.count_total, 0, "{ordinary:?}");

    let y = forward();
    let mut pass = None;
    let traced = measure(|| {
        pass = Some(y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Retain).unwrap());
    });
    assert!(traced.count_total > 0, "a trace does allocate, and the counter sees it: {traced:?}");
}
