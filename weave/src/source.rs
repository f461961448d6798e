//! One Rust file, taken apart as far as weaving and tangling need it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use proc_macro2::{Delimiter, Group, LexError, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::fault::{Fault, What};
use crate::text::Lines;

/// A source file and the places in it, as byte ranges.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) lines: Lines,
    /// Inner attributes that a test leaves out: docs, lints, `cfg_attr`.
    pub(crate) inner: Vec<Range<usize>>,
    /// `mod name;` at the top level of the file.
    pub(crate) modules: Vec<Declaration>,
    /// Each `feature = "..."` in a `cfg`, which a test lifts.
    pub(crate) gates: Vec<Range<usize>>,
    /// Each `include_str!` and the like of a relative path.
    pub(crate) includes: Vec<(usize, String)>,
    /// Each item, statement or the like that a compiler may leave out, attribute included.
    pub(crate) conditions: Vec<Range<usize>>,
    /// The delimiters of each macro call or definition and all between them.
    pub(crate) macros: Vec<Range<usize>>,
    /// Where code, and no macro's argument, calls `assert!` or the like.
    pub(crate) assertions: Vec<usize>,
    /// Each word that ends a process, and each `cfg!`.
    pub(crate) switches: Vec<(usize, String)>,
    /// The literals, block comments and doc comments, in order: text in which
    /// `//` opens no comment of its own.
    pub(crate) opaque: Vec<Range<usize>>,
}

/// One `mod name;`.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    /// The visibility; empty, before `mod`, for a private module.
    pub(crate) visibility: Range<usize>,
    pub(crate) public: bool,
    pub(crate) semicolon: Range<usize>,
    /// A `#[path = "..."]` and the path in it.
    pub(crate) path: Option<(Range<usize>, String)>,
    /// Whether the module only exists in tests.
    pub(crate) test: bool,
}

impl Source {
    /// Reads `text` as Rust.
    pub(crate) fn parse(file: &Path, text: &str) -> Result<Source, Fault> {
        let (tokens, syntax) = parse(file, text)?;
        let mut source = Source {
            text: text.to_owned(),
            lines: Lines::new(text),
            inner: Vec::new(),
            modules: Vec::new(),
            gates: Vec::new(),
            includes: Vec::new(),
            conditions: Vec::new(),
            macros: Vec::new(),
            assertions: Vec::new(),
            switches: Vec::new(),
            opaque: Vec::new(),
        };
        let dropped = ["doc", "allow", "warn", "deny", "forbid", "expect", "cfg_attr"];
        for attribute in &syntax.attrs {
            if dropped.iter().any(|name| is_named(attribute.path(), name)) {
                source.inner.push(attribute.span().byte_range());
            }
        }
        source.modules = syntax.items.iter().filter_map(declaration).collect();
        source.collect(tokens, false);
        let mut parts = Parts::default();
        parts.visit_file(&syntax);
        for condition in &mut source.conditions {
            // An inner attribute is within what it governs, at the top of a file the file.
            let around =
                |part: &&Range<usize>| part.start <= condition.start && condition.end <= part.end;
            let owner = parts.owners.iter().filter(around).min_by_key(|part| part.len());
            *condition = owner.cloned().unwrap_or(0..text.len());
        }
        source.macros = parts.macros;
        source.assertions = parts.assertions;
        source.opaque = with_block_comments(text, std::mem::take(&mut source.opaque));
        Ok(source)
    }

