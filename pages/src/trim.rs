//! What mdBook writes for every book and this one does without.
//!
//! mdBook colours code in the reader's browser, with a script of 138 kB, and sends the scripts of
//! its search to readers who search for nothing. Here the code gets its colours, and a listing's
//! names their links; the colouring script and its style sheets go; and the scripts of the search
//! wait for a search (`book/style/later.js`). mdBook's version is pinned. Where its pages are not
//! as they are known here, the build stops: nothing is left out in silence.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mdbook_renderer::errors::{Error, Result};
use pullback_weave::Book;
use regex::{Captures, Regex};

use crate::colour::{self, Wrap};
use crate::figure::target;
use crate::landmarks::named_once;
use crate::links::Definitions;
use crate::listings::NAMES;
use crate::pattern::pattern;
use crate::source::{check_address, check_script, line_address, source_address, FOLDER};

/// Goes over all that the HTML output wrote into `folder`.
pub(crate) fn trim(folder: &Path, woven: &Book, definitions: &Definitions) -> Result<()> {
    for file in files(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).to_path_buf();
        let finished = match name.to_string_lossy().replace('\\', "/").as_str() {
            "toc.html" => without_source_files(&read(&file)?),
            toc if toc.starts_with("toc") && toc.ends_with(".js") => {
                without_source_files(&read(&file)?)
            }
            unused if UNUSED.is_match(unused) => {
                fs::remove_file(&file)?;
                continue;
            }
            page if page.ends_with(".html") => {
                let html = read(&file)?;
                let html = match page {
                    "print.html" => without_source_pages(&html, woven, definitions),
                    _ => Ok(html),
                };
                html.map(|html| named_once(&html))
                    .and_then(|html| framed(&html))
                    .and_then(|html| coloured(&html, &name, definitions))
                    .map_err(|what| Error::msg(format!("{page}: {what}")))?
            }
            _ => continue,
        };
        fs::write(&file, finished)?;
    }
    for listing in woven.listings() {
        let script = check_script(woven, listing);
        let file = folder.join(FOLDER).join(&listing.check).with_extension("js");
        fs::write(file, script)?;
    }
    Ok(())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| Error::msg(format!("{}: {error}", file.display())))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// mdBook's script for colours and the style sheets that go with it.
static UNUSED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:highlight|tomorrow-night|ayu-highlight)(?:-[0-9a-f]{8})?\.(?:js|css)$")
});

static HIGHLIGHT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<script src="[^"]*/?highlight(?:-[0-9a-f]{8})?\.js"></script>"#));

static SHEET: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"<link rel="stylesheet" id="(mdbook-(?:tomorrow-night|(?:ayu-)?highlight)-css)" href="[^"]*">"#,
    )
});

static SEARCH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"<script src="([^"]*(?:elasticlunr|mark|searcher)(?:-[0-9a-f]{8})?(?:\.min)?\.js)">"#)
});

/// The book's own addition to the search, which changes what mdBook's scripts have brought.
static OWN_SEARCH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<script src="([^"]*/style/search(?:-[0-9a-f]{8})?\.js)">"#));

/// What mdBook's own script asks of the colouring script.
const NO_HIGHLIGHT: &str = "<script>const hljs = { configure() {}, highlightBlock() {} };</script>";

/// A page without the scripts that it does not need, or not yet.
fn framed(page: &str) -> Result<String, String> {
    // A page that leads elsewhere, as mdBook writes for a redirect, and the frame of the sidebar.
    if !page.contains("<div id=\"mdbook-content\"") {
        return Ok(page.to_string());
    }
    let counts = [&HIGHLIGHT, &SHEET, &SEARCH].map(|part| part.find_iter(page).count());
    if !matches!(counts, [1, 3, 0 | 3]) {
        return Err(format!(
            "this page is not as mdBook 0.5.4 writes it: {counts:?} scripts for colours, style \
             sheets for colours, scripts for the search"
        ));
    }
    let page = HIGHLIGHT.replace(page, NO_HIGHLIGHT);
    // The script that changes the theme wants to find them.
    let page = SHEET.replace_all(&page, "<style id=\"$1\"></style>");
    // Of an unknown type, which a browser does not load.
    let page = SEARCH.replace_all(&page, "<script type=\"text/later\" src=\"$1\">");
    let page = OWN_SEARCH.replace(&page, "<script type=\"text/later\" src=\"$1\">");
    Ok(page.into_owned())
}

/// The sidebar without the source files and checks, which listings lead to.
fn without_source_files(toc: &str) -> String {
    static ITEM: LazyLock<Regex> = LazyLock::new(|| {
        pattern(&format!(
            "<li class=\"chapter-item[^\"]*\"><span class=\"chapter-link-wrapper\">\
             <a href=\"{FOLDER}/(?:src|tests)/[^>]*>[^<]*</a></span></li>"
        ))
    });
    ITEM.replace_all(toc, "").into_owned()
}

