//! The library with everything in it public.

use std::fs;
use std::io;
use std::path::Path;

use crate::host::{edited, edits};
use crate::library::Library;
use crate::text::files;

/// Writes the sources below `src/` of `root` to `out`, without the modules for tests and with
/// everything public that anything beyond its module may see, and returns the root of that crate:
/// text without inner attributes, for a file to include.
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
    for file in files(&root, Path::new("src"), |_| true) {
        let to = out.join(&file);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        let Some(source) = library.sources.get(&file) else {
            fs::copy(root.join(&file), to)?;
            continue;
        };
        let is_root = file == Path::new("src/lib.rs");
        let mut changes = edits(&out, &library, &file, source, None, "pub ");
        if !is_root {
            changes.retain(|(range, _)| !source.inner.contains(range));
        }
        changes.retain(|(range, _)| !source.gates.contains(range));
        changes.extend(source.reach.tests.iter().map(|one| (one.clone(), String::new())));
        changes.extend(source.reach.restricted.iter().map(|one| (one.clone(), "pub".to_owned())));
        changes.sort_by_key(|(range, _)| (range.start, range.end));
        let text = edited(&source.text, 0..source.text.len(), &changes);
        if is_root {
            opened.clone_from(&text);
        }
        fs::write(to, text)?;
    }
    Ok(opened)
}
