//! The files of a volume and the archive they stand in, as EPUB 3.3 wants them.

use std::io::{Cursor, Write};

use mdbook_renderer::errors::Result;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::boxes::escaped;

use super::xhtml::Page;

/// The name of the book among all books; it stays from one build to the next.
const IDENTIFIER: &str = "urn:uuid:6db08c50-ec89-47a7-9f94-6fb62da98fea";

/// The volume's own title page.
pub(super) const TITLE: &str = "title.xhtml";

/// The folder of everything but the two files that EPUB puts at the top.
const FOLDER: &str = "EPUB";

const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n\
    <rootfiles><rootfile full-path=\"EPUB/package.opf\" \
    media-type=\"application/oebps-package+xml\"/></rootfiles>\n</container>\n";

/// One chapter.
#[derive(Debug, Clone)]
pub(super) struct Document {
    /// Its path in the volume.
    pub(super) path: String,
    pub(super) title: String,
    /// `15.`, as the table of contents shows it.
    pub(super) number: Option<String>,
    /// The title of the part it belongs to.
    pub(super) part: Option<String>,
    pub(super) page: Page,
}

/// A whole book.
#[derive(Debug, Clone)]
pub(super) struct Volume {
    pub(super) title: String,
    pub(super) description: String,
    pub(super) authors: Vec<String>,
    pub(super) language: String,
    /// When it was last changed.
    pub(super) modified: String,
    pub(super) style: String,
    /// Its chapters in reading order.
    pub(super) documents: Vec<Document>,
}

