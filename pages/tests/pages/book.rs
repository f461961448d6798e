//! The book itself, built as a reader gets it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mdbook_driver::book::BookItem;
use mdbook_driver::config::Config;
use mdbook_driver::MDBook;
use scraper::{ElementRef, Html, Selector};

use crate::support::{all, build_volume, files, one, slashed, text, words, Page, Site};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// When the volume of the book says that the book was changed.
pub(crate) const WHEN: &str = "2026-01-31T12:00:00Z";

fn volume() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("volume/book.epub")
}

/// The book with its volume, built once for all tests that look at it.
fn built() -> &'static Result<PathBuf, String> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
        // That of an earlier run must not stand in for one that nobody wrote.
        let _ = fs::remove_file(volume());
        build_volume(&root(), &folder, &volume(), WHEN)
    })
}

/// The pages, read by each test: the parser's trees stay in the thread that made them.
pub(crate) fn book() -> Site {
    match built() {
        Ok(folder) => Site::read(folder.clone()),
        Err(_) => panic!("the book does not build; `the_book_builds` says why"),
    }
}

/// The pages, and where the volume made of them stands.
pub(crate) fn book_and_volume() -> (Site, PathBuf) {
    (book(), volume())
}

/// The pages that are neither source files nor the page that prints everything.
pub(crate) fn chapters(book: &Site) -> impl Iterator<Item = (&str, &Page)> {
    book.pages
        .iter()
        .map(|(path, page)| (path.as_str(), page))
        .filter(|(path, _)| !path.starts_with("source/") && *path != "print.html")
}

/// A region of `src/`, found here without the help of the weave.
#[derive(Debug, PartialEq)]
pub(crate) struct Region {
    file: String,
    first_line: usize,
    last_line: usize,
    pub(crate) text: String,
}

/// All regions of `src/` by their anchors.
pub(crate) fn regions() -> BTreeMap<String, Region> {
    let mut regions = BTreeMap::new();
    for path in files(&root().join("src")) {
        let file = slashed(path.strip_prefix(root()).unwrap());
        let source = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let marker = |line: &str| line.trim_start().starts_with("// ANCHOR");
        for (opened, line) in lines.iter().enumerate() {
            let Some(anchor) = line.trim().strip_prefix("// ANCHOR: ") else { continue };
            let end = format!("// ANCHOR_END: {anchor}");
            let length = lines[opened..].iter().position(|line| line.trim() == end).unwrap();
            let body = &lines[opened + 1..opened + length];
            let region = Region {
                file: file.clone(),
                first_line: opened + 2,
                last_line: opened + length,
                text: body.iter().filter(|line| !marker(line)).copied().collect(),
            };
            assert!(regions.insert(anchor.to_string(), region).is_none(), "{anchor}");
        }
    }
    regions
}

/// Where the page at `from` sends a reader with this link: a page, and a place on it.
fn follow(from: &str, link: &str) -> (String, Option<String>) {
    let (path, fragment) = match link.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment.to_string())),
        None => (link, None),
    };
    let mut parts: Vec<&str> = from.split('/').collect();
    if !path.is_empty() {
        parts.pop();
        for part in path.split('/') {
            match part {
                ".." => drop(parts.pop().unwrap_or_else(|| panic!("{link} leaves the book"))),
                "." => {}
                part => parts.push(part),
            }
        }
    }
    (parts.join("/"), fragment)
}

/// Whether an address names a host or another scheme; a `data:` address holds what it names.
fn is_elsewhere(link: &str) -> bool {
    link.starts_with("//") || link.split_once(':').is_some_and(|(scheme, _)| scheme != "data")
}

#[test]
fn the_book_builds() {
    if let Err(faults) = built() {
        panic!("{faults}");
    }
}

#[test]
fn the_text_of_every_listing_is_the_source() {
    let book = book();
    let regions = regions();
    let mut printed = BTreeSet::new();
    for (path, page) in chapters(&book) {
        for figure in all(page, "figure.listing") {
            let anchor = figure.attr("id").unwrap().strip_prefix("listing-").unwrap();
            let shown = text(one(figure, "figure > pre > code"));
            let region = regions.get(anchor).unwrap_or_else(|| panic!("{path}: {anchor}"));
            // mdBook leaves out the last line's end.
            assert_eq!(shown, region.text.trim_end_matches('\n'), "{path}: {anchor}");
            printed.insert(anchor.to_string());
        }
    }
    assert_eq!(printed, regions.into_keys().collect());
    assert!(!printed.is_empty(), "the book prints no listing");
}