/// The page that prints the whole book, without the source files and checks. mdBook turned the
/// links to them into links inside the page; they lead to their own pages again.
fn without_source_pages(
    page: &str,
    woven: &Book,
    definitions: &Definitions,
) -> Result<String, String> {
    static LINK: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"(class="(listing|check)-place">(?:\s*<p>[^<]*)?<a href=")#[^"]*"#)
    });
    static BREAK: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            "<div style=\"break-before: page; page-break-before: always;\"></div>\\s*\
             (?:<!--[^>]*-->\\s*)?<div class=\"source-page\">",
        )
    });
    let cut = BREAK.find(page).map(|found| found.start()).zip(page.find("</main>"));
    let Some((start, end)) = cut.filter(|(start, end)| start < end) else {
        return Err("the source files are not where mdBook 0.5.4 prints them".to_string());
    };
    let mut html = String::with_capacity(start);
    let mut rest = &page[..start];
    for listing in woven.listings() {
        let figure = format!("id=\"{}\">", target(&listing.anchor));
        let Some((before, after)) = rest.split_once(&figure) else {
            return Err(format!("there is no {}", target(&listing.anchor)));
        };
        let (inside, after) = after.split_once("</figure>").unwrap_or((after, ""));
        let inside = LINK.replace_all(inside, |link: &Captures<'_>| match &link[2] {
            "listing" => format!("{}{}", &link[1], source_address(listing)),
            _ => format!("{}{}", &link[1], check_address(listing)),
        });
        html.push_str(&format!("{before}{figure}{inside}</figure>"));
        rest = after;
    }
    html.push_str(&with_lines_of_names(rest, definitions)?);
    html.push_str(&page[end..]);
    Ok(html)
}

/// What follows the listings, its names outside of them with links to their lines.
fn with_lines_of_names(page: &str, definitions: &Definitions) -> Result<String, String> {
    static LINK: LazyLock<Regex> =
        LazyLock::new(|| pattern(r##"<a href="#L[^"]*"><code>(\w+)</code>"##));
    let Some(start) = page.find(&format!("id=\"{NAMES}\"")) else { return Ok(page.to_string()) };
    let mut names = definitions.unprinted().into_iter();
    let mut other = None;
    let linked = LINK.replace_all(&page[start..], |link: &Captures<'_>| match names.next() {
        Some(one) if one.name == link[1] => {
            let address = line_address(&one.file, one.line);
            format!("<a href=\"{address}\"><code>{}</code>", one.name)
        }
        _ => {
            other = Some(link[1].to_string());
            link[0].to_string()
        }
    });
    match other.or_else(|| names.next().map(|one| one.name)) {
        Some(name) => Err(format!("`{name}` is not where the list of names has it")),
        None => Ok(format!("{}{linked}", &page[..start])),
    }
}

/// A page with the colours of its code and the links of its listings.
fn coloured(page: &str, name: &Path, definitions: &Definitions) -> Result<String, String> {
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            "(?s)<figure class=\"listing[^\"]*\"( data-lines=\"([^\"]*)\")? id=\"([^\"]*)\">|</figure>|\
             (<code class=\"language-rust[^>]*>)(.*?)</code>",
        )
    });
    let mut figure: Option<String> = None;
    let mut numbers: Option<String> = None;
    let mut fault = None;
    let coloured = PART.replace_all(page, |part: &Captures<'_>| {
        let Some(code) = part.get(5) else {
            let group = |at: usize| part.get(at).map(|found| found.as_str());
            (figure, numbers) = (group(3).map(str::to_owned), group(2).map(str::to_owned));
            // Each line says its number itself.
            return match group(1) {
                Some(data) => part[0].replace(data, ""),
                None => part[0].to_string(),
            };
        };
        let links = |text: &str| match &figure {
            Some(id) => definitions.links(id, text, name),
            None => Vec::new(),
        };
        match plain(code.as_str()) {
            Ok((text, hidden)) => {
                let html = colour::html(&text, &hidden, &links(&text));
                let html = match &numbers {
                    Some(numbers) => colour::numbered(&html, numbers.split(' ')),
                    None => html,
                };
                format!("{}{html}</code>", &part[4])
            }
            Err(what) => {
                fault.get_or_insert(what);
                String::new()
            }
        }
    });
    match fault {
        Some(what) => Err(what),
        None => Ok(coloured.into_owned()),
    }
}

