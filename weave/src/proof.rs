//! Whether a check can fail, as far as its text tells.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Pat, Stmt, UnOp};

use crate::names::names;

/// Where the check of a file surely comes upon an assertion that names anything.
///
/// It follows calls within the file. What it leaves out, although Rust may reach it: a closure
/// bound to a name and never mentioned, one that is a statement or is handed to `drop` and the
/// like, one in a thread that the same expression does not join, one whose panic is caught, under
/// whatever name the file calls `catch_unwind`, whatever is `async`, what follows a `return` or a
/// `break`, and a branch behind `false`, with `!`, `&&` and `||` around it.
///
/// What it takes for reached, although it may not be: a closure that another function gets and
/// never calls, or calls and catches its panic; one in an array, a field or a lazy iterator; the
/// arms of a `match`, and what follows a `let ... else` or a `?`. Whether a loop turns and any
/// other condition holds, only a broken listing tells.
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
    /// What the file calls a function by another name.
    renamed: BTreeMap<String, String>,
}

impl<'a> Bodies<'a> {
    /// What a name that the file gives was before.
    fn original<'b>(&'b self, name: &'b str) -> &'b str {
        // A name that leads back to itself is taken for what it says.
        let steps = std::iter::successors(Some(name), |one| Some(self.renamed.get(*one)?.as_str()));
        steps.take(1 + self.renamed.len()).last().unwrap_or(name)
    }

    fn add(&mut self, name: &Ident, body: Body<'a>) {
        self.named.entry(name.unraw().to_string()).or_default().push(body);
    }
}

impl<'a> Visit<'a> for Bodies<'a> {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if item.sig.asyncness.is_none() {
            self.add(&item.sig.ident, Body::Block(&item.block));
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if item.sig.asyncness.is_none() {
            self.add(&item.sig.ident, Body::Block(&item.block));
        }
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        match named(local) {
            Some((name, Expr::Closure(closure))) if closure.asyncness.is_none() => {
                self.add(name, Body::Closure(&closure.body));
            }
            Some((name, Expr::Path(path))) => {
                let old = path.path.segments.last().map(|last| last.ident.unraw().to_string());
                self.renamed.extend(old.map(|old| (name.unraw().to_string(), old)));
            }
            _ => {}
        }
        visit::visit_local(self, local);
    }

    fn visit_use_rename(&mut self, import: &'a syn::UseRename) {
        let (new, old) = (import.rename.unraw().to_string(), import.ident.unraw().to_string());
        self.renamed.insert(new, old);
    }

    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        if let Some(name) = &item.ident {
            if names(item.mac.tokens.clone()).iter().any(|name| name.starts_with("assert")) {
                self.macros.insert(name.unraw().to_string());
            }
        }
    }
}

/// The name and the value of `let name = ...`, with a type or without.
fn named(local: &syn::Local) -> Option<(&Ident, &Expr)> {
    let pattern = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        other => other,
    };
    let Pat::Ident(name) = pattern else { return None };
    Some((&name.ident, &*local.init.as_ref()?.expr))
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
            if !matches!(statement, Stmt::Expr(Expr::Closure(_), Some(_))) {
                self.visit_stmt(statement);
            }
            if exit(statement).is_some() {
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

    fn visit_expr_binary(&mut self, pair: &'a syn::ExprBinary) {
        self.visit_expr(&pair.left);
        let decided = match pair.op {
            BinOp::And(_) => literal(&pair.left) == Some(false),
            BinOp::Or(_) => literal(&pair.left) == Some(true),
            _ => false,
        };
        if !decided {
            self.visit_expr(&pair.right);
        }
    }

    /// What is `async` runs when something waits for it, which no check does.
    fn visit_expr_async(&mut self, _: &'a syn::ExprAsync) {}

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        if closure.asyncness.is_none() {
            self.visit_expr(&closure.body);
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
            Expr::Path(path) => {
                path.path.segments.last().map(|last| last.ident.unraw().to_string())
            }
            _ => None,
        };
        let name = name.map(|name| self.bodies.original(&name).to_owned());
        let is = |one: &str| name.as_ref().is_some_and(|name| name == one);
        if is("catch_unwind") || is("spawn") && !self.joined {
            return;
        }
        // What a scope starts, it joins.
        let joined = self.joined || is("scope");
        let keeps = KEEPS.iter().any(|one| is(one));
        let runs = |one: &&Expr| !keeps || !matches!(one, Expr::Closure(_) | Expr::Path(_));
        self.joining(joined, |walk| {
            call.args.iter().filter(runs).for_each(|one| walk.visit_expr(one));
        });
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

/// What gets a function and does not call it.
const KEEPS: [&str; 6] = ["drop", "forget", "black_box", "Some", "Ok", "Err"];

/// How the run leaves a statement for good.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// By the end of the function.
    Function,
    /// By a `break` or a `continue`.
    Loop,
}

fn exit(statement: &Stmt) -> Option<Exit> {
    match statement {
        Stmt::Expr(expression, _) => exit_of(expression),
        Stmt::Local(local) => exit_of(&local.init.as_ref()?.expr),
        Stmt::Item(_) | Stmt::Macro(_) => None,
    }
}

fn exit_of(expression: &Expr) -> Option<Exit> {
    let of = |block: &syn::Block| block.stmts.iter().find_map(exit);
    // A `break` inside ends this one alone.
    let beyond = |block: &syn::Block| of(block).filter(|exit| *exit == Exit::Function);
    match expression {
        Expr::Return(_) => Some(Exit::Function),
        Expr::Break(_) | Expr::Continue(_) => Some(Exit::Loop),
        Expr::Paren(inner) => exit_of(&inner.expr),
        Expr::Block(inner) if inner.label.is_some() => beyond(&inner.block),
        Expr::Block(inner) => of(&inner.block),
        Expr::Unsafe(inner) => of(&inner.block),
        Expr::Loop(turn) => beyond(&turn.body),
        Expr::While(turn) if literal(&turn.cond) == Some(true) => beyond(&turn.body),
        Expr::If(branch) => {
            let otherwise = || branch.else_branch.as_ref().and_then(|(_, other)| exit_of(other));
            match literal(&branch.cond) {
                Some(true) => of(&branch.then_branch),
                Some(false) => otherwise(),
                None => match (of(&branch.then_branch)?, otherwise()?) {
                    (Exit::Function, Exit::Function) => Some(Exit::Function),
                    _ => Some(Exit::Loop),
                },
            }
        }
        _ => None,
    }
}

/// What a condition of `true` and `false`, spelt out, comes to.
fn literal(condition: &Expr) -> Option<bool> {
    match condition {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(value) => Some(value.value),
            _ => None,
        },
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Unary(syn::ExprUnary { op: UnOp::Not(_), expr, .. }) => Some(!literal(expr)?),
        Expr::Binary(pair) => {
            let sides = [literal(&pair.left), literal(&pair.right)];
            let decides = match pair.op {
                BinOp::And(_) => false,
                BinOp::Or(_) => true,
                _ => return None,
            };
            match sides {
                _ if sides.contains(&Some(decides)) => Some(decides),
                [Some(_), Some(_)] => Some(!decides),
                _ => None,
            }
        }
        _ => None,
    }
}
