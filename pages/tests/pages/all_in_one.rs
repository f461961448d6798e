//! The book as one file, an EPUB: what is in it, and what stops it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};
use zip::{CompressionMethod, ZipArchive};

use crate::book::{book_and_volume, regions, root, WHEN};
use crate::support::{all, build_volume, Mini, Site};

const HTML: &str = "http://www.w3.org/1999/xhtml";
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
const OPF: &str = "http://www.idpf.org/2007/opf";
const SVG: &str = "http://www.w3.org/2000/svg";

/// The files of a volume.
struct Volume {
    bytes: Vec<u8>,
    files: BTreeMap<String, String>,
}

impl Volume {
    /// Builds a short book, and a volume of it.
    fn build(mini: &Mini, modified: &str) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("volumes/book.epub");
        build_volume(mini.root(), &folder.path().join("book"), &file, modified)?;
        Ok(Self::read(&file))
    }

    fn read(file: &Path) -> Self {
        let bytes = fs::read(file).unwrap();
        let mut archive = ZipArchive::new(std::io::Cursor::new(&bytes[..])).unwrap();
        let mut files = BTreeMap::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            // Readers look for it at the start, uncompressed.
            let name = entry.name().unwrap().into_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            let first = name == "mimetype";
            assert_eq!(first, index == 0);
            assert_eq!(first, entry.compression() == CompressionMethod::Stored);
            assert!(files.insert(name, text).is_none());
        }
        Volume { bytes, files }
    }

    /// The documents, each as a strict reader of XML sees it.
    fn documents(&self) -> BTreeMap<&str, Document<'_>> {
        let documents = self.files.iter().filter(|(name, _)| name.ends_with(".xhtml"));
        documents
            .map(|(name, text)| {
                let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
                let document = Document::parse_with_options(text, options)
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                (name.strip_prefix("EPUB/").unwrap(), document)
            })
            .collect()
    }

    fn package(&self) -> Document<'_> {
        Document::parse(&self.files["EPUB/package.opf"]).unwrap()
    }
}

fn elements<'a>(document: &'a Document<'_>, namespace: &str, name: &str) -> Vec<Node<'a, 'a>> {
    let named = |node: &Node<'_, '_>| node.has_tag_name((namespace, name));
    document.descendants().filter(named).collect()
}

fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|node| node.is_text().then(|| node.text()).flatten()).collect()
}

/// The text of the first block of code below a node.
fn code(node: Node<'_, '_>) -> String {
    let pre = node.descendants().find(|node| node.has_tag_name((HTML, "pre"))).unwrap();
    text(pre)
}

#[test]
fn the_volume_holds_the_book() {
    let (site, file) = book_and_volume();
    let volume = Volume::read(&file);
    let documents = volume.documents();
    assert_eq!(volume.files["mimetype"], "application/epub+zip");

    // Every chapter that is written is in the reading order and in the table of contents.
    let summary = fs::read_to_string(root().join("book/SUMMARY.md")).unwrap();
    let written: Vec<String> = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(".md)"))
        // The volume has a title page of its own.
        .filter(|(path, _)| *path != "index")
        .map(|(path, _)| format!("{path}.xhtml"))
        .collect();
    assert!(written.len() > 2, "{written:?}");
    let package = volume.package();
    let attribute = |name: &'static str, wanted: &'static str| {
        let found = package.descendants().filter(move |node| node.has_tag_name((OPF, name)));
        found.map(move |node| node.attribute(wanted).unwrap().to_string()).collect::<Vec<_>>()
    };
    let items: BTreeMap<String, String> =
        attribute("item", "id").into_iter().zip(attribute("item", "href")).collect();
    let read: Vec<&str> =
        attribute("itemref", "idref").iter().map(|id| items[id].as_str()).collect();
    assert_eq!(read[..2], ["title.xhtml", "contents.xhtml"]);
    assert_eq!(read.last(), Some(&"checks.xhtml"));
    let contents: Vec<&str> = elements(&documents["contents.xhtml"], HTML, "a")
        .iter()
        .map(|link| link.attribute("href").unwrap())
        .collect();
    let mut from = 0;
    for page in written.iter().map(String::as_str).chain(["checks.xhtml"]) {
        assert!(contents.contains(&page), "{page}");
        let at = read.iter().position(|read| *read == page).unwrap();
        assert!(from < at, "{page} comes too early");
        from = at;
    }
    assert!(contents.contains(&"ch15-tensor-autodiff-core.xhtml#predict-one-graph"));
    let parts = elements(&documents["contents.xhtml"], HTML, "span");
    assert_eq!(parts.into_iter().map(text).collect::<Vec<_>>(), ["Part II: Derivatives"]);

    // The list of files is complete, and says which of them hold formulas and drawings.
    let listed: BTreeSet<String> = items.values().cloned().collect();
    let packed: BTreeSet<String> = volume
        .files
        .keys()
        .filter_map(|name| name.strip_prefix("EPUB/"))
        .filter(|name| *name != "package.opf")
        .map(str::to_string)
        .collect();
    assert_eq!(listed, packed);
    for item in package.descendants().filter(|node| node.has_tag_name((OPF, "item"))) {
        let Some(document) = documents.get(item.attribute("href").unwrap()) else { continue };
        let said: Vec<&str> =
            item.attribute("properties").unwrap_or_default().split_whitespace().collect();
        assert_eq!(said.contains(&"mathml"), !elements(document, MATHML, "math").is_empty());
        assert_eq!(said.contains(&"svg"), !elements(document, SVG, "svg").is_empty());
    }
    let about = &volume.files["EPUB/package.opf"];
    assert!(about.contains(&format!("<meta property=\"dcterms:modified\">{WHEN}</meta>")));
    assert!(about.contains("<dc:title>Pullback: a tape for tensors"), "{about}");

    the_listings_are_the_source(&documents);
    the_chapters_are_the_pages(&site, &volume, &documents);
    every_link_leads_somewhere(&documents);
}

