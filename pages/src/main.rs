//! `mdbook-pullback`: what `book.toml` starts.
//!
//! Without arguments it is a preprocessor: the book comes in on standard input and
//! goes out on standard output. `supports NAME` answers that every renderer is
//! supported. `finish` is the last output, which checks and finishes the pages.
//! `link-api SITE` links the pages of a built site with the documentation in its folder `api`.
#![forbid(unsafe_code)]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mdbook_preprocessor::errors::{Error, Result};
use mdbook_preprocessor::{parse_input, Preprocessor, PreprocessorContext};
use mdbook_pullback::{link_api, Finish, Pullback, Repository};
use mdbook_renderer::{RenderContext, Renderer};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        [] => weave(),
        ["supports", _renderer] => Ok(()),
        ["finish"] => finish(),
        ["link-api", site] => link(site),
        _ => Err(Error::msg("usage: mdbook-pullback [supports RENDERER | finish | link-api SITE]")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn weave() -> Result<()> {
    let (context, book) = parse_input(io::stdin().lock())?;
    refuse_folder_outside(&context)?;
    let pullback = Pullback::new(Repository::from_environment(|name| std::env::var(name).ok()));
    let book = pullback.run(&context, book)?;
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &book)?;
    out.flush()?;
    Ok(())
}

/// mdBook runs the last renderer in the folder of the output, where cargo looks for this program.
fn refuse_folder_outside(context: &PreprocessorContext) -> Result<()> {
    let folder = context.root.join(&context.config.build.build_dir);
    let (root, inside) = (fs::canonicalize(&context.root)?, nearest(&folder));
    if inside.is_some_and(|inside| inside.starts_with(&root)) {
        return Ok(());
    }
    Err(Error::msg(format!(
        "{} is outside of this repository, where the last renderer cannot run: build without \
         `--dest-dir`, and copy `target/book/html`",
        folder.display()
    )))
}

/// Where a folder is going to be, as far as it is there.
fn nearest(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find_map(|one| fs::canonicalize(one).ok())
}

fn finish() -> Result<()> {
    let context = RenderContext::from_json(io::stdin().lock())?;
    Finish.render(&context)
}

fn link(site: &str) -> Result<()> {
    let links = link_api(&std::env::current_dir()?, Path::new(site))?;
    println!(
        "{} links from the documentation to listings, {} from listings to the documentation",
        links.to_listings, links.to_items
    );
    Ok(())
}
