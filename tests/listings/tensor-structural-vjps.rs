use super::*;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The kinds of context, by name. The match has no last arm: a new one does not compile before it
/// stands here, and then the check fails before it meets it.
macro_rules! kinds {
    ($($kind:ident)*) => {
        const KINDS: &[&str] = &[$(stringify!($kind)),*];

        fn kind(context: &TensorSavedContext) -> &'static str {
            match context {
                $(TensorSavedContext::$kind { .. } => stringify!($kind),)*
            }
        }
    };
}

kinds! {
    Broadcast Multiply Reshape Transpose Reduction
}

fn tensor(shape: &[usize], values: &[f64]) -> Tensor {
    Tensor::from_vec(shape, values.to_vec()).unwrap()
}

/// Each saved context leads to the pullback of its own operation, with the operands that this
/// pullback needs: the numbers are those of the worked graph.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let met = RefCell::new(BTreeSet::new());
    let pulled = |context: &TensorSavedContext, upstream: &Tensor| {
        met.borrow_mut().insert(kind(context));
        let computed = context.apply_vjp(Cow::Borrowed(upstream)).unwrap();
        assert!(computed.finite);
        let given = context.apply_vjp(Cow::Owned(upstream.clone())).unwrap().tensor;
        assert_eq!(given, computed.tensor, "lent or given");
        computed.tensor
    };
    let (wide, tall) = (Shape::from([2, 3]), Shape::from([3, 2]));
    let rows: Axes = [0].into_iter().collect();
    let adjoint = tensor(&[2, 3], &[4.0, 4.0, 10.0, 12.0, 12.0, 24.0]);

    let broadcast = TensorSavedContext::Broadcast {
        input_shape: Shape::from([3]),
        output_shape: wide.clone(),
        reduced_axes: rows,
    };
    assert_eq!(pulled(&broadcast, &adjoint), tensor(&[3], &[16.0, 16.0, 34.0]));

    let multiply = |input_shape: Shape, reduced_axes| TensorSavedContext::Multiply {
        other: tensor(&[2, 3], &[2.0, 2.0, 5.0, 3.0, 3.0, 6.0]),
        input_shape,
        output_shape: wide.clone(),
        reduced_axes,
    };
    let q = tensor(&[2, 3], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let whole = multiply(wide.clone(), Axes::default());
    assert_eq!(pulled(&whole, &q), tensor(&[2, 3], &[2.0, 2.0, 5.0, 6.0, 6.0, 12.0]));
    let own = tensor(&[2, 3], q.as_slice());
    let place = own.as_slice().as_ptr();
    let product = whole.apply_vjp(Cow::Owned(own)).unwrap().tensor;
    assert_eq!(product.as_slice().as_ptr(), place, "what is given is multiplied in place");
    let row = multiply(Shape::from([1, 3]), rows);
    assert_eq!(pulled(&row, &q), tensor(&[1, 3], &[8.0, 8.0, 17.0]));
    let too_large = tensor(&[2, 3], &[f64::MAX; 6]);
    assert!(!whole.apply_vjp(Cow::Borrowed(&too_large)).unwrap().finite);

    let reshape =
        TensorSavedContext::Reshape { input_shape: wide.clone(), output_shape: tall.clone() };
    let flat = tensor(&[3, 2], &[4.0, 12.0, 4.0, 12.0, 10.0, 24.0]);
    assert_eq!(pulled(&reshape, &flat), tensor(&[2, 3], flat.as_slice()));
    let error = reshape.apply_vjp(Cow::Owned(tensor(&[2], &[1.0, 2.0]))).map(|_| ()).unwrap_err();
    assert!(matches!(error, TensorAutodiffError::Operation(_)));

    let transpose = TensorSavedContext::Transpose {
        first_axis: 0,
        second_axis: 2,
        input_shape: Shape::from([3, 1, 2]),
        output_shape: Shape::from([2, 1, 3]),
    };
    assert_eq!(pulled(&transpose, &tensor(&[2, 1, 3], adjoint.as_slice())).shape(), [3, 1, 2]);
    assert_eq!(
        pulled(&transpose, &tensor(&[2, 1, 3], adjoint.as_slice())).as_slice(),
        [4.0, 12.0, 4.0, 12.0, 10.0, 24.0]
    );

    let reduction = |axis, divisor, output_shape| TensorSavedContext::Reduction {
        axis,
        keep_dim: false,
        divisor,
        input_shape: wide.clone(),
        output_shape,
    };
    let mean = reduction(1, 3.0, Shape::from([2]));
    assert_eq!(pulled(&mean, &tensor(&[2], &[3.0, 6.0])), q);
    let sum = reduction(0, 1.0, Shape::from([3]));
    let twice = tensor(&[2, 3], &[10.0, 20.0, 30.0, 10.0, 20.0, 30.0]);
    assert_eq!(pulled(&sum, &tensor(&[3], &[10.0, 20.0, 30.0])), twice);
    assert_eq!(sum, sum.clone());
    assert_ne!(sum, mean);
    assert!(format!("{mean:?}").contains("axis: 1, keep_dim: false, divisor: 3.0"));
    assert_eq!(met.into_inner(), KINDS.iter().copied().collect());
}
