//! What of the library a listing's program links, as it is compiled already, and what it compiles
//! anew.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::UseTree;

use crate::book::Listing;
use crate::library::Library;
use crate::names::names;
use crate::source::{is, is_test, Declaration, Source};

/// The crate that holds the library with everything in it public, see [`crate::open`].
const OPENED: &str = "pullback_open";

/// What the modules of a root have to do with each other, as far as one file tells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// Every name in it.
    used: BTreeSet<String>,
    /// What its own `use` items take from elsewhere: the first segment, and the name they give it;
    /// none for a glob.
    taken: Vec<(String, Option<String>)>,
    /// Whether it has items of its own beside modules and `use`.
    items: bool,
    /// Whether it hands on a macro, which only a crate that exports it can make public.
    hands_on_macro: bool,
    /// The modules that are for tests only.
    pub(crate) tests: Vec<Range<usize>>,
    /// Each `pub(crate)` and the like, but for a macro that is handed on.
    pub(crate) restricted: Vec<Range<usize>>,
}

impl Reach {
    pub(crate) fn of(file: &syn::File, tokens: TokenStream) -> Reach {
        let mut reach = Reach::default();
        let mut macros = BTreeSet::new();
        for item in &file.items {
            match item {
                syn::Item::Mod(one) if is_test(&one.attrs) => {
                    reach.tests.push(one.span().byte_range());
                }
                syn::Item::Mod(_) => {}
                syn::Item::Use(one) => reach.take(&one.tree, None),
                other => {
                    reach.items = true;
                    if let syn::Item::Macro(one) = other {
                        macros.extend(one.ident.as_ref().map(ToString::to_string));
                    }
                }
            }
        }
        reach.hands_on_macro = reach
            .taken
            .iter()
            .any(|(_, name)| name.as_ref().is_some_and(|one| macros.contains(one)));
        reach.restrictions(tokens.clone(), &macros);
        reach.used = names(tokens);
        reach
    }

    fn take(&mut self, tree: &UseTree, first: Option<&Ident>) {
        let given = match tree {
            UseTree::Path(path) => {
                let root = path.ident == "crate" || path.ident == "self";
                let first = first.or(Some(&path.ident).filter(|_| !root));
                return self.take(&path.tree, first);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|one| self.take(one, first));
            }
            UseTree::Name(name) => Some(&name.ident),
            UseTree::Rename(renamed) => Some(&renamed.rename),
            UseTree::Glob(_) => None,
        };
        let plain = |name: &Ident| name.unraw().to_string();
        self.taken.push((first.or(given).map(plain).unwrap_or_default(), given.map(plain)));
    }

    /// Finds the visibilities at any depth, those in the text of a macro as well.
    fn restrictions(&mut self, tokens: TokenStream, macros: &BTreeSet<String>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else { continue };
            self.restrictions(group.stream(), macros);
            let Some(keyword) = index.checked_sub(1).map(|at| &tokens[at]) else { continue };
            let first = group.stream().into_iter().next();
            let restricts = group.delimiter() == Delimiter::Parenthesis
                && is(keyword, "pub")
                && first
                    .is_some_and(|one| ["crate", "super", "in"].iter().any(|name| is(&one, name)));
            let of_macro = matches!(
                &tokens[index + 1..],
                [item, TokenTree::Ident(name), ..] if is(item, "use") && macros.contains(&name.to_string())
            );
            if restricts && !of_macro {
                let start = keyword.span().byte_range().start;
                self.restricted.push(start..group.span_close().byte_range().end);
            }
        }
    }
}

/// The declarations of `root` in whose place a listing's program links what is compiled already,
/// and what stands there then.
///
/// A module is compiled anew if it is the listing's own, if it uses one that is compiled anew, or if
/// more than its name is declared. Of uses this goes by names alone, of which one too many only
/// costs time.
pub(crate) fn linked(
    library: &Library,
    listing: &Listing,
    root: &Source,
    needed: &[&str],
) -> Vec<(Range<usize>, String)> {
    let Some(own) = library.top(&listing.source).filter(|_| !root.reach.items) else {
        return Vec::new();
    };
    let simple = |one: &Declaration| {
        !root.text[one.span.clone()].contains('#')
            && !library.below(&one.name).any(|source| source.reach.hands_on_macro)
    };
    let declared = root.modules.iter().filter(|one| !one.test && needed.contains(&&*one.name));
    let (mut linked, mut anew): (Vec<&Declaration>, Vec<&Declaration>) =
        declared.partition(|one| one.name != own && simple(one));
    loop {
        let (more, rest): (Vec<_>, Vec<_>) =
            linked.into_iter().partition(|one| uses_any(library, root, &one.name, &anew));
        linked = rest;
        if more.is_empty() {
            break;
        }
        anew.extend(more);
    }
    let line = |one: &Declaration| format!("pub use {OPENED}::{};", one.name);
    linked.into_iter().map(|one| (one.span.start..one.semicolon.end, line(one))).collect()
}

/// Whether a module of the root names one of these modules, or what the root takes from one.
fn uses_any(library: &Library, root: &Source, module: &str, others: &[&Declaration]) -> bool {
    let is_other = |name: &str| others.iter().any(|one| one.name == name);
    let mut names: BTreeSet<&str> = others.iter().map(|one| one.name.as_str()).collect();
    for (_, name) in root.reach.taken.iter().filter(|(from, _)| is_other(from)) {
        let Some(name) = name else { return true };
        names.insert(name);
    }
    let used = |source: &Source| source.reach.used.iter().any(|name| names.contains(&**name));
    library.below(module).any(used)
}
