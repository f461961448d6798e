//! How long a training step takes: `cargo bench --bench tape`.
//!
//! First comes a table of heap allocations, then the times, from divan. A workload whose result
//! is wrong stops the program before it is timed.

#![forbid(unsafe_code)]

mod workloads;

use divan::counter::ItemsCount;
use divan::Bencher;
use workloads::{Workload, DEPTHS, EXTENTS};

fn main() {
    print_allocations();
    divan::main();
}

#[divan::bench(max_time = 2)]
fn w1_worked_graph(bencher: Bencher) {
    measure(bencher, &workloads::worked_graph());
}

#[divan::bench(args = EXTENTS, max_time = 4)]
fn w2_square_graph(bencher: Bencher, extent: usize) {
    measure(bencher, &workloads::square_graph(extent));
}

#[divan::bench(args = DEPTHS, max_time = 4)]
fn w3_chain(bencher: Bencher, depth: usize) {
    measure(bencher, &workloads::chain(depth));
}

#[divan::bench(max_time = 2)]
fn w4_wide_reuse(bencher: Bencher) {
    measure(bencher, &workloads::wide_reuse());
}

/// Times whole steps, the end of the graph included; divan also prints operations per second.
fn measure(bencher: Bencher, workload: &Workload) {
    if let Err(difference) = workload.evidence() {
        panic!("{difference}");
    }
    bencher
        .counter(ItemsCount::new(workload.operations))
        .bench_local(|| workload.step().map(drop).expect("the step ran before"));
}

/// Counts what a step asks of the heap once earlier steps have left their buffers behind.
fn print_allocations() {
    let worked = std::iter::once(workloads::worked_graph());
    let squares = EXTENTS.into_iter().map(workloads::square_graph);
    let chains = DEPTHS.into_iter().map(workloads::chain);
    let wide = std::iter::once(workloads::wide_reuse());
    println!("heap allocations of one step");
    println!(
        "{:12} {:>10} {:>11} {:>13} {:>13} {:>14} {:>14}",
        "workload",
        "operations",
        "allocations",
        "per operation",
        "forward alone",
        "bytes",
        "bytes at peak"
    );
    for workload in worked.chain(squares).chain(chains).chain(wide) {
        for _ in 0..2 {
            workload.step().map(drop).expect("finite values and fitting shapes");
        }
        let step = allocation_counter::measure(|| {
            workload.step().map(drop).expect("the step ran before");
        });
        let forward = allocation_counter::measure(|| {
            workload.forward().map(drop).expect("the step ran before");
        });
        let per_operation = |count: u64| count as f64 / workload.operations as f64;
        println!(
            "{:12} {:>10} {:>11} {:>13.2} {:>13.2} {:>14} {:>14}",
            workload.name,
            workload.operations,
            step.count_total,
            per_operation(step.count_total),
            per_operation(forward.count_total),
            step.bytes_total,
            step.bytes_max
        );
    }
    println!();
}
