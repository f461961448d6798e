//! What a listing, a reference and a formula become, on a book of two short chapters.

use std::fs;

use mdbook_pullback::Repository;
use scraper::Selector;

use crate::support::{all, one, text, words, Mini};

#[test]
fn a_listing_becomes_a_figure() {
    let mini = Mini::new();
    let site = mini.build().unwrap();
    let page = site.page("one.html");
    let figures = all(page, "main > figure.listing");
    assert_eq!(figures.len(), 2);

    let figure = figures[0];
    assert_eq!(figure.attr("id"), Some("listing-twice"));
    assert_eq!(
        words(one(figure, "figcaption")),
        "Listing 2-1 Doubling, without multiplying: x+x is Listing 2-1, told over two lines. \
         src/deep/mod.rs#twice lines 2–11"
    );
    assert_eq!(text(one(figure, "figcaption em")), "without");
    assert_eq!(
        text(one(figure, "figure > pre > code")),
        "/// Two times `x`: `x + x`, so 2 < 3 & 4 > 3.\n///\n/// ```\n\
         /// assert_eq!(mini::deep::twice(2), 4);\n/// ```\npub fn twice(x: i64) -> i64 {\n    \
         x + x\n}"
    );
    assert_eq!(text(one(figure, "details.check > summary")), "What checks Listing 2-1");
    let check = fs::read_to_string(mini.root().join("tests/listings/twice.rs")).unwrap();
    let place = one(figure, ".check-place a");
    assert_eq!(text(place), "tests/listings/twice.rs");
    assert_eq!(place.attr("href"), Some("source/tests/listings/twice.html"));
    let page = site.page("source/tests/listings/twice.html");
    assert_eq!(text(all(page, ".source-file code")[0]), check.trim_end());
    assert_eq!(words(all(page, ".source-page > p")[0]), "Checks Listing 2-1.");
    assert_eq!(
        all(page, ".source-page > p > a")[0].attr("href"),
        Some("../../../one.html#listing-twice")
    );
    let unfolded = site.check("twice");
    let code = all(&unfolded, "pre > code.language-rust")[0];
    assert_eq!(text(code), check.trim_end());
    assert_eq!(code.attr("aria-label"), Some("What checks Listing 2-1"));
}

#[test]
fn what_may_scroll_is_a_tab_stop_with_a_name() {
    let mini = Mini::new();
    mini.replace(
        "book/two.md",
        "# Two\n",
        "# Two\n\n| a `b` | c |\n|---|---|\n| 1 | $2$ |\n\n- In a list:\n\n  ```rust\n  # fn main() {\n  \
         assert_eq!(\"<&>\", [\"<\", \"&\", \">\"].concat());\n  # }\n  ```\n",
    );
    let site = mini.build().unwrap();
    let named = |page: &str| -> Vec<(String, String)> {
        let attr = |element: scraper::ElementRef<'_>, name| {
            element.attr(name).unwrap_or_default().to_string()
        };
        let stops = all(site.page(page), "main [tabindex=\"0\"][aria-label]").into_iter();
        stops.map(|one| (attr(one, "role"), attr(one, "aria-label"))).collect()
    };
    let region = |name: &str| ("region".to_string(), name.to_string());
    // The excerpt is narrower than any window, and so are the checks.
    let formula = ("group".to_string(), "Formula".to_string());
    assert_eq!(named("one.html"), [region("Listing 2-1"), formula]);
    assert_eq!(
        named("two.html"),
        [region("Table: a b, c"), region("Example 1"), region("Listing 3-1")]
    );
    assert_eq!(named("source/src/deep/mod.html"), [region("src/deep/mod.rs")]);

    let page = site.page("two.html");
    assert_eq!(all(page, ".table-box > .table-wrapper > table td math").len(), 1);
    let code = all(page, "li > pre > code.language-rust")[0];
    assert_eq!(text(code), "fn main() {\nassert_eq!(\"<&>\", [\"<\", \"&\", \">\"].concat());\n}");
    assert_eq!(all(page, "li > pre > code > .boring").len(), 2);
}