    /// Finds literals, gates, conditions and relative includes at any depth.
    fn collect(&mut self, tokens: TokenStream, within_cfg: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let rest = &tokens[index + 1..];
            match token {
                TokenTree::Group(group) => {
                    let called = tokens[..index].iter().rev().find(|one| !is(one, "!"));
                    let cfg = called.is_some_and(|one| is(one, "cfg") || is(one, "cfg_attr"));
                    self.collect(group.stream(), within_cfg || cfg);
                }
                TokenTree::Ident(name) if within_cfg && name.unraw() == "feature" => {
                    if let [equals, TokenTree::Literal(value), ..] = rest {
                        if is(equals, "=") {
                            let start = name.span().byte_range().start;
                            self.gates.push(start..value.span().byte_range().end);
                        }
                    }
                }
                TokenTree::Ident(name) => {
                    if let Some(what) = ends_or_asks(&tokens[..index], token, rest) {
                        self.switches.push((name.span().byte_range().start, what));
                    }
                    let name = name.unraw().to_string();
                    let relative = name.starts_with("include") && relative_include(rest);
                    if relative && matches!(&name[7..], "" | "_str" | "_bytes") {
                        self.includes.push((token.span().byte_range().start, name));
                    }
                }
                TokenTree::Literal(literal) => self.opaque.push(literal.span().byte_range()),
                TokenTree::Punct(_) => {
                    if let Some(attribute) = attribute(token, rest) {
                        if condition(attribute).is_some() {
                            let start = token.span().byte_range().start;
                            self.conditions.push(start..attribute.span().byte_range().end);
                        }
                    }
                }
            }
        }
    }
}

/// What the syntax of a file tells beyond its tokens.
#[derive(Default)]
struct Parts {
    /// Whatever an attribute may stand on. One on an expression counts for its whole statement.
    owners: Vec<Range<usize>>,
    macros: Vec<Range<usize>>,
    assertions: Vec<usize>,
}

impl<'a> Visit<'a> for Parts {
    fn visit_item(&mut self, item: &'a syn::Item) {
        self.owners.push(item.span().byte_range());
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'a syn::ImplItem) {
        self.owners.push(item.span().byte_range());
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'a syn::TraitItem) {
        self.owners.push(item.span().byte_range());
        visit::visit_trait_item(self, item);
    }

    fn visit_stmt(&mut self, statement: &'a syn::Stmt) {
        self.owners.push(statement.span().byte_range());
        visit::visit_stmt(self, statement);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.macros.push(call.delimiter.span().join().byte_range());
        let name = call.path.segments.last().map(|last| &last.ident);
        if let Some(name) = name.filter(|name| name.unraw().to_string().starts_with("assert")) {
            self.assertions.push(name.span().byte_range().start);
        }
    }
}

/// Adds the block comments, which are no tokens, to the literals of a text.
fn with_block_comments(text: &str, mut literals: Vec<Range<usize>>) -> Vec<Range<usize>> {
    literals.sort_by_key(|literal| literal.start);
    let mut literals = literals.into_iter().peekable();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        while literals.next_if(|literal| literal.start < at).is_some() {}
        if let Some(literal) = literals.next_if(|literal| literal.start == at) {
            at = literal.end.max(at + 1);
            found.push(literal);
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let start = at;
            at += block_comment(rest);
            found.push(start..at);
        } else {
            at += letter.len_utf8();
        }
    }
    found
}

/// The length of the block comment that opens a text; such comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let mark = text.as_bytes().get(at..at + 2);
        match mark {
            Some(b"/*") => depth += 1,
            Some(b"*/") => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

/// What keeps a part of an example from the compiler or from running, each with its line.
///
/// `if false` and its like stay: they are compiled, and the page shows them. So does a call of a
/// macro from elsewhere, of which only its own code tells what it drops.
pub(crate) fn switches(example: &str) -> Result<Vec<(usize, String)>, String> {
    let tokens: TokenStream = example.parse().map_err(|error: LexError| error.to_string())?;
    let mut called = BTreeSet::new();
    collect_called(tokens.clone(), &mut called);
    let mut found = Vec::new();
    let mut mains = 0;
    collect_switches(tokens, &called, &mut mains, &mut found);
    Ok(found)
}

/// What keeps a part of a check from running, each with its line. A check may have a macro of its
/// own, unless that takes the name of an assertion, and may ask for a name as text.
pub(crate) fn check_switches(check: &str) -> Vec<(usize, String)> {
    let tokens = check.parse::<TokenStream>().unwrap_or_default();
    let mut found = switches(check).unwrap_or_default();
    found.retain(|(_, what)| !matches!(&**what, "macro_rules!" | "stringify!"));
    shadowing_macros(tokens, &mut found);
    found
}

/// The macros and imports of a library's file that take the name of an assertion: a check comes to
/// stand inside its module.
pub(crate) fn shadows(text: &str) -> Vec<(usize, String)> {
    let mut found = check_switches(text);
    found.retain(|(_, what)| {
        let name = what.strip_prefix("as ").or_else(|| what.strip_prefix("macro_rules! "));
        name.is_some_and(is_assertion)
    });
    found
}

fn shadowing_macros(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match (token, &tokens[index + 1..]) {
            (TokenTree::Group(group), _) => shadowing_macros(group.stream(), found),
            (_, [bang, TokenTree::Ident(name), ..])
                if is(token, "macro_rules") && is(bang, "!") && asserts(name) =>
            {
                let what = format!("macro_rules! {}", name.unraw());
                found.push((token.span().start().line, what));
            }
            _ => {}
        }
    }
}

