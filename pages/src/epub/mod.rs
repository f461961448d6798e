//! The book as one file for readers of electronic books: an EPUB 3.
//!
//! Its chapters are the finished pages, so code has its colours and formulas are MathML. What only
//! a script or a folder of source files could serve is left out; the checks of the listings, which
//! pages bring when they are unfolded, stand in a chapter at the end. A link that leads nowhere
//! inside, or a picture that is not packed, stops the build.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mdbook_renderer::book::{BookItem, Chapter};
use mdbook_renderer::errors::{Error, Result};
use mdbook_renderer::RenderContext;
use pullback_weave::Book;
use regex::{Captures, Regex};

use crate::boxes::escaped;
use crate::colour;
use crate::figure::{checks, label, target};
use crate::finish::Finish;
use crate::head::is_front;
use crate::pattern::pattern;
use crate::settings::Epub;
use crate::source::{check_address, slashed, FOLDER};

use self::package::{Document, Volume, TITLE};
use self::xhtml::{convert, Target};

mod package;
mod xhtml;

/// The chapter with the checks.
const CHECKS: &str = "checks.xhtml";

/// The style of the volume's own parts.
const STYLE: &str = include_str!("style.css");

/// What becomes of drawings where pages are turned and nothing scrolls.
const TURNED: &str = include_str!("turned.css");

/// The style of the pages that the volume shares: drawings look alike.
const SHARED: &str = "style/figures.css";

/// Where the volume goes, and when the book was last changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    file: PathBuf,
    modified: String,
}

impl Settings {
    /// From the table `epub` of the last output; no volume without a file.
    pub(crate) fn new(table: Epub, root: &Path) -> Result<Option<Self>> {
        static TIME: LazyLock<Regex> =
            LazyLock::new(|| pattern(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"));
        let Some(file) = table.file else { return Ok(None) };
        // A clock here would make each build another file.
        let modified = table.modified.unwrap_or_default();
        if !TIME.is_match(&modified) {
            return Err(Error::msg(format!(
                "output.{}.epub.modified is `{modified}`; the volume says when the book was \
                 last changed, as in 2026-01-31T12:00:00Z",
                Finish::NAME
            )));
        }
        Ok(Some(Settings { file: root.join(file), modified }))
    }
}

/// Makes the volume out of the finished pages in `pages`.
pub(crate) fn write(
    context: &RenderContext,
    pages: &Path,
    woven: &Book,
    settings: &Settings,
) -> Result<()> {
    let chapters = chapters(&context.book.items);
    let inside = Inside::new(&chapters, woven);
    let mut documents = Vec::new();
    for (part, chapter) in &chapters {
        let Some(path) = &chapter.path else { continue };
        let file = pages.join(path.with_extension("html"));
        let failed = |what: String| Error::msg(format!("{} in the volume: {what}", path.display()));
        let html = fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
        let main = html.split_once("<main>").and_then(|(_, rest)| rest.split_once("</main>"));
        let (main, _) = main.ok_or_else(|| failed("the page has no text".to_string()))?;
        let page = convert(main, &|link| inside.follow(path, link)).map_err(failed)?;
        documents.push(Document {
            path: slashed(&path.with_extension("xhtml")),
            title: chapter.name.clone(),
            number: chapter.number.as_ref().map(|number| number.to_string()),
            part: part.map(str::to_string),
            page,
        });
    }
    let path = Path::new(CHECKS).with_extension("html");
    let page = convert(&all_checks(woven), &|link| inside.follow(&path, link))
        .map_err(|what| Error::msg(format!("the checks in the volume: {what}")))?;
    documents.push(Document {
        path: CHECKS.to_string(),
        title: "What checks the listings".to_string(),
        number: None,
        part: None,
        page,
    });
    faults(&documents)?;

    let book = &context.config.book;
    let volume = Volume {
        title: book.title.clone().unwrap_or_default(),
        description: book.description.clone().unwrap_or_default(),
        authors: book.authors.clone(),
        language: book.language.clone().unwrap_or_else(|| "en".to_string()),
        modified: settings.modified.clone(),
        style: style(&context.root.join(&book.src))?,
        documents,
    };
    let bytes = volume.pack()?;
    if let Some(folder) = settings.file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&settings.file, bytes)
        .map_err(|error| Error::msg(format!("{}: {error}", settings.file.display())))
}

/// The written chapters without the source files, each with the part it belongs to.
fn chapters(items: &[BookItem]) -> Vec<(Option<&str>, &Chapter)> {
    let mut part = None;
    let mut found = Vec::new();
    for item in items {
        match item {
            BookItem::PartTitle(title) => part = Some(title.as_str()),
            // What stands behind a line belongs to no part.
            BookItem::Separator => part = None,
            BookItem::Chapter(chapter) => {
                let source = chapter.path.as_ref().is_some_and(|path| path.starts_with(FOLDER));
                // The volume has a title page of its own.
                let text = chapter.path.as_ref().is_some_and(|path| !is_front(path));
                if !source && text {
                    found.push((part, chapter));
                }
                if !source {
                    let below = self::chapters(&chapter.sub_items);
                    found.extend(below.into_iter().map(|(_, chapter)| (part, chapter)));
                }
            }
        }
    }
    found
}

/// What a link can lead to inside the volume.
struct Inside {
    /// Pages of the site, and the documents of the volume.
    pages: BTreeMap<String, String>,
}

impl Inside {
    fn new(chapters: &[(Option<&str>, &Chapter)], woven: &Book) -> Self {
        let mut pages = BTreeMap::from([("index.html".to_string(), TITLE.to_string())]);
        for path in chapters.iter().filter_map(|(_, chapter)| chapter.path.as_ref()) {
            let page = slashed(&path.with_extension("html"));
            pages.insert(page, slashed(&path.with_extension("xhtml")));
        }
        for listing in woven.listings() {
            let place = format!("{CHECKS}#check-{}", listing.anchor);
            pages.insert(check_address(listing), place);
        }
        Inside { pages }
    }

