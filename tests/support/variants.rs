//! What there is to test, read from the library's source: its enums are open, so outside the crate
//! no match over them is complete, and a list by hand would not grow with them.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

/// The names of a public enum's variants, in whichever file below `src/` it stands.
pub fn variants(name: &str) -> BTreeSet<String> {
    let mut sources = Vec::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
    let opening = format!("pub enum {name} {{\n");
    let mut bodies = sources.iter().filter_map(|source| source.split_once(&opening));
    let (body, none) = (bodies.next().expect("an enum of this name").1, bodies.next());
    assert!(none.is_none(), "two enums {name}");
    let names: BTreeSet<String> = body
        .split_once("\n}")
        .expect("the end of the enum")
        .0
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
        .map(first_word)
        .collect();
    assert!(!names.is_empty(), "{name} has no variants");
    names
}

/// The variants of `TensorOperation` that have operands, and so a rule. A new leaf stands in the
/// list below or counts as one of them.
pub fn operations() -> BTreeSet<String> {
    let mut operations = variants("TensorOperation");
    for leaf in ["Parameter", "Constant", "Detached"] {
        assert!(operations.remove(leaf), "{leaf}");
    }
    operations
}

/// The name of the variant that a value is, as its derived `Debug` starts.
pub fn variant(value: &impl Debug) -> String {
    first_word(&format!("{value:?}"))
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric()).collect()
}

fn read(folder: &Path, sources: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, sources);
        } else {
            sources.push(std::fs::read_to_string(&path).expect("a source file"));
        }
    }
}
