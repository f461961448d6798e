//! One engine: with or without a trace a pass evaluates each pullback once.

use super::super::trace::{EdgeVisit, PassObserver, TraceRecorder, Untraced};
use super::*;
use std::cell::Cell;
use std::path::{Path, PathBuf};

struct Counting<'a, O>(O, &'a Cell<usize>);

impl<O: PassObserver> PassObserver for Counting<'_, O> {
    type Record = O::Record;

    fn seed(&mut self, seed: &Tensor) {
        self.0.seed(seed);
    }

    fn node(&mut self, index: usize, adjoint: Option<&Tensor>) {
        self.0.node(index, adjoint);
    }

    fn untracked_edge(&mut self, visit: EdgeVisit<'_>) {
        self.0.untracked_edge(visit);
    }

    fn before_accumulation(
        &mut self,
        visit: EdgeVisit<'_>,
        contribution: &Tensor,
        adjoint: Option<&Tensor>,
    ) -> Result<(), TensorAutodiffError> {
        self.1.set(self.1.get() + 1);
        self.0.before_accumulation(visit, contribution, adjoint)
    }

    fn after_accumulation(&mut self, adjoint: Option<&Tensor>) {
        self.0.after_accumulation(adjoint);
    }

    fn complete(
        self,
        retention: GraphRetention,
        topology: &Topology,
    ) -> Result<Self::Record, TensorAutodiffError> {
        self.0.complete(retention, topology)
    }
}

#[test]
fn the_same_number_with_and_without_a_trace() {
    let p = TensorValue::parameter(Tensor::from_vec([2], vec![2.0, 3.0]).unwrap()).unwrap();
    let c = TensorValue::constant(Tensor::scalar(0.5)).unwrap();
    let square = p.mul(&p).unwrap();
    let y = square.add(&p.mul(&c).unwrap()).unwrap().mul(&square).unwrap();
    let y = y.sum_axis(0, false).unwrap();

    let (plain, traced) = (Cell::new(0), Cell::new(0));
    let retain = GraphRetention::Retain;
    y.reverse_pass(None, retain, Counting(Untraced, &plain)).unwrap();
    let observer = Counting(TraceRecorder::new(), &traced);
    let record = y.reverse_pass(None, retain, observer).unwrap();

    let evaluated = record.edges.iter().filter(|edge| edge.contribution.is_some()).count();
    // p·p twice, p·c once and not for c, the sum twice, the product twice, the reduction.
    assert_eq!((plain.get(), traced.get(), evaluated), (8, 8, 8));
    assert_eq!(record.edges.len(), 9);
}

/// The counts above hold for every pullback because one place in the library calls them.
#[test]
fn pullbacks_are_called_at_one_place() {
    fn calls(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let calls_of = |path: PathBuf| match path.is_dir() {
            true => calls(&path),
            false => {
                let source = std::fs::read_to_string(&path).unwrap();
                vec![path.display().to_string(); source.matches(".apply_vjp(").count()]
            }
        };
        entries.flat_map(calls_of).collect()
    }
    let found = calls(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert_eq!(found.len(), 1, "{found:?}");
}
