//! Raw HTML on a page: only what hides nothing and runs nothing, as a browser reads it.
//!
//! Markdown ends a block of HTML at a blank line or at the mark that ends a comment. A browser
//! knows neither blank lines nor blocks: to it an open tag, comment or element goes on.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::anchors::pattern;
use crate::chapter::Reader;
use crate::fault::What;
use crate::markdown::Html;

/// The elements that pages use.
pub(crate) const ELEMENTS: [&str; 11] =
    ["a", "b", "br", "details", "div", "kbd", "p", "span", "sub", "summary", "sup"];

/// The attributes that pages use. A class may hide by the style sheet, mdBook's own `hidden` does;
/// an address in a link is seen by the checks in Markdown only.
pub(crate) const ATTRIBUTES: [&str; 3] = ["id", "open", "title"];

/// The elements that show text as it was typed.
const PREFORMATTED: [&str; 8] =
    ["pre", "code", "xmp", "textarea", "samp", "tt", "listing", "plaintext"];

/// The schemes that a link may name.
const SCHEMES: [&str; 3] = ["https", "http", "mailto"];

static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?x) ^ < (?<end> / )? (?<name> [A-Za-z] [^\s/>]* )
           (?<attributes> (?: \s+ [^\s"'<>/=]+ (?: \s*=\s* (?: "[^"]*" | '[^']*' | [^\s"'=<>`]+ ) )? )* )
           \s* /? >"#,
    )
});

static ATTRIBUTE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\s([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?"#));

static SCHEME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*([A-Za-z][A-Za-z0-9+.-]*):"));

/// What stands at a `<`.
#[derive(Debug, PartialEq, Eq)]
enum Mark {
    Open(String, Vec<String>),
    End(String),
    Fault(What),
}

/// The tags of a text, and what is wrong with its comments and tags.
fn marks(text: &str) -> Vec<(usize, Mark)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find('<') {
        at += next;
        let rest = &text[at..];
        let (mark, length) = mark(rest);
        found.extend(mark.map(|mark| (at, mark)));
        at += length;
    }
    found
}

/// What opens a text that starts with `<`, and its length.
fn mark(rest: &str) -> (Option<Mark>, usize) {
    let all = rest.len();
    let next = rest[1..].trim_start_matches('/').chars().next();
    if let Some(comment) = rest.strip_prefix("<!--") {
        let Some(end) = comment.find("-->") else {
            return (Some(Mark::Fault(What::OpenTag("<!--".to_owned()))), all);
        };
        let inner = &comment[..end];
        let odd = inner.starts_with(['>', '-']) || inner.ends_with('-') || inner.contains("--");
        (odd.then_some(Mark::Fault(What::Comment)), "<!---->".len() + end)
    } else if rest.starts_with(['<']) && rest[1..].starts_with(['!', '?']) {
        let shown = rest.split([' ', '\n', '>']).next().unwrap_or_default();
        (Some(Mark::Fault(What::Markup(shown.to_owned()))), all)
    } else if let Some(tag) = TAG.captures(rest) {
        let name = tag["name"].to_ascii_lowercase();
        let names = ATTRIBUTE.captures_iter(&tag["attributes"]);
        let names = names.map(|one| one[1].to_ascii_lowercase()).collect();
        let end = tag.name("end").is_some();
        (Some(if end { Mark::End(name) } else { Mark::Open(name, names) }), tag[0].len())
    } else if next.is_some_and(|letter| letter.is_ascii_alphabetic()) {
        let shown = rest.split([' ', '\n', '>']).next().unwrap_or_default();
        (Some(Mark::Fault(What::OpenTag(shown.to_owned()))), all)
    } else if rest.starts_with("</") {
        (Some(Mark::Fault(What::Markup("</".to_owned()))), all)
    } else {
        (None, 1)
    }
}

impl Reader<'_> {
    /// Holds raw HTML to what pages use.
    pub(crate) fn html(&mut self, html: &Html) {
        let page = self.page;
        // By lines: the text may lack the marks of what stands around it.
        let line = |at: usize| {
            let breaks = html.text[..at].matches('\n').count();
            let lines = page.woven[html.span.clone()].match_indices('\n').map(|(at, _)| at + 1);
            let start = std::iter::once(0).chain(lines).nth(breaks).unwrap_or_default();
            page.line(html.span.start + start)
        };
        for (at, mark) in marks(&html.text) {
            let line = line(at);
            match mark {
                Mark::Fault(what) => self.fault(what, line),
                Mark::Open(name, attributes) => {
                    for attribute in attributes {
                        if !ATTRIBUTES.contains(&attribute.as_str()) {
                            self.fault(What::Attribute(attribute), line);
                        }
                    }
                    if PREFORMATTED.contains(&name.as_str()) {
                        self.fault(What::RawHtml(name), line);
                    } else if !ELEMENTS.contains(&name.as_str()) {
                        self.fault(What::Element(name), line);
                    } else if name != "br" {
                        self.open.push((name, line));
                    }
                }
                Mark::End(name) if !ELEMENTS.contains(&name.as_str()) => {}
                Mark::End(name) => match self.open.iter().rposition(|(open, _)| *open == name) {
                    Some(index) => {
                        for (open, line) in self.open.split_off(index).into_iter().skip(1) {
                            self.fault(What::OpenElement(open), line);
                        }
                    }
                    None => self.fault(What::StrayEnd(name), line),
                },
            }
        }
        let mut at = 0;
        for text in html.text.split_inclusive('\n') {
            let start = text.trim_start_matches(['>', ' ', '\t']);
            if start.starts_with("```") || start.starts_with("~~~") {
                self.fault(What::FenceInHtml, line(at));
            }
            at += text.len();
        }
    }

    /// Reports the elements that nothing on the page has closed.
    pub(crate) fn unclosed(&mut self) {
        for (name, line) in std::mem::take(&mut self.open) {
            self.fault(What::OpenElement(name), line);
        }
    }

    /// Holds the address of a link to the schemes that lead to a page.
    pub(crate) fn link(&mut self, span: &Range<usize>, address: &str) {
        let scheme = SCHEME.captures(address).map(|found| found[1].to_ascii_lowercase());
        if scheme.is_some_and(|scheme| !SCHEMES.contains(&scheme.as_str())) {
            self.fault(What::Scheme(address.to_owned()), self.page.line(span.start));
        }
    }
}
