use super::*;

/// The records are plain data: they clone, print, and differ as soon as one number does.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let example: FrozenTensorExample = frozen_tensor_example().unwrap();
    assert_eq!(example, example.clone());
    let printed = format!("{example:?}");
    for shown in ["name: \"bb\"", "Tensor([2], [3.0, 6.0])", "GraphReleased", "HandwrittenBaseline"]
    {
        assert!(printed.contains(shown), "{shown}");
    }

    let mut changed = example.clone();
    changed.nodes[4].name = "b";
    assert_ne!(changed, example);
    let mut changed = example.clone();
    changed.repeated.bias = changed.first.bias.clone();
    assert_ne!(changed, example);
    let mut changed = example.clone();
    changed.released_gradients_unchanged = false;
    assert_ne!(changed, example);
}
