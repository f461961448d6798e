//! Every error of the library, raised once, with its message pinned. The lists of variants are read
//! from the source: a new variant without a row here fails.

mod support;

use pullback::gradcheck::{CentralDifferences, GradcheckError};
use pullback::tensor::{TensorError, TensorOpError, TensorViewError};
use pullback::{no_grad, GraphRetention, Tensor, TensorAutodiffError, TensorValue};
use std::collections::BTreeSet;
use std::error::Error;
use support::variants::{variant, variants};

const NO_MEMORY: &str = "no memory for a tensor of 1152921504606846976 elements \
    (1152921504606846976 x 8 bytes); use a smaller shape";

fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_vec(shape, values.to_vec()).unwrap()
}

fn parameter(shape: &[usize], values: &[f64]) -> TensorValue {
    TensorValue::parameter(tensor(shape, values)).unwrap()
}

fn seeded(output: &TensorValue, seed: &Tensor) -> Result<(), TensorAutodiffError> {
    output.backward_with_seed(&seed.view(), GraphRetention::Retain)
}

fn released() -> TensorValue {
    let p = parameter(&[], &[2.0]);
    let y = p.mul(&p).unwrap();
    y.backward_with_seed(&Tensor::scalar(1.0).view(), GraphRetention::Release).unwrap();
    y
}

/// Checks messages, and that every variant of the enum is among the errors.
fn pinned<E: Error>(name: &str, rows: Vec<(E, &str)>) {
    let mut met = BTreeSet::new();
    for (error, message) in &rows {
        assert_eq!(&error.to_string(), message);
        met.insert(variant(error));
    }
    assert_eq!(met, variants(name), "{name}: every variant has a row, every row a variant");
}

#[test]
fn tape_errors() {
    let p = parameter(&[2], &[2.0, 3.0]);
    let square = p.mul(&p).unwrap();
    let two = tensor(&[2], &[1.0, 1.0]);
    let constant = TensorValue::constant(Tensor::scalar(1.0)).unwrap();
    let stale = parameter(&[], &[3.0]);
    let stale_square = stale.mul(&stale).unwrap();
    stale.set_value(Tensor::scalar(5.0)).unwrap();
    let huge = parameter(&[1], &[1e200]);
    let full = parameter(&[1], &[1.0]);
    let largest = tensor(&[1], &[f64::MAX]);
    seeded(&full, &largest).unwrap();
    let guarded = parameter(&[], &[1.0]);
    let guards = (guarded.gradient(), guarded.value());

    let rows = vec![
        (
            p.reshape([usize::MAX, 2]).unwrap_err(),
            "shape [18446744073709551615, 2] has more elements than a usize can count",
        ),
        (
            TensorAutodiffError::from(two.view().transpose(0, 1).unwrap_err()),
            "axis 1 is out of range for shape [2] of rank 1",
        ),
        (
            p.sum_axis(1, false).unwrap_err(),
            "sum: axis 1 is out of range for shape [2] of rank 1",
        ),
        (
            TensorValue::constant(tensor(&[2], &[0.0, f64::NEG_INFINITY])).unwrap_err(),
            "leaf: element 1 is -inf; parameters and constants hold finite numbers only",
        ),
        (
            huge.mul(&huge).unwrap_err(),
            "multiply: element 0 of the result is inf; scale the operands down",
        ),
        (
            constant.add(&released()).unwrap_err(),
            "add: operand 1 belongs to a released graph; run a new forward pass, or use no_grad to \
             read values only",
        ),
        (
            parameter(&[2, 3], &[0.0; 6]).broadcast_to([3]).unwrap_err(),
            "broadcast: shape [2, 3] cannot become [3], their common shape is [2, 3]",
        ),
        (
            no_grad(|| p.mul(&p)).unwrap().backward().unwrap_err(),
            "backward: this multiply depends on no parameter, so there is no gradient to compute",
        ),
        (
            released().backward().unwrap_err(),
            "backward: a node of this graph (multiply) was released; run a new forward pass",
        ),
        (
            constant.zero_grad().unwrap_err(),
            "this constant is not a parameter: only parameters are updated or zeroed",
        ),
        (
            square.backward().unwrap_err(),
            "backward: the output has shape [2] and the seed []; only rank 0 has an implied seed, \
             for any other shape give one of exactly that shape",
        ),
        (
            seeded(&square, &tensor(&[2], &[1.0, f64::NAN])).unwrap_err(),
            "backward: element 1 of the seed is NaN; a seed holds finite numbers only",
        ),
        (
            p.set_value(Tensor::scalar(1.0)).unwrap_err(),
            "update: the parameter has shape [2], the new value []",
        ),
        (
            stale_square.backward().unwrap_err(),
            "backward: node 1 read operand 0 (node 0) at revision 0, which is now 1; run a new \
             forward pass",
        ),
        (
            seeded(
                &huge.mul(&TensorValue::constant(tensor(&[1], &[1e100])).unwrap()).unwrap(),
                &tensor(&[1], &[1e250]),
            )
            .unwrap_err(),
            "backward: the contribution of node 2 to operand 0 (node 0) is inf at element 0; scale \
             the seed or the values down",
        ),
        (
            seeded(&huge.add(&huge).unwrap(), &largest).unwrap_err(),
            "backward: the adjoint of node 0 overflows at element 0: \
             1.7976931348623157e308 + 1.7976931348623157e308; scale the seed \
                 or the values down",
        ),
        (
            seeded(&full, &largest).unwrap_err(),
            "backward: the stored gradient of node 0 overflows at element 0: \
             1.7976931348623157e308 + 1.7976931348623157e308; call \
                 zero_grad, or scale the seed down",
        ),
        (
            guarded.backward().unwrap_err(),
            "a guard returned by gradient() is alive; drop it before this gradient is written",
        ),
        (
            guarded.set_value(Tensor::scalar(2.0)).unwrap_err(),
            "a guard returned by value() or an update is alive; end it before this value is \
             written",
        ),
    ];
    let wrapped = rows.iter().filter(|(error, _)| error.source().is_some()).count();
    assert_eq!(wrapped, 3, "the three wrappers return the inner error");
    for (error, message) in rows.iter().take(3) {
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some(*message));
    }
    pinned("TensorAutodiffError", rows);
    drop(guards);
}

