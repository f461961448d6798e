//! The list of chapters, and the settings that could empty their folder or change their pages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mdbook_driver::config::{Config, HtmlConfig};
use mdbook_markdown::MarkdownOptions;
use mdbook_summary::{parse_summary, Link, SummaryItem};

use crate::fault::{Fault, What};
use crate::includes::braces;
use crate::text::{files, normalize, read, slashed};

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
    let summary = match parse_summary(&text) {
        Ok(summary) => summary,
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
    found.retain(|entry| {
        let shown = slashed(&entry.path);
        let line = text.lines().position(|line| line.contains(&format!("({shown})")));
        let line = line.map_or(1, |index| index + 1);
        let exists = root.join("book").join(&entry.path).is_file();
        if !exists {
            faults.push(What::MissingChapter(shown.clone()).at(file, line));
        }
        let name = test_name(&entry.path);
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !names.insert(name) {
            faults.push(What::PageName.at(Path::new("book").join(&entry.path), 1));
        }
        exists
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
