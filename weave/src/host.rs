//! The program around a listing: the library with a gap where its region was.

use std::ops::Range;
use std::path::Path;

use crate::book::Listing;
use crate::library::Library;
use crate::linked::links;
use crate::source::{Declaration, Source};
use crate::text::slashed;

/// The name of the module that holds the text of `src/main.rs`.
const PROGRAM: &str = "program";

/// What stands before and after the printed text in a listing's test.
///
/// The crate root is `src/lib.rs`. Each module on the way to the host is
/// written out in place; every other comes by an absolute path. The check
/// stands inside the host, where private items are in reach, and `main` calls
/// it. `src/main.rs` has a `main` of its own, so it moves into a module, and a
/// glob at the root keeps its `crate::` paths alive.
///
/// Every test compiles its program anew, so modules of the root stay out that
/// nothing here names, and what stands below all others is linked from
/// [a compiled copy](crate::open()).
///
/// A check that fails points into this program, which nobody has seen; the last line that it prints
/// leads to the page, the listing and the check.
pub(crate) fn around(root: &Path, library: &Library, listing: &Listing) -> (String, String) {
    let chain = library.chain(&listing.source);
    let names = library.module(&listing.source).map_or(&[][..], |module| &module.names);
    let program = chain.first().is_some_and(|(file, _)| file.ends_with("main.rs"));

    let mut before = String::from("#![allow(warnings)]\n");
    let mut after = String::new();
    if program {
        before.push_str(&format!("use {PROGRAM}::*;\npub(crate) mod {PROGRAM} {{\n"));
        after.push_str("\n}\n");
    }
    let path: Vec<&str> = std::iter::once(PROGRAM)
        .filter(|_| program)
        .chain(names.iter().map(String::as_str))
        .chain(["listing_check", "check"])
        .collect();
    after.push_str(&format!(
        r#"
struct ListingPlace;

impl Drop for ListingPlace {{
    fn drop(&mut self) {{
        if std::thread::panicking() {{
            eprintln!("{{}}", {:?});
        }}
    }}
}}

fn main() {{
    let _place = ListingPlace;
    crate::{}()
}}
"#,
        place(listing),
        path.join("::")
    ));

    let mut tail = String::new();
    for (depth, (file, source)) in chain.iter().enumerate() {
        let next = names.get(depth).and_then(|name| declared(source, name));
        let mut edits = edits(root, library, file, source, next, Some("pub(crate) "));
        if depth == 0 {
            let needed = needed(library, listing, source);
            leave_out(&mut edits, source, &needed);
            for (whole, text) in links(library, listing, source) {
                put(&mut edits, whole, text);
            }
            edits.sort_by_key(|(range, _)| (range.start, range.end));
        }
        let (start, end) = match next {
            Some(next) => (next.semicolon.start, next.semicolon.end),
            None => (
                source.lines.start(listing.first_line, &source.text),
                source.lines.start(listing.last_line + 1, &source.text),
            ),
        };
        before.push_str(&edited(&source.text, 0..start, &edits));
        let rest = edited(&source.text, end..source.text.len(), &edits);
        if next.is_some() {
            before.push_str(" {\n");
            tail.insert_str(0, &format!("\n}}\n{rest}"));
        } else {
            let check = &listing.check_text;
            let check = format!("pub(crate) mod listing_check {{\n{check}\n}}\n");
            tail.insert_str(0, &format!("{rest}\n{check}"));
        }
    }
    after.insert_str(0, &tail);
    (before, after)
}

/// Where the text of a listing, its source and its check stand.
fn place(listing: &Listing) -> String {
    format!(
        "book/{}:{}: the listing `{}` ({}:{}) fails its check, {}",
        slashed(&listing.chapter),
        listing.chapter_line,
        listing.anchor,
        slashed(&listing.source),
        listing.first_line,
        slashed(&listing.check),
    )
}

/// The names of the root's modules that the program needs: the listing's own, those that the root
/// itself names, and those that a needed one or the check names.
fn needed<'a>(library: &Library, listing: &Listing, root: &'a Source) -> Vec<&'a str> {
    let own = library.top(&listing.source);
    let declared = |one: &&Declaration| !one.test;
    let mut needed: Vec<&str> = Vec::new();
    loop {
        let named = |name: &str| {
            own == Some(name)
                || names_module(&root.text, name)
                || names_module(&listing.check_text, name)
                || library.sources.iter().any(|(file, source)| {
                    library.top(file).is_some_and(|module| needed.contains(&module))
                        && names_module(&source.text, name)
                })
        };
        let names = root.modules.iter().filter(declared).map(|one| one.name.as_str());
        let more: Vec<&str> = names.filter(|name| named(name)).collect();
        if more.len() == needed.len() {
            return more;
        }
        needed = more;
    }
}

/// Whether a text has a path through a module of this name.
fn names_module(text: &str, name: &str) -> bool {
    let path = format!("{name}::");
    text.match_indices(&path).any(|(at, _)| {
        !text[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    })
}

/// Takes the declarations of all other modules out of the root.
fn leave_out(edits: &mut Vec<(Range<usize>, String)>, root: &Source, needed: &[&str]) {
    for one in root.modules.iter().filter(|one| !one.test && !needed.contains(&&*one.name)) {
        put(edits, one.span.start..one.semicolon.end, String::new());
    }
}

/// Puts a text in the place of these bytes, and of all edits within.
fn put(edits: &mut Vec<(Range<usize>, String)>, whole: Range<usize>, text: String) {
    edits.retain(|(range, _)| range.start < whole.start || range.end > whole.end);
    edits.push((whole, text));
}

fn declared<'a>(source: &'a Source, name: &str) -> Option<&'a Declaration> {
    source.modules.iter().find(|one| !one.test && one.name == name)
}

/// What changes in a file that is written out: bytes and their replacement. Modules that are not
/// public become what `visibility` says, if anything.
pub(crate) fn edits(
    root: &Path,
    library: &Library,
    file: &Path,
    source: &Source,
    inlined: Option<&Declaration>,
    visibility: Option<&str>,
) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    for inner in &source.inner {
        edits.push((inner.clone(), String::new()));
    }
    for gate in &source.gates {
        // True under `cfg`, false under `not`.
        edits.push((gate.clone(), "all()".to_owned()));
    }
    for one in source.modules.iter().filter(|one| !one.test) {
        let here = inlined.is_some_and(|inlined| inlined.span == one.span);
        if let (false, Some(target)) = (here, library.target(file, one)) {
            let start = one.span.start;
            let path = root.join(target);
            edits.push((start..start, format!("#[path = {:?}] ", path.to_string_lossy())));
        }
        if let Some((attribute, _)) = &one.path {
            edits.push((attribute.clone(), String::new()));
        }
        if let (false, Some(visibility)) = (one.public, visibility) {
            edits.push((one.visibility.clone(), visibility.to_owned()));
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
}

/// `text[range]` with the edits that lie in it.
pub(crate) fn edited(text: &str, range: Range<usize>, edits: &[(Range<usize>, String)]) -> String {
    let mut done = String::new();
    let mut at = range.start;
    for (place, replacement) in edits {
        // A place inside another is gone with it.
        if at <= place.start && place.end <= range.end {
            done.push_str(&text[at..place.start]);
            done.push_str(replacement);
            at = place.end;
        }
    }
    done.push_str(&text[at..range.end]);
    done
}
