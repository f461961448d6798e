//! From a folder to a book.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::apart;
use crate::book::{Book, Chapter, Kind, Listing};
use crate::chapter;
use crate::expand::expand;
use crate::fault::{Fault, Faults, What};
use crate::figures;
use crate::library::Library;
use crate::rules;
use crate::summary;
use crate::text::{files, is_rust, read, slashed};

/// Reads, expands and checks the book below `root`.
///
/// # Errors
///
/// Every fault of every page, source file and check file, in one go.
pub fn load(root: impl AsRef<Path>) -> Result<Book, Faults> {
    let root = root.as_ref();
    let root = std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf());
    let mut faults = Vec::new();
    summary::settings(&root, &mut faults);
    let library = Library::read(&root, &mut faults);
    apart::check(&library, &mut faults);

    let mut entries = Vec::new();
    let mut pages = Vec::new();
    let Some(listed) = summary::entries(&root, &mut faults) else {
        // Without chapters every anchor would count as unprinted.
        return Err(Faults::new(faults));
    };
    for entry in listed {
        if let Some(text) = read(&root, &Path::new("book").join(&entry.path), &mut faults) {
            pages.push((entry.path.clone(), text));
            entries.push(entry);
        }
    }
    let mut chapters = Vec::new();
    let mut inputs = BTreeSet::from([PathBuf::from("README.md"), PathBuf::from("book.toml")]);
    for (entry, page) in entries.into_iter().zip(expand(&root, pages)) {
        inputs.insert(Path::new("book").join(&entry.path));
        let (chapter, included) = chapter::read(&root, entry, page, &library, &mut faults);
        chapters.push(chapter);
        inputs.extend(included);
    }
    inputs.extend(library.sources.keys().cloned());

    let readme = read(&root, Path::new("README.md"), &mut faults).unwrap_or_default();
    let readme_examples = chapter::examples(Path::new("README.md"), &readme, &mut faults);

    let lost = Path::new(summary::LOST);
    if root.join(lost).is_file() {
        inputs.insert(lost.to_path_buf());
        let text = read(&root, lost, &mut faults).unwrap_or_default();
        for example in chapter::examples(lost, &text, &mut faults) {
            faults.push(What::Unrun.at(lost, example.line));
        }
    }

    checks(&root, &library, &mut chapters, &mut inputs, &mut faults);
    let listings: Vec<&Listing> = chapters.iter().flat_map(|one| &one.listings).collect();
    printed_once(&listings, &library, &mut faults);
    references(&chapters, &listings, &mut faults);
    figures::check(&chapters, &mut faults);
    for listing in listings {
        rules::hosts(listing, &library, &mut faults);
    }
    if !faults.is_empty() {
        // What an unread file would have brought is not missing from the others.
        if faults.iter().any(|fault| fault.what.leaves_out()) {
            faults.retain(|fault| !fault.what.is_of_the_whole());
        }
        return Err(Faults::new(faults));
    }
    Ok(Book {
        root,
        chapters,
        readme,
        inputs: inputs.into_iter().collect(),
        readme_examples,
        library,
    })
}

/// Gives every listing its check, and reports checks without listing.
fn checks(
    root: &Path,
    library: &Library,
    chapters: &mut [Chapter],
    inputs: &mut BTreeSet<PathBuf>,
    faults: &mut Vec<Fault>,
) {
    let mut unused: BTreeSet<PathBuf> =
        files(root, Path::new("tests/listings"), is_rust).into_iter().collect();
    for listing in chapters.iter_mut().flat_map(|chapter| &mut chapter.listings) {
        unused.remove(&listing.check);
        if !root.join(&listing.check).is_file() {
            let what = What::MissingCheck(slashed(&listing.check));
            faults.push(at(listing, what));
            continue;
        }
        inputs.insert(listing.check.clone());
        if let Some(text) = read(root, &listing.check, faults) {
            rules::check(listing, &text, library, faults);
            listing.check_text = text;
        }
    }
    faults.extend(unused.iter().map(|file| What::UnusedCheck.at(file, 1)));
}

/// Every anchor is printed, by one block, and every line by one full listing.
fn printed_once(listings: &[&Listing], library: &Library, faults: &mut Vec<Fault>) {
    let mut printed: BTreeMap<&str, &Listing> = BTreeMap::new();
    let mut full: BTreeMap<(&Path, usize), &Listing> = BTreeMap::new();
    for listing in listings.iter().copied() {
        if let Some(first) = printed.get(listing.anchor.as_str()) {
            let place = format!("book/{}:{}", slashed(&first.chapter), first.chapter_line);
            faults.push(at(listing, What::PrintedTwice(place)));
            continue;
        }
        printed.insert(&listing.anchor, listing);
        if listing.kind == Kind::Excerpt {
            continue;
        }
        let mut shared = None;
        for line in &listing.lines {
            let first = full.entry((&listing.source, *line)).or_insert(listing);
            if first.anchor != listing.anchor {
                shared = shared.or(Some((*line, first.anchor.clone())));
            }
        }
        if let Some((line, other)) = shared {
            let place = format!("line {line} of {}", slashed(&listing.source));
            faults.push(at(listing, What::SharedLine(place, other)));
        }
    }
    for (anchor, region) in &library.regions {
        if !printed.contains_key(anchor.as_str()) {
            faults.push(What::UnprintedAnchor.at(&region.file, region.opened).on(anchor));
        }
    }
}

/// Every reference names a listing.
fn references(chapters: &[Chapter], listings: &[&Listing], faults: &mut Vec<Fault>) {
    for chapter in chapters {
        for reference in &chapter.references {
            if !listings.iter().any(|listing| listing.anchor == reference.anchor) {
                let file = Path::new("book").join(&chapter.path);
                faults.push(What::UnknownReference.at(file, reference.line).on(&reference.anchor));
            }
        }
    }
}

fn at(listing: &Listing, what: What) -> Fault {
    let file = Path::new("book").join(&listing.chapter);
    what.at(file, listing.chapter_line).on(&listing.anchor)
}
