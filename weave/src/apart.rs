//! What may mean something else in the copy that listings link: there the rest of the crate is
//! missing, and more is public.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::spanned::Spanned;

use crate::names::names;
use crate::source::is;

/// What is at fault, and its line.
type Found = Option<(usize, String)>;

const MACRO_USE: &str = "`#![macro_use]` takes the place of other macros unseen";

/// What a root has that gives names another meaning in a module which it declares at `declared`.
pub(crate) fn in_root(root: &syn::File, declared: usize) -> Found {
    root.items.iter().find_map(|item| {
        let span = item.span();
        let what = match item {
            // In all of the crate, wherever it stands.
            syn::Item::ExternCrate(_) => "`extern crate`",
            _ if span.byte_range().start > declared => return None,
            syn::Item::Macro(_) => "a macro",
            syn::Item::Mod(one) if one.attrs.iter().any(hands_on) => "`#[macro_use]`",
            _ => return None,
        };
        let what = format!(
            "{what} before a module that listings link as a copy, where without it a name may \
             mean something else"
        );
        Some((span.start().line, what))
    })
}

/// What a file lets out that takes the place of macros elsewhere.
pub(crate) fn in_any(file: &syn::File) -> Found {
    let one = file.attrs.iter().find(|one| hands_on(one))?;
    Some((one.span().start().line, MACRO_USE.to_owned()))
}

/// Whether an attribute lets the macros of a module out.
fn hands_on(attribute: &syn::Attribute) -> bool {
    match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("macro_use"),
        syn::Meta::List(list) => names(list.tokens.clone()).contains("macro_use"),
        syn::Meta::NameValue(_) => false,
    }
}

/// What a file of this module has that may mean something else in the copy.
pub(crate) fn in_file(tokens: TokenStream, module: &[String]) -> Found {
    Walk { module: module.to_vec(), place: Place::Source }.find(tokens)
}

/// Where tokens stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the source itself.
    Source,
    /// In the arguments of a macro, which may drop them, or write them as text.
    Arguments,
    /// In what a rule of a macro matches.
    Pattern,
    /// In what a rule writes, into any module.
    Written,
}

/// The path of a module; none where it is not known.
type Module = Option<Vec<String>>;

struct Walk {
    module: Vec<String>,
    place: Place,
}

impl Walk {
    fn find(&mut self, tokens: TokenStream) -> Found {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        (0..tokens.len()).find_map(|at| {
            let what = self.visibility(&tokens[..=at]).or_else(|| self.root(&tokens, at));
            if let Some(what) = what {
                return Some((tokens[at].span().start().line, what));
            }
            let TokenTree::Group(group) = &tokens[at] else { return None };
            match &tokens[..at] {
                [.., hash, bang] if is(hash, "#") && is(bang, "!") => {
                    names(group.stream()).contains("macro_use").then(|| {
                        let what =
                            "`#![macro_use]` takes the place of other macros unseen".to_owned();
                        (tokens[at].span().start().line, what)
                    })
                }
                [.., name, bang, TokenTree::Ident(_)]
                    if is(name, "macro_rules") && is(bang, "!") =>
                {
                    self.rules(group)
                }
                [.., TokenTree::Ident(_), bang] if is(bang, "!") => {
                    self.inside(group, Place::Arguments)
                }
                [.., keyword, TokenTree::Ident(name)] if is(keyword, "mod") => {
                    self.module.push(name.to_string());
                    let found = self.find(group.stream());
                    self.module.pop();
                    found
                }
                _ => self.inside(group, self.place),
            }
        })
    }

    fn inside(&mut self, group: &Group, place: Place) -> Found {
        let around = std::mem::replace(&mut self.place, place);
        let found = self.find(group.stream());
        self.place = around;
        found
    }

    /// The rules of a macro: what each one matches, an arrow, and what it writes.
    fn rules(&mut self, macro_rules: &Group) -> Found {
        let tokens: Vec<TokenTree> = macro_rules.stream().into_iter().collect();
        tokens.iter().enumerate().find_map(|(at, token)| {
            let TokenTree::Group(group) = token else { return None };
            let matches = tokens.get(at + 1).is_some_and(|next| is(next, "="));
            self.inside(group, if matches { Place::Pattern } else { Place::Written })
        })
    }

