//! What one file of the library has to do with the others, and with the crate that it is in.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::UseTree;

use crate::names::names;
use crate::source::{attribute, is, is_test};

/// Names that mean something else in another crate, or that reach from one module into another
/// without a path.
const OF_THE_CRATE: [&str; 11] = [
    "deny",
    "env",
    "forbid",
    "include",
    "include_bytes",
    "include_str",
    "macro_export",
    "macro_use",
    "no_mangle",
    "option_env",
    "path",
];

/// What one file tells, apart from its modules for tests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// Every name in it.
    pub(crate) used: BTreeSet<String>,
    /// Whether it takes all that the root has, or a parent.
    pub(crate) takes_all: bool,
    /// The names of the types and traits that it defines.
    pub(crate) types: BTreeSet<String>,
    pub(crate) implementations: Vec<Implementation>,
    /// What it takes by `pub use module::{name}`: the module, and the name.
    pub(crate) taken: Vec<(String, String)>,
    /// Whether it has nothing but modules in files of their own and `pub use module::{name}`.
    pub(crate) only_modules: bool,
    /// How many modules in files of their own it declares at any depth.
    pub(crate) declared: usize,
    /// Whether a copy in another crate might mean something else, or not compile.
    pub(crate) bound_to_crate: bool,
    /// Each visibility by which all of the crate sees something.
    pub(crate) restricted: Vec<Range<usize>>,
    /// Each `pub(super)` outside of inline modules.
    pub(crate) to_parent: Vec<Range<usize>>,
    /// Each `#[non_exhaustive]`, which binds only other crates.
    pub(crate) open_ended: Vec<Range<usize>>,
    /// The modules that are for tests only.
    pub(crate) tests: Vec<Range<usize>>,
}

/// The head of an implementation.
#[derive(Debug, Clone)]
pub(crate) struct Implementation {
    /// The type, without what is around it or among its arguments; none if only a macro knows it.
    pub(crate) on: Option<String>,
    pub(crate) of_trait: Option<String>,
    /// The names of the type; of an implementation for many types, all that bounds them as well.
    pub(crate) names: BTreeSet<String>,
}

impl Reach {
    pub(crate) fn of(file: &syn::File, tokens: TokenStream) -> Reach {
        let mut reach = Reach { only_modules: true, ..Reach::default() };
        for item in &file.items {
            match item {
                syn::Item::Mod(one) if is_test(&one.attrs) => {
                    reach.tests.push(one.span().byte_range());
                }
                syn::Item::Mod(one) => reach.only_modules &= one.content.is_none(),
                syn::Item::Use(one) => {
                    let public = matches!(one.vis, syn::Visibility::Public(_));
                    reach.only_modules &= public && take(&one.tree, None, &mut reach.taken);
                }
                _ => reach.only_modules = false,
            }
        }
        let in_test = |token: &TokenTree| {
            let start = token.span().byte_range().start;
            reach.tests.iter().any(|test| test.contains(&start))
        };
        let tokens: TokenStream = tokens.into_iter().filter(|token| !in_test(token)).collect();
        reach.used = names(tokens.clone());
        let dropped = ["doc", "allow", "warn", "deny", "forbid", "expect"];
        let kept = |one: &&syn::Attribute| !dropped.iter().any(|name| one.path().is_ident(name));
        reach.bound_to_crate = file.attrs.iter().any(|one| kept(&one));
        let mut imports = Imports::default();
        imports.visit_file(file);
        reach.takes_all = imports.takes_all;
        reach.types = imports.types;
        reach.bound_to_crate |= imports.names.iter().any(|name| imports.macros.contains(name));
        reach.walk(tokens, false, true);
        reach
    }