/// The text of a block of code, and the lines in it that are hidden.
fn plain(html: &str) -> Result<(String, Vec<Wrap>), String> {
    const OPEN: &str = "<span class=\"boring\">";
    const CLOSE: &str = "</span>";
    let mut text = String::with_capacity(html.len());
    let mut hidden: Vec<Wrap> = Vec::new();
    let mut start = None;
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = [
            (OPEN, None),
            (CLOSE, None),
            ("&lt;", Some('<')),
            ("&gt;", Some('>')),
            ("&amp;", Some('&')),
            ("&quot;", Some('"')),
            ("&#39;", Some('\'')),
        ];
        let Some((form, character)) = known.into_iter().find(|(form, _)| rest.starts_with(form))
        else {
            let start: String = rest.chars().take(30).collect();
            return Err(format!("what is `{start}` in a block of code?"));
        };
        match (character, start) {
            (Some(character), _) => text.push(character),
            (None, None) if form == OPEN => start = Some(text.len()),
            (None, Some(from)) if form == CLOSE => {
                let span = from..text.len();
                hidden.push(Wrap { span, open: OPEN.to_string(), close: CLOSE });
                start = None;
            }
            _ => return Err(format!("a `{form}` in a block of code stands alone")),
        }
        rest = &rest[form.len()..];
    }
    text.push_str(rest);
    Ok((text, hidden))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEETS: &str = "<link rel=\"stylesheet\" id=\"mdbook-highlight-css\" href=\"../highlight-493f70e1.css\">\n\
        <link rel=\"stylesheet\" id=\"mdbook-tomorrow-night-css\" href=\"../tomorrow-night-4c0ae647.css\">\n\
        <link rel=\"stylesheet\" id=\"mdbook-ayu-highlight-css\" href=\"../ayu-highlight-3fdfc3ac.css\">\n\
        <div id=\"mdbook-content\" class=\"content\"></div>\n";
    const SEARCH: &str = "<script src=\"../elasticlunr-ef4e11c1.min.js\"></script>\n\
        <script src=\"../mark-09e88c2c.min.js\"></script>\n<script src=\"../searcher-09f2665d.js\"></script>\n";
    const HIGHLIGHT: &str = "<script src=\"../highlight-abc7f01d.js\"></script>\n";

    #[test]
    fn a_page_loses_the_scripts_it_does_not_need() {
        let sheets = "<style id=\"mdbook-highlight-css\"></style>\n\
            <style id=\"mdbook-tomorrow-night-css\"></style>\n\
            <style id=\"mdbook-ayu-highlight-css\"></style>\n\
            <div id=\"mdbook-content\" class=\"content\"></div>\n";
        assert_eq!(
            framed(&format!("{SHEETS}{SEARCH}{HIGHLIGHT}")).unwrap(),
            format!(
                "{sheets}{}{NO_HIGHLIGHT}\n",
                SEARCH.replace("<script src", "<script type=\"text/later\" src")
            )
        );
        // The search can be turned off, and files can go without hashes.
        let page = format!("{SHEETS}{HIGHLIGHT}").replace("-abc7f01d", "");
        assert_eq!(framed(&page).unwrap(), format!("{sheets}{NO_HIGHLIGHT}\n"));
        let redirect = "<html>see there</html>";
        assert_eq!(framed(redirect).as_deref(), Ok(redirect));
    }

    #[test]
    fn a_page_as_another_mdbook_writes_it_is_refused() {
        for page in [
            format!("{SHEETS}{SEARCH}"),
            format!("{SHEETS}{SEARCH}{HIGHLIGHT}{HIGHLIGHT}"),
            format!("{SHEETS}{SEARCH}{HIGHLIGHT}").replace("mdbook-ayu", "ayu"),
            format!("{SHEETS}{SEARCH}{HIGHLIGHT}").replace("mark-", "marker-"),
        ] {
            let what = framed(&page).unwrap_err();
            assert!(what.starts_with("this page is not as mdBook 0.5.4 writes it: ["), "{what}");
        }
    }

    #[test]
    fn a_sidebar_lists_chapters_only() {
        let item = |address: &str| {
            format!(
                "<li class=\"chapter-item expanded \"><span class=\"chapter-link-wrapper\">\
                 <a href=\"{address}\" target=\"_parent\">x</a></span></li>"
            )
        };
        let kept = [item("ch15.html"), item("source/index.html")].concat();
        let files = [item("source/src/lib.html"), item("source/tests/listings/x.html")].concat();
        assert_eq!(
            without_source_files(&format!("<ol>{kept}{files}</ol>")),
            format!("<ol>{kept}</ol>")
        );
    }

    #[test]
    fn code_is_read_as_a_browser_reads_it() {
        let (text, hidden) =
            plain("a &amp;&lt;&gt;&quot;&#39; <span class=\"boring\"># b\n</span>c").unwrap();
        assert_eq!(text, "a &<>\"' # b\nc");
        let [Wrap { span, .. }] = &hidden[..] else { panic!("{hidden:?}") };
        assert_eq!(&text[span.clone()], "# b\n");
        for html in
            ["<em>a</em>", "&nbsp;", "a</span>", "<span class=\"boring\"><span class=\"boring\">"]
        {
            assert!(plain(html).is_err(), "{html}");
        }
    }
}
