//! `mdbook-pullback`: what `book.toml` starts.
//!
//! Without arguments it is a preprocessor: the book comes in on standard input and
//! goes out on standard output. `supports NAME` answers that every renderer is
//! supported. `finish` is the last output, which checks and finishes the pages.
//! `link-api SITE` links the pages of a built site with the documentation in its folder `api`.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use mdbook_preprocessor::errors::{Error, Result};
use mdbook_preprocessor::{parse_input, Preprocessor};
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
    let pullback = Pullback::new(Repository::from_environment(|name| std::env::var(name).ok()));
    let book = pullback.run(&context, book)?;
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &book)?;
    out.flush()?;
    Ok(())
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