#[test]
fn every_figure_has_number_caption_link_and_check() {
    let book = book();
    let regions = regions();
    for (path, page) in chapters(&book) {
        for (index, figure) in all(page, "figure.listing").into_iter().enumerate() {
            let anchor = figure.attr("id").unwrap().strip_prefix("listing-").unwrap();
            let label = text(one(figure, ".listing-number > a"));
            let number = label.strip_prefix("Listing ").unwrap();
            assert_eq!(
                number.rsplit('-').next(),
                Some((index + 1).to_string().as_str()),
                "{path}: {anchor}"
            );
            let number = all(page, "figure.listing .listing-number > a")[index];
            assert_eq!(
                number.attr("href"),
                figure.attr("id").map(|id| format!("#{id}")).as_deref()
            );

            let place = one(figure, ".listing-place");
            let caption = words(one(figure, "figcaption > p:first-child"));
            assert!(caption.len() > label.len(), "{path}: {anchor}: {caption}");

            let region = &regions[anchor];
            let link = one(place, "a");
            assert_eq!(text(link), format!("{}#{anchor}", region.file));
            let lines = match (region.first_line, region.last_line) {
                (first, last) if first == last => format!("line {first}"),
                (first, last) => format!("lines {first}–{last}"),
            };
            assert_eq!(words(place), format!("{}#{anchor} {lines}", region.file));
            let (target, fragment) = follow(path, link.attr("href").unwrap());
            let file = region.file.strip_suffix(".rs").unwrap();
            assert_eq!(target, format!("source/{file}.html"));
            let lines = match (region.first_line, region.last_line) {
                (first, last) if first == last => format!("L{first}"),
                (first, last) => format!("L{first}-L{last}"),
            };
            assert_eq!(fragment, Some(lines));

            let name = text(one(figure, "details.check > summary"));
            assert_eq!(name, format!("What checks {label}"), "{path}: {anchor}");
            let file = root().join("tests/listings").join(anchor).with_extension("rs");
            let expected = fs::read_to_string(file).unwrap();
            let expected = expected.trim_end_matches('\n');
            let check = book.check(anchor);
            assert_eq!(text(all(&check, "pre > code")[0]), expected, "{path}: {anchor}");
            let place = one(figure, ".check-place a");
            assert_eq!(text(place), format!("tests/listings/{anchor}.rs"));
            let (page, _) = follow(path, place.attr("href").unwrap());
            let page = book.page(&page);
            assert_eq!(text(all(page, ".source-file code")[0]), expected, "{path}: {anchor}");
        }
    }
}

#[test]
fn source_pages_number_the_lines_of_the_files() {
    let book = book();
    let mut seen = BTreeSet::new();
    for (path, page) in &book.pages {
        let Some(file) = path.strip_prefix("source/").filter(|file| *file != "index.html") else {
            continue;
        };
        let file = root().join(file).with_extension("rs");
        let source = fs::read_to_string(&file).unwrap();
        assert_eq!(text(all(page, ".source-file code")[0]), source.trim_end_matches('\n'));
        let numbers: Vec<_> = all(page, ".line-numbers span").into_iter().map(text).collect();
        assert_eq!(numbers.len(), source.lines().count(), "{path}");
        seen.insert(file);
    }
    let missing: Vec<_> =
        files(&root().join("src")).into_iter().filter(|file| !seen.contains(file)).collect();
    assert!(missing.is_empty(), "no page shows {missing:?}");
}

#[test]
fn ids_are_unique_on_every_page() {
    let book = book();
    for (path, page) in &book.pages {
        let mut seen = BTreeSet::new();
        for element in all(page, "[id]") {
            let id = element.attr("id").unwrap();
            assert!(seen.insert(id), "{path} has #{id} twice");
        }
    }
}

