//! Copies what the tests of the listings link, with all public that the library sees.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=../../src");
    // As the script runs: a script that was moved with its target is not built anew.
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&here).join("../..");
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    match pullback_weave::open(root, &out) {
        Ok(text) => fs::write(Path::new(&out).join("opened.rs"), text),
        Err(error) => {
            error.to_string().lines().for_each(|line| println!("cargo::error={line}"));
            Ok(())
        }
    }
}
