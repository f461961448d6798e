//! Code and tables, which scroll inside themselves where a page is too narrow.
//!
//! What scrolls must be within reach of the keyboard and say what it is, without a script.
//! mdBook's Markdown has no place for that, so such a block is written as HTML.

use std::collections::BTreeMap;
use std::ops::Range;

use mdbook_markdown::pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};

/// A narrower block fits a window of 320 px, which is also 1280 px at four times the size.
const NARROW: usize = 34;

/// The HTML of a code block, on one line, so that no list or quotation has to indent it.
pub(crate) fn code(language: &str, text: &str, name: &str) -> String {
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    // The style sheet breaks the lines of a text.
    let scrolls = widest > NARROW && language != "text";
    let attributes = if scrolls { reachable("region", name) } else { String::new() };
    let text = escaped(text).replace('\n', "&#10;");
    format!("<pre><code class=\"language-{language}\"{attributes}>{text}</code></pre>\n")
}

/// What a block of the prose in this language is called.
fn kind(language: &str) -> &'static str {
    match language.split(',').next() {
        Some("rust") => "Example",
        Some("console" | "sh") => "Command",
        Some("text") => "Output",
        _ => "Code",
    }
}

/// The attributes of an element that scrolls.
pub(crate) fn reachable(role: &str, name: &str) -> String {
    format!(" tabindex=\"0\" role=\"{role}\" aria-label=\"{}\"", escaped(name))
}

/// The code blocks and tables of a chapter's prose, each with the bytes it replaces.
///
/// A table in a list or a quotation stays as it is; the page checks find it if it scrolls.
pub(crate) fn edits(markdown: &str) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    let mut block: Option<(String, String, Range<usize>)> = None;
    let (mut header, mut in_header) = (Vec::new(), false);
    let (mut depth, mut blocks) = (0_usize, BTreeMap::new());
    let options = MarkdownOptions::default();
    for (event, span) in new_cmark_parser(markdown, &options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                block = Some((language.into_string(), String::new(), span));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, text, span)) = block.take() {
                    let kind = kind(&language);
                    let number = blocks.entry(kind).and_modify(|count| *count += 1).or_insert(1);
                    let end = if markdown[span.clone()].ends_with('\n') { "\n" } else { "" };
                    let html = code(&language, &text, &format!("{kind} {number}"));
                    edits.push((span, format!("{}{end}", html.trim_end())));
                }
            }
            Event::Start(Tag::TableHead) => in_header = true,
            Event::End(TagEnd::TableHead) => in_header = false,
            Event::Start(Tag::TableCell) if in_header => header.push(String::new()),
            Event::End(TagEnd::Table) => {
                let name = format!("Table: {}", std::mem::take(&mut header).join(", "));
                if depth == 0 {
                    let attributes = reachable("region", &name);
                    let table = markdown[span.clone()].trim_end();
                    let html =
                        format!("<div class=\"table-box\"{attributes}>\n\n{table}\n\n</div>\n");
                    edits.push((span, html));
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, block, _)) = &mut block {
                    block.push_str(&text);
                } else if let (true, Some(cell)) = (in_header, header.last_mut()) {
                    cell.push_str(&text);
                }
            }
            Event::Start(tag) => depth += usize::from(contains(&tag.to_end())),
            Event::End(tag) => depth -= usize::from(contains(&tag)),
            _ => {}
        }
    }
    edits
}

fn contains(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::List(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
    )
}

/// Text as HTML and XML write it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: &str = "let these = [1, 2, 3, 4, 5, 6, 7, 8, 9];";

    fn replaced(markdown: &str) -> Vec<(&str, String)> {
        edits(markdown).into_iter().map(|(span, new)| (&markdown[span], new)).collect()
    }

    #[test]
    fn code_that_may_scroll_has_a_place_and_a_name() {
        assert_eq!(
            code("rust", &format!("{WIDE}\n\n// < & \"\n"), "Listing \"1\""),
            format!(
                "<pre><code class=\"language-rust\" tabindex=\"0\" role=\"region\" \
                 aria-label=\"Listing &quot;1&quot;\">{WIDE}&#10;&#10;// &lt; &amp; &quot;&#10;\
                 </code></pre>\n"
            )
        );
        for (language, text) in [("rust", "let x = 1;\n"), ("text", WIDE)] {
            assert!(code(language, text, "name").starts_with("<pre><code class=\"language-"));
            assert!(!code(language, text, "name").contains("tabindex"), "{language}");
        }
    }

    #[test]
    fn blocks_of_the_prose_are_found_in_lists_too() {
        let fence = format!("```sh\n  {WIDE}\n  ```");
        let markdown = format!("One.\n\n- ```rust\n  x\n  ```\n- Two.\n\n  {fence}\n");
        let found = replaced(&markdown);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].1.trim_end(), code("rust", "x\n", "").trim_end());
        assert_eq!(found[1].0.trim_end(), fence);
        assert_eq!(found[1].1.trim_end(), code("sh", &format!("{WIDE}\n"), "Command 1").trim_end());
    }

    #[test]
    fn blocks_of_the_prose_are_counted_by_what_they_are() {
        let fences = ["rust", "console", "rust,should_panic", "text", "toml"];
        let markdown: String =
            fences.iter().map(|fence| format!("```{fence}\n{WIDE}\n```\n\n")).collect();
        let named = |(_, html): (&str, String)| {
            html.split("aria-label=\"").nth(1)?.split('"').next().map(str::to_string)
        };
        let names: Vec<_> = replaced(&markdown).into_iter().filter_map(named).collect();
        assert_eq!(names, ["Example 1", "Command 1", "Example 2", "Code 1"]);
    }

    #[test]
    fn a_table_is_named_by_its_header() {
        let table = "| a `b` | $c$ |\n|---|---|\n| 1 | 2 |";
        let markdown = format!("Text.\n\n{table}\n\n{table}\n\nMore.\n");
        let html = format!(
            "<div class=\"table-box\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Table: a b, $c$\">\n\n{table}\n\n</div>\n"
        );
        let found = replaced(&markdown);
        assert_eq!(found.len(), 2);
        for (old, new) in found {
            assert_eq!((old.trim_end(), &new), (table, &html));
        }
        assert_eq!(replaced("> | a |\n> |---|\n> | 1 |\n"), []);
    }
}
