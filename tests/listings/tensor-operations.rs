use super::*;

/// One row for each operation. The match has no last arm: a new operation does not compile before
/// it has its row.
macro_rules! rows {
    ($($operation:ident $word:literal $leaf:literal)*) => {{
        let _ = |operation: TensorOperation| match operation {
            $(TensorOperation::$operation => {})*
        };
        [$((TensorOperation::$operation, $word, $leaf)),*]
    }};
}

/// Each operation prints as its own lower-case word, padded like any word, and exactly the three
/// kinds without operands are leaves.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let all = rows! {
        Parameter "parameter" true
        Constant "constant" true
        Detached "detached" true
        Add "add" false
        Multiply "multiply" false
        Reshape "reshape" false
        Transpose "transpose" false
        Broadcast "broadcast" false
        Sum "sum" false
        Mean "mean" false
    };
    for (operation, word, leaf) in all {
        assert_eq!(operation.to_string(), word);
        assert_eq!(operation.is_leaf(), leaf, "{word}");
        assert_eq!(format!("{operation:?}").to_lowercase(), word);
    }
    let (add, mean, sum) = (TensorOperation::Add, TensorOperation::Mean, TensorOperation::Sum);
    assert_eq!(format!("{add:>5}|{mean:<5}|{sum:.2}"), "  add|mean |su");

    let distinct: std::collections::HashSet<_> = all.iter().map(|one| one.0).collect();
    assert_eq!(distinct.len(), all.len());
}
