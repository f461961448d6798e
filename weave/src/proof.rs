//! Whether a check can fail, as far as its text tells.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Expr, Lit, Pat, Stmt};

use crate::names::names;

/// Where the check of a file surely comes upon an assertion that names anything.
///
/// It follows calls within the file. What it leaves out, although Rust may reach it: a closure
/// bound to a name and never mentioned, one in a thread that the same expression does not join,
/// one whose panic is caught, whatever follows a `return`, and a branch behind `false`. Whether a
/// loop turns and a condition holds, only a broken listing tells.
pub(crate) fn assertions(check: &syn::File) -> Vec<usize> {
    let mut bodies = Bodies::default();
    bodies.visit_file(check);
    let mut walk = Walk { bodies, ..Walk::default() };
    walk.enter("check");
    walk.found
}

/// What a name of the file stands for.
enum Body<'a> {
    Block(&'a syn::Block),
    Closure(&'a Expr),
}

/// The functions, closures and macros of a file by name.
#[derive(Default)]
struct Bodies<'a> {
    named: BTreeMap<String, Vec<Body<'a>>>,
    /// The macros that assert.
    macros: BTreeSet<String>,
}

impl<'a> Bodies<'a> {
    fn add(&mut self, name: &Ident, body: Body<'a>) {
        self.named.entry(name.unraw().to_string()).or_default().push(body);
    }
}

impl<'a> Visit<'a> for Bodies<'a> {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.add(&item.sig.ident, Body::Block(&item.block));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.add(&item.sig.ident, Body::Block(&item.block));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        if let Some((name, closure)) = named_closure(local) {
            self.add(name, Body::Closure(&closure.body));
        }
        visit::visit_local(self, local);
    }

    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        if let Some(name) = &item.ident {
            if names(item.mac.tokens.clone()).iter().any(|name| name.starts_with("assert")) {
                self.macros.insert(name.unraw().to_string());
            }
        }
    }
}

/// `let name = |...| ...`, with a type or without.
fn named_closure(local: &syn::Local) -> Option<(&Ident, &syn::ExprClosure)> {
    let pattern = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        other => other,
    };
    let (Pat::Ident(name), Expr::Closure(closure)) = (pattern, &*local.init.as_ref()?.expr) else {
        return None;
    };
    Some((&name.ident, closure))
}

/// A walk through what runs.
#[derive(Default)]
struct Walk<'a> {
    bodies: Bodies<'a>,
    /// Whether a panic of a thread that starts here comes back.
    joined: bool,
    found: Vec<usize>,
}

impl<'a> Walk<'a> {
    /// Walks through what a name stands for, the first time.
    fn enter(&mut self, name: &str) {
        for body in self.bodies.named.remove(name).unwrap_or_default() {
            match body {
                Body::Block(block) => self.visit_block(block),
                Body::Closure(expression) => self.visit_expr(expression),
            }
        }
    }

    /// Visits with another answer to whether a thread is joined.
    fn joining(&mut self, joined: bool, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.joined, joined);
        visit(self);
        self.joined = before;
    }
}

impl<'a> Visit<'a> for Walk<'a> {
    fn visit_block(&mut self, block: &'a syn::Block) {
        for statement in &block.stmts {
            self.visit_stmt(statement);
            if matches!(statement, Stmt::Expr(Expr::Return(_), _)) {
                break;
            }
        }
    }

    /// An item runs when something names it.
    fn visit_item(&mut self, _: &'a syn::Item) {}

    fn visit_local(&mut self, local: &'a syn::Local) {
        let Some(init) = &local.init else { return };
        if !matches!(&*init.expr, Expr::Closure(_)) {
            self.visit_expr(&init.expr);
        }
        if let Some((_, diverge)) = &init.diverge {
            self.visit_expr(diverge);
        }
    }

    fn visit_expr_if(&mut self, branch: &'a syn::ExprIf) {
        self.visit_expr(&branch.cond);
        if literal(&branch.cond) != Some(false) {
            self.visit_block(&branch.then_branch);
        }
        if let (Some((_, otherwise)), Some(false) | None) =
            (&branch.else_branch, literal(&branch.cond))
        {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, turn: &'a syn::ExprWhile) {
        self.visit_expr(&turn.cond);
        if literal(&turn.cond) != Some(false) {
            self.visit_block(&turn.body);
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        self.visit_expr(&call.func);
        let name = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.unraw()),
            _ => None,
        };
        let is = |one: &str| name.as_ref().is_some_and(|name| name == one);
        if is("catch_unwind") || is("spawn") && !self.joined {
            return;
        }
        // What a scope starts, it joins.
        let joined = self.joined || is("scope");
        self.joining(joined, |walk| call.args.iter().for_each(|one| walk.visit_expr(one)));
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let name = call.method.unraw().to_string();
        let joined = self.joined || name == "join";
        self.joining(joined, |walk| walk.visit_expr(&call.receiver));
        if name != "spawn" || self.joined {
            call.args.iter().for_each(|one| self.visit_expr(one));
        }
        self.enter(&name);
    }

    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(last) = path.path.segments.last() {
            self.enter(&last.ident.unraw().to_string());
        }
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let Some(last) = call.path.segments.last() else { return };
        let name = last.ident.unraw().to_string();
        let mut named = names(call.tokens.clone());
        for name in &named {
            self.enter(name);
        }
        named.remove("true");
        named.remove("false");
        if self.bodies.macros.contains(&name) || name.starts_with("assert") && !named.is_empty() {
            self.found.push(last.ident.span().byte_range().start);
        }
    }
}

/// `true` or `false`, spelt out.
fn literal(condition: &Expr) -> Option<bool> {
    match condition {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(value) => Some(value.value),
            _ => None,
        },
        Expr::Paren(inner) => literal(&inner.expr),
        _ => None,
    }
}
