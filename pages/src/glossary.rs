//! The glossary: one definition of each term, and links to it that show the definition.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mdbook_markdown::pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};
use mdbook_renderer::errors::Result;
use mdbook_renderer::RenderContext;
use percent_encoding::percent_decode_str;
use pullback_weave::{Book, Chapter};

use crate::comments::line_of;
use crate::finish::write;
use crate::preprocessor::PageFault;
use crate::source::relative;

/// The page of the glossary, relative to the chapters.
const PAGE: &str = "glossary.md";

/// The script that brings the definitions to a page once somebody asks for one.
const SCRIPT: &str = "style/glossary.js";

/// A term and what it means.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Entry {
    /// The words of its heading.
    term: String,
    id: Option<String>,
    /// The plain text of the first paragraph.
    definition: String,
    /// Whether it names a place in a chapter that explains the term.
    explained: bool,
    /// Where the heading stands in the Markdown.
    at: usize,
}

/// The entries of the glossary.
fn entries(markdown: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut in_heading, mut paragraphs, mut in_paragraph) = (false, 0, false);
    for (event, span) in new_cmark_parser(markdown, &MarkdownOptions::default()).into_offset_iter()
    {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, id, .. }) => {
                let id = id.map(|id| id.to_string());
                entries.push(Entry { id, at: span.start, ..Entry::default() });
                (in_heading, paragraphs) = (true, 0);
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Paragraph) => {
                paragraphs += 1;
                in_paragraph = true;
            }
            Event::End(TagEnd::Paragraph) => in_paragraph = false,
            Event::Start(Tag::Link { dest_url, .. }) => {
                if let Some(entry) = entries.last_mut() {
                    entry.explained |= dest_url.contains(".md#") && paragraphs > 1;
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(entry) = entries.last_mut() {
                    if in_heading {
                        entry.term.push_str(&text);
                    } else if in_paragraph && paragraphs == 1 {
                        entry.definition.push_str(&text);
                    }
                }
            }
            Event::SoftBreak => {
                if let (Some(entry), true, 1) = (entries.last_mut(), in_paragraph, paragraphs) {
                    entry.definition.push(' ');
                }
            }
            _ => {}
        }
    }
    entries
}

/// A link of a page, and how many headings stand before it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Link {
    address: String,
    section: usize,
    at: usize,
}

impl Link {
    /// The term that it leads to, if its address has the form that the glossary at `page` has.
    fn term(&self, page: &str) -> Option<&str> {
        self.address.strip_prefix(page)?.strip_prefix('#')
    }

    /// What the address should be, if it leads to the glossary, or tries to, by another spelling:
    /// its term would escape the check.
    fn respelt(&self, page: &str) -> Option<String> {
        let (path, _) = self.address.split_once('#').unwrap_or((&self.address, ""));
        let place = &self.address[path.len()..];
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = percent_decode_str(name).decode_utf8_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        // Another site may have a glossary, too.
        let elsewhere = path.contains("://") || path.starts_with("//");
        let sound = path == page && query.is_empty();
        let leads = stem.trim().eq_ignore_ascii_case("glossary") && !elsewhere;
        // A `#` without a place says nothing.
        (leads && !sound).then(|| format!("{page}{}", if place == "#" { "" } else { place }))
    }
}

/// The links of a page, in order.
fn links(markdown: &str) -> Vec<Link> {
    let mut links = Vec::new();
    let mut section = 0;
    for (event, span) in new_cmark_parser(markdown, &MarkdownOptions::default()).into_offset_iter()
    {
        match event {
            Event::Start(Tag::Heading { .. }) => section += 1,
            Event::Start(Tag::Link { dest_url, .. }) => {
                links.push(Link { address: dest_url.into_string(), section, at: span.start });
            }
            _ => {}
        }
    }
    links
}