fn the_listings_are_the_source(documents: &BTreeMap<&str, Document<'_>>) {
    let mut anchors = Vec::new();
    let regions = regions();
    for figure in documents.values().flat_map(|document| elements(document, HTML, "figure")) {
        let id = figure.attribute("id").unwrap_or_default();
        let Some(anchor) = id.strip_prefix("listing-") else { continue };
        anchors.push(anchor.to_string());
        // mdBook leaves out the last line's end.
        assert_eq!(code(figure), regions[anchor].text.trim_end_matches('\n'), "{anchor}");
        let coloured = figure.descendants().filter(|node| {
            node.has_tag_name((HTML, "span")) && node.attribute("class") == Some("keyword")
        });
        assert!(coloured.count() > 0, "{anchor} has no colours");
    }
    assert!(anchors.len() > 40, "{anchors:?}");
    // Under each stands what checks it.
    let checks = &documents["checks.xhtml"];
    let mut checked = Vec::new();
    for section in elements(checks, HTML, "section") {
        let anchor = section.attribute("id").unwrap().strip_prefix("check-").unwrap();
        checked.push(anchor.to_string());
        let file = root().join("tests/listings").join(anchor).with_extension("rs");
        assert_eq!(code(section), fs::read_to_string(file).unwrap().trim_end());
    }
    assert_eq!(anchors, checked);
}

fn the_chapters_are_the_pages(
    site: &Site,
    volume: &Volume,
    documents: &BTreeMap<&str, Document<'_>>,
) {
    let mut formulas = 0;
    for (name, document) in documents {
        let Some(page) = site.pages.get(&name.replace(".xhtml", ".html")) else { continue };
        let math = elements(document, MATHML, "math");
        assert_eq!(math.len(), all(page, "main math").len(), "{name}");
        formulas += math.len();
        for annotation in elements(document, MATHML, "annotation") {
            assert_eq!(annotation.attribute("encoding"), Some("application/x-tex"));
        }
        // Tables and lists, but for what only a script serves, and the names without a place here.
        for element in ["h2", "h3", "p", "li", "td", "figure"] {
            let on_page = all(page, &format!("main {element}")).len();
            let left_out = all(page, &format!("main .unprinted {element}")).len();
            let here = elements(document, HTML, element).len();
            assert_eq!(here, on_page - left_out, "{element} in {name}");
        }
    }
    assert!(all(&site.pages["listings.html"], "main .unprinted h3").len() > 5);
    assert!(!volume.files["EPUB/listings.xhtml"].contains("Address"));
    assert!(formulas > 20, "{formulas} formulas");
    for (name, text) in volume.files.iter().filter(|(name, _)| name.ends_with(".xhtml")) {
        for unwanted in ["<script", "<button", "tabindex", "onclick", "<c-"] {
            assert!(!text.contains(unwanted), "{unwanted} in {name}");
        }
    }
}