#[test]
fn every_link_inside_the_book_leads_somewhere() {
    let book = book();
    for (path, page) in &book.pages {
        for (selector, attribute) in [
            ("a[href]", "href"),
            ("link[href]", "href"),
            ("[src]", "src"),
            ("object[data]", "data"),
            ("meta[http-equiv=refresh]", "content"),
        ] {
            for element in all(page, selector) {
                let link = element.attr(attribute).unwrap().trim_start_matches("0; url=");
                // A host serves this page for any address, so its links start from the root.
                let link = match path.as_str() {
                    "404.html" => link.trim_start_matches('/'),
                    _ => link,
                };
                if is_elsewhere(link) || link.starts_with("data:") {
                    continue;
                }
                let (target, fragment) = follow(path, link);
                assert!(book.root.join(&target).is_file(), "{path}: {link} leads nowhere");
                let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) else {
                    continue;
                };
                let there = all(book.page(&target), "[id]")
                    .iter()
                    .any(|element| element.attr("id") == Some(fragment.as_str()));
                assert!(there, "{path}: {link} has no such place");
            }
        }
    }
}

#[test]
fn nothing_of_the_machinery_shows() {
    let book = book();
    let anchors: Vec<String> = regions().into_keys().collect();
    for (path, page) in chapters(&book) {
        let shown = text(page.root_element());
        assert!(!shown.contains("{{#"), "{path} shows a directive");
        assert!(!shown.contains("$$"), "{path} shows a formula's marks");
        for anchor in &anchors {
            for marker in ["ANCHOR: ", "ANCHOR_END: "] {
                let marker = format!("{marker}{anchor}");
                assert!(!shown.lines().any(|line| line.ends_with(&marker)), "{path}: {marker}");
            }
        }
    }
}

#[test]
fn no_page_loads_anything_from_elsewhere() {
    let book = book();
    let loads = [
        ("script[src]", "src"),
        ("link[href]", "href"),
        ("img[src]", "src"),
        ("iframe[src]", "src"),
        ("source[src]", "src"),
        ("video[src]", "src"),
        ("audio[src]", "src"),
        ("embed[src]", "src"),
        ("object[data]", "data"),
        ("use[href]", "href"),
        ("image[href]", "href"),
    ];
    for (path, page) in &book.pages {
        for (selector, attribute) in loads {
            for element in all(page, selector) {
                let address = element.attr(attribute).unwrap();
                assert!(!is_elsewhere(address), "{path} loads {address}");
            }
        }
        assert!(all(page, "[srcset]").is_empty(), "{path}: look at srcset here too");
        // The public playground is asked as soon as a page has such a block.
        assert!(all(page, ".playground").is_empty(), "{path} would call the playground");
        for element in all(page, "[style]") {
            assert_local_style(path, element.attr("style").unwrap());
        }
        for style in all(page, "style") {
            assert_local_style(path, &text(style));
        }
    }
    for file in files(&book.root) {
        if file.extension().is_some_and(|extension| extension == "css") {
            assert_local_style(&slashed(&file), &fs::read_to_string(&file).unwrap());
        }
    }
}

fn assert_local_style(place: &str, style: &str) {
    assert!(!style.contains("@import"), "{place} imports a style sheet");
    for address in style.split("url(").skip(1) {
        let address = address.trim_start_matches([' ', '"', '\'']);
        let address = address.split([' ', '"', '\'', ')']).next().unwrap_or_default();
        assert!(!is_elsewhere(address), "{place} loads {address}");
    }
}

#[test]
fn every_page_says_what_it_is() {
    let book = book();
    let mut said: BTreeMap<String, &str> = BTreeMap::new();
    for (path, page) in &book.pages {
        if path.starts_with("a/") || path == "toc.html" {
            continue;
        }
        let title = text(all(page, "head > title")[0]);
        let description = all(page, "meta[name=description]")[0].attr("content").unwrap();
        assert!((20..=220).contains(&description.chars().count()), "{path}: {description}");
        // What is shown of a title in a list of results.
        assert!(title.chars().count() <= 70, "{path}: {title}");
        for words in [title.clone(), description.to_string()] {
            let other = said.insert(words.clone(), path);
            assert_eq!(other, None, "{path}: {words}");
        }
    }
    assert!(said.len() > 10);
}