/// What is wrong with the glossary of a book, and with the links to it.
pub(crate) fn faults(woven: &Book, src: &Path) -> Vec<PageFault> {
    let mut faults = Vec::new();
    let glossary = woven.chapter(PAGE).map(|page| entries(&page.source)).unwrap_or_default();
    let ids: BTreeSet<&str> = glossary.iter().filter_map(|entry| entry.id.as_deref()).collect();
    let mut used = BTreeSet::new();
    for page in &woven.chapters {
        let fault = |at: usize, what: String| fault(src, page, at, what);
        let to = relative(&page.path, Path::new(PAGE));
        let links = links(&page.source);
        for link in &links {
            if let Some(wanted) = link.respelt(&to) {
                let written = &link.address;
                let what = format!(
                    "write the link `{written}` as `{wanted}`, so that its term is checked"
                );
                faults.push(fault(link.at, what));
            }
        }
        let mut seen = BTreeSet::new();
        for link in &links {
            let Some(id) = link.term(&to) else { continue };
            if !ids.contains(id) {
                faults.push(fault(link.at, format!("the glossary has no term `{id}`")));
            } else if !seen.insert((link.section, id)) {
                let what = format!("this section has a link to the term `{id}` already");
                faults.push(fault(link.at, what));
            }
            used.insert(id.to_string());
        }
    }
    let Some(page) = woven.chapter(PAGE) else { return faults };
    for entry in &glossary {
        let mut wrong = |what: String| faults.push(fault(src, page, entry.at, what));
        let term = &entry.term;
        match &entry.id {
            None => wrong(format!("`{term}` has no address; write `{{#...}}` after it")),
            Some(id) if !used.contains(id.as_str()) => {
                wrong(format!("no chapter has a link to `{id}`; link its first use"));
            }
            Some(_) => {}
        }
        if entry.definition.is_empty() {
            wrong(format!("nothing defines `{term}`"));
        }
        if !entry.explained {
            wrong(format!("`{term}` names no section of a chapter that explains it"));
        }
    }
    faults
}

fn fault(src: &Path, page: &Chapter, at: usize, what: String) -> PageFault {
    let line = line_of(&page.source, at);
    PageFault { file: PathBuf::from(src).join(&page.path), line, what }
}

/// Writes the definitions where the pages' script finds them.
pub(crate) fn write_script(context: &RenderContext, folder: &Path) -> Result<()> {
    let mut definitions = BTreeMap::new();
    for chapter in context.book.chapters() {
        if chapter.path.as_deref() == Some(Path::new(PAGE)) {
            for entry in entries(&chapter.content) {
                definitions.extend(entry.id.zip(Some([entry.term, entry.definition])));
            }
        }
    }
    if definitions.is_empty() {
        return Ok(());
    }
    let definitions = serde_json::to_string(&definitions)?;
    write(&folder.join(SCRIPT), &format!("window.glossary={definitions};\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_heading_a_definition_and_a_place() {
        let markdown = "# Glossary\n\nWords.\n\n## Dual *number* {#dual}\n\nA pair of\n\
            [numbers](#number), `a + b`.\n\nExplained in [One](one.md#one).\n\n## Bare\n";
        assert_eq!(
            entries(markdown),
            [
                Entry {
                    term: "Dual number".to_string(),
                    id: Some("dual".to_string()),
                    definition: "A pair of numbers, a + b.".to_string(),
                    explained: true,
                    at: markdown.find("## Dual").unwrap_or_default(),
                },
                Entry {
                    term: "Bare".to_string(),
                    at: markdown.find("## Bare").unwrap_or_default(),
                    ..Entry::default()
                }
            ]
        );
    }

    #[test]
    fn a_use_is_a_link_in_a_section() {
        let markdown = "A [one](glossary.md#one), `[two](glossary.md#two)`.\n\n## Next\n\n\
            [Other](other.md#one) and [ones](glossary.md#one).\n";
        let links = links(markdown);
        let found: Vec<_> = links
            .iter()
            .filter_map(|link| Some((link.term("glossary.md")?.to_string(), link.section)))
            .collect();
        assert_eq!(found, [("one".to_string(), 0), ("one".to_string(), 1)]);
    }

    #[test]
    fn another_spelling_of_the_page_is_found() {
        let found = |from: &str, address: &str| {
            let markdown = format!("A [term](<{address}>).");
            let page = relative(Path::new(from), Path::new(PAGE));
            links(&markdown).first().and_then(|link| link.respelt(&page))
        };
        for address in [
            "./glossary.md#sum",
            "glossary.html#sum",
            "../book/glossary.md#sum",
            "/glossary.html#sum",
            "Glossary.md#sum",
            "glossary%2Emd#sum",
            "g%6Cossary.md#sum",
            "glossary.md?x#sum",
            "part/../glossary.md#sum",
            "glossary#sum",
            ".\\glossary.md#sum",
        ] {
            assert_eq!(found("a.md", address).as_deref(), Some("glossary.md#sum"), "{address}");
        }
        assert_eq!(found("a.md", "./glossary.md").as_deref(), Some("glossary.md"));
        let deep = found("part/a.md", "glossary.md#sum");
        assert_eq!(deep.as_deref(), Some("../glossary.md#sum"));
        for (from, address) in [
            ("a.md", "glossary.md#sum"),
            ("a.md", "glossary.md"),
            ("glossary.md", "#glossary"),
            ("part/a.md", "../glossary.md#sum"),
            ("a.md", "https://x.example/glossary.html#sum"),
            ("a.md", "glossaries.md"),
            // A sign is no digit: this is no tab, which would be trimmed.
            ("a.md", "%+9glossary.md#sum"),
            ("a.md", "a.md#glossary"),
        ] {
            assert_eq!(found(from, address), None, "{from}: {address}");
        }
    }
}
