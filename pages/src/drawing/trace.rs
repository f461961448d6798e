use pullback::worked_example::FrozenTensorExample;
use pullback::{Tensor, TensorBackwardEdge, TensorBackwardPass};

/// A recorded pass with the names and primals of its nodes, which a record does not hold.
#[derive(Debug, Clone)]
pub(crate) struct Trace<'a> {
    pub(crate) pass: &'a TensorBackwardPass,
    names: Vec<String>,
    values: Vec<Tensor>,
}

impl<'a> Trace<'a> {
    pub(crate) fn of(example: &'a FrozenTensorExample) -> Self {
        let nodes = example.nodes.iter().map(|node| (node.name.to_string(), node.value.clone()));
        Self::new(&example.first_pass, nodes)
    }

    /// `nodes` in topological order.
    pub(crate) fn new(
        pass: &'a TensorBackwardPass,
        nodes: impl IntoIterator<Item = (String, Tensor)>,
    ) -> Self {
        let (names, values) = nodes.into_iter().unzip();
        Trace { pass, names, values }
    }

    pub(crate) fn name(&self, node: usize) -> String {
        self.names.get(node).cloned().unwrap_or_else(|| node.to_string())
    }

    pub(crate) fn value(&self, node: usize) -> Option<&Tensor> {
        self.values.get(node)
    }

    /// The edges of a consumer, by operand.
    pub(crate) fn operands(&self, child: usize) -> Vec<&'a TensorBackwardEdge> {
        let edges = self.pass.edges.iter().filter(|edge| edge.child == child);
        let mut edges: Vec<_> = edges.collect();
        edges.sort_by_key(|edge| edge.operand);
        edges
    }
}

/// The worked graph has one shape only; the drawings are tested with this one too: nodes that are
/// used several times and far away, three lanes, an expanded factor, a constant, a sum over axis 0.
#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use pullback::{GraphRetention, TensorValue};

    pub(crate) struct Other {
        pass: TensorBackwardPass,
        nodes: Vec<(String, Tensor)>,
    }

    impl Other {
        /// `y = sum((a + a) ⊙ c ⊙ column, axis 0) ⊙ k`, seeded with 1 10 100.
        pub(crate) fn new() -> Self {
            let parameter = |shape: &[usize], values: Vec<f64>| {
                TensorValue::parameter(Tensor::from_vec(shape, values).unwrap()).unwrap()
            };
            let a = parameter(&[2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.5]);
            let double = a.add(&a).unwrap();
            let column = parameter(&[2, 1], vec![-1.0, 7.0]);
            let scaled = double.mul(&column).unwrap();
            let mixed = scaled.mul(&a).unwrap();
            let sums = mixed.sum_axis(0, false).unwrap();
            let k = TensorValue::constant(Tensor::scalar(0.25)).unwrap();
            let y = sums.mul(&k).unwrap();
            let seed = Tensor::from_vec([3], vec![1.0, 10.0, 100.0]).unwrap();
            let pass =
                y.backward_with_seed_and_trace(&seed.view(), GraphRetention::Release).unwrap();
            let names = ["a", "double", "column", "scaled", "mixed", "sums", "k", "y<&>"];
            let handles = [&a, &double, &column, &scaled, &mixed, &sums, &k, &y];
            let named = names.iter().zip(handles);
            let nodes =
                named.map(|(name, handle)| (name.to_string(), handle.value_snapshot())).collect();
            Other { pass, nodes }
        }

        pub(crate) fn trace(&self) -> Trace<'_> {
            Trace::new(&self.pass, self.nodes.clone())
        }
    }
}
