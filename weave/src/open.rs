//! A copy of what the programs of listings link, in which all is public that the library sees.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::apart;
use crate::fault::Faults;
use crate::host::{edited, edits};
use crate::library::Library;
use crate::linked::linked;
use crate::source::{attribute, is, parse, Source};

/// Copies the modules that the tests of other modules' listings link from below `src/` of `root` to
/// `out`, and returns the root of a crate that has them, for a file to include.
///
/// A listing may use what only the library's crate sees; in the copy that is public. What only a
/// part of the crate sees stays as it is: no other module has a use for it, and a method may hide
/// another one.
///
/// What is at fault in a source is for the compiler and for [`load`](crate::load()) to say.
///
/// # Errors
///
/// A root without a library, a file that cannot be read or written, or every place where something
/// may mean something else in the copy: a macro of these modules that tells visibilities apart, gets
/// one, writes another one than `pub(crate)`, or takes the place of another macro; a way from these
/// modules to names of the root; a macro or an `extern crate` of the root that reaches them; what
/// another module adds to their types; what tells where it was built.
pub fn open(root: impl AsRef<Path>, out: impl AsRef<Path>) -> io::Result<String> {
    let (root, out) = (std::path::absolute(root)?, std::path::absolute(out)?);
    let library = Library::read(&root, &mut Vec::new());
    let top = Path::new("src/lib.rs");
    let Some(crate_root) = library.sources.get(top) else {
        let what = format!("{}: there is no library", root.join(top).display());
        return Err(io::Error::new(io::ErrorKind::NotFound, what));
    };
    let mut faults = Vec::new();
    apart::check(&library, &mut faults);
    if !faults.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidData, Faults::new(faults)));
    }
    // A copy of what is no source any more must not be found.
    let copies = out.join("src");
    if copies.exists() {
        fs::remove_dir_all(copies)?;
    }
    let mut opened = String::new();
    for one in linked(crate_root) {
        let Some(target) = library.target(top, one) else { continue };
        let path = out.join(target);
        opened.push_str(&format!(
            "#[path = {:?}]\npub mod {};\n",
            path.to_string_lossy(),
            one.name
        ));
        for (file, source) in &library.sources {
            if library.top(file) == Some(&one.name) {
                let to = out.join(file);
                fs::create_dir_all(to.parent().unwrap_or(&out))?;
                fs::write(to, copy(&out, &library, file, source)?)?;
            }
        }
    }
    Ok(opened)
}

fn copy(out: &Path, library: &Library, file: &Path, source: &Source) -> io::Result<String> {
    let mut changes = edits(out, library, file, source, None, None);
    changes.retain(|(range, _)| !source.gates.contains(range));
    let mut module = library.module(file).map_or_else(Vec::new, |module| module.names.clone());
    if let Ok((tokens, syntax)) = parse(file, &source.text) {
        open_tokens(tokens, &mut module, &mut changes);
        // Their files and crates are not the copy's, and a linter compiles tests as well.
        changes.extend(apart::tests(&syntax).into_iter().map(|range| (range, String::new())));
    }
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    Ok(edited(&source.text, 0..source.text.len(), &changes))
}

/// Finds what keeps other crates from what all of this one sees, and what goes in its place.
/// `module` is the path of the module that the tokens stand in.
fn open_tokens(
    tokens: TokenStream,
    module: &mut Vec<String>,
    changes: &mut Vec<(Range<usize>, String)>,
) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let Some(group) = attribute(token, &tokens[at + 1..]) {
            // It binds other crates only.
            if group.stream().to_string() == "non_exhaustive" {
                let span = token.span().byte_range().start..group.span_close().byte_range().end;
                changes.push((span, String::new()));
            }
        }
        let TokenTree::Group(group) = token else { continue };
        match &tokens[..at] {
            [.., keyword] if is(keyword, "pub") && is_of_crate(group, module) => {
                let span = keyword.span().byte_range().start..group.span_close().byte_range().end;
                changes.push((span, "pub".to_owned()));
            }
            [.., keyword, TokenTree::Ident(name)] if is(keyword, "mod") => {
                module.push(name.to_string());
                open_tokens(group.stream(), module, changes);
                module.pop();
            }
            _ => open_tokens(group.stream(), module, changes),
        }
    }
}

/// Whether what stands behind a `pub`, in this module, names the root: `(crate)`, `(in super::super)`.
fn is_of_crate(group: &Group, module: &[String]) -> bool {
    let words = group.stream().into_iter().map(|one| one.to_string());
    let path: Vec<String> = words.filter(|one| one != ":" && one != "in").collect();
    let mut at: Vec<&str> = module.iter().map(String::as_str).collect();
    for word in &path {
        match word.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            name => at.push(name),
        }
    }
    at.is_empty()
}
