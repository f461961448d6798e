//! The build script writes files, and must not take them for news next time.

use std::env;
use std::path::Path;
use std::process::Command;

/// What one `cargo test --no-run` of the whole workspace compiles, with the
/// profile of this very run.
fn compiled(root: &Path) -> Vec<String> {
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
    stale.map(|one| (*one).to_owned()).collect()
}

#[test]
fn a_second_run_compiles_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    // The first has nothing to do after `cargo test`, and everything to do
    // after a run of this test alone.
    compiled(root);
    assert_eq!(compiled(root), [""; 0]);
}
