//! One Rust file, taken apart as far as weaving and tangling need it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::docs::{self, Block};
use crate::fault::{Fault, What};
use crate::names::{defined, meant, words, Definition, Word};
use crate::proof::assertions;
use crate::switches::{switches, Switch};
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
    /// The blocks of code in its doc comments.
    pub(crate) docs: Vec<Block>,
    /// Where a file's `check` surely asserts something.
    pub(crate) assertions: Vec<usize>,
    /// What each item is called, with the bytes it takes.
    pub(crate) defined: Vec<Definition>,
    /// Every name in the file that stands for more than a binding of its own.
    pub(crate) names: BTreeSet<String>,
    /// Its tokens, doc comments aside.
    pub(crate) words: Vec<Word>,
    pub(crate) switches: Vec<Switch>,
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
            docs: docs::blocks(tokens.clone()),
            assertions: assertions(&syntax),
            defined: defined(&syntax),
            names: meant(&syntax, tokens.clone()),
            words: words(tokens.clone()),
            switches: switches(tokens.clone()),
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
pub(crate) fn attribute<'a>(token: &TokenTree, rest: &'a [TokenTree]) -> Option<&'a Group> {
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
pub(crate) fn condition(attribute: &Group) -> Option<&'static str> {
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
