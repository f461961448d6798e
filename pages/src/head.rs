//! What a page says of itself to a browser's tab, a search engine and a chat that shows a link.

use std::path::Path;
use std::sync::LazyLock;

use mdbook_markdown::pulldown_cmark::{Event, Tag, TagEnd};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};
use mdbook_renderer::book::Chapter;
use mdbook_renderer::config::Config;
use mdbook_renderer::errors::{Error, Result};
use regex::{NoExpand, Regex};

use crate::boxes::escaped;
use crate::comments::{comments, inner, line_of, nearly};
use crate::pattern::pattern;

/// A description longer than this is cut by those who show it.
const LONGEST: usize = 200;

/// How a chapter's own words for its description begin.
const GIVEN: &str = "<!-- description:";

/// The picture that stands for the book where somebody shares a link.
const PREVIEW: &str = "style/preview.png";

/// Title and description of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    title: String,
    description: String,
}

/// Whether a chapter is the page at the address of the whole book, if it is the first one.
pub(crate) fn is_front(chapter: &Path) -> bool {
    chapter == Path::new("index.md")
}

impl Head {
    pub(crate) fn new(title: &str, description: &str) -> Self {
        Head { title: title.to_string(), description: description.to_string() }
    }

    /// A chapter's number and name; its description is the comment that gives one, or how it
    /// begins.
    pub(crate) fn of(chapter: &Chapter) -> Self {
        let number = chapter.number.as_ref().map(|number| format!("{number} ")).unwrap_or_default();
        let description = match given(&chapter.content).into_iter().next() {
            Some((_, words)) => words,
            None => shortened(&first_paragraph(&chapter.content)),
        };
        Head { title: format!("{number}{}", chapter.name), description }
    }

    /// The head of the same page at the address of the whole book.
    pub(crate) fn of_book(&self, site: &Site) -> Self {
        let description = site.description.as_ref().unwrap_or(&self.description).clone();
        Head { title: String::new(), description }
    }
}

/// The descriptions that a chapter gives, each with its place.
fn given(markdown: &str) -> Vec<(usize, String)> {
    let words = comments(markdown).into_iter().filter_map(|(at, block)| {
        let (words, _) = block.strip_prefix(GIVEN)?.split_once("-->")?;
        Some((at, words.split_whitespace().collect::<Vec<_>>().join(" ")))
    });
    words.collect()
}

/// The comments that were meant to give a description: their first word is nearly the one that
/// does, before a colon or the like or as the first of the chapter.
fn meant(markdown: &str) -> Vec<(usize, String)> {
    let meant = comments(markdown).into_iter().filter_map(|(at, block)| {
        let inner = inner(block).trim_start();
        let end = inner.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(inner.len());
        let (word, rest) = inner.split_at(end);
        let near = nearly(word, "description") || word == "desc";
        let named = rest.trim_start().starts_with([':', '=', '-', '–', '—']);
        let start = block.lines().next().unwrap_or_default();
        (near && (named || at == 0) && !block.starts_with(GIVEN)).then(|| (at, start.to_string()))
    });
    meant.collect()
}

/// What is wrong with the description that a chapter gives, with its line.
pub(crate) fn faults(markdown: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let given = given(markdown);
    let line = |at: usize| line_of(markdown, at);
    for (index, (at, words)) in given.iter().enumerate() {
        if *at > 0 || index > 0 {
            let what = format!("`{GIVEN} ... -->` stands once, in the first line of a chapter");
            faults.push((line(*at), what));
        } else if words.is_empty() {
            faults.push((line(*at), "this description has no words".to_string()));
        }
    }
    for (at, start) in meant(markdown) {
        let what = format!("`{start}` describes nothing; a description is `{GIVEN} ... -->`");
        faults.push((line(at), what));
    }
    faults
}

/// The plain text of a chapter's first paragraph.
fn first_paragraph(markdown: &str) -> String {
    let mut text = None;
    for event in new_cmark_parser(markdown, &MarkdownOptions::default()) {
        match (event, &mut text) {
            (Event::Start(Tag::Paragraph), _) => text = Some(String::new()),
            (Event::Text(piece) | Event::Code(piece), Some(text)) => text.push_str(&piece),
            (Event::SoftBreak | Event::HardBreak, Some(text)) => text.push(' '),
            (Event::End(TagEnd::Paragraph), Some(words)) if !words.trim().is_empty() => break,
            _ => {}
        }
    }
    text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As many whole sentences as fit, or of a long one as many words.
fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let fits = |end: &usize| text[..*end].chars().count() < LONGEST;
    let sentence = text.match_indices(". ").map(|(at, _)| at + 1).take_while(fits).last();
    let word = || text.match_indices(' ').map(|(at, _)| at).take_while(fits).last();
    match (sentence, word()) {
        (Some(end), _) => text[..end].to_string(),
        (None, Some(end)) => format!("{}…", &text[..end]),
        (None, None) => text.chars().take(LONGEST).collect(),
    }
}

