//! What of the library a listing's program links, as it is compiled already, and what it compiles
//! anew.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::book::Listing;
use crate::library::Library;
use crate::reach::Implementation;
use crate::source::{Declaration, Source};

/// The crate that holds the library with everything in it public that all of it sees, see [`crate::open`].
const OPENED: &str = "pullback_open";

/// Whether a copy of the library in another crate means what the library means: its root has
/// nothing but modules and what it takes from them, all in files that are known, and nothing in
/// them says otherwise, or reaches from one module into another without a name.
pub(crate) fn can_be_copied(library: &Library) -> bool {
    let Some(root) = library.sources.get(Path::new("src/lib.rs")) else {
        return false;
    };
    let is_module = |name: &str| root.modules.iter().any(|one| !one.test && one.name == name);
    let of_library = library.sources.iter().filter(|(file, _)| library.is_of_library(file));
    root.reach.only_modules
        && root.reach.taken.iter().all(|(from, _)| is_module(from))
        && of_library.into_iter().all(|(file, source)| {
            let known = source.modules.iter().filter(|one| !one.test);
            let known = known.filter(|one| library.target(file, one).is_some()).count();
            !source.reach.bound_to_crate && source.reach.declared == known
        })
}

/// The declarations of `root` in whose place a listing's program links what is compiled already,
/// and what stands there then.
///
/// A module is compiled anew if it is the listing's own, if it uses one that is compiled anew, if
/// one that is adds to a type of its own, or if more than its name is declared. This goes by names
/// alone, of which one too many only costs time.
pub(crate) fn linked(
    library: &Library,
    listing: &Listing,
    root: &Source,
    needed: &[&str],
) -> Vec<(Range<usize>, String)> {
    let Some(own) = library.top(&listing.source) else { return Vec::new() };
    if !library.is_of_library(&listing.source) || !can_be_copied(library) {
        return Vec::new();
    }
    let simple = |one: &Declaration| !root.text[one.span.clone()].contains('#');
    let declared = root.modules.iter().filter(|one| !one.test && needed.contains(&&*one.name));
    let (mut linked, mut anew): (Vec<&Declaration>, Vec<&Declaration>) =
        declared.partition(|one| one.name != own && simple(one));
    loop {
        let reaches = || anew.iter().flat_map(|one| library.below(&one.name)).map(|one| &one.reach);
        let implementations: Vec<&Implementation> =
            reaches().flat_map(|reach| &reach.implementations).collect();
        let own: BTreeSet<&String> = reaches().flat_map(|reach| &reach.types).collect();
        if !implementations.iter().all(|one| may_be_apart(one, &own)) {
            return Vec::new();
        }
        let (more, rest): (Vec<_>, Vec<_>) = linked.into_iter().partition(|one| {
            uses_any(library, root, &one.name, &anew)
                || is_extended(library, &one.name, &implementations)
        });
        linked = rest;
        if more.is_empty() {
            break;
        }
        anew.extend(more);
    }
    let line = |one: &Declaration| format!("pub use {OPENED}::{};", one.name);
    linked.into_iter().map(|one| (one.span.start..one.semicolon.end, line(one))).collect()
}

/// Whether an implementation may stand in another crate than what it does not name.
fn may_be_apart(one: &Implementation, own: &BTreeSet<&String>) -> bool {
    let Some(on) = &one.on else { return false };
    own.contains(on) || one.of_trait.as_ref().is_some_and(|name| own.contains(name))
}

/// Whether a module of the root names one of these modules, or what the root takes from one.
fn uses_any(library: &Library, root: &Source, module: &str, others: &[&Declaration]) -> bool {
    let is_other = |name: &str| others.iter().any(|one| one.name == name);
    let taken = root.reach.taken.iter().filter(|(from, _)| is_other(from));
    let names: BTreeSet<&str> = others
        .iter()
        .map(|one| one.name.as_str())
        .chain(taken.map(|(_, name)| name.as_str()))
        .collect();
    library.below(module).any(|source| {
        source.reach.takes_all || source.reach.used.iter().any(|name| names.contains(&**name))
    })
}

/// Whether one of these implementations is for a type of this module, which only the type's own
/// crate can always have.
fn is_extended(library: &Library, module: &str, implementations: &[&Implementation]) -> bool {
    let mut types = library.below(module).flat_map(|source| &source.reach.types);
    types.any(|name| implementations.iter().any(|one| one.names.contains(name)))
}