/// Whether a macro of this name makes a test fail.
fn asserts(name: &proc_macro2::Ident) -> bool {
    is_assertion(&name.unraw().to_string())
}

fn is_assertion(name: &str) -> bool {
    ["assert", "debug_assert", "panic"].iter().any(|one| name.starts_with(one))
}

/// The names of all macros that are called.
fn collect_called(tokens: TokenStream, called: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match (token, &tokens[index + 1..]) {
            (TokenTree::Group(group), _) => collect_called(group.stream(), called),
            (TokenTree::Ident(name), [bang, TokenTree::Group(_), ..]) if is(bang, "!") => {
                called.insert(name.unraw().to_string());
            }
            _ => {}
        }
    }
}

/// What ends the process, by whatever path it is called, or asks how the code was compiled.
fn ends_or_asks(before: &[TokenTree], token: &TokenTree, rest: &[TokenTree]) -> Option<String> {
    let method = before.last().is_some_and(|one| is(one, "."));
    let ends = ["exit", "abort"].into_iter().find(|name| is(token, name));
    if let Some(name) = ends.filter(|_| !method) {
        return Some(name.to_owned());
    }
    let calls = matches!(rest, [bang, TokenTree::Group(_), ..] if is(bang, "!"));
    let asks = is(token, "cfg") && calls;
    asks.then(|| "cfg!".to_owned())
}

/// The names under which the import at the start of `tokens` hides a macro: one that the code
/// calls so, or one that reads its text as no code or tells how it was compiled.
fn renamed(tokens: &[TokenTree], called: &BTreeSet<String>, found: &mut Vec<(usize, String)>) {
    for (index, token) in tokens.iter().enumerate() {
        match token {
            token if is(token, ";") => break,
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                renamed(&inner, called, found);
            }
            TokenTree::Ident(word) if word == "as" && index > 0 => {
                let Some(TokenTree::Ident(new)) = tokens.get(index + 1) else { continue };
                let old = &tokens[index - 1];
                let unread = ["stringify", "cfg"].iter().any(|name| is(old, name));
                let assertion = matches!(old, TokenTree::Ident(old) if asserts(old));
                if unread || assertion || asserts(new) || called.contains(&new.unraw().to_string())
                {
                    found.push((word.span().start().line, format!("as {}", new.unraw())));
                }
            }
            _ => {}
        }
    }
}

fn collect_switches(
    tokens: TokenStream,
    called: &BTreeSet<String>,
    mains: &mut usize,
    found: &mut Vec<(usize, String)>,
) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let rest = &tokens[index + 1..];
        let calls = rest.first().is_some_and(|next| is(next, "!"));
        let unread = ["macro_rules", "stringify"].into_iter().find(|name| is(token, name));
        if is(token, "use") {
            renamed(rest, called, found);
        }
        let what = if let Some(name) = attribute(token, rest).and_then(condition) {
            format!("#[{name}]")
        } else if let (true, Some(name)) = (calls, unread) {
            format!("{name}!")
        } else if let Some(what) = ends_or_asks(&tokens[..index], token, rest) {
            what
        } else if is(token, "fn") && rest.first().is_some_and(|name| is(name, "main")) {
            *mains += 1;
            // Of two, one is inside the other or in a module, and nothing calls it.
            if *mains == 1 {
                continue;
            }
            "fn main".to_owned()
        } else {
            if let TokenTree::Group(group) = token {
                collect_switches(group.stream(), called, mains, found);
            }
            continue;
        };
        found.push((token.span().start().line, what));
    }
}

