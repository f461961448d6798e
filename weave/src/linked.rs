//! What a listing's program links instead of compiling it anew.

use std::ops::Range;

use crate::book::Listing;
use crate::library::Library;
use crate::source::{Declaration, Source};

/// The crate that holds a copy of these modules, see [`crate::open`].
const COPY: &str = "pullback_open";

/// Modules of the root that use no other one: the copy holds nothing else, and [`crate::open`]
/// refuses what could find a name there and another meaning without it. So no listing of another
/// module changes what they do, and who uses whom need not be found out.
const LINKED: [&str; 1] = ["tensor"];

/// The declarations of these modules in the library's root.
pub(crate) fn linked(root: &Source) -> impl Iterator<Item = &Declaration> {
    // An attribute may say more of a module than its name.
    let plain = |one: &&Declaration| !root.text[one.span.clone()].contains('#');
    root.modules.iter().filter(plain).filter(|one| LINKED.contains(&&*one.name))
}

/// What stands for these modules in the program of a listing, each with the bytes of its
/// declaration. The listing's own is compiled anew.
pub(crate) fn links(
    library: &Library,
    listing: &Listing,
    root: &Source,
) -> Vec<(Range<usize>, String)> {
    // The learner command has modules of its own.
    if !library.is_of_library(&listing.source) {
        return Vec::new();
    }
    // The module alone: a function may have its name.
    let line = |one: &Declaration| format!("pub use {COPY}::{}::{{self}};", one.name);
    let own = library.top(&listing.source);
    linked(root)
        .filter(|one| own != Some(&one.name))
        .map(|one| (one.span.start..one.semicolon.end, line(one)))
        .collect()
}
