//! The colours of Rust code, put into the page while the book is built.
//!
//! The compiler's own lexer finds the pieces. Each becomes an element with a short name and no
//! meaning of its own, which the style sheet colours: a page is heavy enough with its text.

use std::ops::Range;

use ra_ap_rustc_lexer::{tokenize, FrontmatterAllowed, LiteralKind, TokenKind};

/// What a piece of code is, as far as its colour tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Comment,
    Keyword,
    /// Types, traits and variants: whatever starts with a capital letter.
    Type,
    /// Numbers, `true` and `false`, and constants.
    Value,
    Text,
    /// The name of a function where it is defined, and of a macro where it is called.
    Name,
    /// Attributes and lifetimes.
    Attribute,
}

impl Class {
    /// The tags of the class. The frequent ones are HTML's shortest, which browsers and screen
    /// readers take for plain text; the others are elements of our own.
    fn tags(self) -> (&'static str, &'static str) {
        match self {
            Class::Comment => ("<i>", "</i>"),
            Class::Keyword => ("<b>", "</b>"),
            Class::Type => ("<u>", "</u>"),
            Class::Value => ("<c-v>", "</c-v>"),
            Class::Text => ("<c-t>", "</c-t>"),
            Class::Name => ("<c-n>", "</c-n>"),
            Class::Attribute => ("<c-a>", "</c-a>"),
        }
    }
}

/// One token that is neither white space nor a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'text> {
    pub(crate) text: &'text str,
    pub(crate) start: usize,
    /// Whether it is a name and no keyword.
    pub(crate) name: bool,
}

/// The tokens of a text, which need not be a whole file.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let blank = |kind: &TokenKind| {
        matches!(
            kind,
            TokenKind::Whitespace | TokenKind::LineComment { .. } | TokenKind::BlockComment { .. }
        )
    };
    lexed(text)
        .filter(|(kind, _)| !blank(kind))
        .map(|(kind, span)| {
            let start = span.start;
            let text = &text[span];
            let name = matches!(kind, TokenKind::Ident | TokenKind::RawIdent) && !is_keyword(text);
            Token { text, start, name }
        })
        .collect()
}

fn lexed(text: &str) -> impl Iterator<Item = (TokenKind, Range<usize>)> + '_ {
    let mut start = 0;
    tokenize(text, FrontmatterAllowed::No).map(move |token| {
        let span = start..start + token.len as usize;
        start = span.end;
        (token.kind, span)
    })
}

/// The pieces of a text that have a colour, in order.
fn pieces(text: &str) -> Vec<(Range<usize>, Class)> {
    let tokens: Vec<(TokenKind, Range<usize>)> =
        lexed(text).filter(|(kind, _)| *kind != TokenKind::Whitespace).collect();
    let mut pieces: Vec<(Range<usize>, Class)> = Vec::new();
    let mut index = 0;
    while let Some((kind, span)) = tokens.get(index) {
        let word = &text[span.clone()];
        let next = tokens.get(index + 1).map(|(kind, _)| *kind);
        let mut end = index;
        let class = match kind {
            TokenKind::LineComment { .. } | TokenKind::BlockComment { .. } => Class::Comment,
            TokenKind::Pound => match attribute(&tokens[index..]) {
                Some(length) => {
                    end += length;
                    Class::Attribute
                }
                None => {
                    index += 1;
                    continue;
                }
            },
            TokenKind::Lifetime { .. } | TokenKind::RawLifetime => Class::Attribute,
            TokenKind::Literal {
                kind: LiteralKind::Int { .. } | LiteralKind::Float { .. },
                ..
            } => Class::Value,
            TokenKind::Literal { .. } => Class::Text,
            TokenKind::Ident if matches!(word, "true" | "false") => Class::Value,
            TokenKind::Ident if is_keyword(word) => Class::Keyword,
            TokenKind::Ident if next == Some(TokenKind::Bang) && !is_unequal(&tokens[index..]) => {
                end += 1;
                Class::Name
            }
            TokenKind::Ident if index > 0 && text[tokens[index - 1].1.clone()] == *"fn" => {
                Class::Name
            }
            TokenKind::Ident if is_constant(word) => Class::Value,
            TokenKind::Ident if is_type(word) => Class::Type,
            _ => {
                index += 1;
                continue;
            }
        };
        let span = span.start..tokens[end].1.end;
        match pieces.last_mut() {
            // The lines of a comment are one piece.
            Some((last, Class::Comment))
                if class == Class::Comment && text[last.end..span.start].trim().is_empty() =>
            {
                last.end = span.end;
            }
            _ => pieces.push((span, class)),
        }
        index = end + 1;
    }
    pieces
}

/// Whether a name and a `!` are the start of `name != other`.
fn is_unequal(tokens: &[(TokenKind, Range<usize>)]) -> bool {
    matches!(tokens, [_, (_, bang), (TokenKind::Eq, equal), ..] if bang.end == equal.start)
}

/// How many tokens after the `#` an attribute ends.
fn attribute(tokens: &[(TokenKind, Range<usize>)]) -> Option<usize> {
    let open = match tokens {
        [_, (TokenKind::OpenBracket, _), ..] => 1,
        [_, (TokenKind::Bang, _), (TokenKind::OpenBracket, _), ..] => 2,
        _ => return None,
    };
    let mut depth = 0;
    for (index, (kind, _)) in tokens.iter().enumerate().skip(open) {
        match kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

fn is_keyword(word: &str) -> bool {
    [
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
        "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
        "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
        "true", "type", "unsafe", "use", "where", "while",
    ]
    .contains(&word)
}

fn is_type(word: &str) -> bool {
    let primitive = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8",
        "u16", "u32", "u64", "u128", "usize",
    ];
    word.starts_with(char::is_uppercase) || primitive.contains(&word)
}

/// Whether a name is written as constants are: `MAX`, `LANES_8`; `T` is a type.
fn is_constant(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(char::is_uppercase)
        && !word.contains(|character: char| character.is_lowercase())
}

/// A range of a text and the tags around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrap {
    pub(crate) span: Range<usize>,
    pub(crate) open: String,
    pub(crate) close: &'static str,
}

