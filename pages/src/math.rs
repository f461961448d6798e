//! Formulas: the TeX between `$` signs becomes MathML while the book is built.
//!
//! Readers need no script and no network for it. A formula that does not parse
//! stops the build, so a page never shows a red placeholder.

use std::ops::Range;
use std::sync::LazyLock;

use crate::boxes::reachable;
use crate::pattern::pattern;
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use mdbook_markdown::pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

/// A formula as it stands in a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// Its bytes in the Markdown, dollar signs included.
    pub span: Range<usize>,
    /// The TeX between the dollar signs.
    pub tex: String,
    /// Whether it stands on its own (`$$`) or in a line of text (`$`).
    pub display: bool,
}

/// The formulas of a chapter, in order.
///
/// The Markdown parser itself finds them, so a dollar sign in code, in raw HTML
/// or after a backslash is only a dollar sign.
pub fn formulas(markdown: &str) -> Vec<Formula> {
    events(markdown)
        .filter_map(|(event, span)| {
            let (tex, display) = match event {
                Event::InlineMath(tex) => (tex, false),
                Event::DisplayMath(tex) => (tex, true),
                _ => return None,
            };
            Some(Formula { span, tex: tex.into_string(), display })
        })
        .collect()
}

fn events(markdown: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM
        | Options::ENABLE_MATH;
    Parser::new_ext(markdown, options).into_offset_iter()
}

/// A dollar sign that a page would show as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenSign {
    /// Its other one is missing, or the braces between the two are not balanced.
    InText,
    /// In a block of HTML nothing is a formula.
    InHtml,
}

/// The bytes at which a dollar sign stands in the text of a chapter and opens no formula.
pub fn open_signs(markdown: &str) -> Vec<(usize, OpenSign)> {
    let mut in_code = false;
    let mut found = Vec::new();
    for (event, span) in events(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::HtmlBlock) => {
                let text = &markdown[span.clone()];
                let unread: Vec<_> = UNREAD.find_iter(text).map(|part| part.range()).collect();
                let signs = text.match_indices('$').map(|(at, _)| at);
                let read = signs.filter(|at| !unread.iter().any(|part| part.contains(at)));
                found.extend(read.map(|at| (span.start + at, OpenSign::InHtml)));
            }
            Event::Text(_) if !in_code => {
                // The text after a backslash starts with what the backslash escapes, if no other
                // one escapes the backslash.
                let before = markdown[..span.start].trim_end_matches('\\').len();
                let escaped = (span.start - before) % 2 == 1;
                let signs = markdown[span.clone()].match_indices('$').map(|(at, _)| at);
                let open = signs.filter(|&at| at > 0 || !escaped);
                found.extend(open.map(|at| (span.start + at, OpenSign::InText)));
            }
            _ => {}
        }
    }
    found
}

/// The comments and tags of HTML, which nobody reads.
static UNREAD: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<!--.*?-->|<[^>]*>"));

/// How the accent of an `\overline` ends, which stretches over what it is on; a `\bar` does not.
const OVERLINE: &str = "<mo stretchy=\"true\">\u{332}</mo></mover>";
const OVERLINE_NAMED: &str = "<mo class=\"overline\" stretchy=\"true\">\u{332}</mo></mover>";

/// Turns TeX into MathML that Markdown leaves alone.
pub struct Converter(LatexToMathML);

impl Converter {
    /// A converter without macros of its own; each formula keeps its TeX as annotation.
    pub fn new() -> Self {
        let config = MathCoreConfig { annotation: true, ..MathCoreConfig::default() };
        Converter(LatexToMathML::new(config).expect("there are no macros that could be wrong"))
    }

    /// The inline HTML for one formula.
    ///
    /// # Errors
    ///
    /// What is wrong with the TeX, in words.
    pub fn convert(&self, formula: &Formula) -> Result<String, String> {
        let display = if formula.display { MathDisplay::Block } else { MathDisplay::Inline };
        // A blank line would end the paragraph that holds the formula.
        let tex = formula.tex.split_whitespace().collect::<Vec<_>>().join(" ");
        if tex.is_empty() {
            return Err("it is empty".to_string());
        }
        let result =
            self.0.convert_with_local_state(&tex, display).map_err(|error| error.to_string())?;
        // The style sheet draws this bar: fonts put it together from pieces, with gaps.
        let mathml = shield(&result.mathml).replace(OVERLINE, OVERLINE_NAMED);
        Ok(if formula.display {
            format!("<span class=\"formula\"{}>{mathml}</span>", reachable("group", "Formula"))
        } else {
            mathml
        })
    }
}

impl Default for Converter {
    fn default() -> Self {
        Converter::new()
    }
}

