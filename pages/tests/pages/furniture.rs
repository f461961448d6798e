//! What stands around the chapters: heads, frames, the lost page, glossary, addresses, search.

use std::collections::BTreeMap;
use std::fs;

use mdbook_pullback::{link_api, ApiLinks};

use crate::support::{all, files, one, slashed, text, words, Mini, Site};

/// A glossary of two terms, and chapters that use them.
fn with_glossary() -> Mini {
    let mini = Mini::new();
    mini.replace(
        "book/SUMMARY.md",
        "- [Two](two.md)\n",
        "- [Two](two.md)\n\n[Terms](glossary.md)\n",
    );
    mini.write(
        "book/glossary.md",
        "# Terms\n\nAll of them.\n\n## Sum {#sum}\n\nWhat *adding* gives, `x + x`\nsay.\n\n\
         Explained in [One](one.md#one).\n\n## Factor {#factor}\n\nWhat multiplies a \
         [sum](#sum).\n\nExplained in [Two](two.md#two).\n",
    );
    mini.replace("book/one.md", "The factor is", "The [factor](glossary.md#factor) is");
    mini.replace("book/two.md", "As in", "As a [sum](glossary.md#sum) in");
    mini
}

/// The value of a `<meta>` of a page's head.
fn meta(site: &Site, page: &str, name: &str) -> Option<String> {
    let selector = format!("meta[name=\"{name}\"], meta[property=\"{name}\"]");
    let found = all(site.page(page), &selector);
    assert!(found.len() < 2, "{page} has {name} twice");
    found.first().and_then(|element| element.attr("content")).map(str::to_string)
}

#[test]
fn every_page_has_its_own_title_and_description() {
    let mini = Mini::new();
    mini.replace("book.toml", "src = \"book\"", "src = \"book\"\ndescription = \"A small book.\"");
    mini.replace(
        "book.toml",
        "[output.pullback-site]\n",
        "[output.pullback-site]\nshort-title = \"M\"\n",
    );
    mini.replace("book/two.md", "# Two\n", "<!-- description: Three & more. -->\n\n# Two\n");
    let site = mini.build().unwrap();
    let title = |page: &str| text(all(site.page(page), "head > title")[0]);
    assert_eq!(text(all(site.page("one.html"), ".menu-title")[0]), "M");
    for (page, titled, described) in [
        ("index.html", "Mini", "A small book."),
        ("front.html", "Front · M", "See Listing 2-1."),
        ("one.html", "2. One · M", "The factor is "),
        ("two.html", "3. Two · M", "Three & more."),
        ("listings.html", "List of listings · M", "Every listing of the book"),
        ("source/index.html", "Source files · M", "Every file of the library"),
        ("source/src/lib.html", "src/lib.rs · M", "src/lib.rs with line numbers"),
        ("404.html", "Page not found · M", "This address leads to no page"),
        ("print.html", "Print the book · M", "All chapters of the book"),
    ] {
        assert_eq!(title(page), titled, "{page}");
        let description = meta(&site, page, "description").unwrap();
        assert!(description.starts_with(described), "{page}: {description}");
        assert_eq!(meta(&site, page, "og:title").as_deref(), Some(titled), "{page}");
        assert_eq!(meta(&site, page, "og:description"), Some(description), "{page}");
    }
}

#[test]
fn a_first_chapter_can_be_the_page_at_the_address_of_the_book() {
    let mini = Mini::new();
    mini.replace("book.toml", "src = \"book\"", "src = \"book\"\ndescription = \"A small book.\"");
    mini.replace("book/SUMMARY.md", "(front.md)", "(index.md)");
    fs::rename(mini.root().join("book/front.md"), mini.root().join("book/index.md")).unwrap();
    let site = mini.build().unwrap();
    let index = site.page("index.html");
    assert_eq!(text(all(index, "head > title")[0]), "Mini");
    assert_eq!(meta(&site, "index.html", "description").as_deref(), Some("A small book."));
    assert_eq!(all(index, ".skip-link").len(), 1);
    assert!(!site.root.join("front.html").exists());
    assert_eq!(text(all(site.page("one.html"), ".menu-title")[0]), "Mini");
}

