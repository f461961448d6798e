use super::*;
use std::collections::BTreeSet;
use std::error::Error;
use TensorAutodiffError as E;

/// The errors, by name. The match has no last arm: a new one does not compile before it stands
/// here, and then the check fails before it meets it.
macro_rules! kinds {
    ($($kind:ident)*) => {
        const KINDS: &[&str] = &[$(stringify!($kind)),*];

        fn kind(error: &E) -> &'static str {
            match error {
                $(E::$kind { .. } => stringify!($kind),)*
            }
        }
    };
}

kinds! {
    Tensor View Operation NonFiniteLeaf NonFiniteForward ReleasedOperand BroadcastTargetMismatch
    UntrackedOutput GraphReleased NotAParameter SeedShapeMismatch NonFiniteSeed UpdateShapeMismatch
    StaleOperandValue NonFiniteVjp NonFinitePassAdjoint NonFiniteAccumulatedGradient
    GradientBorrowed ValueBorrowed
}

/// Every variant says where, what, and what to do; a wrapper prints as the error inside it and
/// hands that error on as its source.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let (row, wide) = (Shape::from([3]), Shape::from([2, 3]));
    let (add, mean) = (TensorOperation::Add, TensorOperation::Mean);
    let (input, requested) = (wide.clone(), row.clone());
    let mut met = BTreeSet::new();
    for (error, message) in [
        (
            E::NonFiniteLeaf { index: 4, value: f64::NEG_INFINITY },
            "leaf: element 4 is -inf; parameters and constants hold finite numbers only",
        ),
        (
            E::NonFiniteForward { operation: add, index: 5, value: f64::INFINITY },
            "add: element 5 of the result is inf; scale the operands down",
        ),
        (
            E::ReleasedOperand { operation: mean, operand: 1 },
            "mean: operand 1 belongs to a released graph; run a new forward pass, or use no_grad \
             to read values only",
        ),
        (
            E::BroadcastTargetMismatch { input, requested, inferred: Shape::from([7]) },
            "broadcast: shape [2, 3] cannot become [3], their common shape is [7]",
        ),
        (
            E::UntrackedOutput { operation: mean },
            "backward: this mean depends on no parameter, so there is no gradient to compute",
        ),
        (
            E::GraphReleased { operation: add },
            "backward: a node of this graph (add) was released; run a new forward pass",
        ),
        (
            E::NotAParameter { operation: mean },
            "this mean is not a parameter: only parameters are updated or zeroed",
        ),
        (
            E::SeedShapeMismatch { expected: wide.clone(), actual: row.clone() },
            "backward: the output has shape [2, 3] and the seed [3]; only rank 0 has an implied \
             seed, for any other shape give one of exactly that shape",
        ),
        (
            E::NonFiniteSeed { index: 6, value: f64::INFINITY },
            "backward: element 6 of the seed is inf; a seed holds finite numbers only",
        ),
        (
            E::UpdateShapeMismatch { expected: wide, actual: row.clone() },
            "update: the parameter has shape [2, 3], the new value [3]",
        ),
        (
            E::StaleOperandValue {
                child: 9,
                parent: 2,
                operand: 1,
                recorded_revision: 4,
                current_revision: 7,
            },
            "backward: node 9 read operand 1 (node 2) at revision 4, which is now 7; run a new \
             forward pass",
        ),
        (
            E::NonFiniteVjp { child: 9, parent: 2, operand: 1, index: 3, value: f64::NEG_INFINITY },
            "backward: the contribution of node 9 to operand 1 (node 2) is -inf at element 3; \
             scale the seed or the values down",
        ),
        (
            E::NonFinitePassAdjoint { node: 8, index: 3, previous: 1.5e300, contribution: -2.0 },
            "backward: the adjoint of node 8 overflows at element 3: 1.5e300 + -2.0; scale the \
             seed or the values down",
        ),
        (
            E::NonFiniteAccumulatedGradient { node: 8, index: 3, stored: 0.5, pass_adjoint: 4e300 },
            "backward: the stored gradient of node 8 overflows at element 3: 0.5 + 4e300; call \
             zero_grad, or scale the seed down",
        ),
        (
            E::GradientBorrowed,
            "a guard returned by gradient() is alive; drop it before this gradient is written",
        ),
        (
            E::ValueBorrowed,
            "a guard returned by value() or an update is alive; end it before this value is \
             written",
        ),
    ] {
        met.insert(kind(&error));
        assert_eq!(error.to_string(), message);
        assert!(error.source().is_none());
        assert_eq!(error, error.clone());
    }

    let inner = TensorError::AllocationFailed { elements: 7 };
    met.insert(wraps(E::from(inner.clone()), inner));
    let inner = TensorViewError::AxisOutOfRange { axis: 5, shape: row.clone() };
    met.insert(wraps(E::from(inner.clone()), inner));
    let inner = TensorOpError::EmptyMean { axis: 0, shape: row };
    met.insert(wraps(E::from(inner.clone()), inner));
    assert_eq!(met, KINDS.iter().copied().collect());
}

fn wraps<Inner: Error + PartialEq + 'static>(wrapper: E, inner: Inner) -> &'static str {
    assert_eq!(wrapper.to_string(), inner.to_string());
    assert_eq!(wrapper.source().and_then(|source| source.downcast_ref()), Some(&inner));
    kind(&wrapper)
}