    /// Where a link on the page of the chapter at `from` leads in the volume.
    fn follow(&self, from: &Path, link: &str) -> Result<Target, String> {
        if ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
            return Ok(Target::To(link.to_string()));
        }
        let (path, place) = match link.split_once('#') {
            Some((path, place)) => (path, format!("#{place}")),
            None => (link, String::new()),
        };
        if path.is_empty() {
            return Ok(Target::To(place));
        }
        let mut parts: Vec<String> = from.parent().map_or_else(Vec::new, |folder| {
            folder.iter().map(|part| part.to_string_lossy().into_owned()).collect()
        });
        let up = "../".repeat(parts.len());
        for part in path.split('/') {
            match part {
                ".." => drop(parts.pop()),
                "." => {}
                part => parts.push(part.to_string()),
            }
        }
        match self.pages.get(&parts.join("/")) {
            Some(document) if document.contains('#') => Ok(Target::To(format!("{up}{document}"))),
            Some(document) => Ok(Target::To(format!("{up}{document}{place}"))),
            // Source files, the documentation, and lasting addresses are on the site only.
            None if [FOLDER, "api", "a"].contains(&parts[0].as_str()) => Ok(Target::Nowhere),
            None => Err(format!("`{link}` leads to nothing that the volume holds")),
        }
    }
}

/// The chapter with the checks, as a page.
fn all_checks(woven: &Book) -> String {
    let mut html = String::from(
        "<h1>What checks the listings</h1><p>Each of these tests looks at one listing, and fails if \
         that listing is wrong.</p>",
    );
    for listing in woven.listings() {
        let page = slashed(&listing.chapter.with_extension("html"));
        html.push_str(&format!(
            "<section id=\"check-{}\"><h2>{}</h2><p class=\"listing-place\">\
             <code>{}</code>, the check of <a href=\"{page}#{}\">{}</a></p>\
             <pre><code class=\"language-rust\">{}</code></pre></section>",
            listing.anchor,
            escaped(&checks(woven, listing)),
            escaped(&slashed(&listing.check)),
            target(&listing.anchor),
            escaped(&label(woven, listing)),
            colour::html(listing.check_text.trim_end(), &[], &[]),
        ));
    }
    html
}

/// Links to places that no document has, and places that one document has twice.
fn faults(documents: &[Document]) -> Result<()> {
    let mut faults = Vec::new();
    let mut places = BTreeSet::new();
    for document in documents {
        for id in &document.page.ids {
            if !places.insert(format!("{}#{id}", document.path)) {
                faults.push(format!("{} has two places called `{id}`", document.path));
            }
        }
    }
    for document in documents {
        for link in &document.page.links {
            let Some((path, place)) = link.split_once('#') else { continue };
            let path = path.trim_start_matches("../");
            let path = if path.is_empty() { &document.path } else { path };
            let outside = link.contains("://") || link.starts_with("mailto:");
            if !outside && !places.contains(&format!("{path}#{place}")) {
                faults.push(format!("{}: `{link}` leads to no place in the volume", document.path));
            }
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Error::msg(faults.join("\n")))
    }
}

/// The style sheet: the volume's own, what it shares with the pages, and what is otherwise in it.
fn style(book: &Path) -> Result<String> {
    let shared = book.join(SHARED);
    if !shared.is_file() {
        return Ok(STYLE.to_string());
    }
    let shared = fs::read_to_string(&shared)
        .map_err(|error| Error::msg(format!("{}: {error}", shared.display())))?;
    Ok(format!("{STYLE}\n{}\n{TURNED}", as_read(&shared)))
}

