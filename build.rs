//! Tangles the book: every Rust block of every page becomes a test.

#[cfg(feature = "book")]
fn main() {
    use std::env;
    use std::path::PathBuf;

    // Folders as well as files, so that a new or a removed file counts.
    for input in ["book", "src", "tests/listings", "README.md", "book.toml"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let folder = |name| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let pages = pullback_weave::load(folder("CARGO_MANIFEST_DIR")).and_then(|book| {
        for input in &book.inputs {
            println!("cargo::rerun-if-changed={}", input.display());
        }
        pullback_weave::tangle(&book, folder("OUT_DIR").join("woven"))
    });
    match pages {
        Ok(pages) => skeptic::generate_doc_tests(&pages),
        // Each of these lines fails the build. An exit code would have cargo
        // print all of them a second time.
        Err(faults) => faults.iter().for_each(|fault| println!("cargo::error={fault}")),
    }
}

#[cfg(not(feature = "book"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