    /// A visibility in a macro, as the last of these tokens, other than a `pub(crate)` that it
    /// writes: the copy has another one.
    fn visibility(&self, tokens: &[TokenTree]) -> Option<String> {
        let what = match (self.place, tokens) {
            (Place::Pattern, [.., dollar, keyword]) if is(dollar, "$") && is(keyword, "pub") => {
                None
            }
            (Place::Pattern, [.., keyword]) if is(keyword, "pub") => Some("pub".to_owned()),
            (Place::Pattern, [.., colon, kind]) if is(colon, ":") && is(kind, "vis") => {
                Some(":vis".to_owned())
            }
            (Place::Arguments | Place::Written, [.., keyword, TokenTree::Group(group)])
                if is(keyword, "pub") =>
            {
                let text = group.stream().to_string();
                let first = text.split_whitespace().next().unwrap_or_default();
                let given = first == "$" && !text.contains(',');
                let restricts = given || ["crate", "in", "self", "super"].contains(&first);
                let opened = self.place == Place::Written && text == "crate";
                (restricts && !opened).then(|| format!("pub({text})"))
            }
            _ => None,
        };
        what.map(|what| {
            format!(
                "a macro with `{what}`, which may mean something else in the copy that listings \
                 link; a macro may write `pub(crate)`, and tell no visibilities apart"
            )
        })
    }

    /// A way to all names of the root, at this token. The copy has not all of them, and a name that
    /// is missing there may be one of the standard library.
    fn root(&self, tokens: &[TokenTree], at: usize) -> Option<String> {
        let is_path = |two: &[TokenTree]| two.iter().all(|one| is(one, ":"));
        let start = ["crate", "self", "super"].iter().any(|word| is(&tokens[at], word));
        if !start || self.place == Place::Pattern || at >= 2 && is_path(&tokens[at - 2..at]) {
            return None;
        }
        let own = match self.place {
            Place::Written if !is(&tokens[at], "self") => None,
            _ => Some(self.module.clone()),
        };
        let declares = at > 0 && is(&tokens[at - 1], "extern");
        let all = declares || self.takes_all(&tokens[at..], own);
        all.then(|| {
            "a way to all names of the root: in the copy that listings link not all of them are \
             there, and a name may mean something else; say which ones"
                .to_owned()
        })
    }

    /// Whether a path from this module, or a tree of them, takes the root itself or all that it has.
    fn takes_all(&self, path: &[TokenTree], from: Module) -> bool {
        match path {
            [star, ..] if is(star, "*") => is_root(&from),
            [TokenTree::Group(tree)] => {
                let parts: Vec<TokenTree> = tree.stream().into_iter().collect();
                parts.split(|one| is(one, ",")).any(|part| match part {
                    [own] | [own, TokenTree::Ident(_), ..] if is(own, "self") => is_root(&from),
                    _ => self.takes_all(part, from.clone()),
                })
            }
            [tree @ TokenTree::Group(_), ..] => self.takes_all(std::slice::from_ref(tree), from),
            [name @ TokenTree::Ident(_), one, two, rest @ ..] if is(one, ":") && is(two, ":") => {
                self.takes_all(rest, step(from, name))
            }
            [name @ TokenTree::Ident(_), renamed, ..] if is(renamed, "as") => {
                is_root(&step(from, name))
            }
            [_, colon, ..] if is(colon, ":") => false,
            // A macro may put anything behind its argument.
            [name @ TokenTree::Ident(_), ..] => {
                self.place == Place::Arguments && is_root(&step(from, name))
            }
            _ => false,
        }
    }
}

/// The module to which a name leads from another one.
fn step(from: Module, name: &TokenTree) -> Module {
    match name.to_string().as_str() {
        "crate" => Some(Vec::new()),
        "self" => from,
        "super" => from.map(|mut path| {
            path.pop();
            path
        }),
        name => {
            let mut path = from.unwrap_or_default();
            path.push(name.to_owned());
            Some(path)
        }
    }
}

/// Whether this is the root, or may be.
fn is_root(module: &Module) -> bool {
    module.as_ref().is_none_or(Vec::is_empty)
}
