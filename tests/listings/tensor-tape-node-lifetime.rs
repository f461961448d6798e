use super::*;

fn node(connect: impl FnOnce(&mut TensorEdges)) -> NodeRef {
    NodeRef::new(TensorOperation::Sum, true, Tensor::scalar(7.0), None, |shape, edges| {
        assert!(shape.is_empty(), "the node's own");
        connect(edges);
    })
}

/// What was put in and nothing left over from the node that had the place before.
fn assert_fresh(node: &NodeRef, edges: usize) {
    assert_eq!((node.operation, node.tracked), (TensorOperation::Sum, true));
    assert!(!node.released.get() && node.parameter.is_none());
    assert_eq!(node.handles.get(), 0, "no value points here yet");
    assert!(node.shape.is_empty() && *node.primal.borrow() == Tensor::scalar(7.0));
    assert_eq!(node.edges.borrow().len(), edges);
}

/// Makes a node after the thread's own storage is gone.
struct AtTheEnd;

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        assert_fresh(&node(|_| ()), 0);
    }
}

thread_local! {
    static END: AtTheEnd = const { AtTheEnd };
}

/// A new node holds exactly what it was given, whether its place is new or used before, and a copy
/// of a pointer is a pointer to the same node.
#[cfg_attr(test, test)]
pub(crate) fn check() {
    let in_a_new_thread = || {
        END.with(|_| ());
        // The first node of a thread is met by the first pass of that thread.
        let x = crate::TensorValue::parameter(Tensor::scalar(3.0)).unwrap();
        x.mul(&x).unwrap().backward().unwrap();
        assert_eq!(x.gradient_snapshot(), Some(Tensor::scalar(6.0)));
        let parent = node(|_| ());
        assert_fresh(&parent, 0);
        assert!(parent.is_same(&parent.clone()) && !parent.is_same(&node(|_| ())));
        assert!(!node(|_| ()).is_same(&node(|_| ())), "alike, but not the same");

        let state = ParameterState::new(Shape::from([2, 3])).unwrap();
        let wide = Tensor::zeros([2, 3]).unwrap();
        let parameter = TensorOperation::Parameter;
        let used = NodeRef::new(parameter, false, wide, Some(Box::new(state)), |shape, edges| {
            assert_eq!(*shape, [2, 3]);
            for saved in [None, None] {
                edges.push(TensorEdge { parent: parent.clone(), parent_revision: 3, saved });
            }
        });
        assert_eq!((used.operation, used.tracked), (parameter, false));
        assert!(used.parameter.is_some() && used.shape == [2, 3]);
        assert_eq!(used.edges.borrow().len(), 2);
        used.released.set(true);
        let place: *const TensorNode = &*used;
        drop(used);

        let again = node(|edges| {
            edges.push(TensorEdge { parent: parent.clone(), parent_revision: 5, saved: None });
        });
        assert_fresh(&again, 1);
        assert!(again.edges.borrow()[0].parent.is_same(&parent));
        assert_eq!(again.edges.borrow()[0].parent_revision, 5);
        assert!(std::ptr::eq(place, &*again), "a retired node is filled again");
        assert_fresh(&parent, 0);
    };
    std::thread::spawn(in_a_new_thread).join().unwrap();
}
