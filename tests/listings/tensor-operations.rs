use super::*;

/// Each operation prints as its own lower-case word, padded like any word, and exactly the three
/// kinds without operands are leaves.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let all = [
        (TensorOperation::Parameter, "parameter", true),
        (TensorOperation::Constant, "constant", true),
        (TensorOperation::Detached, "detached", true),
        (TensorOperation::Add, "add", false),
        (TensorOperation::Multiply, "multiply", false),
        (TensorOperation::Reshape, "reshape", false),
        (TensorOperation::Transpose, "transpose", false),
        (TensorOperation::Broadcast, "broadcast", false),
        (TensorOperation::Sum, "sum", false),
        (TensorOperation::Mean, "mean", false),
    ];
    for (operation, word, leaf) in all {
        assert_eq!(operation.to_string(), word);
        assert_eq!(operation.is_leaf(), leaf, "{word}");
        assert_eq!(format!("{operation:?}").to_lowercase(), word);
    }
    let padded = format!("{:>5}|{:<5}|{:.2}", all[3].0, all[9].0, all[8].0);
    assert_eq!(padded, "  add|mean |su");

    let distinct: std::collections::HashSet<_> = all.iter().map(|one| one.0).collect();
    assert_eq!(distinct.len(), all.len());
}