#[test]
fn a_shared_link_names_a_picture_only_where_its_address_is_known() {
    let mini = Mini::new();
    let site = mini.build().unwrap();
    for name in ["og:image", "og:url"] {
        assert_eq!(meta(&site, "one.html", name), None);
    }
    assert_eq!(meta(&site, "one.html", "twitter:card").as_deref(), Some("summary"));

    let at = |url: &str| {
        let mini = Mini::new();
        mini.replace(
            "book.toml",
            "[output.html]\n",
            &format!("[output.html]\nsite-url = \"{url}\"\n"),
        );
        mini.build().unwrap()
    };
    assert_eq!(meta(&at("/below/a/path/"), "one.html", "og:image"), None);
    let site = at("https://who.example/below/a/path");
    let address = "https://who.example/below/a/path/";
    for (page, url) in [("one.html", "one.html"), ("index.html", "")] {
        assert_eq!(meta(&site, page, "og:url"), Some(format!("{address}{url}")));
        let picture = meta(&site, page, "og:image").unwrap();
        assert_eq!(picture, format!("{address}style/preview.png"));
        assert_eq!(meta(&site, page, "twitter:card").as_deref(), Some("summary_large_image"));
    }
}

#[test]
fn the_lost_page_works_at_any_depth() {
    for (url, root) in [
        ("", "/"),
        ("site-url = \"/below/\"\n", "/below/"),
        ("site-url = \"https://who.example/below\"\n", "/below/"),
    ] {
        let mini = Mini::new();
        mini.write("book/404.md", "# Lost\n\n[Front](front.html), [here](#lost).\n");
        mini.replace("book.toml", "[output.html]\n", &format!("[output.html]\n{url}"));
        let site = mini.build().unwrap();
        let page = site.page("404.html");
        assert!(all(page, "base").is_empty());
        assert_eq!(text(one(page.root_element(), "main h1")), "Lost");
        let mut seen = 0;
        for (selector, attribute) in [("[href]", "href"), ("[src]", "src")] {
            for element in all(page, selector) {
                let address = element.attr(attribute).unwrap();
                if let Some(id) = address.strip_prefix('#') {
                    one(page.root_element(), &format!("[id=\"{id}\"]"));
                    continue;
                }
                let path = address.strip_prefix(root).unwrap_or_else(|| panic!("{address}"));
                assert!(site.root.join(path).is_file(), "{address}");
                seen += 1;
            }
        }
        assert!(seen > 10, "{seen}");
        for icon in all(page, "svg") {
            assert_eq!((icon.attr("width"), icon.attr("height")), (Some("16"), Some("16")));
        }
        let html = fs::read_to_string(site.root.join("404.html")).unwrap();
        assert!(html.contains(&format!("const path_to_root = \"{root}\";")), "{url}");
        let index = format!("window.path_to_searchindex_js = \"{root}searchindex-");
        assert!(html.contains(&index), "{url}");
    }
}

#[test]
fn the_frame_has_a_way_past_it_a_switch_and_landmarks() {
    let site = Mini::new().build().unwrap();
    for (path, page) in &site.pages {
        if path.starts_with("a/") || path == "toc.html" {
            continue;
        }
        let first = all(page, "a[href], button, input, [tabindex]")[0];
        let target = first.attr("href").unwrap();
        assert_eq!((first.attr("class"), target), (Some("skip-link"), "#mdbook-content"), "{path}");
        assert_eq!(one(page.root_element(), target).attr("tabindex"), Some("-1"));
        let switch = one(page.root_element(), "#mdbook-sidebar-toggle-anchor");
        assert_eq!(switch.attr("class"), Some("sidebar-switch"), "{path}");
        assert_eq!(switch.attr("aria-label"), Some("Table of contents"), "{path}");
        let box_ = one(page.root_element(), "#mdbook-searchbar");
        assert_eq!(box_.attr("aria-label"), Some("Search this book"), "{path}");
        one(page.root_element(), &format!("#{}", box_.attr("aria-describedby").unwrap()));
        let mut names = BTreeMap::new();
        for nav in all(page, "nav") {
            *names.entry(nav.attr("aria-label").unwrap()).or_insert(0) += 1;
        }
        assert!(names.len() == 3 && names.values().all(|count| *count == 1), "{path}: {names:?}");
        for landmark in ["main", "[role=banner]", "[role=search]"] {
            one(page.root_element(), landmark);
        }
        if path != "print.html" {
            one(page.root_element(), "h1");
        }
    }
}

