//! The build script writes files, and must not take them for news next time; nor does a program of
//! the book compile again.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// What one `cargo test --no-run` of the whole workspace compiles, with the
/// profile of this very run, and the program that runs the book's blocks.
fn compiled(root: &Path) -> (Vec<String>, PathBuf) {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut run = Command::new(cargo);
    run.args(["test", "--no-run", "--message-format=json-render-diagnostics"]).current_dir(root);
    if !cfg!(debug_assertions) {
        run.arg("--release");
    }
    let output = run.output().unwrap();
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let artifacts = messages.lines().filter(|one| one.contains("\"compiler-artifact\""));
    let artifacts: Vec<&str> = artifacts.collect();
    assert!(artifacts.iter().any(|one| one.contains("build-script-build")), "{messages}");
    let stale = artifacts.iter().filter(|one| !one.contains("\"fresh\":true"));
    let programs = artifacts.iter().filter_map(|one| {
        let one: serde_json::Value = serde_json::from_str(one).unwrap();
        let book = one["target"]["name"] == "skeptic" && one["target"]["kind"][0] == "test";
        one["executable"].as_str().filter(|_| book).map(PathBuf::from)
    });
    let programs: Vec<PathBuf> = programs.collect();
    assert_eq!(programs.len(), 1, "{messages}");
    (stale.map(|one| (*one).to_owned()).collect(), programs[0].clone())
}

/// When each of the book's programs that ran since `start` was compiled: skeptic keeps them, and
/// marks the one that it runs.
fn compiled_at(blocks: &Path, start: SystemTime) -> Vec<SystemTime> {
    let folder = blocks.parent().and_then(Path::parent).unwrap().join(".skeptic-bin");
    let kept = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap());
    let run = kept.filter(|one| one.modified().unwrap() >= start);
    run.map(|one| one.created().unwrap()).collect()
}

#[test]
fn a_second_run_compiles_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    // The first has nothing to do after `cargo test`, and everything to do
    // after a run of this test alone.
    compiled(root);
    let (stale, blocks) = compiled(root);
    assert_eq!(stale, [""; 0]);

    // One listing stands for all of them.
    let run = || Command::new(&blocks).args(["reduction_vjp", "--quiet"]).output().unwrap();
    let first = run();
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let start = SystemTime::now();
    assert!(run().status.success());
    let programs = compiled_at(&blocks, start);
    assert_eq!(programs.len(), 1);
    assert!(programs[0] < start);
}
