//! The frame that mdBook puts around every page: what a keyboard and a screen reader lack in it.

use std::sync::LazyLock;

use mdbook_renderer::errors::Result;
use regex::{Captures, NoExpand, Regex};

use crate::boxes::escaped;
use crate::finish::replace_once;
use crate::pattern::pattern;

/// What mdBook writes, and what goes in its place.
const EDITS: [(&str, &str); 8] = [
    // The first tab stop leads past the menu and the list of chapters.
    (
        "<body>\n",
        "<body>\n    <a class=\"skip-link\" href=\"#mdbook-content\">Skip to the text</a>\n",
    ),
    (
        "<div id=\"mdbook-content\" class=\"content\">",
        "<div id=\"mdbook-content\" class=\"content\" tabindex=\"-1\">",
    ),
    // mdBook hides the box from everybody and shows its label, which no key reaches. The box
    // works without a script, too; the label stays for the mouse.
    (
        "<input type=\"checkbox\" id=\"mdbook-sidebar-toggle-anchor\" class=\"hidden\">",
        "<input type=\"checkbox\" id=\"mdbook-sidebar-toggle-anchor\" class=\"sidebar-switch\" \
         aria-label=\"Table of contents\" aria-controls=\"mdbook-sidebar\">",
    ),
    (
        "title=\"Toggle Table of Contents\" aria-label=\"Toggle Table of Contents\" \
         aria-controls=\"mdbook-sidebar\">",
        "title=\"Toggle Table of Contents\" aria-hidden=\"true\">",
    ),
    // Landmarks: everything on a page belongs to one, and no two have one name.
    (
        "<div id=\"mdbook-menu-bar\" class=\"menu-bar sticky\">",
        "<div id=\"mdbook-menu-bar\" class=\"menu-bar sticky\" role=\"banner\">",
    ),
    (
        "<div id=\"mdbook-search-wrapper\" class=\"hidden\">",
        "<div id=\"mdbook-search-wrapper\" class=\"hidden\" role=\"search\">",
    ),
    (
        "<nav class=\"nav-wide-wrapper\" aria-label=\"Page navigation\">",
        "<nav class=\"nav-wide-wrapper\" aria-label=\"Previous and next page\">",
    ),
    // A box without a label, and a description by an id that is not there.
    (
        "placeholder=\"Search this book ...\" aria-controls=\"mdbook-searchresults-outer\" \
         aria-describedby=\"searchresults-header\">",
        "placeholder=\"Search this book ...\" aria-label=\"Search this book\" \
         aria-controls=\"mdbook-searchresults-outer\" \
         aria-describedby=\"mdbook-searchresults-header\">",
    ),
];

/// Gives a page its skip link, a switch for the sidebar that keys reach, landmarks, and in its menu
/// bar a title that a narrow one has room for.
pub(crate) fn finish(page: &str, title: &str) -> Result<String> {
    let mut page = page.to_string();
    for (old, new) in EDITS {
        page = replace_once(&page, old, new)?;
    }
    // The book's title would be a second title of the page.
    static TITLE: LazyLock<Regex> =
        LazyLock::new(|| pattern("<h1 class=\"menu-title\">[^<]*</h1>"));
    let title = format!("<p class=\"menu-title\">{}</p>", escaped(title));
    Ok(TITLE.replace(&page, NoExpand(&title)).into_owned())
}

/// Lets the addresses that a page shows break after a slash, where a reader expects it.
pub(crate) fn breakable(page: &str) -> String {
    static ADDRESS: LazyLock<Regex> =
        LazyLock::new(|| pattern("(<a href=\"[^\"]*\">(?:<code>)?)((?:https?://|a/)[^<]*)(</)"));
    // The title of a source file is its path, whose names have hyphens.
    static TITLE: LazyLock<Regex> = LazyLock::new(|| {
        pattern("(<a class=\"header\" href=\"#[^\"]*\"><code>)([^<]*/[^<]*)(</code>)")
    });
    let broken = |found: &Captures<'_>| {
        let words = found[2].replace('/', "/<wbr>").replace("/<wbr>/<wbr>", "//<wbr>");
        format!("{}{words}{}", &found[1], &found[3])
    };
    let page = ADDRESS.replace_all(page, broken);
    let title_broken = |found: &Captures<'_>| {
        let words = found[2].replace('/', "/<wbr>").replace('-', "-<wbr>");
        format!("{}{words}{}", &found[1], &found[3])
    };
    TITLE.replace_all(&page, title_broken).into_owned()
}