#[test]
fn definitions_stand_once_in_a_file_of_their_own() {
    let mini = with_glossary();
    let site = mini.build().unwrap();
    let script = fs::read_to_string(site.root.join("style/glossary.js")).unwrap();
    assert_eq!(
        script,
        "window.glossary={\"factor\":[\"Factor\",\"What multiplies a sum.\"],\
         \"sum\":[\"Sum\",\"What adding gives, x + x say.\"]};\n"
    );
    let link = one(site.page("one.html").root_element(), "a[href*='glossary.html#']");
    assert_eq!((text(link).as_str(), link.attr("href")), ("factor", Some("glossary.html#factor")));
    let page = fs::read_to_string(site.root.join("one.html")).unwrap();
    assert!(!page.contains("What multiplies"));
}

#[test]
fn a_fault_of_the_glossary_stops_the_build_at_its_line() {
    let faults = |path: &str, old: &str, new: &str| {
        let mini = with_glossary();
        mini.replace(path, old, new);
        mini.build().err().unwrap_or_default()
    };
    for (path, old, new, fault) in [
        (
            "book/two.md",
            "glossary.md#sum",
            "glossary.md#some",
            "book/two.md:3: the glossary has no term `some`\n\
             book/glossary.md:5: no chapter has a link to `sum`; link its first use",
        ),
        (
            "book/two.md",
            "glossary.md#sum",
            "./glossary.md#some",
            "book/two.md:3: write the link `./glossary.md#some` as `glossary.md#some`, so that its \
             term is checked\n\
             book/glossary.md:5: no chapter has a link to `sum`; link its first use",
        ),
        (
            "book/one.md",
            "has another.",
            "has another\n[factor](glossary.md#factor).",
            "book/one.md:4: this section has a link to the term `factor` already",
        ),
        (
            "book/glossary.md",
            "Factor {#factor}",
            "Factor",
            "book/one.md:3: the glossary has no term `factor`\n\
             book/glossary.md:12: `Factor` has no address; write `{#...}` after it",
        ),
        (
            "book/glossary.md",
            "What multiplies a [sum](#sum).\n\n",
            "",
            "book/glossary.md:12: `Factor` names no section of a chapter that explains it",
        ),
        (
            "book/glossary.md",
            "What multiplies a [sum](#sum).\n\nExplained in [Two](two.md#two).\n",
            "",
            "book/glossary.md:12: nothing defines `Factor`\n\
             book/glossary.md:12: `Factor` names no section of a chapter that explains it",
        ),
    ] {
        assert_eq!(faults(path, old, new), fault);
    }
    // Another section may link the term again.
    let mini = with_glossary();
    mini.replace(
        "book/one.md",
        "The core",
        "## More\n\nA [factor](glossary.md#factor).\n\nThe core",
    );
    assert!(mini.build().is_ok());
}

/// Where the page of an address leads: by itself, and by its link.
fn lead(site: &Site, address: &str) -> [String; 2] {
    let page = site.page(address);
    let refresh = one(page.root_element(), "meta[http-equiv=refresh]").attr("content").unwrap();
    let link = one(page.root_element(), "main a").attr("href").unwrap();
    [refresh.strip_prefix("0; url=").unwrap().to_string(), link.to_string()]
}

#[test]
fn every_listing_has_an_address_that_stays() {
    let mini = Mini::new();
    let site = mini.build().unwrap();
    for (anchor, chapter) in [("twice", "one"), ("twice-core", "one"), ("thrice", "two")] {
        let place = format!("../{chapter}.html#listing-{anchor}");
        assert_eq!(lead(&site, &format!("a/{anchor}.html")), [place.clone(), place]);
        one(site.page(&format!("{chapter}.html")).root_element(), &format!("#listing-{anchor}"));
    }

    // The listing moves to another chapter: the address is the same.
    let block = "````rust\n{{#include ../src/lib.rs:thrice}}\n````\nListing: Three.\n";
    mini.replace("book/two.md", block, "");
    let one_ = fs::read_to_string(mini.root().join("book/one.md")).unwrap();
    mini.write("book/one.md", &format!("{one_}\nOnce more.\n\n{block}"));
    let place = "../one.html#listing-thrice".to_string();
    assert_eq!(lead(&mini.build().unwrap(), "a/thrice.html"), [place.clone(), place]);
}

