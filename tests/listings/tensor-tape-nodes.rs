use super::*;
use crate::TensorValue;

/// A node holds its operands' edges in order, each with the revision it read, and only a
/// parameter's revision can differ from 0.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let p = TensorValue::parameter(Tensor::scalar(2.0)).unwrap();
    let c = TensorValue::constant(Tensor::scalar(3.0)).unwrap();
    p.set_value(Tensor::scalar(4.0)).unwrap();
    let y = p.mul(&c).unwrap();
    p.set_value(Tensor::scalar(5.0)).unwrap();
    let z = p.mul(&p).unwrap();

    let revisions = [&p, &c, &y, &z].map(|value| value.node.revision());
    assert_eq!(revisions, [2, 0, 0, 0]);

    for (value, operands, recorded) in [(&y, [&p, &c], [1, 0]), (&z, [&p, &p], [2, 2])] {
        let edges = value.node.edges.borrow();
        assert_eq!(edges.len(), 2);
        for ((edge, operand), recorded) in edges.iter().zip(operands).zip(recorded) {
            assert!(edge.parent.is_same(&operand.node));
            assert_eq!(edge.parent_revision, recorded);
            assert_eq!(edge.saved.is_some(), operand.tracks_gradient());
        }
    }
    assert_eq!(p.node.edges.borrow().len() + c.node.edges.borrow().len(), 0);
    assert!(p.node.parameter.is_some() && c.node.parameter.is_none());
    assert!(y.node.parameter.is_none());
    assert_eq!(z.node.primal.borrow().as_slice(), [25.0]);
}