#[test]
fn a_listing_whose_lines_the_text_names_has_numbers() {
    let mini = Mini::new();
    mini.replace(
        "book/one.md",
        "has another.\n\n````rust",
        "has another.\n\n<!-- line numbers -->\n\n````rust",
    );
    let site = mini.build().unwrap();
    let lines = |anchor: &str| all(site.page("one.html"), &format!("#listing-{anchor} c-l")).len();
    assert_eq!((lines("twice"), lines("twice-core")), (8, 0));
    // Those of the file, in which markers stand between them.
    let lines = all(site.page("one.html"), "#listing-twice c-l");
    let numbers: Vec<_> = lines.iter().filter_map(|line| line.attr("data-line")).collect();
    assert_eq!(numbers.join(" "), "2 3 4 5 6 7 9 11");
    let [numbered] = all(site.page("one.html"), "figure.numbered")[..] else { panic!("one") };
    let plain = Mini::new().build().unwrap();
    let plain =
        all(plain.page("one.html"), "#listing-twice pre > code")[0].text().collect::<String>();
    assert_eq!(text(one(numbered, "figure > pre > code")), plain);
    assert_eq!(all(site.page("print.html"), "#listing-twice c-l").len(), 8);

    mini.replace("book/two.md", "# Two\n", "# Two\n\n<!-- line numbers -->\n\nNone.\n");
    assert_eq!(
        mini.build().err().as_deref(),
        Some("book/two.md:3: `<!-- line numbers -->` stands before a listing, and none follows")
    );
    for comment in ["<!-- line-numbers -->", "<!--line numbers-->", "<!-- Lines numbered -->"] {
        let mini = Mini::new();
        mini.replace("book/two.md", "# Two\n", &format!("# Two\n\n{comment}\n"));
        let fault =
            format!("book/two.md:3: `{comment}` numbers no lines; that is `<!-- line numbers -->`");
        assert_eq!(mini.build().err(), Some(fault));
    }
}

#[test]
fn an_excerpt_names_the_listing_it_is_from() {
    let site = Mini::new().build().unwrap();
    let figure = all(site.page("one.html"), "figure#listing-twice-core")[0];
    assert_eq!(
        words(one(figure, "figcaption")),
        "Listing 2-2 excerpt of Listing 2-1 The sum. src/deep/mod.rs#twice-core line 9"
    );
    assert_eq!(one(figure, ".excerpt a").attr("href"), Some("#listing-twice"));
    assert!(figure.attr("class").unwrap().contains("excerpt-listing"));
}

#[test]
fn references_lead_to_the_figure_from_every_page() {
    let site = Mini::new().build().unwrap();
    for (page, target) in [
        ("front.html", "one.html#listing-twice"),
        ("one.html", "two.html#listing-thrice"),
        ("two.html", "one.html#listing-twice"),
        ("source/src/deep/mod.html", "../../../one.html#listing-twice"),
    ] {
        let links = all(site.page(page), "main a");
        let link = links.iter().find(|link| link.attr("href") == Some(target));
        let label = link.map(|link| text(*link)).unwrap_or_default();
        assert!(label.starts_with("Listing "), "{page}: {target}");
    }
}

#[test]
fn without_a_repository_the_source_is_a_page_of_the_book() {
    let site = Mini::new().build().unwrap();
    let place = one(all(site.page("one.html"), "#listing-twice")[0], ".listing-place a");
    assert_eq!(place.attr("href"), Some("source/src/deep/mod.html#L2-L11"));
    let source = site.page("source/src/deep/mod.html");
    let lines: Vec<_> = all(source, ".line-numbers span").into_iter().map(text).collect();
    let file = text(all(source, ".source-file code")[0]);
    assert_eq!(lines.len(), file.lines().count());
    assert_eq!(file.lines().nth(1), Some("/// Two times `x`: `x + x`, so 2 < 3 & 4 > 3."));
    let [region] = all(source, ".line-regions span")[..] else { panic!("one region") };
    assert_eq!(region.attr("id"), Some("L2-L11"));
    assert_eq!(region.attr("style"), Some("--first: 2; --count: 10"));
    // One line is marked where its number stands.
    let core = one(all(site.page("one.html"), "#listing-twice-core")[0], ".listing-place a");
    assert_eq!(core.attr("href"), Some("source/src/deep/mod.html#L9"));
    assert_eq!(all(source, ".line-numbers #L9").len(), 1);
    let places = all(source, ".source-page > ul");
    assert_eq!(words(places[0]), "lines 2–11: Listing 2-1");
    let index = site.page("source/index.html");
    let files: Vec<_> = all(index, ".source-page a code").into_iter().map(text).collect();
    let checks = ["twice", "twice-core", "thrice"].map(|name| format!("tests/listings/{name}.rs"));
    assert_eq!(files[..2], ["src/deep/mod.rs", "src/lib.rs"]);
    assert_eq!(files[2..], checks);
}

