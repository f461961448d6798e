//! The list of chapters, and the settings that could empty their folder or change their pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mdbook_driver::config::{Config, HtmlConfig};
use mdbook_markdown::pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};
use mdbook_markdown::{new_cmark_parser, MarkdownOptions};
use mdbook_summary::{parse_summary, Link, SummaryItem};
use regex::Regex;

use crate::anchors::pattern;
use crate::fault::{Fault, What};
use crate::includes::braces;
use crate::text::{self, files, normalize, read, slashed, Lines};

/// A written chapter.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Relative to `book/`.
    pub(crate) path: PathBuf,
    pub(crate) title: String,
    pub(crate) number: Option<String>,
}

/// Reads `book/SUMMARY.md`; drafts are no entries. None when it tells nothing.
pub(crate) fn entries(root: &Path, faults: &mut Vec<Fault>) -> Option<Vec<Entry>> {
    let file = Path::new("book/SUMMARY.md");
    let text = read(root, file, faults)?;
    for (span, _) in braces(&text) {
        let line = text[..span.start].matches('\n').count() + 1;
        faults.push(What::Unexpanded(text[span].to_owned()).at(file, line));
    }
    let (mentions, lower) = outline(&text);
    let mut wrong = listed_twice(&mentions);
    let behind = mentions.iter().filter(|one| !one.leads);
    wrong.extend(behind.map(|one| (one.line, What::EntryInText)));
    let nameless = mentions.iter().filter(|one| text::unseen_aside(&one.words).trim().is_empty());
    wrong.extend(nameless.map(|one| (one.line, What::NoTitle)));
    wrong.extend(lower.into_iter().map(|line| (line, What::PartLevel)));
    let known = !wrong.is_empty();
    for (line, what) in wrong {
        faults.push(what.at(file, line));
    }
    let summary = match parse_summary(&text) {
        Ok(summary) => summary,
        // mdBook's own words for that name no line.
        Err(_) if known => return None,
        Err(error) => {
            faults.push(What::Summary(format!("{error:#}")).at(file, 1));
            return None;
        }
    };
    let mut found = Vec::new();
    let parts = [summary.prefix_chapters, summary.numbered_chapters, summary.suffix_chapters];
    for item in parts.iter().flatten() {
        collect(item, &mut found);
    }

    let mut names = BTreeSet::from(["readme".to_owned()]);
    let mut kept = BTreeSet::new();
    found.retain_mut(|entry| {
        let mention = mentions.iter().find(|one| one.path.as_ref() == Some(&entry.path));
        let line = mention.map_or(1, |one| one.line);
        let shown = slashed(&entry.path);
        let exists = |path: &Path| root.join("book").join(path).is_file();
        if normalize(&entry.path).is_none() {
            faults.push(What::OutsideChapter(shown).at(file, line));
            return false;
        }
        let page = PathBuf::from(shown.split(['#', '?']).next().unwrap_or_default());
        if !exists(&entry.path) && page != entry.path && exists(&page) {
            faults.push(What::PlaceInChapter(shown.clone(), slashed(&page)).at(file, line));
            entry.path = page;
        }
        if !kept.insert(normalize(&entry.path)) {
            return false;
        }
        if !exists(&entry.path) {
            faults.push(What::MissingChapter(shown).at(file, line));
            return false;
        }
        if entry.path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("readme")) {
            faults.push(What::ReadmeChapter(shown).at(file, line));
            return true;
        }
        let name = test_name(&entry.path);
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !names.insert(name) {
            faults.push(What::PageName.at(Path::new("book").join(&entry.path), 1));
        }
        true
    });

    let listed: BTreeSet<PathBuf> =
        found.iter().filter_map(|entry| normalize(&Path::new("book").join(&entry.path))).collect();
    for found in files(root, Path::new("book"), |_| true) {
        let extension = found.extension().and_then(|end| end.to_str()).unwrap_or_default();
        if extension == "md" {
            if found != file && found != Path::new(LOST) && !listed.contains(&found) {
                faults.push(What::UnlistedChapter.at(found, 1));
            }
        } else if !COMPANIONS.contains(&extension) && !is_editors(&found) {
            faults.push(What::StrayFile.at(found, 1));
        }
    }
    Some(found)
}

/// A link of the summary.
struct Mention {
    /// The file it leads to, as mdBook reads its address; none in a draft.
    path: Option<PathBuf>,
    /// What it shows.
    words: String,
    line: usize,
    /// Whether only the mark of a list stands before it. mdBook leaves any other chapter out and
    /// gives its number to the next.
    leads: bool,
}

