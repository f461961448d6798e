//! The learner command as a process: exact output, exit status, and nothing printed on failure.

use std::process::{Command, Stdio};

#[test]
fn prints_exactly_the_recorded_lines() {
    let run = Command::new(env!("CARGO_BIN_EXE_pullback")).output().unwrap();
    assert!(run.status.success());
    assert!(run.stderr.is_empty());
    let recorded = include_str!("recorded/learner-output.txt");
    assert_eq!(String::from_utf8(run.stdout).unwrap(), recorded);
    assert_eq!(recorded.lines().count(), 18);
}

/// Output that cannot be written is a failure, not a silent success.
#[cfg(target_os = "linux")]
#[test]
fn fails_when_its_output_is_lost() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_pullback"))
        .stdout(Stdio::from(full))
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(!run.status.success());
    assert!(String::from_utf8(run.stderr).unwrap().starts_with("pullback: "));
}