/// Writes every punctuation character between the tags as a character reference.
///
/// The MathML stands in a paragraph, where `*`, `_`, `|` or a backslash from the
/// formula would otherwise mean emphasis, a table cell or an escape.
fn shield(mathml: &str) -> String {
    let mut shielded = String::with_capacity(mathml.len() * 2);
    let mut rest = mathml;
    while let Some(character) = rest.chars().next() {
        let end = match character {
            '<' => rest.find('>'),
            '&' => rest.find(';'),
            _ => None,
        };
        if let Some(end) = end {
            shielded.push_str(&rest[..=end]);
            rest = &rest[end + 1..];
            continue;
        }
        if character.is_ascii_punctuation() {
            shielded.push_str(&format!("&#{};", character as u32));
        } else if character == '\n' {
            shielded.push(' ');
        } else {
            shielded.push(character);
        }
        rest = &rest[character.len_utf8()..];
    }
    shielded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(markdown: &str) -> Vec<(String, bool)> {
        formulas(markdown).into_iter().map(|formula| (formula.tex, formula.display)).collect()
    }

    #[test]
    fn formulas_are_found_outside_code_and_escapes_only() {
        assert_eq!(found("Let $x$ be."), [("x".to_string(), false)]);
        assert_eq!(found("$$\nx\n$$"), [("\nx\n".to_string(), true)]);
        for untouched in [
            "`$x$`",
            "```sh\n$ echo $HOME $PATH\n```",
            "````rust\nlet s = \"$x$\";\n````",
            r"It costs \$5 and \$6.",
            "It costs $5 and $6 more.",
            "<div>\n$x$\n</div>",
        ] {
            assert_eq!(found(untouched), [], "{untouched}");
        }
    }

    #[test]
    fn a_dollar_sign_that_opens_no_formula_is_found() {
        for (markdown, signs) in [
            ("It costs $5 and $6 more.", vec![9, 16]),
            ("A rule $x^{2$ holds, $y$ too.", vec![7, 12]),
            ("$$\n\\frac{a}{b\n$$", vec![0, 1, 14, 15]),
            (r"It costs \$5, $x$, $.", vec![19]),
            (r"It costs \\$5 and \\\$6.", vec![11]),
            ("`$x` and ``a$``", vec![]),
            ("```sh\n$ echo $HOME\n```\n\n$", vec![24]),
            ("<b>$</b>", vec![3]),
        ] {
            let open = signs.into_iter().map(|at| (at, OpenSign::InText)).collect::<Vec<_>>();
            assert_eq!(open_signs(markdown), open, "{markdown}");
        }
    }

    #[test]
    fn a_dollar_sign_in_html_is_found() {
        let signs =
            |markdown| open_signs(markdown).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(open_signs("<div>\n$x$\n</div>"), [6, 8].map(|at| (at, OpenSign::InHtml)));
        assert_eq!(
            signs("<details>\n<summary>Is it $x$?</summary>\n\n$y$\n\n</details>\n"),
            [25, 27]
        );
        assert_eq!(signs("<!-- $x -->\n\n<div title=\"$5\">\n\n$z$\n\n</div>\n"), [0; 0]);
    }

    fn inline(tex: &str) -> Result<String, String> {
        let formula = Formula { span: 0..0, tex: tex.to_string(), display: false };
        Converter::new().convert(&formula)
    }

    #[test]
    fn the_tex_stays_as_annotation() {
        let html = inline("a_1*b").unwrap();
        assert!(html.starts_with("<math"), "{html}");
        assert!(
            html.contains(r#"<annotation encoding="application/x-tex">a&#95;1&#42;b</annotation>"#),
            "{html}"
        );
    }

    #[test]
    fn an_overline_is_named_and_no_other_accent_is() {
        let named = |tex: &str| inline(tex).unwrap().matches("class=\"overline\"").count();
        assert_eq!(named(r"\overline{v} + \overline{c(\overline{e})}"), 3);
        for tex in [r"\bar{x}", r"\hat{x}", r"\widehat{xy}", r"\vec{x}", r"\underline{xy}"] {
            assert_eq!(named(tex), 0, "{tex}");
        }
    }

    #[test]
    fn nothing_between_the_tags_can_be_markdown() {
        let html = inline(r"\bar{x} < [a]_b | \{c\} ` ~").unwrap();
        let text: String = html.split('<').filter_map(|part| part.split('>').nth(1)).collect();
        let bare = text.replace(|c: char| "&#;".contains(c) || c.is_ascii_alphanumeric(), "");
        assert!(bare.chars().all(|c| !c.is_ascii_punctuation()), "{text}");
    }

    #[test]
    fn a_formula_that_does_not_parse_says_why() {
        assert_eq!(inline(r"\nosuch{x}").unwrap_err(), r#"Unknown command "\nosuch"."#);
        assert!(inline(r"\frac{1}{").is_err());
        assert_eq!(inline("  ").unwrap_err(), "it is empty");
    }
}
