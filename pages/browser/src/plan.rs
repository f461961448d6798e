//! Which page is held to what, and in which views.

use std::fs;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::thread::available_parallelism;

use anyhow::{Context, Result};
use futures::{StreamExt, TryStreamExt};
use pullback_browser::*;

/// Words of the source, and the places to which the search must lead from them.
const SEARCHED: [(&str, &str); 5] = [
    ("tensor-reverse-pass", "#listing-tensor-reverse-pass"),
    ("TensorSavedContext", "#listing-tensor-structural-vjps"),
    ("broadcast_vjp", "#listing-tensor-broadcast-vjp"),
    ("backward_with_trace", "#listing-tensor-reverse-pass"),
    // No listing defines it.
    ("from_vec", "#names-src-tensor-owned-rs"),
];

/// The listings whose short addresses are tried.
const ADDRESSES: [&str; 3] =
    ["tensor-reverse-pass", "tensor-structural-vjps", "tensor-broadcast-vjp"];

/// The page with the figures, and what each step of its ledger sends back, as the contract of the
/// chapter has it.
const DRAWN: &str = "ch15-tensor-autodiff-core.html";
const SENT: [&str; 8] = [
    "1 1 1 / 2 2 2",
    "2 2 5 / 6 6 12",
    "2 2 5 / 6 6 12",
    "4 4 10 / 12 12 24",
    "4 4 10 / 12 12 24",
    "16 16 34",
    "4 12 / 4 12 / 10 24",
    "4 12 4 / 12 10 24",
];

/// Phones, of which each shows a step of the ledger in one window.
const PHONES: [View; 2] = [View::sized(360, 640), View::sized(390, 844)];

/// Windows that are low for the graph, each of which shows a step of the ledger too: phones that lie
/// on their side, laptops.
const LOW: [View; 5] = [
    View::sized(667, 375),
    View::sized(740, 360),
    View::sized(932, 430),
    View::sized(1024, 700),
    View::sized(1366, 650),
];

/// Widths at which each table of a figure shows all its columns.
const WIDE: [i64; 6] = [1024, 1081, 1100, 1140, 1280, 1440];

/// An address where no page is.
const NOWHERE: &str = "no/such/page/anywhere.html";

/// How many times a page is painted before one says how long that takes.
const PAINTS: usize = 5;

/// How many checks found nothing, and how many found something.
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Count {
    /// Counts one check, and tells its faults.
    pub(crate) fn add(&mut self, faults: &[Fault]) {
        for fault in faults {
            eprintln!("{fault}");
        }
        match faults {
            [] => self.passed += 1,
            _ => self.failed += 1,
        }
    }
}

/// How many tabs are looked at at once: one more than there are processors, since some only wait.
fn at_once() -> usize {
    1 + available_parallelism().map_or(1, usize::from)
}

/// A check that is going to be made.
type Check<'a> = Pin<Box<dyn Future<Output = Vec<Fault>> + 'a>>;

/// The checks of a run.
struct Plan<'a> {
    browser: &'a Browser,
    checks: Vec<Check<'a>>,
}

impl<'a> Plan<'a> {
    fn new(browser: &'a Browser) -> Self {
        Self { browser, checks: Vec::new() }
    }

    fn add(&mut self, check: impl Future<Output = Vec<Fault>> + 'a) {
        self.checks.push(Box::pin(check));
    }

    /// Makes the checks.
    async fn run(self, count: &mut Count) {
        let mut outcomes = futures::stream::iter(self.checks).buffer_unordered(at_once());
        while let Some(faults) = outcomes.next().await {
            count.add(&faults);
        }
    }
}

/// The sites and pages of a built book.
struct Book<'a> {
    folder: &'a Path,
    pages: Vec<String>,
    site: Site,
    /// As a reader finds it on a disk.
    disk: Site,
    /// Below the path for which the page for lost addresses was made.
    as_built: Site,
}

impl<'a> Book<'a> {
    async fn open(folder: &'a Path) -> Result<Self> {
        Ok(Self {
            folder,
            pages: pages_of(folder)?,
            site: Site::serve(folder).await?,
            disk: Site::disk(folder)?,
            as_built: Site::serve_as_built(folder).await?,
        })
    }

    fn chapters(&self) -> impl Iterator<Item = &str> {
        let numbered = |page: &&str| {
            let rest = page.strip_prefix("ch").unwrap_or_default();
            let number = rest.bytes().take_while(u8::is_ascii_digit).count();
            number > 0 && rest[number..].starts_with('-') && !rest.contains('/')
        };
        self.pages.iter().map(String::as_str).filter(numbered)
    }

    /// That there is anything to look at.
    fn has_chapters(&self) -> Vec<Fault> {
        let place = self.folder.display().to_string();
        let none = self.chapters().next().is_none();
        none.then(|| Fault { place, what: "holds no chapter".to_string() }).into_iter().collect()
    }