/// The page for any address that leads nowhere: its own links start from the site's root.
///
/// mdBook gives it a `<base>` instead, under which a link to a place on the page itself, such as
/// the skip link, leads to the front page.
pub(crate) fn from_anywhere(page: &str, root: &str) -> String {
    // The attributes that hold an address, and the addresses that scripts start from.
    static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"( (?:href|src)="|path_to_root = "|path_to_searchindex_js = ")([^"]*)""#)
    });
    let (before, rest) = page.split_once("<base href=\"").unwrap_or((page, ""));
    let page = format!("{before}{}", rest.split_once('>').map_or(rest, |(_, rest)| rest));
    // Where the site lies elsewhere than the settings say, no style sheet is found: without a size
    // of its own an icon would fill the window.
    let page = page.replace("<svg ", "<svg width=\"16\" height=\"16\" ");
    let prefixed = |found: &Captures<'_>| {
        let (name, address) = (&found[1], &found[2]);
        let elsewhere = address.starts_with(['/', '#']) || address.contains(':');
        let root = if elsewhere { "" } else { root };
        format!("{name}{root}{address}\"")
    };
    ADDRESS.replace_all(&page, prefixed).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_lost_page_start_at_the_root() -> Result<()> {
        let page = "<head>\n<base href=\"/\">\n<link href=\"a.css\"><script src=\"b.js\"></script>\
            const path_to_root = \"\"; window.path_to_searchindex_js = \"s.js\";\
            <svg viewBox=\"0 0 9 9\"></svg><a href=\"#here\"><a href=\"/root\"><a href=\"https://e.example/\"><a href=\"c.html#d\">";
        assert_eq!(
            from_anywhere(page, "/below/a/path/"),
            "<head>\n\n<link href=\"/below/a/path/a.css\"><script src=\"/below/a/path/b.js\"></script>\
            const path_to_root = \"/below/a/path/\"; \
            window.path_to_searchindex_js = \"/below/a/path/s.js\";\
            <svg width=\"16\" height=\"16\" viewBox=\"0 0 9 9\"></svg><a href=\"#here\"><a href=\"/root\"><a href=\"https://e.example/\">\
            <a href=\"/below/a/path/c.html#d\">"
        );
        Ok(())
    }

    #[test]
    fn an_address_breaks_after_a_slash() -> Result<()> {
        for (page, broken) in [
            (
                "<a href=\"https://e.example/a/b\">https://e.example/a/b</a>",
                "<a href=\"https://e.example/a/b\">https://<wbr>e.example/<wbr>a/<wbr>b</a>",
            ),
            (
                "<a href=\"a/b.html\"><code>a/b.html</code></a>",
                "<a href=\"a/b.html\"><code>a/<wbr>b.html</code></a>",
            ),
            (
                "<a class=\"header\" href=\"#a-b\"><code>a/b-c.rs</code></a>",
                "<a class=\"header\" href=\"#a-b\"><code>a/<wbr>b-<wbr>c.rs</code></a>",
            ),
            ("<a href=\"a/b.html\">x/y</a> a/b", "<a href=\"a/b.html\">x/y</a> a/b"),
        ] {
            assert_eq!(breakable(page), broken);
        }
        Ok(())
    }

    #[test]
    fn a_frame_of_another_mdbook_is_refused() {
        let error = finish("<body>\n", "Book").unwrap_err().to_string();
        assert!(error.ends_with("the mdBook that this book pins writes it once"), "{error}");
    }
}