/// The tokens and the syntax of a file.
pub(crate) fn parse(file: &Path, text: &str) -> Result<(TokenStream, syn::File), Fault> {
    let fault =
        |error: syn::Error| What::NotRust(error.to_string()).at(file, error.span().start().line);
    let tokens: TokenStream = text.parse().map_err(syn::Error::from).map_err(fault)?;
    let syntax = syn::parse2(tokens.clone()).map_err(fault)?;
    Ok((tokens, syntax))
}

/// Whether the item exists only under `#[cfg(test)]`.
pub(crate) fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        is_named(&list.path, "cfg") && requires_test(list.tokens.clone())
    })
}

/// Whether a path is this one name, raw or not.
fn is_named(path: &syn::Path, name: &str) -> bool {
    path.get_ident().is_some_and(|one| one.unraw() == name)
}

/// The brackets of an attribute, outer or inner, that opens with `token`.
fn attribute<'a>(token: &TokenTree, rest: &'a [TokenTree]) -> Option<&'a Group> {
    let rest = match rest {
        [inner, rest @ ..] if is(inner, "!") => rest,
        outer => outer,
    };
    let [TokenTree::Group(group), ..] = rest else {
        return None;
    };
    (is(token, "#") && group.delimiter() == Delimiter::Bracket).then_some(group)
}

/// The name of an attribute that may leave out what it stands on: `test` is a `cfg(test)` as
/// well. The one on a check, `cfg_attr(test, test)`, makes it a test and leaves out nothing
/// elsewhere.
fn condition(attribute: &Group) -> Option<&'static str> {
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    if text == "cfg_attr(test,test)" {
        return None;
    }
    let path = attribute.stream().into_iter().take_while(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == ':',
        other => matches!(other, TokenTree::Ident(_)),
    });
    let last = path.last()?;
    ["cfg", "cfg_attr", "test", "bench"].into_iter().find(|name| is(&last, name))
}

/// `test` itself, or `all(test, ...)`.
fn requires_test(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match tokens.as_slice() {
        [one] => is(one, "test"),
        [all, TokenTree::Group(group)] => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut parts = inner.split(|token| is(token, ","));
            is(all, "all") && parts.any(|part| requires_test(part.iter().cloned().collect()))
        }
        _ => false,
    }
}

/// A raw name, such as `r#cfg`, means to the compiler what the plain one means.
pub(crate) fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Ident(ident) => ident.unraw() == text,
        TokenTree::Punct(punct) => text.len() == 1 && text.starts_with(punct.as_char()),
        _ => false,
    }
}

/// Whether these tokens, after a macro's name, call it with a relative path.
/// A path that starts at a variable (`concat!(env!(...), ...)`) is no literal.
fn relative_include(rest: &[TokenTree]) -> bool {
    let [bang, TokenTree::Group(group), ..] = rest else {
        return false;
    };
    let argument = group.stream().to_string();
    let path = argument.trim_start_matches(['r', '#']).trim_matches(['"', '#', ',', ' ']);
    is(bang, "!")
        && group.delimiter() != Delimiter::None
        && argument.contains('"')
        && !argument.contains('!')
        && !Path::new(path).is_absolute()
}

fn declaration(item: &syn::Item) -> Option<Declaration> {
    let syn::Item::Mod(module) = item else {
        return None;
    };
    let semicolon = module.semi.as_ref()?.span().byte_range();
    let before_mod = module.mod_token.span().byte_range().start;
    let (visibility, public) = match &module.vis {
        syn::Visibility::Inherited => (before_mod..before_mod, false),
        written => (written.span().byte_range(), matches!(written, syn::Visibility::Public(_))),
    };
    let path = module.attrs.iter().find_map(|attribute| {
        let syn::Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        let syn::Expr::Lit(literal) = &pair.value else {
            return None;
        };
        let syn::Lit::Str(path) = &literal.lit else {
            return None;
        };
        let named = is_named(&pair.path, "path");
        named.then(|| (attribute.span().byte_range(), path.value()))
    });
    Some(Declaration {
        name: module.ident.to_string(),
        span: module.span().byte_range(),
        visibility,
        public,
        semicolon,
        path,
        test: is_test(&module.attrs),
    })
}
