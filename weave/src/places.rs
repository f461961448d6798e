//! What links of a page lead to: its ids, and its footnotes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::anchors::pattern;
use crate::book::listing_id;
use crate::chapter::Reader;
use crate::fault::What;
use crate::markdown::{Heading, Piece};

static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<!--.*?-->"));
static HTML_ID: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?i)<[a-z][^<>]*?\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))"#)
});
/// What reads like a footnote's mark.
static MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[\^[^\]\s]+\]"));

/// How the ids of mdBook's own page begin.
const FRAME: &str = "mdbook-";

impl Reader<'_> {
    /// Every id of a page leads to one place.
    ///
    /// mdBook numbers headings of the same text. It does not know the ids that a page gives itself.
    pub(crate) fn ids(&mut self, pieces: &[Piece]) {
        let mut ids = self.typed_ids(pieces);
        // A listing or a figure that stands twice is a fault as such.
        let listings =
            self.listings.iter().map(|one| (one.woven_span.start, listing_id(&one.anchor)));
        let figures = self.figures.iter().map(|one| (one.woven_span.start, one.drawing.id()));
        let mut made = BTreeSet::new();
        ids.extend(listings.chain(figures).filter(|(_, id)| made.insert(id.clone())));
        ids.sort();
        let drawn: Vec<String> =
            self.figures.iter().map(|one| format!("{}-", one.drawing.id())).collect();
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        for (at, id) in ids {
            let line = self.page.line(at);
            if id.starts_with(FRAME) || drawn.iter().any(|start| id.starts_with(start)) {
                self.fault(What::TakenId(id), line);
            } else if let Some(before) = first.get(&id) {
                self.fault(What::IdTwice(id, *before), line);
            } else {
                first.insert(id, line);
            }
        }
    }

    /// The ids of headings, HTML and footnotes.
    fn typed_ids(&self, pieces: &[Piece]) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let (mut numbered, mut notes) = (BTreeSet::new(), BTreeSet::new());
        for piece in pieces {
            match piece {
                // Braces in a heading are a fault as such.
                Piece::Heading(heading) if !heading.text.contains("{{") => {
                    found.push((heading.span.start, id(heading, &mut numbered)));
                }
                Piece::Html(html) => {
                    let comments: Vec<_> = COMMENT.find_iter(&html.text).collect();
                    for one in HTML_ID.captures_iter(&html.text) {
                        let Some(whole) = one.get(0) else { continue };
                        let value = one.iter().skip(1).flatten().next();
                        let said =
                            comments.iter().any(|part| part.range().contains(&whole.start()));
                        if let (Some(value), false) = (value, said) {
                            // As far as a line goes: the text may lack the marks around it.
                            let at = (html.span.start + whole.start()).min(html.span.end);
                            found.push((at, value.as_str().to_owned()));
                        }
                    }
                }
                Piece::FootnoteText(name, span) if notes.insert(name) => {
                    found.push((span.start, format!("footnote-{name}")));
                }
                _ => {}
            }
        }
        found
    }

    /// Every footnote has a mark in the text, and every mark its footnote.
    pub(crate) fn footnotes(&mut self, pieces: &[Piece]) {
        let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut marks = BTreeMap::new();
        for piece in pieces {
            match piece {
                Piece::FootnoteText(name, span) => {
                    let line = self.page.line(span.start);
                    match texts.get(name.as_str()) {
                        Some(first) => self.fault(What::FootnoteTwice(name.clone(), *first), line),
                        None => {
                            texts.insert(name, line);
                        }
                    }
                }
                Piece::FootnoteMark(name, span) => {
                    marks.entry(name.as_str()).or_insert_with(|| self.page.line(span.start));
                }
                Piece::Text(span) => {
                    for mark in MARK.find_iter(&self.page.woven[span.clone()]) {
                        let at = span.start + mark.start();
                        if !self.page.woven[..at].ends_with('\\') {
                            let line = self.page.line(at);
                            self.fault(What::NoFootnote(mark.as_str().to_owned()), line);
                        }
                    }
                }
                _ => {}
            }
        }
        for (name, line) in &texts {
            if !marks.contains_key(name) {
                self.fault(What::UnusedFootnote((*name).to_owned()), *line);
            }
        }
        // The parser does not mind the case of a name, and mdBook does.
        for (name, line) in marks {
            if !texts.contains_key(name) {
                self.fault(What::NoFootnote(format!("[^{name}]")), line);
            }
        }
    }
}

/// The id of a heading: its own, or what mdBook makes of its words, numbered if it made the same
/// before.
fn id(heading: &Heading, numbered: &mut BTreeSet<String>) -> String {
    if let Some(id) = &heading.id {
        return id.clone();
    }
    let words = heading.text.trim().to_lowercase();
    let letters = words.chars().filter_map(|letter| match letter {
        letter if letter.is_alphanumeric() || matches!(letter, '_' | '-') => Some(letter),
        letter if letter.is_whitespace() => Some('-'),
        _ => None,
    });
    let plain: String = letters.collect();
    let counted = (1..).map(|number| format!("{plain}-{number}"));
    let free = std::iter::once(plain.clone()).chain(counted).find(|one| !numbered.contains(one));
    let id = free.unwrap_or(plain);
    numbered.insert(id.clone());
    id
}