#[test]
fn every_listing_has_an_address() {
    let book = book();
    for anchor in regions().into_keys() {
        let page = book.page(&format!("a/{anchor}.html"));
        let link = one(page.root_element(), "main a").attr("href").unwrap();
        assert!(link.ends_with(&format!(".html#listing-{anchor}")), "{anchor}: {link}");
    }
}

#[test]
fn a_public_function_is_in_a_listing_or_has_a_link_to_its_line() {
    let woven = pullback_weave::load(root()).unwrap();
    let mut wanted = BTreeSet::new();
    for path in files(&root().join("src")) {
        let file = path.strip_prefix(root()).unwrap();
        for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let Some((_, rest)) = line.trim_start().split_once("pub ") else { continue };
            let Some(name) = rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ") else {
                continue;
            };
            let name: String =
                name.chars().take_while(|one| one.is_alphanumeric() || *one == '_').collect();
            let line = index + 1;
            if !woven.listings().any(|one| one.source == file && one.lines.contains(&line)) {
                wanted.insert((format!("{}#L{line}", slashed(&file.with_extension("html"))), name));
            }
        }
    }
    assert!(wanted.len() > 20, "{wanted:?}");
    let book = book();
    let page = book.page("listings.html");
    let mut linked = BTreeSet::new();
    for link in all(page, "main a[href^='source/src/']") {
        let address = link.attr("href").unwrap().strip_prefix("source/").unwrap();
        let (file, line) = address.split_once("#L").unwrap();
        let file = root().join(file).with_extension("rs");
        let line: usize = line.parse().unwrap();
        let text_of = fs::read_to_string(file).unwrap();
        let defined = text_of.lines().nth(line - 1).unwrap();
        assert!(defined.contains(&format!(" {}", text(link))), "{address}: {defined}");
        linked.insert((address.to_string(), text(link)));
    }
    let missing: Vec<_> = wanted.difference(&linked).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_icon_is_the_book_s_own() {
    let book = book();
    let drawn = fs::read_to_string(root().join("book/style/favicon.svg")).unwrap();
    for (path, page) in &book.pages {
        if path == "toc.html" {
            continue;
        }
        let icon = one(page.root_element(), "link[rel~=icon]").attr("href").unwrap();
        let file = book.root.join(follow(path, icon.trim_start_matches('/')).0);
        assert_eq!(fs::read_to_string(file).unwrap(), drawn, "{path}");
    }
}

#[test]
fn the_preview_is_a_picture_of_the_size_that_pages_say() {
    let picture = fs::read(book().root.join("style/preview.png")).unwrap();
    // A PNG begins with its signature, the length and name of its header, width and height.
    assert_eq!(picture[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (1200, 630));
}

#[test]
fn no_font_is_downloaded() {
    let book = book();
    let font = |path: &PathBuf| {
        path.extension().is_some_and(|extension| {
            ["woff", "woff2", "ttf", "otf", "eot"].iter().any(|other| extension == *other)
        })
    };
    assert_eq!(files(&book.root).into_iter().find(font), None);
}

#[test]
fn the_learner_s_output_is_the_recorded_one() {
    let book = book();
    let recorded = fs::read_to_string(root().join("tests/recorded/learner-output.txt")).unwrap();
    let page = book.page("ch15-tensor-autodiff-core.html");
    let blocks: Vec<_> = all(page, "pre > code.language-text").into_iter().map(text).collect();
    assert!(
        blocks.iter().any(|block| block.trim_end_matches('\n') == recorded.trim_end_matches('\n')),
        "no block of the page holds the recorded output"
    );
}

#[test]
fn colours_are_in_the_pages_and_no_script_makes_them() {
    let book = book();
    let mut coloured: BTreeSet<&str> = BTreeSet::new();
    for (path, page) in &book.pages {
        assert_eq!(all(page, "script[src*=highlight], link[href*=highlight]").len(), 0, "{path}");
        for code in all(page, "pre > code.language-rust") {
            let pieces = ["b", "i", "u", "c-v", "c-t", "c-n", "c-a"].into_iter();
            coloured
                .extend(pieces.filter(|piece| {
                    code.select(&Selector::parse(piece).unwrap()).next().is_some()
                }));
            // The shortest block of Rust has a word or a comment.
            let any = code.select(&Selector::parse("*").unwrap()).next().is_some();
            assert!(any, "{path} has code without colours: {}", text(code));
        }
    }
    assert_eq!(coloured.len(), 7);
    let unused = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.to_string_lossy().contains("highlight"))
    };
    assert_eq!(files(&book.root).into_iter().find(unused), None);
}