/// The links of the summary, and the lines of headings that are no part's.
fn outline(text: &str) -> (Vec<Mention>, Vec<usize>) {
    static MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(([-*+]|\d+[.)])\s+)?$"));
    let lines = Lines::new(text);
    let before = |at: usize| text[..at].rsplit('\n').next().unwrap_or_default();
    let (mut found, mut lower): (Vec<Mention>, Vec<usize>) = Default::default();
    let (mut items, mut first, mut inside) = (0_usize, false, false);
    let options = MarkdownOptions::default();
    for (event, span) in new_cmark_parser(text, &options).into_offset_iter() {
        match &event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                inside = true;
                found.push(Mention {
                    path: (!dest_url.is_empty()).then(|| dest_url.replace("%20", " ").into()),
                    words: String::new(),
                    line: lines.of(span.start),
                    leads: MARK.is_match(before(span.start)) && (items == 0 || first),
                });
            }
            Event::End(TagEnd::Link) => inside = false,
            Event::Start(Tag::Heading { level, .. }) if *level != HeadingLevel::H1 => {
                lower.push(lines.of(span.start));
            }
            Event::Start(Tag::Item) => items += 1,
            Event::End(TagEnd::Item) => items -= 1,
            Event::Text(words) | Event::Code(words) if inside => {
                found.iter_mut().next_back().into_iter().for_each(|one| one.words.push_str(words));
            }
            _ => {}
        }
        // Of an item mdBook takes the first link, if nothing but a paragraph is around it.
        first = match event {
            Event::Start(Tag::Item) => true,
            Event::Start(Tag::Paragraph) => first,
            _ => false,
        };
    }
    (found, lower)
}

/// The links to a chapter that an earlier one leads to.
fn listed_twice(mentions: &[Mention]) -> Vec<(usize, What)> {
    let mut first: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut twice = Vec::new();
    for Mention { path, line, .. } in mentions {
        let Some(path) = path else { continue };
        let Some(page) = normalize(path) else { continue };
        match first.get(&page) {
            Some(before) => twice.push((*line, What::ListedTwice(slashed(path), *before))),
            None => {
                first.insert(page, *line);
            }
        }
    }
    twice
}

/// What mdBook shows for an address that leads nowhere. No summary lists it, and no
/// preprocessor sees it.
pub(crate) const LOST: &str = "book/404.md";

/// What goes to the site with the chapters: mdBook copies every file but `*.md`
/// as it is, so one in any other language, a page in HTML say, goes unchecked.
const COMPANIONS: [&str; 13] = [
    "css", "js", "hbs", "svg", "png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "woff", "woff2",
];

/// Whether an editor or the system keeps this file beside another for a while.
fn is_editors(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.starts_with(['.', '#']) || name.ends_with('~')
}

/// The name that skeptic's tests of a page start with.
pub(crate) fn test_name(page: &Path) -> String {
    let stem = page.with_extension("");
    let words = slashed(&stem).to_ascii_lowercase();
    let words = words.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

fn collect(item: &SummaryItem, found: &mut Vec<Entry>) {
    let SummaryItem::Link(Link { name, location, number, nested_items, .. }) = item else {
        return;
    };
    if let Some(path) = location {
        let number = number.as_ref();
        found.push(Entry {
            path: path.clone(),
            title: name.clone(),
            number: number.map(|number| number.to_string().trim_end_matches('.').to_owned()),
        });
    }
    for item in nested_items {
        collect(item, found);
    }
}

/// Checks the settings of `book.toml` that could harm the book.
///
/// The sources' lives depend on two: mdBook empties its build folder, and takes
/// `book/` for it unless told. Others make mdBook's pages differ from those that
/// are checked here, by the options of Markdown it starts from.
pub(crate) fn settings(root: &Path, faults: &mut Vec<Fault>) {
    let file = Path::new("book.toml");
    let config = match Config::from_disk(root.join(file)) {
        Ok(config) => config,
        Err(error) => {
            faults.push(What::Unreadable(format!("{error:#}")).at(file, 1));
            return;
        }
    };
    if config.book.src != Path::new("book") {
        faults.push(What::Setting("book.src", "book").at(file, 1));
    }
    let inside_target = normalize(&config.build.build_dir);
    if !inside_target.is_some_and(|folder| folder.starts_with("target")) {
        faults.push(What::Setting("build.build-dir", "target/book").at(file, 1));
    }
    let html = match config.get::<HtmlConfig>("output.html") {
        Ok(html) => html.unwrap_or_default(),
        Err(error) => {
            faults.push(What::Unreadable(format!("{error:#}")).at(file, 1));
            return;
        }
    };
    let read = MarkdownOptions::default();
    for (name, set, wanted) in [
        ("smart-punctuation", html.smart_punctuation, read.smart_punctuation),
        ("definition-lists", html.definition_lists, read.definition_lists),
        ("admonitions", html.admonitions, read.admonitions),
    ] {
        if set != wanted {
            faults.push(What::Reading(name, wanted.to_string()).at(file, 1));
        }
    }
    if !html.code.hidelines.is_empty() {
        faults.push(What::Reading("code.hidelines", "{}".to_owned()).at(file, 1));
    }
}