impl Volume {
    /// The bytes of the archive: the same for the same volume.
    pub(super) fn pack(&self) -> Result<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let plain = SimpleFileOptions::default().unix_permissions(0o644);
        let stored = plain.compression_method(CompressionMethod::Stored);
        let packed = plain.compression_method(CompressionMethod::Deflated);
        // Readers look at the first bytes of the file for this one.
        archive.start_file("mimetype", stored)?;
        archive.write_all(b"application/epub+zip")?;
        let mut add = |name: &str, text: &str| -> Result<()> {
            archive.start_file(name, packed)?;
            archive.write_all(text.as_bytes())?;
            Ok(())
        };
        add("META-INF/container.xml", CONTAINER)?;
        add(&format!("{FOLDER}/package.opf"), &self.package())?;
        add(&format!("{FOLDER}/{TITLE}"), &self.title_page())?;
        add(&format!("{FOLDER}/contents.xhtml"), &self.contents())?;
        add(&format!("{FOLDER}/style.css"), &self.style)?;
        for document in &self.documents {
            let text = self.document(&document.path, &document.title, &document.page.body);
            add(&format!("{FOLDER}/{}", document.path), &text)?;
        }
        Ok(archive.finish()?.into_inner())
    }

    /// A document around what stands in its body.
    fn document(&self, path: &str, title: &str, body: &str) -> String {
        let (language, title) = (escaped(&self.language), escaped(title));
        let up = "../".repeat(path.matches('/').count());
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
             <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" \
             lang=\"{language}\" xml:lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <title>{title}</title>\n<link rel=\"stylesheet\" type=\"text/css\" href=\"{up}style.css\"/>\n\
             </head>\n<body>\n{body}\n</body>\n</html>\n"
        )
    }

    fn title_page(&self) -> String {
        // A book's title before and after the colon are two lines.
        let (title, rest) = self.title.split_once(": ").unwrap_or((&self.title, ""));
        let mut body = format!(
            "<section class=\"title-page\" epub:type=\"titlepage\">\n<h1>{}",
            escaped(title)
        );
        if !rest.is_empty() {
            body.push_str(&format!(
                "<span class=\"rest\">: </span><span class=\"subtitle\">{}</span>",
                escaped(rest)
            ));
        }
        body.push_str(&format!("</h1>\n<p>{}</p>\n", escaped(&self.description)));
        let authors = self.authors.join(", ");
        let (date, _) = self.modified.split_once('T').unwrap_or((&self.modified, ""));
        body.push_str(&format!("<p class=\"by\">{}, {date}</p>\n", escaped(&authors)));
        body.push_str(
            "<p class=\"note\">The listings are files that are compiled and tested. What checks each \
             one stands in the last chapter. Figures that move on the site stand still here.</p>\n</section>",
        );
        self.document(TITLE, &self.title, &body)
    }

    /// The table of contents: parts, chapters, sections.
    fn contents(&self) -> String {
        let mut list = String::new();
        let mut part: Option<&str> = None;
        for document in &self.documents {
            let this = document.part.as_deref();
            if this != part {
                if part.is_some() {
                    list.push_str("</ol></li>\n");
                }
                if let Some(title) = this {
                    list.push_str(&format!("<li><span>{}</span>\n<ol>\n", escaped(title)));
                }
                part = this;
            }
            let number = document.number.as_ref().map(|number| format!("{number} "));
            let (number, path) = (number.unwrap_or_default(), &document.path);
            list.push_str(&format!(
                "<li><a href=\"{path}\">{number}{}</a>",
                escaped(&document.title)
            ));
            if !document.page.sections.is_empty() {
                list.push_str("\n<ol>\n");
                for (id, title) in &document.page.sections {
                    list.push_str(&format!(
                        "<li><a href=\"{path}#{id}\">{}</a></li>\n",
                        escaped(title)
                    ));
                }
                list.push_str("</ol>\n");
            }
            list.push_str("</li>\n");
        }
        if part.is_some() {
            list.push_str("</ol></li>\n");
        }
        let first = self.documents.first().map_or(TITLE, |document| &document.path);
        let body = format!(
            "<nav epub:type=\"toc\" role=\"doc-toc\" aria-labelledby=\"contents\">\n\
             <h1 id=\"contents\">Contents</h1>\n<ol>\n{list}</ol>\n</nav>\n\
             <nav epub:type=\"landmarks\" hidden=\"hidden\" aria-labelledby=\"places\">\n\
             <h2 id=\"places\">Places</h2>\n<ol>\n\
             <li><a epub:type=\"titlepage\" href=\"{TITLE}\">Title page</a></li>\n\
             <li><a epub:type=\"toc\" href=\"#contents\">Contents</a></li>\n\
             <li><a epub:type=\"bodymatter\" href=\"{first}\">Text</a></li>\n</ol>\n</nav>"
        );
        self.document("contents.xhtml", "Contents", &body)
    }

    /// What the volume is, and its files in reading order.
    fn package(&self) -> String {
        let language = escaped(&self.language);
        let authors: Vec<String> = self
            .authors
            .iter()
            .map(|author| format!("<dc:creator>{}</dc:creator>\n", escaped(author)))
            .collect();
        let mut items = String::new();
        let mut spine = String::new();
        for (number, document) in self.documents.iter().enumerate() {
            let properties = [(document.page.mathml, "mathml"), (document.page.svg, "svg")];
            let properties: Vec<&str> =
                properties.iter().filter(|(has, _)| *has).map(|(_, name)| *name).collect();
            let properties = match &properties[..] {
                [] => String::new(),
                some => format!(" properties=\"{}\"", some.join(" ")),
            };
            items.push_str(&format!(
                "<item id=\"text-{number}\" href=\"{}\" media-type=\"application/xhtml+xml\"{properties}/>\n",
                document.path
            ));
            spine.push_str(&format!("<itemref idref=\"text-{number}\"/>\n"));
        }
        let features = ["tableOfContents", "readingOrder", "structuralNavigation", "MathML"];
        let features: String = features
            .iter()
            .map(|feature| {
                format!("<meta property=\"schema:accessibilityFeature\">{feature}</meta>\n")
            })
            .collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <package version=\"3.0\" xmlns=\"http://www.idpf.org/2007/opf\" \
             unique-identifier=\"id\" xml:lang=\"{language}\">\n\
             <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n\
             <dc:identifier id=\"id\">{IDENTIFIER}</dc:identifier>\n<dc:title>{}</dc:title>\n\
             <dc:language>{language}</dc:language>\n{}<dc:description>{}</dc:description>\n\
             <dc:rights>MIT or Apache 2.0, at your choice</dc:rights>\n\
             <meta property=\"dcterms:modified\">{}</meta>\n\
             <meta property=\"schema:accessMode\">textual</meta>\n\
             <meta property=\"schema:accessModeSufficient\">textual</meta>\n\
             <meta property=\"schema:accessibilityHazard\">none</meta>\n{features}\
             </metadata>\n<manifest>\n\
             <item id=\"title\" href=\"{TITLE}\" media-type=\"application/xhtml+xml\"/>\n\
             <item id=\"contents\" href=\"contents.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n\
             <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n{items}</manifest>\n<spine>\n\
             <itemref idref=\"title\"/>\n<itemref idref=\"contents\"/>\n{spine}</spine>\n</package>\n",
            escaped(&self.title),
            authors.concat(),
            escaped(&self.description),
            self.modified,
        )
    }
}
