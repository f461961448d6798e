//! Which names in a listing lead to their definition, and where.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{all, text, Mini};

const TYPES: &str = "// ANCHOR: types\n/// A pair.\npub struct Pair(f64, f64);\n\n/// None.\npub struct Empty;\n\n\
    impl Pair {\n    pub fn new(x: f64) -> Self {\n        Self(x, Self::LIMIT)\n    }\n\n    \
    pub const LIMIT: f64 = 1.0;\n\n    pub fn doubled(&self) -> Pair {\n        Pair::new(self.first())\n    }\n\n    \
    pub fn first(&self) -> f64 {\n        self.0\n    }\n}\n\nimpl Empty {\n    pub fn new(_: f64) -> Self {\n        \
    Empty\n    }\n}\n// ANCHOR_END: types\n\npub fn helper(x: f64) -> f64 {\n    x\n}\n";

const USES: &str = "pub mod deep;\npub mod types;\n\nuse types::{Empty, Pair};\n\nfn local(x: f64) -> f64 {\n    x\n}\n\n\
    // ANCHOR: thrice\npub fn thrice(x: f64, list: &[f64]) -> Option<f64> {\n    let pair = Pair::new(x);\n    \
    let other = Empty::new(x);\n    let twice = pair.doubled();\n    let first = list.first();\n    \
    let again = pair.first() + Pair::new(x).first();\n    let helper = types::helper(deep::twice(2) as f64);\n    \
    local(helper);\n    std::mem::drop(\"Pair\"); // Pair\n    other.missing(Pair::LIMIT)\n}\n// ANCHOR_END: thrice\n";

fn mini() -> Mini {
    let mini = Mini::new();
    mini.write("src/types.rs", TYPES);
    mini.write("src/lib.rs", USES);
    mini.write(
        "tests/listings/types.rs",
        &fs::read_to_string(mini.root().join("tests/listings/twice.rs")).unwrap(),
    );
    mini.replace(
        "book/one.md",
        "The core of it:",
        "The types:\n\n````rust\n{{#include ../src/types.rs:types}}\n````\nListing: Types.\n\nThe core of it:",
    );
    mini
}

/// The links in a listing: each name with where it leads.
fn links(site: &crate::support::Site, page: &str, anchor: &str) -> Vec<(String, String)> {
    all(site.page(page), &format!("#listing-{anchor} > pre > code a"))
        .into_iter()
        .map(|link| (text(link), link.attr("href").unwrap().to_string()))
        .collect()
}

fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(name, address)| (name.to_string(), address.to_string())).to_vec()
}

#[test]
fn a_name_leads_to_the_listing_that_prints_its_definition() {
    let site = mini().build().unwrap();
    let types = "one.html#listing-types";
    // Each of the two `new` by its type; `first` may be the list's; `missing` is nothing of ours.
    // What no listing prints leads nowhere, nor does what stands in a string or a comment.
    assert_eq!(
        links(&site, "two.html", "thrice"),
        pairs([
            ("Pair", types),
            ("new", types),
            ("Empty", types),
            ("new", types),
            ("doubled", types),
            ("twice", "one.html#listing-twice"),
            ("LIMIT", types),
        ])
    );
    // A definition in the listing itself is no place to go to.
    assert_eq!(links(&site, "one.html", "types"), []);
}

#[test]
fn on_the_page_to_print_all_listings_are_near() {
    let site = mini().build().unwrap();
    let addresses: Vec<_> =
        links(&site, "print.html", "thrice").into_iter().map(|(_, address)| address).collect();
    assert_eq!(addresses.len(), 7);
    assert!(addresses.iter().all(|address| address.starts_with("#listing-t")), "{addresses:?}");
}

#[test]
fn what_no_listing_prints_leads_to_the_documentation_that_is_there() {
    let mini = mini();
    mini.replace(
        "book/one.md",
        "````rust\n{{#include ../src/types.rs:types}}\n````\nListing: Types.\n\n",
        "",
    );
    mini.replace("src/types.rs", "// ANCHOR: types\n", "");
    mini.replace("src/types.rs", "// ANCHOR_END: types\n", "");
    fs::remove_file(mini.root().join("tests/listings/types.rs")).unwrap();
    let near = pairs([("twice", "one.html#listing-twice")]);
    assert_eq!(links(&mini.build().unwrap(), "two.html", "thrice"), near);

    mini.replace(
        "book.toml",
        "[output.pullback-site]\n",
        "[output.pullback-site]\napi = \"target/doc\"\n",
    );
    mini.write("target/doc/mini/types/struct.Pair.html", "<section id=\"method.new\"></section>");
    mini.write("target/doc/mini/deep/struct.Pair.html", "<meta http-equiv=\"refresh\">");
    // Two of the same name: which one is meant?
    mini.write("target/doc/mini/a/struct.Empty.html", "");
    mini.write("target/doc/mini/b/struct.Empty.html", "");
    mini.write("target/doc/mini/types/fn.helper.html", "");
    let page = "api/mini/types/struct.Pair.html";
    assert_eq!(
        links(&mini.build().unwrap(), "two.html", "thrice"),
        pairs([
            ("Pair", page),
            ("new", &format!("{page}#method.new")),
            ("helper", "api/mini/types/fn.helper.html"),
            ("twice", "one.html#listing-twice"),
        ])
    );
}

#[test]
fn a_folder_of_documentation_that_is_not_there_stops_the_build() {
    let mini = Mini::new();
    mini.replace(
        "book.toml",
        "[output.pullback-site]\n",
        "[output.pullback-site]\napi = \"nowhere\"\n",
    );
    let error = mini.build().err().unwrap_or_default();
    assert!(error.contains("nowhere"), "{error}");
}

#[test]
fn links_and_colours_leave_the_text_alone() {
    let mini = mini();
    let site = mini.build().unwrap();
    let printed: BTreeMap<String, String> = ["one.html", "two.html", "print.html"]
        .iter()
        .flat_map(|page| all(site.page(page), "figure.listing"))
        .map(|figure| {
            let id = figure.attr("id").unwrap().to_string();
            (id, text(crate::support::one(figure, "figure > pre > code")))
        })
        .collect();
    let between = |source: &str, anchor: &str| {
        let start = source.split_once(&format!("// ANCHOR: {anchor}\n")).unwrap().1;
        start.split_once(&format!("// ANCHOR_END: {anchor}")).unwrap().0.trim_end().to_string()
    };
    assert_eq!(printed["listing-types"], between(TYPES, "types"));
    assert_eq!(printed["listing-thrice"], between(USES, "thrice"));
}
