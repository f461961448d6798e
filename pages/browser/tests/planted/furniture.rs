use std::fs;

use pullback_browser::{
    check_addresses, check_found, check_frame, check_landmarks, check_links, check_lost,
    check_terms, kept, preview, Fault, Picture, Site, LAPTOP, PHONE,
};

use crate::fixture::{html, none, one, some, style, Fixture};

const SKIP: &str = r##"<a class="skip-link" href="#mdbook-content">Skip</a>"##;
const SWITCH: &str = r#"<input type="checkbox" id="switch" checked aria-label="Contents">"#;
const SIDEBAR: &str =
    r##"<nav id="mdbook-sidebar" aria-label="Contents"><a href="#t">A</a></nav>"##;
const LABEL: &str = r#"<label id="mdbook-sidebar-toggle" for="switch">=</label>"#;
const HIDES: &str = "#switch:not(:checked) ~ nav { visibility: hidden }";
const MARKS: &str = "#switch:focus ~ #mdbook-sidebar-toggle { outline: 2px solid }";
const BUTTON: &str = r#"<button style="outline: 2px solid" id="mdbook-sidebar-toggle"
    aria-label="Contents" aria-expanded="true" onclick="
    const nav = document.querySelector('nav');
    nav.style.visibility = nav.style.visibility ? '' : 'hidden';
    this.ariaExpanded = !nav.style.visibility">=</button>"#;
const TEXT: &str = r##"<div id="mdbook-content" tabindex="-1"><main><h1>T</h1>
    <a href="#t" id="t">x</a></main></div>"##;

