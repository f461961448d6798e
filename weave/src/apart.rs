//! What may mean something else in the copy that listings link: there the rest of the crate is
//! missing, and more is public.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use crate::fault::{Fault, What};
use crate::library::Library;
use crate::linked::linked;
use crate::names::names;
use crate::source::{is, is_test, parse};

/// Holds the library to what keeps a copy of its linked modules the same.
pub(crate) fn check(library: &Library, faults: &mut Vec<Fault>) {
    let top = Path::new("src/lib.rs");
    let Some(root) = library.sources.get(top) else { return };
    let modules: BTreeSet<String> = linked(root).map(|one| one.name.clone()).collect();
    let Some(last) = linked(root).map(|one| one.span.start).max() else { return };

    let is_linked = |file: &Path| library.top(file).is_some_and(|name| modules.contains(name));
    let parsed = library.sources.iter().filter_map(|(file, source)| {
        let (tokens, syntax) = parse(file, &source.text).ok()?;
        Some((file, tokens, syntax))
    });
    let files: Vec<_> = parsed.collect();
    let (mut macros, mut types) = (BTreeSet::new(), BTreeSet::new());
    for (file, tokens, _) in &files {
        if is_linked(file) {
            after(tokens.clone(), &["macro_rules"], &mut macros);
            after(tokens.clone(), &["struct", "enum", "union"], &mut types);
        }
    }
    for (file, tokens, _) in &files {
        if !is_linked(file) {
            aliases(tokens.clone(), &mut types);
        }
    }
    for (file, tokens, syntax) in files {
        let mut found = Vec::new();
        found.extend(
            syntax
                .attrs
                .iter()
                .filter(|one| hands_on(one))
                .map(|one| (one.span(), MACRO_USE.to_owned())),
        );
        let tests = tests(&syntax);
        let outside = |at: usize| !tests.iter().any(|one| one.contains(&at));
        if file == top {
            in_root(&syntax, last, &mut found);
        }
        if is_linked(file) {
            let module = library.module(file).map_or_else(Vec::new, |module| module.names.clone());
            let mut walk =
                Walk { module, macros: &macros, tests: &tests, place: Place::Source, found };
            walk.through(tokens);
            found = walk.found;
        } else if library.is_of_library(file) {
            let mut added = Vec::new();
            additions(tokens, &types, &mut added);
            found.extend(added.into_iter().filter(|(span, _)| outside(span.byte_range().start)));
        }
        let fault = |(span, what): (Span, String)| What::Copy(what).at(file, span.start().line);
        faults.extend(found.into_iter().map(fault));
    }
}

/// Where something is at fault, and what.
type Found = Vec<(Span, String)>;

const MACRO_USE: &str = "`#![macro_use]` takes the place of other macros unseen";

/// The modules of a file that are there for tests only: a copy is without them.
pub(crate) fn tests(file: &syn::File) -> Vec<Range<usize>> {
    let modules = file.items.iter().filter_map(|item| match item {
        syn::Item::Mod(one) if is_test(&one.attrs) => Some(one.span().byte_range()),
        _ => None,
    });
    modules.collect()
}

/// What the root has that gives names another meaning in modules declared up to `last`.
fn in_root(root: &syn::File, last: usize, found: &mut Found) {
    for item in &root.items {
        let what = match item {
            // In all of the crate, wherever it stands.
            syn::Item::ExternCrate(_) => "`extern crate`",
            _ if item.span().byte_range().start > last => continue,
            syn::Item::Macro(_) => "a macro",
            syn::Item::Mod(one) if one.attrs.iter().any(hands_on) => "`#[macro_use]`",
            _ => continue,
        };
        let what = format!(
            "{what} before a module that listings link as a copy, where without it a name may \
             mean something else"
        );
        found.push((item.span(), what));
    }
}

/// Whether an attribute lets the macros of a module out.
fn hands_on(attribute: &syn::Attribute) -> bool {
    match &attribute.meta {
        syn::Meta::Path(path) => path.get_ident().is_some_and(|name| name.unraw() == "macro_use"),
        syn::Meta::List(list) => names(list.tokens.clone()).contains("macro_use"),
        syn::Meta::NameValue(_) => false,
    }
}

/// The names behind these words.
fn after(tokens: TokenStream, words: &[&str], found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().filter(|one| !is(one, "!")).collect();
    for pair in tokens.windows(2) {
        if let [word, TokenTree::Ident(name)] = pair {
            if words.iter().any(|one| is(word, one)) {
                found.insert(name.unraw().to_string());
            }
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            after(group.stream(), words, found);
        }
    }
}