/// The miniature after `thrice` has become `triple`.
fn renamed() -> Mini {
    let mini = Mini::new();
    for file in ["book/one.md", "book/two.md", "src/lib.rs"] {
        for (old, new) in [
            (":thrice}}", ":triple}}"),
            ("#listing thrice", "#listing triple"),
            (": thrice\n", ": triple\n"),
        ] {
            let path = mini.root().join(file);
            let text = fs::read_to_string(&path).unwrap();
            mini.write(file, &text.replace(old, new));
        }
    }
    let old = mini.root().join("tests/listings/thrice.rs");
    fs::rename(&old, old.with_file_name("triple.rs")).unwrap();
    mini
}

fn table(mini: &Mini, lines: &str) {
    let settings = fs::read_to_string(mini.root().join("book.toml")).unwrap();
    mini.write("book.toml", &format!("{settings}\n[output.pullback-site.renamed]\n{lines}"));
}

#[test]
fn a_renamed_listing_keeps_its_old_address() {
    let mini = renamed();
    table(&mini, "thrice = \"triple\"\n");
    let site = mini.build().unwrap();
    let place = "../two.html#listing-triple".to_string();
    for address in ["a/triple.html", "a/thrice.html"] {
        assert_eq!(lead(&site, address), [place.clone(), place.clone()]);
    }
    // A link to the place on the page, as the number in the caption gives it, too.
    let page = fs::read_to_string(site.root.join("two.html")).unwrap();
    assert!(page.contains(
        "<span id=\"listing-thrice\"></span><figure class=\"listing\" id=\"listing-triple\">"
    ));
}

#[test]
fn a_fault_of_the_table_of_names_stops_the_build_at_its_line() {
    let mini = renamed();
    let first = fs::read_to_string(mini.root().join("book.toml")).unwrap().lines().count() + 3;
    table(
        &mini,
        "thrice = \"treble\"\ntwice = \"triple\"\n\"../one\" = \"triple\"\n\
         thrce = \"thrice\"\nround = \"round\"\n",
    );
    assert_eq!(
        mini.build().err().unwrap_or_default(),
        format!(
            "book.toml:{first}: no listing is called `treble`, to which the address of `thrice` \
             should lead\n\
             book.toml:{}: `twice` is the name of a listing today, so nothing renamed it; take the line out\n\
             book.toml:{}: `../one` was never the name of a listing; such a name is lower-case \
             words with `-` between them\n\
             book.toml:{}: `thrice` is a former name itself, of `treble`; lead `thrce` straight to \
             the listing of today\n\
             book.toml:{}: `round` leads to itself; name its listing",
            first + 1,
            first + 2,
            first + 3,
            first + 4
        )
    );
}

#[test]
fn a_misspelt_key_stops_the_build_at_its_line() {
    let mini = Mini::new();
    mini.replace(
        "book.toml",
        "[output.pullback-site]\n",
        "[output.pullback-site]\nshort = \"x\"\n",
    );
    let settings = fs::read_to_string(mini.root().join("book.toml")).unwrap();
    let line = settings.lines().position(|line| line.starts_with("short")).unwrap() + 1;
    assert_eq!(
        mini.build().err().unwrap_or_default(),
        format!(
            "book.toml:{line}: unknown field `short`, expected one of `renamed`, `short-title`, \
             `api`, `epub`, `command`, `optional`"
        )
    );
}

#[test]
fn a_description_in_the_wrong_place_stops_the_build_at_its_line() {
    let mini = Mini::new();
    mini.replace("book/two.md", "# Two\n", "# Two\n\n<!-- description: Three. -->\n");
    assert_eq!(
        mini.build().err().unwrap_or_default(),
        "book/two.md:3: `<!-- description: ... -->` stands once, in the first line of a chapter"
    );
}

#[test]
fn the_list_of_listings_names_what_each_defines() {
    let mini = Mini::new();
    mini.replace(
        "book/two.md",
        "Listing: Three.",
        "Listing: Three, as in {{#figure offset-walk}}.",
    );
    let figure = "\nThe walk:\n\n{{#figure offset-walk}}\nFigure: See {{#listing thrice}}.\n";
    mini.replace("book/one.md", "The core of it:\n", &format!("{figure}\nThe core of it:\n"));
    let site = mini.build().unwrap();
    let page = site.page("listings.html");
    let headings: Vec<_> = all(page, "h2[id]").into_iter().map(words).collect();
    assert_eq!(headings, ["Listing 2-1: twice", "Listing 2-2: twice-core", "Listing 3-1: thrice"]);
    let shown = words(one(page.root_element(), ".listings-page"));
    assert!(
        shown.contains("Three, as in Figure 2-1. Go there · Address: a/thrice.html Defines thrice"),
        "{shown}"
    );
    assert!(shown.contains("multiplying: x+x is Listing 2-1"), "{shown}");
}

