//! The names in a file, and what has them.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

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
    /// Whether it is the type of an implementation without trait.
    pub(crate) shared: bool,
}

#[derive(Default)]
struct Defined(Vec<Definition>);

impl Defined {
    fn add(&mut self, item: &impl Spanned, name: &Ident) {
        let (part, name) = (item.span().byte_range(), name.unraw().to_string());
        self.0.push(Definition { part, name, shared: false });
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
                let shared = of.is_none();
                for last in of.into_iter().chain(on).filter_map(|path| path.segments.last()) {
                    let (part, name) = (item.span().byte_range(), last.ident.unraw().to_string());
                    self.0.push(Definition { part, name, shared });
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
        field.ident.iter().for_each(|name| self.add(field, name));
    }

    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        self.add(variant, &variant.ident);
        visit::visit_variant(self, variant);
    }
}