    /// The pages that people look at after a change of style.
    fn pictured(&self) -> impl Iterator<Item = &str> {
        let others = ["index.html", "introduction.html", "glossary.html", "listings.html"];
        let known = self.pages.iter().map(String::as_str).filter(move |page| others.contains(page));
        known.chain(self.chapters())
    }
}

/// Looks at everything of a built book.
pub(crate) async fn check_book(
    browser: &Browser,
    folder: &Path,
    screenshots: &Path,
) -> Result<Count> {
    let book = Book::open(folder).await?;
    let axe = axe()?;
    let mut count = Count::default();
    let mut places = Vec::new();
    for chapter in book.chapters() {
        places.push((chapter, places_of(browser, &book.site, chapter).await?));
    }
    count.add(&book.has_chapters());
    let mut plan = Plan::new(browser);
    pages(&mut plan, &book);
    for (chapter, places) in &places {
        chapter_itself(&mut plan, &book, chapter);
        marks(&mut plan, &book, places);
    }
    figures(&mut plan, &book);
    furniture(&mut plan, &book);
    accessible(&mut plan, &book, &axe);
    plan.run(&mut count).await;
    // Alone, for the sake of the time to the first paint.
    for chapter in book.chapters() {
        count.add(&weight(browser, &book, chapter).await?);
    }
    pictures(browser, &book, &places, screenshots).await?;
    Ok(count)
}

/// Looks at every document of the book as one file.
pub(crate) async fn check_volume(browser: &Browser, file: &Path) -> Result<Count> {
    let volume = Volume::open(file)?;
    let mut count = Count::default();
    for document in &volume.documents {
        count.add(&check_document(browser, &volume.site, document).await);
    }
    Ok(count)
}

fn pages<'a>(plan: &mut Plan<'a>, book: &'a Book<'_>) {
    for name in &book.pages {
        page(plan, book, name);
    }
}

fn page<'a>(plan: &mut Plan<'a>, Book { site, .. }: &'a Book<'_>, name: &'a str) {
    let browser = plan.browser;
    plan.add(check_page(browser, site, name, PHONE));
    plan.add(check_print(browser, site, name));
    // The source files and checks all have one shape, made by one function.
    if name.starts_with("source/tests/") {
        return;
    }
    plan.add(check_page(browser, site, name, LAPTOP));
    if name.starts_with("source/src/") {
        return;
    }
    plan.add(check_page(browser, site, name, PHONE.scriptless()));
}

fn chapter_itself<'a>(plan: &mut Plan<'a>, book: &'a Book<'_>, chapter: &'a str) {
    let (browser, site) = (plan.browser, &book.site);
    plan.add(check_keys(browser, site, chapter, PHONE));
    for view in [LAPTOP.theme("light"), LAPTOP.theme("navy"), LAPTOP.theme("light").printed()] {
        plan.add(check_math(browser, site, chapter, view));
    }
    for theme in THEMES {
        plan.add(check_colours(browser, site, chapter, LAPTOP.theme(theme)));
    }
    for view in [LAPTOP.scriptless(), LAPTOP.scriptless().dark()] {
        plan.add(check_colours(browser, site, chapter, view));
    }
    // A book works without a server too.
    for place in [site, &book.disk] {
        plan.add(check_search(browser, place, chapter, "transpose", LAPTOP));
        plan.add(check_folds(browser, place, chapter, PHONE));
    }
    plan.add(check_names(browser, site, chapter, LAPTOP));
}

/// The marks on the lines to which the links of a chapter's listings lead.
fn marks<'a>(plan: &mut Plan<'a>, book: &'a Book<'_>, places: &'a [String]) {
    for place in places {
        for theme in THEMES {
            plan.add(check_mark(plan.browser, &book.site, place, LAPTOP.theme(theme)));
        }
        plan.add(check_mark(plan.browser, &book.site, place, PHONE.scriptless()));
    }
}

/// The figures of the chapter, and the ledger step by step.
fn figures<'a>(plan: &mut Plan<'a>, Book { site, .. }: &'a Book<'_>) {
    let browser = plan.browser;
    for view in [PHONE, LAPTOP] {
        plan.add(check_ledger(browser, site, DRAWN, view, &SENT));
        plan.add(check_still(browser, site, DRAWN, view.scriptless(), SENT.len()));
    }
    plan.add(check_ledger(browser, site, DRAWN, View::sized(640, 800), &SENT));
    plan.add(check_ledger_box(browser, site, DRAWN, PHONE));
    for view in PHONES {
        plan.add(check_page(browser, site, DRAWN, view));
        plan.add(check_together(browser, site, DRAWN, view));
    }
    for view in LOW {
        plan.add(check_together(browser, site, DRAWN, view));
    }
    for view in PHONES.into_iter().chain(LOW).chain([View::sized(1280, 680), LAPTOP]) {
        plan.add(check_arrival(browser, site, DRAWN, "figure-reverse-ledger", view));
    }
    for width in WIDE {
        plan.add(check_tables(browser, site, DRAWN, View::sized(width, 800)));
    }
    plan.add(check_still(browser, site, DRAWN, PAPER, SENT.len()));
    for theme in THEMES {
        plan.add(check_contrast(browser, site, DRAWN, LAPTOP.theme(theme)));
        plan.add(check_contrast(browser, site, DRAWN, PHONE.theme(theme)));
    }
}

