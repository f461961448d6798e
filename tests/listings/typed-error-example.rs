use super::*;
use crate::TensorOperation;
use TensorAutodiffError as E;

/// Four refusals, each of its own kind with the fields that name the fault, and each with proof
/// that gradients and graph are as they were. One half of one proof that fails, and not all are.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let example = typed_error_example().unwrap();
    let TypedErrorExample {
        seed_shape,
        nonfinite_seed,
        graph_released,
        nonfinite_accumulation,
        all_unchanged,
    } = &example;
    let (expected, actual) = ([2].into(), [1].into());
    assert_eq!(seed_shape.error, E::SeedShapeMismatch { expected, actual });
    assert!(matches!(nonfinite_seed.error, E::NonFiniteSeed { index: 1, value } if value.is_nan()));
    assert_eq!(graph_released.error, E::GraphReleased { operation: TensorOperation::Mean });
    let overflow = E::NonFiniteAccumulatedGradient {
        node: 0,
        index: 0,
        stored: f64::MAX,
        pass_adjoint: f64::MAX,
    };
    assert_eq!(nonfinite_accumulation.error, overflow);

    for one in [seed_shape, nonfinite_seed, graph_released, nonfinite_accumulation] {
        assert!(one.gradients_unchanged && one.graph_unchanged, "{one:?}");
    }
    assert!(all_unchanged);

    for place in 0..4 {
        for halves in [[false, true], [true, false], [false, false]] {
            let mut planted = [0, 1, 2, 3].map(|operand| AtomicTensorError {
                error: E::ReleasedOperand { operation: TensorOperation::Add, operand },
                gradients_unchanged: true,
                graph_unchanged: true,
            });
            [planted[place].gradients_unchanged, planted[place].graph_unchanged] = halves;
            let [seed_shape, nonfinite_seed, graph_released, nonfinite_accumulation] =
                planted.clone();
            let expected = TypedErrorExample {
                seed_shape,
                nonfinite_seed,
                graph_released,
                nonfinite_accumulation,
                all_unchanged: false,
            };
            assert_eq!(TypedErrorExample::of(planted), expected);
        }
    }
}