#[test]
fn the_search_waits_for_a_search() {
    let book = book();
    for (path, page) in &book.pages {
        let scripts = all(page, "script[src]");
        let later: Vec<_> =
            scripts.iter().filter(|script| script.attr("type") == Some("text/later")).collect();
        if path != "toc.html" && !path.starts_with("a/") {
            assert_eq!(later.len(), 4, "{path}: mdBook's three and the book's own");
            assert_eq!(
                all(page, "script[src*='/later-'], script[src^='later-']").len(),
                1,
                "{path}"
            );
        }
        for script in scripts.iter().filter(|script| script.attr("type").is_none()) {
            let address = script.attr("src").unwrap();
            let searches = ["elasticlunr", "mark-", "searcher", "style/search"];
            assert!(!searches.iter().any(|name| address.contains(name)), "{path}: {address}");
        }
    }
}

#[test]
fn the_sidebar_lists_no_source_file() {
    let book = book();
    let [script] = &files(&book.root)
        .into_iter()
        .filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("toc-"))
        .collect::<Vec<_>>()[..]
    else {
        panic!("one script of the sidebar")
    };
    let script = fs::read_to_string(script).unwrap();
    let frame = fs::read_to_string(book.root.join("toc.html")).unwrap();
    for list in [script, frame] {
        assert!(list.contains("\"source/index.html\""));
        assert!(!list.contains("\"source/src") && !list.contains("\"source/tests"));
    }
}

#[test]
fn the_page_to_print_holds_the_chapters_alone() {
    let book = book();
    let page = book.page("print.html");
    let listings = |page: &Html| all(page, "figure.listing").len();
    let all_listings: usize = chapters(&book)
        .filter(|(path, _)| *path != "index.html")
        .map(|(_, page)| listings(page))
        .sum();
    assert_eq!(listings(page), all_listings);
    assert_eq!(all(page, ".source-page").len(), 0);
    for figure in all(page, "figure.listing") {
        let anchor = figure.attr("id").unwrap().strip_prefix("listing-").unwrap();
        let there = book.page("ch15-tensor-autodiff-core.html");
        let chapter = all(there, &format!("#listing-{anchor}"))[0];
        for link in [".listing-place a", ".check-place a"] {
            assert_eq!(one(figure, link).attr("href"), one(chapter, link).attr("href"), "{anchor}");
        }
    }
}

/// What a chapter may weigh, in bytes; `pages/browser/` weighs what it loads.
const HEAVIEST: u64 = 350_000;

#[test]
fn no_chapter_is_too_heavy() {
    let book = book();
    for (path, _) in chapters(&book) {
        let weight = fs::metadata(book.root.join(path)).unwrap().len();
        assert!(weight <= HEAVIEST, "{path} weighs {weight} bytes");
    }
}

#[test]
fn names_in_listings_lead_to_other_listings() {
    let book = book();
    for (path, page) in chapters(&book).filter(|(_, page)| !all(page, ".listing").is_empty()) {
        let mut links = 0;
        for figure in all(page, "figure.listing") {
            let anchor = figure.attr("id").unwrap();
            let mut seen = BTreeSet::new();
            for link in figure.select(&Selector::parse("pre > code a").unwrap()) {
                let (name, address) = (text(link), link.attr("href").unwrap());
                let target =
                    address.strip_prefix('#').unwrap_or_else(|| panic!("{path}: {address}"));
                assert_ne!(target, anchor, "{path}: {name} leads to its own listing");
                assert!(seen.insert((name.clone(), target)), "{path}: {anchor}: {name} twice");
                let there = all(page, &format!("#{target} > pre > code"))[0];
                assert!(text(there).contains(&name), "{path}: {name} is not in {target}");
                links += 1;
            }
        }
        assert!(links > 100, "{path} has {links} links in its listings");
    }
}