/// What stands around the chapters.
fn furniture<'a>(plan: &mut Plan<'a>, book: &'a Book<'_>) {
    let Book { folder, site, as_built, .. } = book;
    let browser = plan.browser;
    plan.add(async { check_links(folder) });
    for view in [PHONE, LAPTOP] {
        plan.add(check_lost(browser, as_built, NOWHERE, view));
        plan.add(check_page(browser, as_built, "404.html", view));
        plan.add(check_frame(browser, as_built, NOWHERE, view));
        plan.add(check_frame(browser, as_built, NOWHERE, view.scriptless()));
        plan.add(check_landmarks(browser, as_built, NOWHERE, view));
    }
    plan.add(check_addresses(browser, site, &ADDRESSES, LAPTOP));
    plan.add(check_addresses(browser, site, &ADDRESSES, LAPTOP.scriptless()));
    plan.add(check_found(browser, site, "introduction.html", LAPTOP, &SEARCHED));
    plan.add(check_preview(browser));
    for page in ["introduction.html"].into_iter().chain(book.chapters()) {
        for view in [PHONE, LAPTOP] {
            plan.add(check_landmarks(browser, site, page, view));
            plan.add(check_frame(browser, site, page, view));
            plan.add(check_frame(browser, site, page, view.scriptless()));
        }
        for view in [LAPTOP, PHONE, PHONE.touched()] {
            plan.add(check_terms(browser, site, page, view));
        }
    }
}

/// What axe-core finds on one page of each kind, in light and dark, on a laptop and a phone.
fn accessible<'a>(plan: &mut Plan<'a>, book: &'a Book<'_>, axe: &'a str) {
    let browser = plan.browser;
    let source = book.pages.iter().map(String::as_str).find(|page| page.starts_with("source/src/"));
    let others = ["index.html", "introduction.html", "bibliography.html", "print.html"];
    let site = |page| if page == "404.html" { &book.as_built } else { &book.site };
    let pages = others.into_iter().chain(source).chain(["404.html"]).chain(book.chapters());
    for page in pages {
        plan.add(check_access(browser, site(page), page, LAPTOP.theme("light"), axe));
        plan.add(check_access(browser, site(page), page, PHONE.theme("navy"), axe));
    }
    for page in book.chapters() {
        plan.add(check_access(browser, site(page), page, LAPTOP.theme("navy"), axe));
        for view in [PHONE, LAPTOP] {
            plan.add(check_switch(browser, site(page), page, view));
        }
    }
}

/// What is too heavy about a chapter, as it comes to somebody who never was here.
async fn weight(browser: &Browser, book: &Book<'_>, chapter: &str) -> Result<Vec<Fault>> {
    let weight = weigh(browser, &book.site, chapter, LAPTOP).await?;
    let mut paints = Vec::new();
    for _ in 0..PAINTS {
        paints.push(weigh(browser, &book.disk, chapter, LAPTOP).await?.paint);
    }
    paints.sort_by(f64::total_cmp);
    let Weight { page, requests, total, .. } = weight;
    println!(
        "{chapter}: {page} bytes, with its {requests} requests {total} bytes; first paint from a \
         disk after {:.0} ms",
        paints[PAINTS / 2]
    );
    Ok(too_heavy(chapter, &weight))
}

/// Where the links to the source of a chapter's first and last listing lead, and a single line.
async fn places_of(browser: &Browser, site: &Site, chapter: &str) -> Result<Vec<String>> {
    let inside = source_links(browser, site, chapter).await?;
    let single = inside.first().and_then(|link| link.rsplit_once("-L")).map(|(line, _)| line);
    let ends = [inside.first().map(String::as_str), inside.last().map(String::as_str), single];
    let mut places: Vec<String> = ends.into_iter().flatten().map(str::to_string).collect();
    places.dedup();
    Ok(places)
}

async fn pictures(
    browser: &Browser,
    book: &Book<'_>,
    places: &[(&str, Vec<String>)],
    folder: &Path,
) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut jobs: Vec<Pin<Box<dyn Future<Output = Result<()>> + '_>>> = Vec::new();
    for page in book.pictured() {
        jobs.push(Box::pin(print_page(browser, &book.site, page, folder)));
        for shown in PICTURED {
            jobs.push(Box::pin(picture_page(browser, &book.site, page, shown, folder)));
        }
    }
    for (chapter, places) in places {
        if let Some(address) = places.first() {
            jobs.push(Box::pin(picture_mark(browser, &book.site, chapter, address, folder)));
        }
    }
    futures::stream::iter(jobs).buffer_unordered(at_once()).try_collect().await
}