#[test]
fn with_a_repository_the_source_is_the_built_commit() {
    let mini = Mini::new();
    let repository = |url: Option<&str>| Repository {
        url: url.map(str::to_string),
        commit: "0123abc".to_string(),
    };
    let address = |repository: Repository, anchor: &str| {
        let site = mini.build_at(Some(repository)).unwrap();
        let figure = all(site.page("one.html"), &format!("#listing-{anchor}"))[0];
        one(figure, ".listing-place a").attr("href").unwrap().to_string()
    };
    let variables = || repository(Some("https://forge.example/who/what"));
    assert_eq!(
        address(variables(), "twice"),
        "https://forge.example/who/what/blob/0123abc/src/deep/mod.rs#L2-L11"
    );
    assert_eq!(
        address(variables(), "twice-core"),
        "https://forge.example/who/what/blob/0123abc/src/deep/mod.rs#L9"
    );
    mini.replace(
        "book.toml",
        "[output.html]\n",
        "[output.html]\ngit-repository-url = \"https://own.example/book\"\n",
    );
    assert_eq!(
        address(variables(), "twice-core"),
        "https://own.example/book/blob/0123abc/src/deep/mod.rs#L9"
    );
    assert_eq!(
        address(repository(None), "twice-core"),
        "https://own.example/book/blob/0123abc/src/deep/mod.rs#L9"
    );
}

#[test]
fn formulas_become_mathml_and_dollars_stay() {
    let site = Mini::new().build().unwrap();
    let page = site.page("one.html");
    let paragraph = all(page, "main > p")[0];
    assert_eq!(words(paragraph), "The factor is f=2, not $2 or $f$; Listing 3-1 has another.");
    let annotation = Selector::parse("math annotation").unwrap();
    let annotations: Vec<_> = page.select(&annotation).map(text).collect();
    assert_eq!(annotations, ["f = 2", "x + x", r"\bar{x} = 2 \bar{y}"]);
    assert_eq!(all(page, ".formula > math[display=block]").len(), 1);
    assert_eq!(all(page, "merror, .MathJax, script[src*=mathjax]").len(), 0);
}

#[test]
fn a_number_comes_from_the_place_among_all_chapters() {
    let mini = Mini::new();
    let site = mini.build().unwrap();
    // The draft before it is chapter 1, and the second listing of a chapter is its number 2.
    let labels: Vec<_> =
        all(site.page("one.html"), ".listing-number").into_iter().map(text).collect();
    assert_eq!(labels, ["Listing 2-1", "Listing 2-2"]);
    let labels: Vec<_> =
        all(site.page("two.html"), ".listing-number").into_iter().map(text).collect();
    assert_eq!(labels, ["Listing 3-1"]);
    let title = |page: &str| {
        let [title] = all(site.page(page), "main h1")[..] else { panic!("one title on {page}") };
        (
            title.attr("data-number").map(str::to_string),
            title.attr("id").unwrap().to_string(),
            text(title),
        )
    };
    let titled = |number: Option<&str>, id: &str, text: &str| {
        (number.map(str::to_string), id.to_string(), text.to_string())
    };
    assert_eq!(title("one.html"), titled(Some("2"), "one", "One"));
    assert_eq!(title("front.html"), titled(None, "front", "Front"));
    // A title may have attributes of its own, an end, or a line below it.
    let mut before = "# Two\n";
    for (after, id) in [
        ("# Two {#own}\n", "own"),
        ("# Two #\n", "two"),
        ("Two\n===\n", "two"),
        ("Two {#own}\n===\n", "own"),
    ] {
        mini.replace("book/two.md", before, after);
        before = after;
        let site = mini.build().unwrap();
        let [own] = all(site.page("two.html"), "main h1")[..] else { panic!("one title: {after}") };
        let shown = (own.attr("data-number"), own.attr("id"), words(own));
        assert_eq!(shown, (Some("3"), Some(id), "Two".to_string()), "{after}");
    }
}