/// What all pages share.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// The whole title.
    title: String,
    /// What stands behind a page's own title.
    short: String,
    description: Option<String>,
    /// The address with a final slash, as far as it is known.
    address: Option<String>,
}

impl Site {
    /// `short` is the title behind that of a page; without it the whole one stands there.
    pub(crate) fn new(config: &Config, short: Option<String>) -> Result<Self> {
        let title = config.book.title.clone().unwrap_or_default();
        let address = config.get::<String>("output.html.site-url")?;
        let address = address.filter(|address| !address.is_empty());
        if let Some(address) = &address {
            if !address.starts_with(['/']) && !address.starts_with("https://") {
                return Err(Error::msg(format!(
                    "`output.html.site-url` is `{address}`; it starts with `https://`, or with \
                     `/` where the host is not known"
                )));
            }
        }
        Ok(Site {
            short: short.unwrap_or_else(|| title.clone()),
            title,
            description: config.book.description.clone(),
            address: address.map(|address| format!("{}/", address.trim_end_matches('/'))),
        })
    }

    /// The path of the site on its host, with a slash at each end.
    pub(crate) fn path(&self) -> &str {
        let address = self.address.as_deref().unwrap_or("/");
        match address.strip_prefix("https://") {
            Some(rest) => rest.find('/').map_or("/", |slash| &rest[slash..]),
            None => address,
        }
    }

    /// The address with its host. Without it a page names no picture: a relative address is
    /// of no use to those who show the link, and a guessed one is wrong.
    fn absolute(&self) -> Option<&str> {
        self.address.as_deref().filter(|address| address.starts_with("https://"))
    }

    /// What stands behind a page's own title.
    pub(crate) fn short(&self) -> &str {
        &self.short
    }

    /// A title as the tab of a browser shows it.
    pub(crate) fn title_of(&self, page: &str) -> String {
        match page {
            "" => self.title.clone(),
            page => format!("{page} · {}", self.short),
        }
    }