#[test]
fn tensor_errors() {
    let rows = vec![
        (
            Tensor::from_vec([2, 3], vec![0.0; 5]).unwrap_err(),
            "shape [2, 3] holds 6 elements, but 5 values were given",
        ),
        (
            Tensor::zeros([1 << 40, 1 << 40]).unwrap_err(),
            "shape [1099511627776, 1099511627776] has more elements than a usize can count",
        ),
        (
            Tensor::zeros([1; 65]).unwrap_err(),
            "a shape of rank 65 has too many axes; the most is 64",
        ),
        (Tensor::zeros([1 << 60]).unwrap_err(), NO_MEMORY),
    ];
    pinned("TensorError", rows);
}

#[test]
fn view_errors() {
    let x = tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let (view, walk) = (x.view(), |shape: &[usize], strides: &[usize], len| {
        x.view().projected_offsets(shape, strides, len).unwrap_err()
    });
    let rows = vec![
        (view.transpose(2, 7).unwrap_err(), "axis 2 is out of range for shape [2, 3] of rank 2"),
        (view.reshape([4]).unwrap_err(), "reshape from [2, 3] (6 elements) to [4] (4 elements)"),
        (
            view.transpose(0, 1).unwrap().reshape([6]).unwrap_err(),
            "reshape of a view with shape [3, 2] and strides [1, 3], which is not contiguous; \
             materialize it first",
        ),
        (view.broadcast_to([3]).unwrap_err(), "shape [2, 3] does not broadcast to [3]"),
        (walk(&[2, 3], &[1], 6), "1 strides were given for a logical shape [2, 3] of rank 2"),
        (walk(&[2, 3], &[3, 1], 5), "logical shape [2, 3] has 6 elements, but 5 were announced"),
        (
            walk(&[3], &[usize::MAX], 3),
            "logical shape [3] with strides [18446744073709551615] reaches an offset beyond usize",
        ),
        (
            walk(&[2, 3], &[4, 1], 6),
            "logical shape [2, 3] with strides [4, 1] reaches offset 6, but the storage ends at 6",
        ),
        (
            view.broadcast_to([usize::MAX, 2, 3]).unwrap_err(),
            "shape [18446744073709551615, 2, 3] has more elements than a usize can count",
        ),
    ];
    pinned::<TensorViewError>("TensorViewError", rows);
}

#[test]
fn operation_errors() {
    let x = tensor(&[2, 3], &[0.0; 6]);
    let rows = vec![
        (
            x.add(&tensor(&[2], &[0.0; 2])).unwrap_err(),
            "add: shapes [2, 3] and [2] do not broadcast: 3 meets 2 at axis 1 of the result",
        ),
        (
            x.mean_axis(2, true).unwrap_err(),
            "mean: axis 2 is out of range for shape [2, 3] of rank 2",
        ),
        (
            x.reshape([5]).unwrap_err(),
            "reshape: from [2, 3] (6 elements) to [5] (5 elements); the product of the extents \
             must stay the same",
        ),
        (
            tensor(&[2, 0], &[]).mean_axis(1, false).unwrap_err(),
            "mean: axis 1 of shape [2, 0] is empty, and 0 / 0 has no value",
        ),
        (x.broadcast_to([3]).unwrap_err(), "broadcast: shape [2, 3] cannot shrink to [3]"),
        (tensor(&[1], &[0.0]).broadcast_to([1 << 60]).unwrap_err(), NO_MEMORY),
        (
            TensorOpError::from(x.view().transpose(0, 2).unwrap_err()),
            "axis 2 is out of range for shape [2, 3] of rank 2",
        ),
    ];
    pinned("TensorOpError", rows);
}

#[test]
fn gradcheck_errors() {
    let x = tensor(&[2], &[1.0, 2.0]);
    let check = |settings: CentralDifferences, gradient: &Tensor, value: f64| {
        settings.check(&x, gradient, |_| value).unwrap_err()
    };
    let normal = CentralDifferences::default();
    let rows = vec![
        (
            check(normal, &Tensor::scalar(1.0), 0.0),
            "gradcheck: the point has shape [2], the gradient []",
        ),
        (
            check(CentralDifferences { scale: -1.0, ..normal }, &x, 0.0),
            "gradcheck: scale is -1.0; it must be finite and above 0",
        ),
        (
            check(CentralDifferences { relative_step: 0.25, ..normal }, &x, f64::INFINITY),
            "gradcheck: the objective is inf with element 0 at 1.25",
        ),
        (
            check(CentralDifferences { relative_step: 1e-20, ..normal }, &x, 0.0),
            "gradcheck: a step of 1e-20 from element 0 at 1.0 leads to no two numbers around it \
             with a finite distance; choose another `relative_step` or `scale`",
        ),
        (
            GradcheckError::from(TensorError::AllocationFailed { elements: 3 }),
            "no memory for a tensor of 3 elements (3 x 8 bytes); use a smaller shape",
        ),
    ];
    pinned("GradcheckError", rows);
}