    fn walk(&mut self, tokens: TokenStream, in_module: bool, of_items: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let (before, rest) = (&tokens[..at], &tokens[at + 1..]);
            at += 1;
            if let Some(attribute) = attribute(token, rest) {
                // What a file says of itself is dropped, or has been told apart.
                let inner = is(&rest[0], "!");
                if !inner || in_module {
                    let words = names(attribute.stream());
                    let range =
                        token.span().byte_range().start..attribute.span_close().byte_range().end;
                    if words.contains("non_exhaustive") && words.len() == 1 {
                        self.open_ended.push(range);
                    } else if words.contains("non_exhaustive")
                        || OF_THE_CRATE.iter().any(|name| words.contains(*name))
                    {
                        self.bound_to_crate = true;
                    }
                }
                at += 1 + usize::from(inner);
                continue;
            }
            match token {
                TokenTree::Group(group) => {
                    self.visibility(before, group, rest, in_module);
                    let module =
                        matches!(before, [.., keyword, TokenTree::Ident(_)] if is(keyword, "mod"));
                    let brace = group.delimiter() == Delimiter::Brace;
                    self.walk(group.stream(), in_module || (module && brace), brace);
                }
                TokenTree::Ident(name) => {
                    let next = |text: &str| rest.first().is_some_and(|one| is(one, text));
                    let called = next("!") && OF_THE_CRATE.iter().any(|one| *name == *one);
                    self.bound_to_crate |= called || (*name == "extern" && next("crate"));
                    if *name == "mod" && rest.get(1).is_some_and(|one| is(one, ";")) {
                        self.declared += 1;
                    }
                    let opens_item = before.last().map_or(of_items, |one| match one {
                        TokenTree::Group(group) => group.delimiter() != Delimiter::Parenthesis,
                        one => is(one, ";") || is(one, "unsafe"),
                    });
                    if *name == "impl" && opens_item {
                        self.implementations.push(Implementation::of(rest));
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes down a `pub(crate)` and the like, whose parentheses are this group.
    fn visibility(
        &mut self,
        before: &[TokenTree],
        group: &proc_macro2::Group,
        rest: &[TokenTree],
        in_module: bool,
    ) {
        let words: Vec<String> = group.stream().into_iter().map(|one| one.to_string()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let keyword = before.last().filter(|one| is(one, "pub"));
        if let (Some(keyword), Delimiter::Parenthesis) = (keyword, group.delimiter()) {
            let range = keyword.span().byte_range().start..group.span_close().byte_range().end;
            match words[..] {
                ["crate"] | ["in", "crate"] => self.restricted.push(range),
                ["super"] | ["in", "super"] if !in_module => self.to_parent.push(range),
                _ => {}
            }
        }
        // A macro may tell one visibility from another.
        if matches!(rest, [equals, greater, ..] if is(equals, "=") && is(greater, ">")) {
            let all = names(group.stream());
            self.bound_to_crate |= all.contains("pub") && all.contains("crate");
        }
    }
}

impl Implementation {
    /// The implementation that goes on like this.
    fn of(rest: &[TokenTree]) -> Implementation {
        let is_body = |one: &TokenTree| matches!(one, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let whole = &rest[..rest.iter().position(is_body).unwrap_or(rest.len())];
        let bounds = whole.iter().position(|one| is(one, "where")).unwrap_or(whole.len());
        let head = &whole[..bounds];
        let generic = head.first().is_some_and(|one| is(one, "<"));
        // A trait may be `for<'a> Fn(&'a T)`.
        let of_trait = head.windows(2).rposition(|two| is(&two[0], "for") && !is(&two[1], "<"));
        let on = &head[of_trait.map_or(0, |at| at + 1)..];
        let all = if generic { whole } else { on };
        let known = !all.iter().any(|one| is(one, "$"));
        Implementation {
            on: outermost(if of_trait.is_none() { without_generics(on) } else { on })
                .filter(|_| known),
            of_trait: of_trait.and_then(|at| outermost(without_generics(&head[..at]))),
            names: names(all.iter().cloned().collect()),
        }
    }
}

/// What comes after `<...>` at the start.
fn without_generics(tokens: &[TokenTree]) -> &[TokenTree] {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        let arrow = at > 0 && is(&tokens[at - 1], "-");
        depth += i32::from(is(token, "<")) - i32::from(is(token, ">") && !arrow);
        if depth == 0 {
            return if at == 0 { tokens } else { &tokens[at + 1..] };
        }
    }
    tokens
}

/// The last name of the path that stands first.
fn outermost(tokens: &[TokenTree]) -> Option<String> {
    let mut found = None;
    let mut lifetime = false;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if !lifetime && *name != "mut" && *name != "dyn" => {
                found = Some(name.unraw().to_string());
            }
            TokenTree::Punct(one) if found.is_some() && one.as_char() != ':' => break,
            TokenTree::Group(_) => break,
            _ => {}
        }
        lifetime = is(token, "'");
    }
    found
}

/// Takes the names of a plain `module::{name}`; false if it is anything else.
fn take(tree: &UseTree, first: Option<&Ident>, taken: &mut Vec<(String, String)>) -> bool {
    let plain = |name: &Ident| name.unraw().to_string();
    match (tree, first) {
        (UseTree::Path(path), _) => take(&path.tree, first.or(Some(&path.ident)), taken),
        (UseTree::Group(group), Some(_)) => group.items.iter().all(|one| take(one, first, taken)),
        (UseTree::Name(name), Some(first)) => {
            taken.push((plain(first), plain(&name.ident)));
            name.ident != "self"
        }
        _ => false,
    }
}

/// What the `use` items of a file say, and what it defines.
#[derive(Default)]
struct Imports {
    takes_all: bool,
    names: BTreeSet<String>,
    macros: BTreeSet<String>,
    types: BTreeSet<String>,
}

impl Imports {
    fn add(&mut self, tree: &UseTree, from_parents: bool) {
        match tree {
            UseTree::Path(path) => {
                let parents = ["crate", "super", "self"].iter().any(|name| path.ident == name);
                self.add(&path.tree, from_parents && parents);
            }
            UseTree::Group(group) => group.items.iter().for_each(|one| self.add(one, from_parents)),
            UseTree::Glob(_) => self.takes_all |= from_parents,
            UseTree::Name(name) => drop(self.names.insert(name.ident.unraw().to_string())),
            UseTree::Rename(one) => drop(self.names.insert(one.ident.unraw().to_string())),
        }
    }
}

impl<'a> Visit<'a> for Imports {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let name = match item {
            syn::Item::Enum(one) => &one.ident,
            syn::Item::Struct(one) => &one.ident,
            syn::Item::Trait(one) => &one.ident,
            syn::Item::Type(one) => &one.ident,
            syn::Item::Union(one) => &one.ident,
            syn::Item::Mod(one) if is_test(&one.attrs) => return,
            syn::Item::Use(one) => return self.add(&one.tree, true),
            syn::Item::Macro(one) => {
                self.macros.extend(one.ident.iter().map(|name| name.unraw().to_string()));
                return;
            }
            _ => return visit::visit_item(self, item),
        };
        self.types.insert(name.unraw().to_string());
    }
}
