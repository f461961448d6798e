//! The library with everything in it public that all of it sees.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::host::{edited, edits};
use crate::library::Library;
use crate::linked::can_be_copied;
use crate::source::Source;

/// Writes the sources below `src/` of `root` to `out`, without the modules for tests and with
/// everything public that all of the crate may see, and returns the root of that crate: text without
/// inner attributes, for a file to include. It is empty where a copy might not mean the same; no
/// test of a listing links it then.
///
/// A listing stands in a module that may use what only the library's crate can. Its program links
/// this crate for what it does not compile anew. What is at fault in a source is for the compiler
/// and for [`load`](crate::load()) to say.
///
/// # Errors
///
/// A file that cannot be read or written.
pub fn open(root: impl AsRef<Path>, out: impl AsRef<Path>) -> io::Result<String> {
    let (root, out) = (std::path::absolute(root)?, std::path::absolute(out)?);
    let library = Library::read(&root, &mut Vec::new());
    let mut opened = String::new();
    if !can_be_copied(&library) {
        return Ok(opened);
    }
    for (file, source) in library.sources.iter().filter(|(file, _)| library.is_of_library(file)) {
        let to = out.join(file);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = copy(&out, &library, file, source);
        if file == Path::new("src/lib.rs") {
            opened.clone_from(&text);
        }
        fs::write(to, text)?;
    }
    Ok(opened)
}

fn copy(out: &Path, library: &Library, file: &Path, source: &Source) -> String {
    let reach = &source.reach;
    let depth = library.module(file).map_or(0, |module| module.names.len());
    // All of the crate sees a private module of its root.
    let of_private = (depth == 0).then_some("pub ");
    let mut changes = edits(out, library, file, source, None, of_private);
    changes.retain(|(range, _)| !source.gates.contains(range));
    let mut replace = |ranges: &[Range<usize>], text: &str| {
        changes.extend(ranges.iter().map(|one| (one.clone(), text.to_owned())));
    };
    replace(&reach.tests, "");
    replace(&reach.open_ended, "");
    replace(&reach.restricted, "pub");
    if depth <= 1 {
        replace(&reach.to_parent, "pub");
    }
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    edited(&source.text, 0..source.text.len(), &changes)
}