/// Adds the names that stand for a type of `types`: `Type as Name`, `type Name = Type;`.
fn aliases(tokens: TokenStream, types: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, &tokens[at + 1..]) {
            (TokenTree::Ident(one), [word, TokenTree::Ident(name), ..])
                if is(word, "as") && types.contains(&one.unraw().to_string()) =>
            {
                types.insert(name.unraw().to_string());
            }
            (word, [TokenTree::Ident(name), rest @ ..]) if is(word, "type") => {
                let meant = rest.iter().take_while(|one| !is(one, ";")).cloned();
                if names(meant.collect()).iter().any(|one| types.contains(one)) {
                    types.insert(name.unraw().to_string());
                }
            }
            (TokenTree::Group(group), _) => aliases(group.stream(), types),
            _ => {}
        }
    }
}

/// The implementations for these types.
fn additions(tokens: TokenStream, types: &BTreeSet<String>, found: &mut Found) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::Parenthesis => {
                additions(group.stream(), types, found);
            }
            // Items may stand in the arguments of a macro, and nowhere else in parentheses.
            TokenTree::Group(group) if at > 0 && is(&tokens[at - 1], "!") => {
                additions(group.stream(), types, found);
            }
            _ => {}
        }
        // In the place of a type it is a type.
        let begins = match at.checked_sub(1).map(|before| &tokens[before]) {
            None => true,
            Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
            Some(before) => is(before, ";") || is(before, "unsafe"),
        };
        if !is(token, "impl") || !begins {
            continue;
        }
        let head = tokens[at + 1..].iter();
        let ends = |one: &&TokenTree| {
            let body =
                matches!(one, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            !body && !is(one, "where") && !is(one, ";")
        };
        let head: Vec<TokenTree> = head.take_while(ends).cloned().collect();
        // `for<'a>` is a bound.
        let behind = (0..head.len())
            .rev()
            .find(|&at| is(&head[at], "for") && head.get(at + 1).is_none_or(|next| !is(next, "<")));
        let own = behind.map_or(&head[..], |at| &head[at + 1..]);
        // What stands between angle brackets belongs to another type, unless that only points to it.
        let points = own.iter().any(|one| is(one, "&") || is(one, "Box") || is(one, "Pin"));
        let mut depth = 0;
        for one in own {
            depth += i32::from(is(one, "<")) - i32::from(is(one, ">"));
            let inside = match one {
                TokenTree::Ident(name) => BTreeSet::from([name.unraw().to_string()]),
                TokenTree::Group(group) => names(group.stream()),
                _ => continue,
            };
            if let Some(name) = inside.iter().find(|name| types.contains(*name)) {
                if depth == 0 || points {
                    let what = format!(
                        "this adds to `{name}`, a type of a module that listings link as a copy, \
                         where it is missing; move it into that module"
                    );
                    found.push((token.span(), what));
                    break;
                }
            }
        }
    }
}

/// Where tokens stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the source itself.
    Source,
    /// In the arguments of a macro of the standard library or of another crate.
    Arguments,
    /// In the arguments of a macro of these modules, which may do with them what it wants.
    Given,
    /// In what a rule of a macro matches.
    Pattern,
    /// In what a rule writes, into any module.
    Written,
}

/// What a program reads of where and how it was built.
const BUILT: [&str; 5] = ["cfg", "env", "file", "module_path", "option_env"];

struct Walk<'a> {
    module: Vec<String>,
    /// The names of these modules' macros.
    macros: &'a BTreeSet<String>,
    tests: &'a [Range<usize>],
    place: Place,
    found: Found,
}

