//! The blocks of code in doc comments, as rustdoc finds them.

use std::path::Path;

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::blocks::is_rust;
use crate::fault::{Fault, What};
use crate::markdown::{self, Piece};
use crate::rules::OTHER_LANGUAGES;
use crate::source::{attribute, is, Source};
use crate::text::Lines;

/// A block of code in a doc comment.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) line: usize,
    /// The info string; rustdoc takes an indented block for Rust, as it takes one without.
    pub(crate) info: String,
    /// Its lines, each with its number in the file.
    pub(crate) text: Vec<(usize, String)>,
}

/// Every block of a file's doc comments, in order.
pub(crate) fn blocks(tokens: TokenStream) -> Vec<Block> {
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found
}

/// Holds the doc comments of a file to what rustdoc runs. No other program does; mdBook prints
/// them as they are.
pub(crate) fn check(file: &Path, source: &Source, in_library: bool, faults: &mut Vec<Fault>) {
    for block in &source.docs {
        let what = match block.info.as_str() {
            "" | "rust" if in_library => continue,
            "" | "rust" => What::UnrunDoc,
            language if OTHER_LANGUAGES.contains(&language) => {
                for (line, typed) in block.text.iter().filter(|(_, one)| is_rust(language, one)) {
                    let what = What::RustElsewhere(typed.trim().to_owned());
                    faults.push(what.at(file, *line));
                }
                continue;
            }
            other => What::Fence(other.to_owned()),
        };
        faults.push(what.at(file, block.line));
    }
}

/// The lines of one comment, each with its number in the file.
type Comment = Vec<(usize, String)>;

fn collect(tokens: TokenStream, found: &mut Vec<Block>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut comment, mut of_inner) = (Comment::new(), false);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let rest = &tokens[at + 1..];
        let inner = rest.first().is_some_and(|one| is(one, "!"));
        let attribute = attribute(token, rest);
        if attribute.is_none() || inner != of_inner {
            found.extend(in_comment(std::mem::take(&mut comment)));
        }
        if let Some(attribute) = attribute {
            of_inner = inner;
            add_docs(attribute, &mut comment);
            at += 2 + usize::from(inner);
            continue;
        }
        if let TokenTree::Group(group) = token {
            collect(group.stream(), found);
        }
        at += 1;
    }
    found.extend(in_comment(comment));
}

/// Adds what an attribute says in `doc = "..."`, itself or as a `cfg_attr`.
fn add_docs(attribute: &Group, comment: &mut Comment) {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match (token, &tokens[index + 1..]) {
            (TokenTree::Group(group), _) => add_docs(group, comment),
            (name, [equals, value, ..]) if is(name, "doc") && is(equals, "=") => {
                if let Ok(text) = syn::parse2::<syn::LitStr>(value.clone().into()) {
                    let (first, last) = (value.span().start().line, value.span().end().line);
                    let lines = without_stars(&text.value());
                    // Escapes may make more lines of a string than the file has.
                    let numbers = (first..).map(|line| line.min(last));
                    comment.extend(numbers.zip(lines));
                }
            }
            _ => {}
        }
    }
}

/// The lines of a doc comment, without the column of stars that a block comment may have.
fn without_stars(text: &str) -> Vec<String> {
    let stars = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('*');
    let starred = text.contains('\n') && text.lines().skip(1).all(stars);
    let bare = |(index, line): (usize, &str)| match line.trim_start().strip_prefix('*') {
        Some(rest) if starred && index > 0 => rest.to_owned(),
        _ => line.to_owned(),
    };
    text.split('\n').enumerate().map(bare).collect()
}

/// The blocks of one comment.
fn in_comment(comment: Comment) -> Vec<Block> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let filled = comment.iter().filter(|(_, line)| !line.trim().is_empty());
    let margin = filled.map(|(_, line)| indent(line)).min().unwrap_or_default();
    let lines = comment.iter().map(|(_, line)| line.get(margin..).unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let places = Lines::new(&text);
    let number = |at: usize| comment.get(at - 1).map_or(1, |(number, _)| *number);
    let blocks = markdown::read(&text).into_iter().filter_map(|piece| {
        let Piece::Code(code) = piece else { return None };
        let first = places.of(code.content.start);
        let text = code.text.lines().enumerate();
        Some(Block {
            line: number(places.of(code.span.start)),
            info: code.info.unwrap_or_default(),
            text: text.map(|(at, line)| (number(first + at), line.to_owned())).collect(),
        })
    });
    blocks.collect()
}
