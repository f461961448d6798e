use super::*;
use crate::TensorValue;

/// Notes which edges it sees not evaluated, and leaves the rest to the defaults.
#[derive(Default)]
struct Untaken(Vec<[usize; 3]>);

impl PassObserver for Untaken {
    type Record = Vec<[usize; 3]>;

    fn untracked_edge(&mut self, visit: EdgeVisit<'_>) {
        self.0.push([visit.child, visit.parent, visit.operand]);
    }

    fn complete(
        self,
        _: GraphRetention,
        _: &Topology,
    ) -> Result<Self::Record, TensorAutodiffError> {
        Ok(self.0)
    }
}

/// An observer that does nothing costs nothing, refuses nothing, and completes without a record;
/// a visit names one edge by its nodes, its slot and what goes back over it.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let x = TensorValue::parameter(Tensor::scalar(3.0)).unwrap();
    let c = TensorValue::constant(Tensor::scalar(4.0)).unwrap();
    let y = x.mul(&c).unwrap();
    let edges = y.node.edges.borrow();
    let upstream = Tensor::scalar(1.0);
    let visit = |operand| EdgeVisit {
        child: 2,
        parent: operand,
        operand,
        edge: &edges[operand],
        upstream: &upstream,
    };
    let (first, second) = (visit(0), visit(1));

    assert_eq!(std::mem::size_of::<Untraced>(), 0);
    assert_eq!((Untraced::LOOKS_BACK, Untaken::LOOKS_BACK), (false, true));
    let mut untraced = Untraced;
    let mut untaken = Untaken::default();
    for _ in 0..2 {
        untraced.seed(&upstream);
        untaken.seed(&upstream);
        untraced.node(2, Some(&upstream));
        untraced.untracked_edge(second);
        assert_eq!(untraced.before_accumulation(first, &upstream, None), Ok(()));
        assert_eq!(untraced.before_accumulation(first, &upstream, Some(&upstream)), Ok(()));
        untraced.after_accumulation(Some(&upstream));
        untaken.node(2, None);
        untaken.untracked_edge(second);
        untaken.after_accumulation(None);
    }
    let topology = Topology::default();
    assert_eq!(untraced.complete(GraphRetention::Retain, &topology), Ok(()));
    assert_eq!(Untraced.complete(GraphRetention::Release, &topology), Ok(()));
    assert_eq!(untaken.complete(GraphRetention::Retain, &topology), Ok(vec![[2, 1, 1]; 2]));
    assert!(second.edge.saved.is_none() && std::ptr::eq(first.upstream, &upstream));

    // The ordinary pass is the one that such an observer looks on at.
    y.backward().unwrap();
    assert_eq!(x.gradient_snapshot(), Some(Tensor::scalar(4.0)));
}