#[test]
fn prose_names_lines_of_a_listing_only_where_it_shows_their_numbers() {
    let number = |word: &str| -> Option<usize> {
        word.trim_matches(|c: char| !c.is_alphanumeric()).parse().ok()
    };
    let book = book();
    let mut named = 0;
    for (path, page) in chapters(&book) {
        for paragraph in all(page, "main > :is(p, ul, ol), figcaption > p:first-child") {
            let shown = words(paragraph).to_lowercase();
            let listed: Vec<&str> = shown.split(' ').collect();
            for (at, _) in
                listed.iter().enumerate().filter(|(_, word)| matches!(**word, "line" | "lines"))
            {
                let after = listed[at + 1..].iter().take(3).step_by(2);
                let lines: Vec<usize> = after.map_while(|word| number(word)).collect();
                let (Some(first), Some(last)) = (lines.first(), lines.last()) else { continue };
                // The numbers belong to the listing that comes next.
                let figure = paragraph.next_siblings().filter_map(ElementRef::wrap).next();
                let numbers = Selector::parse("figure.numbered > pre > code c-l").unwrap();
                let lines = figure.iter().flat_map(|figure| figure.select(&numbers));
                let shown_lines: Vec<&str> =
                    lines.filter_map(|line| line.attr("data-line")).collect();
                for line in [*first, *last] {
                    assert!(shown_lines.contains(&&*line.to_string()), "{path}: {line} in {shown}");
                }
                named += 1;
            }
        }
    }
    let numbered: usize = chapters(&book).map(|(_, page)| all(page, "figure.numbered").len()).sum();
    assert!(
        numbered > 0 && named >= numbered,
        "{numbered} listings have numbers that nobody names"
    );
}

#[test]
fn the_lost_page_leads_home() {
    let book = book();
    assert_eq!(all(book.page("404.html"), "main a[href='/index.html']").len(), 1);
}

#[test]
fn addresses_that_are_shown_break_after_their_slashes() {
    let book = book();
    for (page, least) in [("bibliography.html", 4), ("listings.html", 40)] {
        let shown: Vec<_> = all(book.page(page), "main a")
            .into_iter()
            .filter(|link| link.attr("href").is_some_and(|address| address == text(*link)))
            .collect();
        assert!(shown.len() >= least, "{page}: {}", shown.len());
        for link in shown {
            let breaks = Selector::parse("wbr").unwrap();
            let slashes = text(link).replace("//", "/").matches('/').count();
            assert_eq!(link.select(&breaks).count(), slashes, "{}", text(link));
        }
    }
}

#[test]
fn the_settings_keep_the_sources_safe_and_the_pages_checked() {
    let config = Config::from_disk(root().join("book.toml")).unwrap();
    // mdBook empties its build folder, and its own default is the folder of our sources.
    assert_eq!(config.build.build_dir, Path::new("target/book"));
    assert_eq!(config.book.src, Path::new("book"));
    assert!(!config.html_config().unwrap().playground.runnable);
    let text = |key: &str| config.get::<String>(key).unwrap().unwrap_or_default();
    let program = "cargo run --locked -p mdbook-pullback --";
    assert_eq!(text("preprocessor.pullback.command"), program);
    assert_eq!(text("output.pullback-site.command"), format!("{program} finish"));
    // The last output by name is the last that mdBook runs.
    let outputs: BTreeMap<String, serde_json::Value> = config.outputs().unwrap();
    assert_eq!(outputs.keys().last().map(String::as_str), Some("pullback-site"));
}

#[test]
fn the_whole_plan_stands_in_the_summary() {
    let book = MDBook::load(root()).unwrap();
    let numbered: Vec<_> = book
        .iter()
        .filter_map(|item| match item {
            BookItem::Chapter(chapter) if chapter.number.is_some() => Some(chapter),
            _ => None,
        })
        .collect();
    // Listings carry the chapter's number, so no chapter may be left out before it is written.
    assert_eq!(numbered.len(), 22);
    let path = Path::new("ch15-tensor-autodiff-core.md");
    assert_eq!(numbered[14].path.as_deref(), Some(path));
}
