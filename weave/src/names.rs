//! The names in a file, and what has them.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::source::{attribute, is};

/// Every name in a text.
pub(crate) fn names(tokens: TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => drop(found.insert(name.unraw().to_string())),
            TokenTree::Group(group) => found.extend(names(group.stream())),
            _ => {}
        }
    }
    found
}

/// Every name in a file by which it may mean something from outside: all but those that it binds
/// itself, unless it calls, qualifies or builds one so.
pub(crate) fn meant(file: &syn::File, tokens: TokenStream) -> BTreeSet<String> {
    let mut bound = Bound::default();
    bound.visit_file(file);
    let mut used = BTreeSet::new();
    used_otherwise(tokens.clone(), &mut used);
    let all = names(tokens).into_iter();
    all.filter(|name| !bound.0.contains(name) || used.contains(name)).collect()
}

/// The names that patterns bind. One in capitals may be a constant or a variant.
#[derive(Default)]
struct Bound(BTreeSet<String>);

impl<'a> Visit<'a> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        let name = pattern.ident.unraw().to_string();
        if name.starts_with(|first: char| !first.is_uppercase()) {
            self.0.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }
}

/// The names that something follows or precedes which no binding alone has: `f(`, `f::`, `f!`,
/// `.f`, `::f`.
fn used_otherwise(tokens: TokenStream, used: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            used_otherwise(group.stream(), used);
        }
        let TokenTree::Ident(name) = token else { continue };
        let before = index.checked_sub(1).map(|at| &tokens[at]);
        let after = tokens.get(index + 1);
        let path =
            |two: Option<&[TokenTree]>| two.is_some_and(|two| two.iter().all(|one| is(one, ":")));
        let called = matches!(after, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        if called
            || after.is_some_and(|one| is(one, "!"))
            || before.is_some_and(|one| is(one, "."))
            || path(tokens.get(index + 1..index + 3))
            || path(index.checked_sub(2).and_then(|start| tokens.get(start..index)))
        {
            used.insert(name.unraw().to_string());
        }
    }
}

/// A token that is no part of a doc comment.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    pub(crate) start: usize,
    /// As it is spelt, if it is a name or a keyword.
    pub(crate) name: Option<String>,
}

impl Word {
    /// The name that this token gives, if a check could mean it: no keyword and no type that every
    /// program has.
    pub(crate) fn name(&self) -> Option<String> {
        let name = syn::parse_str::<Ident>(self.name.as_ref()?).ok()?.unraw().to_string();
        (!EVERYWHERE.contains(&name.as_str())).then_some(name)
    }
}

/// What a check may name without any thought of a listing.
const EVERYWHERE: [&str; 21] = [
    "alloc", "bool", "char", "core", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize",
    "std", "str", "u128", "u16", "u32", "u64", "u8", "usize", "String",
];

/// The tokens of a text, in order.
pub(crate) fn words(tokens: TokenStream) -> Vec<Word> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let rest = &tokens[at + 1..];
        at += 1;
        if attribute(token, rest).is_some_and(is_doc) {
            at += 1 + usize::from(is(&rest[0], "!"));
            continue;
        }
        let name = match token {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        };
        found.push(Word { start: token.span().byte_range().start, name });
        if let TokenTree::Group(group) = token {
            found.extend(words(group.stream()));
            let start = group.span_close().byte_range().start;
            found.push(Word { start, name: None });
        }
    }
    found
}

/// Whether an attribute is a doc comment, or says the same in its own words.
fn is_doc(attribute: &Group) -> bool {
    attribute.stream().into_iter().next().is_some_and(|first| is(&first, "doc"))
}

/// What the items of a file are called, each with the bytes it takes.
///
/// The implementation of a trait goes by its type and its trait, which a check may name instead of
/// a method that an operator or a format calls. The type of any other is what many share.
pub(crate) fn defined(file: &syn::File) -> Vec<Definition> {
    let mut defined = Defined::default();
    defined.visit_file(file);
    defined.0
}

/// A name, and the bytes of what has it.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) part: Range<usize>,
    pub(crate) name: String,
    pub(crate) rank: Rank,
}

/// How well a name says what a check is of, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// An item, or what an implementation or a trait has.
    Item,
    /// A field or a variant, which others may have too.
    Part,
    /// The type of an implementation without trait.
    Shared,
}

#[derive(Default)]
struct Defined(Vec<Definition>);

impl Defined {
    fn add(&mut self, item: &impl Spanned, name: &Ident) {
        self.ranked(item, name, Rank::Item);
    }

    fn ranked(&mut self, item: &impl Spanned, name: &Ident, rank: Rank) {
        let (part, name) = (item.span().byte_range(), name.unraw().to_string());
        self.0.push(Definition { part, name, rank });
    }
}

impl<'a> Visit<'a> for Defined {
    fn visit_item(&mut self, item: &'a syn::Item) {
        match item {
            syn::Item::Const(one) => self.add(item, &one.ident),
            syn::Item::Enum(one) => self.add(item, &one.ident),
            syn::Item::Fn(one) => self.add(item, &one.sig.ident),
            syn::Item::Macro(one) => {
                one.ident.iter().for_each(|name| self.add(item, name));
            }
            syn::Item::Static(one) => self.add(item, &one.ident),
            syn::Item::Struct(one) => self.add(item, &one.ident),
            syn::Item::Trait(one) => self.add(item, &one.ident),
            syn::Item::TraitAlias(one) => self.add(item, &one.ident),
            syn::Item::Type(one) => self.add(item, &one.ident),
            syn::Item::Union(one) => self.add(item, &one.ident),
            syn::Item::Impl(one) => {
                let of = one.trait_.as_ref().map(|(path, _)| path);
                let on = match &*one.self_ty {
                    syn::Type::Path(path) => Some(&path.path),
                    _ => None,
                };
                let rank = if of.is_some() { Rank::Item } else { Rank::Shared };
                for last in of.into_iter().chain(on).filter_map(|path| path.segments.last()) {
                    self.ranked(item, &last.ident, rank);
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.add(item, &item.sig.ident);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.add(item, &item.ident);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        self.add(item, &item.sig.ident);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_field(&mut self, field: &'a syn::Field) {
        field.ident.iter().for_each(|name| self.ranked(field, name, Rank::Part));
    }

    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        self.ranked(variant, &variant.ident, Rank::Part);
        visit::visit_variant(self, variant);
    }
}