/// The HTML of Rust code: `hidden` are the lines that mdBook hides until somebody asks for them,
/// `links` stand inside a piece or beside all pieces.
pub(crate) fn html(text: &str, hidden: &[Wrap], links: &[Wrap]) -> String {
    let pieces: Vec<Wrap> = pieces(text)
        .into_iter()
        .map(|(span, class)| {
            let (open, close) = class.tags();
            Wrap { span, open: open.to_string(), close }
        })
        .collect();
    let mut html = String::with_capacity(text.len() * 3 / 2);
    wrap(text, 0..text.len(), &[hidden, &pieces, links], &mut html);
    html
}

/// Code with an empty element at the start of each line, where the style sheet shows its number: what
/// is shown there is no part of the text, and nobody copies it.
pub(crate) fn numbered<'a>(html: &str, numbers: impl IntoIterator<Item = &'a str>) -> String {
    let lines = html.split_inclusive('\n').zip(numbers);
    lines.map(|(line, number)| format!("<c-l data-line={number}></c-l>{line}")).collect()
}

/// Writes a range of the text with all layers of tags, the first outermost.
fn wrap(text: &str, span: Range<usize>, layers: &[&[Wrap]], html: &mut String) {
    if span.is_empty() {
        return;
    }
    let Some((layer, inner)) = layers.split_first() else {
        // A `>` needs no other form in HTML.
        html.push_str(&text[span].replace('&', "&amp;").replace('<', "&lt;"));
        return;
    };
    let mut done = span.start;
    let first = layer.partition_point(|wrap| wrap.span.end <= span.start);
    for one in layer[first..].iter().take_while(|wrap| wrap.span.start < span.end) {
        let part = one.span.start.max(span.start)..one.span.end.min(span.end);
        wrap(text, done..part.start, inner, html);
        html.push_str(&one.open);
        wrap(text, part.clone(), inner, html);
        html.push_str(one.close);
        done = part.end;
    }
    wrap(text, done..span.end, inner, html);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coloured(text: &str) -> String {
        html(text, &[], &[])
    }

    #[test]
    fn every_class_has_its_element() {
        for (text, html) in [
            ("pub fn f() {}", "<b>pub</b> <b>fn</b> <c-n>f</c-n>() {}"),
            ("let x: f64 = -1.5e-3_f64;", "<b>let</b> x: <u>f64</u> = -<c-v>1.5e-3_f64</c-v>;"),
            ("Some(true) != None", "<u>Some</u>(<c-v>true</c-v>) != <u>None</u>"),
            ("MAX_RANK + T::X", "<c-v>MAX_RANK</c-v> + <u>T</u>::<u>X</u>"),
            (
                "#[derive(Debug, Clone)]\n#![a = [1]]\n#",
                "<c-a>#[derive(Debug, Clone)]</c-a>\n<c-a>#![a = [1]]</c-a>\n#",
            ),
            (
                "&'a str, 'b', b\"\\\"\"",
                "&amp;<c-a>'a</c-a> <u>str</u>, <c-t>'b'</c-t>, <c-t>b\"\\\"\"</c-t>",
            ),
            ("vec![a]; a != b; a!=b", "<c-n>vec!</c-n>[a]; a != b; a!=b"),
            ("r#\"<b> // no\"# // yes", "<c-t>r#\"&lt;b> // no\"#</c-t> <i>// yes</i>"),
            ("Vec<&T>", "<u>Vec</u>&lt;&amp;<u>T</u>>"),
        ] {
            assert_eq!(coloured(text), html);
        }
    }

    #[test]
    fn the_lines_of_a_comment_are_one_piece() {
        assert_eq!(
            coloured("    /// One.\n    ///\n    /* Two. */\nx // Three.\n\n// Four.\n"),
            "    <i>/// One.\n    ///\n    /* Two. */</i>\nx <i>// Three.\n\n// Four.</i>\n"
        );
    }

    #[test]
    fn every_line_has_an_element_for_its_number() {
        assert_eq!(
            numbered(&coloured("/// One.\n///\nfn f() {}\n"), ["8", "9", "11"]),
            "<c-l data-line=8></c-l><i>/// One.\n<c-l data-line=9></c-l>///</i>\n\
             <c-l data-line=11></c-l><b>fn</b> <c-n>f</c-n>() {}\n"
        );
    }

    #[test]
    fn what_is_no_whole_file_has_colours_too() {
        for text in ["}\n\"no end", "#[derive(", "fn", "x!", "// é ∂\n'", "/* no end"] {
            let html = coloured(text);
            let mut bare = String::new();
            for part in html.split('<') {
                bare.push_str(part.split_once('>').map_or(part, |(_, text)| text));
            }
            assert_eq!(bare, text);
        }
    }

    #[test]
    fn hidden_lines_are_outside_and_links_inside() {
        let text = "/* a\nb */ Type\nf(Type)\n";
        let wrap = |span, open: &str, close| Wrap { span, open: open.to_string(), close };
        let hidden = [wrap(5..15, "<span>", "</span>")];
        let links = [wrap(10..14, "<a>", "</a>"), wrap(15..16, "<a>", "</a>")];
        assert_eq!(
            html(text, &hidden, &links),
            "<i>/* a\n</i><span><i>b */</i> <u><a>Type</a></u>\n</span><a>f</a>(<u>Type</u>)\n"
        );
    }
}