pub async fn frame_that_lacks_something(page: &Fixture<'_>) {
    let frame = async |parts: &[&str]| {
        page.page("", &parts.concat());
        check_frame(page.browser, &page.site, "page.html", PHONE).await
    };
    let style = &format!("<style>{HIDES} {MARKS}</style>");
    none(&frame(&[style, SKIP, SWITCH, SIDEBAR, LABEL, TEXT]).await);
    let without = frame(&[style, SWITCH, SIDEBAR, LABEL, TEXT]).await;
    one("first tab stop is no skip link", &without);
    let hidden = &SKIP.replace("<a", r#"<a style="position: fixed; top: -99px""#);
    one("no skip link in sight", &frame(&[style, hidden, SWITCH, SIDEBAR, LABEL, TEXT]).await);
    let astray = &SKIP.replace("#mdbook-content", "#nowhere");
    let astray = frame(&[style, astray, SWITCH, SIDEBAR, LABEL, TEXT]).await;
    one("does not lead into the text", &astray);
    let switchless = frame(&[style, SKIP, SIDEBAR, LABEL, TEXT]).await;
    one("no tab stop is the switch", &switchless);
    none(&frame(&[SKIP, SIDEBAR, BUTTON, TEXT]).await);
    let mute = &BUTTON.replace("this.ariaExpanded = !nav.style.visibility", "");
    one("a screen reader is not told", &frame(&[SKIP, SIDEBAR, mute, TEXT]).await);
    let nameless = &SWITCH.replace(r#" aria-label="Contents""#, "");
    let nameless = frame(&[style, SKIP, nameless, SIDEBAR, LABEL, TEXT]).await;
    one("the switch has no name", &nameless);
    let unmarked = &format!("<style>{HIDES}</style>");
    let unmarked = frame(&[unmarked, SKIP, SWITCH, SIDEBAR, LABEL, TEXT]).await;
    one("does not show that it has", &unmarked);
    let still = &format!("<style>{MARKS}</style>");
    let still = frame(&[still, SKIP, SWITCH, SIDEBAR, LABEL, TEXT]).await;
    some("space bar does not switch the sidebar$", &still);
    let once = r#"<script>onchange = () => document.querySelector("nav").remove()</script>"#;
    let once = frame(&[style, SKIP, SWITCH, SIDEBAR, LABEL, TEXT, once]).await;
    one("a second space bar does not switch the sidebar back", &once);
}

pub async fn landmarks_missing_or_named_alike(page: &Fixture<'_>) {
    let landmarks = async |nav: &str, rest: &str| {
        page.page("", &format!(r#"<div role="banner">B</div>{nav}{rest}"#));
        check_landmarks(page.browser, &page.site, "page.html", PHONE).await
    };
    let main = "<main><h1>T</h1></main>";
    let two =
        |one, other| format!(r#"<nav aria-label="{one}">1</nav><nav aria-label="{other}">2</nav>"#);
    none(&landmarks(&two("a", "b"), main).await);
    one("navigations have no names", &landmarks("<nav>1</nav>", main).await);
    one("no names of their", &landmarks(&two("a", "a"), main).await);
    one("0 landmarks are a main", &landmarks("", "<div><h1>T</h1></div>").await);
    let titles = landmarks("", "<main><h1>T</h1><h1>U</h1></main>").await;
    one("2 headings are the title", &titles);
}

/// Writes a page with the script for terms.
fn write_terms(page: &Fixture<'_>, script: &str) {
    page.write("style/glossary.js", r#"window.glossary={"sum":["Sum","What it is."]};"#);
    page.write("glossary.html", &html("", r#"<p id="sum">Sum</p>"#));
    let body = format!(
        r##"<style>#definition {{ position: absolute; max-width: 340px }}</style>
        <div class="content"><main><p>A <a href="glossary.html#sum">sum</a>.</p>
        <p><a href="#x">x</a></p><p style="height: 2000px"></p></main></div>
        <script>const path_to_root = "";</script><script>{script}</script>"##
    );
    page.page("", &body);
}

/// The book's script for terms with some of its parts put another way.
fn terms(part: &str, other: &str) -> String {
    let script = style("terms.js");
    assert!(script.contains(part), "{part}");
    script.replace(part, other)
}

pub async fn definition_that_does_not_show_stay_go_or_tell(page: &Fixture<'_>) {
    let found = async |script: &str| {
        write_terms(page, script);
        check_terms(page.browser, &page.site, "page.html", PHONE).await
    };
    none(&found(&style("terms.js")).await);
    some("under the pointer: .* not there", &found("").await);
    let told = r#"link.setAttribute("aria-describedby", box.id);"#;
    some("a screen reader is not told", &found(&terms(told, "")).await);
    let stays = r#"box.addEventListener("pointerenter", () => clearTimeout(leaving));"#;
    some("in the definition: .* not there", &found(&terms(stays, "")).await);
    some(r#"after Escape: .* is "Sum"#, &found(&terms(r#""Escape""#, r#""Esc""#)).await);
    let focus = r#"link.addEventListener("focus", () => show(link));"#;
    some("with the focus: .* not there", &found(&terms(focus, "")).await);
    let blur = r#"link.addEventListener("blur", leave);"#;
    some("next tab stop: .* is still there", &found(&terms(blur, "")).await);
    let leave = found(&terms("document.activeElement !== link", "false")).await;
    some(r#"after the pointer has left: .* is "Sum"#, &leave);
    let place = terms("last.bottom + GAP : first", "last.bottom + 9999 : first");
    some("is outside the window", &found(&place).await);
}

pub async fn definition_by_taps(page: &Fixture<'_>) {
    let found = async |script: &str| {
        write_terms(page, script);
        check_terms(page.browser, &page.site, "page.html", PHONE.touched()).await
    };
    none(&found(&style("terms.js")).await);
    let follows = found(&terms("event.preventDefault();", "")).await;
    some("first tap follows|cannot be checked", &follows);
}

pub async fn search_that_leads_elsewhere(page: &Fixture<'_>) {
    let found = async |results: &str, target: &str| {
        let body = format!(
            r#"<style>p {{ height: 50px }}</style><input id="mdbook-searchbar">
            <div id="mdbook-searchresults">{results}</div><p id="{target}">Here.</p>
            <script>document.querySelector("input").onkeydown = (event) => {{
              if (event.key === "Enter") {{ location.href = document.querySelector("a").href; }}
            }}</script>"#
        );
        page.page("", &body);
        check_found(page.browser, &page.site, "page.html", PHONE, &[("word", "#p")]).await
    };
    let right = r#"<a href="page.html?x#p">1</a>"#;
    none(&found(right, "p").await);
    let second = r##"<a href="page.html#q">1</a><a href="#p">2</a>"##;
    one("leads to page.html#q", &found(second, "p").await);
    one("out of sight", &found(right, "q").await);
    one("cannot be checked", &found("", "p").await);
}

pub async fn address_that_leads_nowhere(page: &Fixture<'_>) {
    let found = async |place: &str, target: &str| -> Vec<Fault> {
        page.page("", target);
        let refresh = format!(r#"<meta http-equiv="refresh" content="0; url={place}">"#);
        page.write("a/x.html", &html(&refresh, ""));
        check_addresses(page.browser, &page.site, &["x"], LAPTOP).await
    };
    let listing = r#"<figure class="listing" id="listing-x">L</figure>"#;
    none(&found("../page.html#listing-x", listing).await);
    let former = r#"<span id="listing-x"></span><figure class="listing" id="listing-y">L</figure>"#;
    none(&found("../page.html#listing-x", former).await);
    let text = found("../page.html#listing-x", r#"<p id="listing-x">P</p>"#).await;
    one("leads to no listing", &text);
    one("leads to no listing", &found("../page.html#listing-x", "<p>P</p>").await);
    one("waited in vain", &found("../page.html", listing).await);
}

pub async fn lost_page_that_works_at_the_front_only(page: &Fixture<'_>) {
    for name in ["a", "b", "c"] {
        page.write(&format!("{name}.html"), &html("", name));
    }
    page.write("a.css", "");
    let found = async |root: &str, links: &[&str], result: &str| {
        let link = |name: &&str| format!(r#"<a href="{root}{name}.html">x</a>"#);
        let links: String = links.iter().map(link).collect();
        let body = format!(
            r#"<main>{links}</main><nav id="mdbook-sidebar"></nav>
            <button id="mdbook-search-toggle">s</button><input id="mdbook-searchbar">
            <p id="mdbook-searchresults"><a href="{root}{result}">r</a></p>
            <script>const path_to_root = "/below/";</script>"#
        );
        let style = format!(r#"<link rel="stylesheet" href="{root}a.css">"#);
        page.write("404.html", &html(&style, &body));
        let site = Site::serve_as_built(page.folder.path()).await.expect("a site");
        check_lost(page.browser, &site, "no/such.html", PHONE).await
    };
    let all = ["a", "b", "c"];
    none(&found("/below/", &all, "a.html").await);
    some(r"needs .*/below/no/a.css, which is not there", &found("", &all, "a.html").await);
    some("its link to .* leads nowhere", &found("/", &all, "a.html").await);
    one("leads to 1 pages", &found("/below/", &["a"], "a.html").await);
    one("its search leads to .*gone.html", &found("/below/", &all, "gone.html").await);
}

pub async fn link_to_nothing(page: &Fixture<'_>) {
    page.write("404.html", &html("", r#"<script>const path_to_root = "/below/";</script>"#));
    page.write("there/index.html", &html("", r#"<p id="here">x</p>"#));
    let found = |body: &str, api: &str| {
        page.page("", &format!(r#"<a href="there/index.html#here">x</a>{body}"#));
        let own = r#"<p id="method.y">x</p><a href="gone.html">own</a>"#;
        page.write("api/x.html", &html("", &format!("{own}{api}")));
        check_links(page.folder.path())
    };
    let right = r#"<a href="api/x.html#method.y">x</a><a href="there/">x</a>"#;
    none(&found(right, ""));
    one("gone.png leads to no file", &found(r#"<img src="gone.png" alt="">"#, ""));
    let place = found(r#"<a href="there/#gone">x</a>"#, "");
    one("#gone leads to no place on there", &place);
    one("leads to no place on api", &found(r#"<a href="api/x.html#gone">x</a>"#, ""));
    one("leaves the site", &found(r#"<a href="/page.html">x</a>"#, ""));
    one("^api/x.html: .* no file", &found("", r#"<a href="../gone.html">x</a>"#));
    let refresh = r#"<meta http-equiv="refresh" content="0; url=gone.html">"#;
    one("gone.html leads to no file", &found(refresh, ""));
    let silent = r#"<noscript><iframe src="gone.html"></iframe></noscript>"#;
    one("gone.html leads to no file", &found(silent, ""));
}

pub async fn another_picture(page: &Fixture<'_>) {
    let kept = Picture::read(&fs::read(kept()).expect("a picture")).expect("a PNG");
    let drawn = preview(page.browser).await.expect("a picture");
    let drawn = Picture::read(&drawn).expect("a PNG");
    assert!(drawn.shows_the_same_as(&drawn));
    let blank = Picture::blank(1200, 630);
    assert!(!drawn.shows_the_same_as(&blank) && !kept.shows_the_same_as(&blank));
    assert!(!blank.shows_the_same_as(&Picture::blank(1200, 629)));
}