impl Walk<'_> {
    fn through(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let start = token.span().byte_range().start;
            if self.tests.iter().any(|one| one.contains(&start)) {
                continue;
            }
            let what = self.visibility(&tokens[..=at]).or_else(|| self.root(&tokens, at));
            if let Some(what) = what {
                self.found.push((token.span(), what));
                // What stands inside is a part of it.
                continue;
            }
            let TokenTree::Group(group) = token else { continue };
            match &tokens[..at] {
                [.., hash, bang] if is(hash, "#") && is(bang, "!") => {
                    if names(group.stream()).contains("macro_use") {
                        self.found.push((token.span(), MACRO_USE.to_owned()));
                    }
                }
                [.., name, bang, TokenTree::Ident(_)]
                    if is(name, "macro_rules") && is(bang, "!") =>
                {
                    self.rules(group);
                }
                [.., TokenTree::Ident(name), bang] if is(bang, "!") => {
                    let name = name.unraw().to_string();
                    if BUILT.contains(&&*name) {
                        let what =
                            format!("`{name}!` has another value in the copy that listings link");
                        self.found.push((token.span(), what));
                    }
                    let own = self.macros.contains(&name) || self.place == Place::Given;
                    self.inside(group, if own { Place::Given } else { Place::Arguments });
                }
                // A path in a visibility imports nothing.
                [.., keyword] if is(keyword, "pub") => {}
                [.., keyword, TokenTree::Ident(name)] if is(keyword, "mod") => {
                    self.module.push(name.to_string());
                    self.through(group.stream());
                    self.module.pop();
                }
                _ => self.inside(group, self.place),
            }
        }
    }

    fn inside(&mut self, group: &Group, place: Place) {
        let around = std::mem::replace(&mut self.place, place);
        self.through(group.stream());
        self.place = around;
    }

    /// The rules of a macro: what each one matches, an arrow, and what it writes.
    fn rules(&mut self, macro_rules: &Group) {
        let tokens: Vec<TokenTree> = macro_rules.stream().into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            if let TokenTree::Group(group) = token {
                let matches = tokens.get(at + 1).is_some_and(|next| is(next, "="));
                self.inside(group, if matches { Place::Pattern } else { Place::Written });
            }
        }
    }

    /// A visibility in a macro, as the last of these tokens, other than a `pub(crate)` that it
    /// writes: the copy has another one.
    fn visibility(&self, tokens: &[TokenTree]) -> Option<String> {
        let what = match (self.place, tokens) {
            (Place::Source, _) => None,
            (Place::Pattern, [.., dollar, keyword]) if is(dollar, "$") && is(keyword, "pub") => {
                None
            }
            (Place::Pattern, [.., keyword]) if is(keyword, "pub") => Some("pub".to_owned()),
            (Place::Pattern, [.., colon, kind]) if is(colon, ":") && is(kind, "vis") => {
                Some(":vis".to_owned())
            }
            (_, [.., keyword, TokenTree::Group(group)]) if is(keyword, "pub") => {
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

    /// A way to names of the root, at this token, other than through the module itself. In the copy
    /// some are missing, and one that is found elsewhere then means something else.
    fn root(&self, tokens: &[TokenTree], at: usize) -> Option<String> {
        let token = &tokens[at];
        let is_path = |two: &[TokenTree]| two.iter().all(|one| is(one, ":"));
        let starts = at < 2 || !is_path(&tokens[at - 2..at]);
        let up = is(token, "super");
        let leads = match self.place {
            Place::Pattern => false,
            Place::Given => up || is(token, "crate"),
            // The module is another one wherever the macro is used.
            Place::Written if up => true,
            _ if at > 0 && is(&tokens[at - 1], "extern") && is(token, "crate") => true,
            _ if !starts => false,
            _ if up || is(token, "crate") || is(token, "self") => {
                self.leaves(&tokens[at..], &self.module)
            }
            _ => false,
        };
        leads.then(|| {
            "a way to names of the root, some of which are missing in the copy that listings link, \
             where others may take their place; take what you need from the module itself"
                .to_owned()
        })
    }

    /// Whether a path from this module, or a tree of them, leads to the root and from there not back
    /// into the module.
    fn leaves(&self, path: &[TokenTree], from: &[String]) -> bool {
        let (name, rest) = match path {
            [TokenTree::Group(tree), ..] => {
                let parts: Vec<TokenTree> = tree.stream().into_iter().collect();
                return parts.split(|one| is(one, ",")).any(|part| self.leaves(part, from));
            }
            [star, ..] if is(star, "*") => return from.is_empty(),
            [TokenTree::Ident(name), rest @ ..] => (name.unraw().to_string(), rest),
            _ => return false,
        };
        let next = match rest {
            [one, two, next @ ..] if is(one, ":") && is(two, ":") => Some(next),
            _ => None,
        };
        let mut to = from.to_vec();
        match name.as_str() {
            "crate" => to.clear(),
            "self" => {}
            "super" => drop(to.pop()),
            _ if from.is_empty() => {
                // A name of the root: the module itself, on the way to what it has.
                return next.is_none() || self.module.first() != Some(&name);
            }
            _ => return false,
        }
        match next {
            Some(next) => self.leaves(next, &to),
            // A bare `crate` imports nothing, unless under another name or out of a tree.
            None => {
                to.is_empty() && (rest.first().is_some_and(|one| is(one, "as")) || name == "self")
            }
        }
    }
}
