//! One line of JSON per measurement, for comparisons with other libraries in one run:
//! `cargo bench --bench peer -- --w W1,W4 --budget 0.5`.
//!
//! | option | meaning |
//! |---|---|
//! | `--peer NAME` | the name to print |
//! | `--w LIST` | `all`, or some of W1, W2, W3, W3big, W3million, W4 with commas between |
//! | `--budget SECONDS` | how long each measurement lasts |
//! | `--part PART` | `fb`: whole steps only; `f`: forward alone only |
//!
//! Times are nanoseconds per call: the median, the least and the ninth decile of wall time, then
//! the median and the least of the processor time of this process, which leaves out waiting
//! behind other programs. Lines with `check` hold what the workload computed.

#![forbid(unsafe_code)]

mod workloads;

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use workloads::{Workload, DEPTHS, EXTENTS};

fn main() -> ExitCode {
    let run = Options::parse(std::env::args().skip(1)).and_then(|options| options.run());
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    peer: String,
    groups: Option<Vec<String>>,
    budget: Duration,
    part: String,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            peer: "pullback".to_owned(),
            groups: None,
            budget: Duration::from_millis(400),
            part: String::new(),
        };
        while let Some(option) = arguments.next() {
            // Cargo passes this one to every benchmark.
            if option == "--bench" {
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{option} needs a value"))?;
            match option.as_str() {
                "--peer" => options.peer = value,
                "--w" if value == "all" => options.groups = None,
                "--w" => options.groups = Some(value.split(',').map(str::to_owned).collect()),
                "--budget" => {
                    options.budget = value
                        .parse()
                        .ok()
                        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                        .ok_or_else(|| format!("{value} is no number of seconds"))?;
                }
                "--part" => options.part = value,
                // One thread is all there is.
                "--threads" => {}
                _ => return Err(format!("unknown option {option}")),
            }
        }
        Ok(options)
    }

    fn wants(&self, group: &str) -> bool {
        self.groups.as_ref().is_none_or(|groups| groups.iter().any(|wanted| wanted == group))
    }

    /// Builds a workload only when its turn comes: large ones would disturb the rest.
    fn run(&self) -> Result<(), String> {
        if self.wants("W1") {
            self.report(&workloads::worked_graph())?;
        }
        if self.wants("W2") {
            for extent in EXTENTS {
                self.report(&workloads::square_graph(extent))?;
            }
        }
        for (group, depth) in ["W3", "W3big", "W3million"].into_iter().zip(DEPTHS) {
            if self.wants(group) {
                self.report(&workloads::chain(depth))?;
            }
        }
        if self.wants("W4") {
            self.report(&workloads::wide_reuse())?;
        }
        Ok(())
    }

    fn report(&self, workload: &Workload) -> Result<(), String> {
        let Workload { name, operations, .. } = workload;
        let checks: Vec<String> = workload
            .evidence()?
            .iter()
            .map(|(key, values)| format!("\"{key}\": {values:?}"))
            .collect();
        let peer = &self.peer;
        let checks = checks.join(", ");
        println!(
            "{{\"peer\": \"{peer}\", \"w\": \"{name}\", \"operations\": {operations}, \
             \"check\": {{{checks}}}}}"
        );
        if self.part != "fb" {
            self.measure(&format!("{name}.f"), || workload.forward().map(drop));
        }
        if self.part != "f" {
            self.measure(&format!("{name}.fb"), || workload.step().map(drop));
        }
        Ok(())
    }

    /// Samples of about a millisecond, or of one call, until the budget is spent.
    fn measure<R>(&self, name: &str, mut call: impl FnMut() -> R) {
        let mut timed = |calls: u32| {
            let (wall, processor) = (Instant::now(), ProcessTime::now());
            for _ in 0..calls {
                black_box(call());
            }
            let nanoseconds = |time: Duration| time.as_nanos() as f64 / f64::from(calls);
            (nanoseconds(wall.elapsed()), nanoseconds(processor.elapsed()))
        };
        timed(1);
        let mut fastest = timed(1).0;
        let warm = Instant::now();
        while warm.elapsed() < (self.budget / 4).min(Duration::from_millis(300)) {
            fastest = fastest.min(timed(1).0);
        }
        let calls = (1e6 / fastest.max(1.0)).max(1.0) as u32;

        let mut samples = Vec::new();
        let start = Instant::now();
        while samples.len() < 3 || (start.elapsed() < self.budget && samples.len() < 3000) {
            samples.push(timed(calls));
        }
        let (mut wall, mut processor): (Vec<f64>, Vec<f64>) = samples.into_iter().unzip();
        wall.sort_by(f64::total_cmp);
        processor.sort_by(f64::total_cmp);
        let count = wall.len();
        println!(
            "{{\"peer\": \"{}\", \"w\": \"{name}\", \"ns\": {}, \"min\": {}, \"p90\": {}, \
             \"cpu\": {}, \"cpumin\": {}, \"n\": {count}}}",
            self.peer,
            wall[count / 2],
            wall[0],
            wall[count * 9 / 10],
            processor[count / 2],
            processor[0],
        );
    }
}
