//! How an example becomes a program: as it stands, or inside the `main` that rustdoc would give it.

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Item, ItemFn, ReturnType, Token};

use crate::blocks::visible;
use crate::source::is;

/// What stands around an example when it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    /// Nothing: it has a `main`.
    Own,
    /// A `main` that returns nothing.
    Plain,
    /// A function that returns a `Result`, and a `main` that panics with its error.
    Fallible,
}

impl Program {
    /// What an example asks for, by rustdoc's rule: its end says whether it returns a `Result`.
    pub(crate) fn of(example: &str) -> Program {
        if has_main(example) {
            Program::Own
        } else if visible(example).trim_end().ends_with("(())") {
            Program::Fallible
        } else {
            Program::Plain
        }
    }

    /// The name of its template, which no anchor can have, and the template itself.
    pub(crate) fn template(self) -> Option<(&'static str, &'static str)> {
        match self {
            Program::Own => None,
            Program::Plain => Some(("Wrapped", "fn main() {{\n{}\n}}\n")),
            Program::Fallible => Some((
                "WrappedResult",
                "fn main() {{ fn _inner() -> core::result::Result<(), impl core::fmt::Debug> {{\n\
                 {}\n}} _inner().unwrap() }}\n",
            )),
        }
    }
}

/// Whether an example has a `main` of its own, beside other items and not inside one.
fn has_main(example: &str) -> bool {
    let tokens: Vec<TokenTree> =
        visible(example).parse::<TokenStream>().map_or_else(|_| Vec::new(), Vec::from_iter);
    tokens.windows(2).any(|pair| is(&pair[0], "fn") && is(&pair[1], "main"))
}

/// The line, counted from 1, of the first `?` in an example that would return from a `main` without
/// a result. What is not Rust has none: the compiler says more of it.
pub(crate) fn bare_question(example: &str) -> Option<usize> {
    let text = visible(example);
    let (main, before) = match Program::of(example) {
        Program::Fallible => return None,
        Program::Own => {
            let mut items = syn::parse_file(&text).ok()?.items.into_iter();
            let main = items.find_map(|item| match item {
                Item::Fn(item) if item.sig.ident == "main" => Some(item),
                _ => None,
            });
            (main?, 0)
        }
        Program::Plain => (syn::parse_str(&format!("fn main() {{\n{text}\n}}")).ok()?, 1),
    };
    first_question(&main).map(|line| line - before)
}

fn first_question(main: &ItemFn) -> Option<usize> {
    let mut found = Questions(Vec::new());
    if matches!(main.sig.output, ReturnType::Default) {
        found.visit_block(&main.block);
    }
    found.0.into_iter().min()
}

/// The line of an `Ok(())` that ends an example and leaves open which error it does not return.
pub(crate) fn untyped_end(example: &str) -> Option<usize> {
    let text = visible(example);
    let untyped = Program::of(example) == Program::Fallible
        && text.trim_end().lines().last().is_some_and(|line| line.trim() == "Ok(())");
    untyped.then(|| text.trim_end().lines().count())
}

/// The lines of each `?` that returns from the function itself, and not from one inside it.
struct Questions(Vec<usize>);

impl<'a> Visit<'a> for Questions {
    fn visit_expr_try(&mut self, question: &'a syn::ExprTry) {
        self.0.push(question.question_token.span.start().line);
        visit::visit_expr_try(self, question);
    }

    fn visit_item(&mut self, _: &'a Item) {}

    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'a syn::ExprAsync) {}

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let arguments = called.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        for argument in arguments.into_iter().flatten() {
            Questions::collect(self, &argument);
        }
    }
}

impl Questions {
    /// Adds those of an expression that does not live as long as the function.
    fn collect(&mut self, expression: &Expr) {
        let mut inner = Questions(Vec::new());
        inner.visit_expr(expression);
        self.0.extend(inner.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_is_a_function_beside_the_others() {
        for example in
            ["fn main() {}", "# fn main() {\nlet x = 1;\n# }", "use a;\npub fn  main() {}"]
        {
            assert_eq!(Program::of(example), Program::Own, "{example}");
        }
        for example in [
            "fn maintain() {}",
            "fn main_loop() {}",
            "// Unlike the `fn main` of the last.\nlet x = 1;",
            "let x = \"fn main() {}\";",
            "mod inner { fn main() {} }",
            "let domain = 1;",
        ] {
            assert_eq!(Program::of(example), Program::Plain, "{example}");
        }
    }

    #[test]
    fn the_end_of_an_example_says_that_it_returns_a_result() {
        for example in ["x()?;\nOk::<(), E>(())", "x()?;\n# Ok::<(), a::E<'static>>(())\n\n"] {
            assert_eq!(Program::of(example), Program::Fallible, "{example}");
        }
        for example in ["Ok::<(), E>(());", "x(());\nlet y = 1;", "Ok::<(), E>(())\n// The end."] {
            assert_eq!(Program::of(example), Program::Plain, "{example}");
        }
    }

    #[test]
    fn a_question_mark_returns_from_the_function_around_it() {
        for (example, line) in [
            ("let x = 1;\nx()?;", Some(2)),
            ("#![allow(unused)]\n# use a::b;\nassert_eq!(\n    x()?,\n    1\n);", Some(4)),
            ("if a {\n    for x in y()? {}\n}\nz()?;", Some(2)),
            ("let x = || y()?;\nlet z = x()?;", Some(2)),
            ("vec![x()?; 2];", None),
            ("fn main() {\n    x()?;\n}", Some(2)),
            ("# fn main() {\nx()?;\n# }", Some(2)),
            ("fn main() -> Result<(), E> {\n    x()?;\n    Ok(())\n}", None),
            ("fn f() -> Option<u8> {\n    x()?\n}\nf();", None),
            ("let x = |y: Option<u8>| -> Option<u8> { Some(y? + 1) };", None),
            ("let x = async { y()?; Ok(1) };", None),
            ("struct X<T: ?Sized>(Box<T>);\n// Why?\nlet x = \"?\";", None),
            ("x()?;\n# Ok::<(), E>(())", None),
            ("x(?;", None),
        ] {
            assert_eq!(bare_question(example), line, "{example}");
        }
    }

    #[test]
    fn an_end_names_its_error() {
        assert_eq!(untyped_end("x()?;\n# Ok(())\n"), Some(2));
        for example in ["# Ok::<(), E>(())", "fn main() -> R {\nOk(())\n}", "x(())", "Ok(());"] {
            assert_eq!(untyped_end(example), None, "{example}");
        }
    }
}