fn every_link_leads_somewhere(documents: &BTreeMap<&str, Document<'_>>) {
    let mut inside = 0;
    for (name, document) in documents {
        for link in elements(document, HTML, "a").iter().filter_map(|link| link.attribute("href")) {
            if link.starts_with("https://") {
                continue;
            }
            inside += 1;
            let (path, place) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { name } else { path };
            let there =
                documents.get(path).unwrap_or_else(|| panic!("{name}: {link} leads nowhere"));
            let has = |node: Node<'_, '_>| node.attribute("id") == Some(place);
            assert!(place.is_empty() || there.descendants().any(has), "{name}: {link}");
        }
    }
    assert!(inside > 300, "{inside} links");
}

#[test]
fn a_link_that_leads_out_of_the_volume_stops_it() {
    let mini = Mini::new();
    let volume = Volume::build(&mini, WHEN).unwrap();
    let front = &volume.files["EPUB/front.xhtml"];
    assert!(front.contains("<a href=\"one.xhtml#listing-twice\">"), "{front}");
    // The source file itself is on the site only; its name stays.
    let one = &volume.files["EPUB/one.xhtml"];
    assert!(one.contains("class=\"listing-place\"><code>src/deep/mod.rs#twice</code>"), "{one}");
    assert!(one.contains("<a href=\"checks.xhtml#check-twice\">"), "{one}");

    let fault = |page: &str, text: &str| {
        let mini = Mini::new();
        mini.replace(page, "# Front", text);
        Volume::build(&mini, WHEN).map(|_| ()).unwrap_err()
    };
    let nowhere = fault("book/front.md", "# Front\n\n[Out](print.html)");
    assert!(
        nowhere.ends_with(
            "front.md in the volume: `print.html` leads to nothing that the volume holds"
        ),
        "{nowhere}"
    );
    let lost = fault("book/front.md", "# Front\n\n[Two](two.md#nowhere)");
    assert!(
        lost.ends_with("front.xhtml: `two.xhtml#nowhere` leads to no place in the volume"),
        "{lost}"
    );
    let picture = fault("book/front.md", "# Front\n\n![P](p.svg)");
    assert!(picture.ends_with("a picture is not packed into the volume"), "{picture}");
}

#[test]
fn the_volume_s_own_title_page_stands_for_that_of_the_site() {
    let mini = Mini::new();
    mini.replace("book/SUMMARY.md", "[Front](front.md)", "[Title](index.md)\n[Front](front.md)");
    mini.write("book/index.md", "# Title\n\nOf the site.\n");
    mini.replace("book/front.md", "# Front", "# Front\n\nBack to [the title](index.md).");
    let volume = Volume::build(&mini, WHEN).unwrap();
    assert!(!volume.files.contains_key("EPUB/index.xhtml"));
    assert!(volume.files["EPUB/front.xhtml"].contains("<a href=\"title.xhtml\">the title</a>"));
}

#[test]
fn drawings_bring_their_style() {
    let mini = Mini::new();
    let style = ".content .drawn { margin: 3.5rem; color: var(--faint) }\n";
    mini.write("book/style/figures.css", style);
    mini.replace(
        "book/front.md",
        "# Front",
        "# Front\n\nThe graph:\n\n{{#figure forward-graph}}\nFigure: It.\n",
    );
    let volume = Volume::build(&mini, WHEN).unwrap();
    let style = &volume.files["EPUB/style.css"];
    // Lengths for the reader's own size of text, and no frame that the volume lacks.
    let shared = style.find("\n.drawn { margin: 2.00rem; color: var(--faint) }\n").unwrap();
    assert!(style.contains("--faint:"));
    // What a volume does otherwise comes last, and so holds.
    assert!(style[shared..].contains(".drawn table.wide,"), "{style}");
    // XML: a name space, names in their case, and an end for every element.
    let front = &volume.files["EPUB/front.xhtml"];
    let svg = front.split("<svg").nth(1).and_then(|svg| svg.split("</svg>").next()).unwrap();
    for part in [" xmlns=\"http://www.w3.org/2000/svg\"", " viewBox=\"", " d=\"M", "></path>"] {
        assert!(svg.contains(part), "{part} in {svg}");
    }
    assert!(volume.files["EPUB/package.opf"].contains("properties=\"svg\""));
}

#[test]
fn a_volume_says_when_the_book_was_changed() {
    let mini = Mini::new();
    for modified in ["", "yesterday", "2026-01-31"] {
        let fault = Volume::build(&mini, modified).map(|_| ()).unwrap_err();
        assert!(fault.contains(&format!("epub.modified is `{modified}`")), "{fault}");
    }
    let [one, same, other] =
        [WHEN, WHEN, "2026-02-01T12:00:00Z"].map(|when| Volume::build(&mini, when).unwrap());
    assert!(one.bytes == same.bytes, "one book, two files");
    assert!(one.bytes != other.bytes);
}