#[test]
fn the_search_leads_from_a_name_to_the_listing() {
    let mini = Mini::new();
    let site = mini.build().unwrap();
    let index = files(&site.root)
        .into_iter()
        .find(|file| slashed(file).contains("/searchindex-"))
        .map(|file| fs::read_to_string(file).unwrap())
        .unwrap();
    for place in
        ["one.html#listing-twice", "one.html#listing-twice-core", "two.html#listing-thrice"]
    {
        assert_eq!(index.matches(&format!("\"{place}\"")).count(), 1, "{place}");
    }
    assert!(!index.contains("\"listings.html#t"));
}

/// A page as rustdoc writes it, as far as links go.
fn documented(item: &str, method: &str) -> String {
    format!(
        "<html><body><a class=\"src\" href=\"../../src/mini/{item}\">Source</a>\
         <section id=\"method.run\" class=\"method\"><a class=\"src rightside\" \
         href=\"../../src/mini/{method}\">Source</a></section>\
         <section id=\"impl-Clone\" class=\"impl\"><a class=\"src rightside\" \
         href=\"../../src/mini/{method}\">Source</a></section></body></html>"
    )
}

fn with_documentation() -> (Mini, Site) {
    let mini = Mini::new();
    mini.write("Cargo.toml", "[package]\nname = \"mini\"\n");
    let site = mini.build().unwrap();
    for (path, page) in [
        ("fn.thrice.html", documented("lib.rs.html#5-7", "gone.rs.html#1")),
        ("deep/struct.Twice.html", documented("lib.rs.html#1", "deep/mod.rs.html#7-9")),
        (
            "old/fn.thrice.html",
            "<meta http-equiv=\"refresh\" content=\"0;URL=x.html\">".to_string(),
        ),
        ("deep/index.html", "<html></html>".to_string()),
    ] {
        mini.write(&format!("target/book/html/api/mini/{path}"), &page);
    }
    (mini, site)
}

#[test]
fn the_documentation_and_the_listings_link_each_other() {
    let (mini, site) = with_documentation();
    let links = link_api(mini.root(), &site.root).unwrap();
    assert_eq!(links, ApiLinks { to_listings: 3, to_items: 2 });
    let site = Site::read(site.root);

    let links = |page: &str, selector: &str| -> Vec<(String, String)> {
        let found = all(site.page(page), selector).into_iter();
        found.map(|link| (text(link), link.attr("href").unwrap().to_string())).collect()
    };
    let link = |text: &str, address: &str| (text.to_string(), address.to_string());
    assert_eq!(
        links("api/mini/fn.thrice.html", "a[href*='/a/']"),
        [link("Listing 3-1", "../../a/thrice.html")]
    );
    let twice = link("Listing 2-1", "../../../a/twice.html");
    assert_eq!(links("api/mini/deep/struct.Twice.html", "a[href*='/a/']"), [twice.clone(), twice]);
    assert_eq!(
        links("two.html", "#listing-thrice > figcaption > .api > a"),
        [link("thrice", "api/mini/fn.thrice.html")]
    );
    // The first lines of the struct are in no listing, so its method stands for it.
    assert_eq!(
        links("one.html", ".api > a"),
        [link("Twice::run", "api/mini/deep/struct.Twice.html#method.run")]
    );
}

#[test]
fn documentation_that_cannot_be_linked_is_an_error() {
    let (mini, site) = with_documentation();
    mini.write("target/book/html/api/mini/struct.Bare.html", "<html></html>");
    let error = format!("{:#}", link_api(mini.root(), &site.root).unwrap_err());
    assert!(error.ends_with("struct.Bare.html: no link to the source, as rustdoc writes it"));

    let (mini, site) = with_documentation();
    for page in ["fn.thrice.html", "deep/struct.Twice.html"] {
        let other = documented("other.rs.html#1", "other.rs.html#2");
        mini.write(&format!("target/book/html/api/mini/{page}"), &other);
    }
    let error = format!("{:#}", link_api(mini.root(), &site.root).unwrap_err());
    assert_eq!(error, "no item of the documentation stands in a listing");

    let (mini, site) = with_documentation();
    fs::remove_dir_all(site.root.join("api")).unwrap();
    assert!(link_api(mini.root(), &site.root).is_err());
}
