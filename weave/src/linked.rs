//! What of the library a listing's program links, as it is compiled already, and what it compiles
//! anew.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
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
    /// The names in the types that it implements something for; none if only a macro knows them.
    extended: Option<BTreeSet<String>>,
    /// The names of the types and traits that it defines.
    types: BTreeSet<String>,
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
        let mut reach = Reach { extended: Some(BTreeSet::new()), ..Reach::default() };
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
        reach.visit_file(file);
        reach.implementations(tokens.clone(), true);
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

    /// Finds the implementations at any depth, those in the text of a macro as well.
    fn implementations(&mut self, tokens: TokenStream, of_items: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            if let TokenTree::Group(group) = token {
                self.implementations(group.stream(), group.delimiter() == Delimiter::Brace);
            }
            // Elsewhere it is a type.
            let opens_item = index.checked_sub(1).map_or(of_items, |at| match &tokens[at] {
                TokenTree::Group(group) => group.delimiter() != Delimiter::Parenthesis,
                before => is(before, ";") || is(before, "unsafe"),
            });
            if is(token, "impl") && opens_item {
                self.extend(&tokens[index + 1..]);
            }
        }
    }

    /// Adds the type of an implementation that goes on like this.
    fn extend(&mut self, rest: &[TokenTree]) {
        let is_end = |one: &TokenTree| {
            is(one, "where")
                || matches!(one, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
        };
        let head = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
        // A trait may be `for<'a> Fn(&'a T)`.
        let of_trait = head.windows(2).rposition(|two| is(&two[0], "for") && !is(&two[1], "<"));
        let on = &head[of_trait.map_or(0, |at| at + 1)..];
        if on.iter().any(|one| is(one, "$")) {
            self.extended = None;
        } else if let Some(extended) = &mut self.extended {
            extended.extend(names(on.iter().cloned().collect()));
        }
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

impl<'a> Visit<'a> for Reach {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let name = match item {
            syn::Item::Enum(one) => &one.ident,
            syn::Item::Struct(one) => &one.ident,
            syn::Item::Trait(one) => &one.ident,
            syn::Item::Type(one) => &one.ident,
            syn::Item::Union(one) => &one.ident,
            _ => return visit::visit_item(self, item),
        };
        self.types.insert(name.unraw().to_string());
    }
}

/// The declarations of `root` in whose place a listing's program links what is compiled already,
/// and what stands there then.
///
/// A module is compiled anew if it is the listing's own, if it uses one that is compiled anew, if
/// one that is adds to a type of its own, or if more than its name is declared. Of uses and types
/// this goes by names alone, of which one too many only costs time.
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
        let (more, rest): (Vec<_>, Vec<_>) = linked.into_iter().partition(|one| {
            uses_any(library, root, &one.name, &anew) || is_extended(library, &one.name, &anew)
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

/// Whether one of these modules implements something for a type of this module, which only the
/// type's own crate can always do.
fn is_extended(library: &Library, module: &str, others: &[&Declaration]) -> bool {
    let types: BTreeSet<&String> =
        library.below(module).flat_map(|source| &source.reach.types).collect();
    others.iter().flat_map(|other| library.below(&other.name)).any(|source| {
        let extended = source.reach.extended.as_ref();
        extended.is_none_or(|names| names.iter().any(|name| types.contains(name)))
    })
}