/// A style sheet of the pages with lengths for a reader's own size of text, and without the frame
/// around a chapter's content, which a volume does not have. On a page the text is 1.75 times the
/// unit `rem`; in a volume it is that unit.
fn as_read(css: &str) -> String {
    static INSIDE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\.content ([^{])"));
    static LENGTH: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d+(?:\.\d+)?)rem\b"));
    let scaled = |length: &Captures<'_>| {
        let length: f64 = length[1].parse().unwrap_or_default();
        format!("{:.2}rem", length / 1.75)
    };
    let css = INSIDE.replace_all(css, "$1");
    LENGTH.replace_all(&css, scaled).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside() -> Inside {
        let pages = [
            ("one.html", "one.xhtml"),
            ("deep/two.html", "deep/two.xhtml"),
            ("source/tests/listings/x.html", "checks.xhtml#check-x"),
        ];
        let pages = pages.map(|(page, document)| (page.to_string(), document.to_string()));
        Inside { pages: pages.into() }
    }

    /// The weave refuses what a chapter says twice; this sees what the pages add, too.
    #[test]
    fn a_place_is_in_a_document_once() {
        let document = |path: &str, ids: &[&str]| {
            let ids = ids.iter().map(|id| id.to_string()).collect();
            let page = xhtml::Page { ids, ..xhtml::Page::default() };
            Document {
                path: path.to_string(),
                title: String::new(),
                number: None,
                part: None,
                page,
            }
        };
        let [one, two] = [document("one.xhtml", &["x", "y"]), document("two.xhtml", &["x"])];
        assert!(faults(&[one.clone(), two]).is_ok());
        let twice = faults(&[one, document("two.xhtml", &["z", "z"])]).unwrap_err();
        assert_eq!(twice.to_string(), "two.xhtml has two places called `z`");
    }

    #[test]
    fn links_lead_to_documents_or_nowhere() {
        let follow = |from: &str, link: &str| inside().follow(Path::new(from), link);
        let to = |link: &str| Ok(Target::To(link.to_string()));
        assert_eq!(follow("one.md", "#a"), to("#a"));
        assert_eq!(follow("one.md", "deep/two.html#a"), to("deep/two.xhtml#a"));
        assert_eq!(follow("deep/two.md", "../one.html"), to("../one.xhtml"));
        assert_eq!(follow("deep/two.md", "two.html#a"), to("../deep/two.xhtml#a"));
        assert_eq!(follow("one.md", "source/tests/listings/x.html"), to("checks.xhtml#check-x"));
        assert_eq!(follow("one.md", "https://e.example/#a"), to("https://e.example/#a"));
        for link in ["source/src/lib.html#L3-L5", "api/pullback/index.html", "a/x.html"] {
            assert_eq!(follow("one.md", link), Ok(Target::Nowhere), "{link}");
        }
        let fault = follow("one.md", "three.html#a").unwrap_err();
        assert_eq!(fault, "`three.html#a` leads to nothing that the volume holds");
    }

    #[test]
    fn lengths_follow_the_reader_s_size_of_text() {
        assert_eq!(
            as_read("a { margin: 2.8rem 0 1.4rem; top: 3em }"),
            "a { margin: 1.60rem 0 0.80rem; top: 3em }"
        );
    }

    #[test]
    fn what_is_inside_of_a_chapter_s_content_is_inside_of_nothing_else() {
        let css = ".content .a td, .content b { top: 0 } .content { top: 1px }";
        assert_eq!(as_read(css), ".a td, b { top: 0 } .content { top: 1px }");
    }

    /// The contrast of two colours, as WCAG counts it.
    fn contrast(one: &str, other: &str) -> f64 {
        let luminance = |colour: &str| {
            let digits = colour.trim_start_matches('#');
            let width = digits.len() / 3;
            let part = |index: usize| {
                let digits = &digits[index * width..][..width];
                let value = u8::from_str_radix(&digits.repeat(2 / width), 16).unwrap();
                let value = f64::from(value) / 255.0;
                if value <= 0.04045 {
                    value / 12.92
                } else {
                    ((value + 0.055) / 1.055).powf(2.4)
                }
            };
            0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn contrast_is_counted_as_wcag_does() {
        assert!((contrast("#000", "#fff") - 21.0).abs() < 1e-9);
        assert!((contrast("#767676", "#ffffff") - 4.54).abs() < 0.01);
    }

    #[test]
    fn code_can_be_read_on_its_ground_and_drawings_on_any() {
        let rule = Regex::new(r"(?m)^ *(pre[^{]*)\{([^}]*)\}").unwrap();
        let value = |rule: &str, name: &str| {
            let mut lines = rule.lines().map(str::trim);
            let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            value.map(|value| value.trim_end_matches(';').to_string())
        };
        let (light, dark) = STYLE.split_once("@media (prefers-color-scheme: dark)").unwrap();
        for half in [light, dark] {
            let rules: Vec<_> = rule.captures_iter(half).collect();
            let ground = rules.iter().find_map(|rule| value(&rule[2], "background")).unwrap();
            let inks: Vec<String> =
                rules.iter().filter_map(|rule| value(&rule[2], "color")).collect();
            let inks = inks.iter().filter(|ink| *ink != "inherit");
            assert_eq!(inks.clone().count(), 7, "the code itself, and six sorts of pieces");
            for ink in inks {
                let contrast = contrast(ink, &ground);
                assert!(contrast >= 4.5, "{ink} on {ground}: {contrast:.2}");
            }
        }
        for paper in ["#ffffff", "#000000"] {
            for (name, least) in [("--faint", 4.5), ("--links", 3.0)] {
                let ink = value(STYLE, name).unwrap();
                assert!(contrast(&ink, paper) >= least, "{name} on {paper}");
            }
        }
    }
}
