//! What keeps a part of a text from the compiler or from running.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::source::{attribute, condition, is};

/// A place from which a part of a text depends on more than the text.
#[derive(Debug, Clone)]
pub(crate) struct Switch {
    pub(crate) line: usize,
    pub(crate) start: usize,
    pub(crate) kind: Kind,
    /// As the text spells it.
    pub(crate) what: String,
}

/// How a switch keeps code from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An attribute, such as `#[cfg]`: the compiler may not see what it stands on.
    Condition,
    /// `stringify!` or the definition of a macro: its text may be no code.
    Unread,
    /// The definition of a macro that takes the name of an assertion.
    Shadow,
    /// An import under another name that hides a macro.
    Renamed,
    /// An import that takes the name of an assertion.
    RenamedShadow,
    /// The end of the process, by whatever path it is called.
    Ends,
    /// A question about how the code was compiled.
    Asks,
    /// A second `main`: of two, one is inside the other or in a module, and nothing calls it.
    SecondMain,
}

/// Every switch of a text, in order.
///
/// `if false` and its like are none: they are compiled, and the page shows them. Nor is a call of
/// a macro from elsewhere, of which only its own code tells what it drops.
pub(crate) fn switches(tokens: TokenStream) -> Vec<Switch> {
    let mut walk = Walk::default();
    collect_called(tokens.clone(), &mut walk.called);
    walk.tokens(tokens);
    walk.found
}

#[derive(Default)]
struct Walk {
    /// The names of all macros that are called.
    called: BTreeSet<String>,
    has_main: bool,
    found: Vec<Switch>,
}

impl Walk {
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let (before, rest) = (&tokens[..index], &tokens[index + 1..]);
            if let TokenTree::Group(group) = token {
                self.tokens(group.stream());
            } else if is(token, "use") {
                self.renamed(rest);
            } else if let Some((kind, what)) = self.switch(before, token, rest) {
                self.push(token, kind, what);
            }
        }
    }

    fn push(&mut self, token: &TokenTree, kind: Kind, what: String) {
        let span = token.span();
        let (line, start) = (span.start().line, span.byte_range().start);
        self.found.push(Switch { line, start, kind, what });
    }

    fn switch(
        &mut self,
        before: &[TokenTree],
        token: &TokenTree,
        rest: &[TokenTree],
    ) -> Option<(Kind, String)> {
        if let Some(name) = attribute(token, rest).and_then(condition) {
            return Some((Kind::Condition, format!("#[{name}]")));
        }
        let calls = matches!(rest, [bang, TokenTree::Group(_), ..] if is(bang, "!"));
        let one_of = |names: &[&'static str]| names.iter().copied().find(|name| is(token, name));
        if is(token, "macro_rules") {
            return match rest {
                [bang, TokenTree::Ident(name), ..] if is(bang, "!") && asserts(name) => {
                    Some((Kind::Shadow, format!("macro_rules! {}", name.unraw())))
                }
                [bang, ..] if is(bang, "!") => Some((Kind::Unread, "macro_rules!".to_owned())),
                _ => None,
            };
        }
        if let Some(name) = one_of(&["stringify"]).filter(|_| calls) {
            return Some((Kind::Unread, format!("{name}!")));
        }
        if let Some(name) = one_of(&["cfg", "option_env"]).filter(|_| calls) {
            return Some((Kind::Asks, format!("{name}!")));
        }
        let method = before.last().is_some_and(|one| is(one, "."));
        if let Some(name) = one_of(&["exit", "abort"]).filter(|_| !method) {
            return Some((Kind::Ends, name.to_owned()));
        }
        let main = is(token, "fn") && rest.first().is_some_and(|name| is(name, "main"));
        let second = main && std::mem::replace(&mut self.has_main, true);
        second.then(|| (Kind::SecondMain, "fn main".to_owned()))
    }

    /// The names under which the import at the start of `tokens` hides a macro: one that the code
    /// calls so, or one that reads its text as no code or tells how it was compiled.
    fn renamed(&mut self, tokens: &[TokenTree]) {
        for (index, token) in tokens.iter().enumerate() {
            match token {
                token if is(token, ";") => break,
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.renamed(&inner);
                }
                TokenTree::Ident(word) if word == "as" && index > 0 => {
                    let Some(TokenTree::Ident(new)) = tokens.get(index + 1) else { continue };
                    let old = &tokens[index - 1];
                    let unread = ["stringify", "cfg", "option_env"];
                    let hides = unread.iter().any(|name| is(old, name))
                        || matches!(old, TokenTree::Ident(old) if asserts(old))
                        || self.called.contains(&new.unraw().to_string());
                    let what = format!("as {}", new.unraw());
                    if asserts(new) {
                        self.push(token, Kind::RenamedShadow, what);
                    } else if hides {
                        self.push(token, Kind::Renamed, what);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether a macro of this name makes a test fail.
fn asserts(name: &Ident) -> bool {
    let name = name.unraw().to_string();
    ["assert", "debug_assert", "panic"].iter().any(|one| name.starts_with(one))
}

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