    /// Gives a page its title, its description, and the same for those who show a link.
    pub(crate) fn head(&self, page: &str, path: &Path, head: &Head) -> Result<String> {
        if head.description.is_empty() {
            return Err(Error::msg(format!(
                "nothing describes this page: it has no paragraph, and no `{GIVEN} ... -->`"
            )));
        }
        let title = escaped(&self.title_of(&head.title));
        let description = escaped(&head.description);
        let start = page.find("<title>").zip(page.find("</title>"));
        let (start, end) = start.ok_or_else(|| Error::msg("the page has no title"))?;
        let page = format!("{}<title>{title}{}", &page[..start], &page[end..]);

        let mut lines = format!("<meta name=\"description\" content=\"{description}\">");
        let mut property = |name: &str, value: &str| {
            lines.push_str(&format!("\n        <meta property=\"og:{name}\" content=\"{value}\">"));
        };
        property("site_name", &escaped(&self.title));
        property("type", "article");
        property("title", &title);
        property("description", &description);
        let mut card = "summary";
        if let Some(address) = self.absolute() {
            card = "summary_large_image";
            let path = path.to_string_lossy().replace('\\', "/");
            let page = escaped(&format!("{address}{}", path.trim_end_matches("index.html")));
            property("url", &page);
            property("image", &escaped(&format!("{address}{PREVIEW}")));
            property("image:width", "1200");
            property("image:height", "630");
            property("image:alt", "The name of the book beside a graph with its edges reversed");
        }
        lines.push_str(&format!("\n        <meta name=\"twitter:card\" content=\"{card}\">"));

        static OLD: LazyLock<Regex> =
            LazyLock::new(|| pattern("<meta name=\"description\" content=\"[^\"]*\">"));
        match OLD.find_iter(&page).count() {
            1 => Ok(OLD.replace(&page, NoExpand(&lines)).into_owned()),
            _ => Err(Error::msg("the page has no description, or two")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(url: Option<&str>) -> Result<Site> {
        let mut config = Config::default();
        config.book.title = Some("The Book: all of it".to_string());
        config.book.description = Some("Of a book.".to_string());
        if let Some(url) = url {
            config.set("output.html.site-url", url)?;
        }
        Site::new(&config, Some("The Book".to_string()))
    }

    #[test]
    fn a_description_is_given_or_how_the_chapter_begins() {
        let of = |markdown: &str| {
            Head::of(&Chapter::new("A name", markdown.to_string(), "a.md", Vec::new())).description
        };
        assert_eq!(of("# Title\n\nOne *short*\n`a < b` & so.\n\nTwo.\n"), "One short a < b & so.");
        assert_eq!(
            of("<!-- description: Said\n  here. -->\n\n# Title\n\nNot this.\n"),
            "Said here."
        );
        for shown in ["`<!-- description: No. -->`", "```text\n<!-- description: No. -->\n```"] {
            assert_eq!(of(&format!("# Title\n\nOne.\n\n{shown}\n")), "One.", "{shown}");
        }
        assert_eq!(of("# Title\n\nOne.\n\n> <!-- description: No. -->\n"), "One.");
        let sentence = "Ninety nine letters and some more make a sentence. ";
        assert_eq!(of(&sentence.repeat(5)), sentence.repeat(3).trim());
        let words = of(&"endless ".repeat(60));
        assert!(words.ends_with("endless…") && words.chars().count() <= LONGEST, "{words}");
        assert_eq!(of("# Title\n"), "");
    }

    #[test]
    fn a_description_stands_once_and_first() {
        let once = "`<!-- description: ... -->` stands once, in the first line of a chapter";
        for (markdown, wanted) in [
            ("<!-- description: One. -->\n\n# Title\n\n`<!-- description: x -->`\n", vec![]),
            ("# Title\n\n<!-- description: One. -->\n", vec![(3, once)]),
            ("<!-- description: A. -->\n\n<!-- description: B. -->\n", vec![(3, once)]),
            ("<!-- description: -->\n", vec![(1, "this description has no words")]),
        ] {
            let found = faults(markdown);
            let found: Vec<_> = found.iter().map(|(line, what)| (*line, what.as_str())).collect();
            assert_eq!(found, wanted, "{markdown}");
        }
    }

    #[test]
    fn a_misspelt_description_is_no_remark() {
        for start in [
            "<!-- descripton: One. -->",
            "<!-- Description: One. -->",
            "<!--description: One. -->",
            "<!-- description One. -->",
            "<!-- description : One. -->",
            "<!-- descriptions = One. -->",
            "<!-- desc: One. -->",
        ] {
            let what = format!(
                "`{start}` describes nothing; a description is `<!-- description: ... -->`"
            );
            assert_eq!(faults(&format!("{start}\n\n# Title\n")), [(1, what)], "{start}");
        }
        let later = faults("# Title\n\n<!-- desciption: One.\nTwo. -->\n");
        assert_eq!(later.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3]);
        for remark in [
            "<!-- TODO: a description -->",
            "<!-- decision: none -->",
            "`<!-- descripton: x -->`",
            "```text\n<!-- descripton: x -->\n```",
        ] {
            assert_eq!(faults(&format!("# Title\n\n{remark}\n")), [], "{remark}");
        }
        assert_eq!(faults("# Title\n\n<!-- descriptions of all -->\n"), []);
    }

    #[test]
    fn an_address_is_whole_or_a_path_and_never_guessed() -> Result<()> {
        let known = site(Some("https://who.example/book"))?;
        assert_eq!((known.path(), known.absolute()), ("/book/", Some("https://who.example/book/")));
        assert_eq!(site(Some("https://who.example"))?.path(), "/");
        let path = site(Some("/below/a/path/"))?;
        assert_eq!((path.path(), path.absolute()), ("/below/a/path/", None));
        assert_eq!((site(None)?.path(), site(None)?.absolute()), ("/", None));
        assert_eq!(site(Some(""))?.path(), "/");
        let error = site(Some("who.example/book")).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("it starts with `https://`")));
        Ok(())
    }

    #[test]
    fn a_page_of_another_mdbook_is_refused() -> Result<()> {
        let head = Head::new("A < B", "What \"it\" says.");
        let old = "<title>x</title><meta name=\"description\" content=\"Of a book.\">";
        let page = site(None)?.head(old, Path::new("a.html"), &head)?;
        assert!(page.contains("<title>A &lt; B · The Book</title>"), "{page}");
        assert!(page.contains("content=\"What &quot;it&quot; says.\""), "{page}");
        assert!(!page.contains("og:image") && !page.contains("og:url"), "{page}");
        for other in ["<title>x</title>", "<meta name=\"description\" content=\"Of a book.\">"] {
            assert!(site(None)?.head(other, Path::new("a.html"), &head).is_err(), "{other}");
        }
        assert!(site(None)?.head(old, Path::new("a.html"), &Head::new("A", "")).is_err());
        Ok(())
    }
}
