use std::fs;

use pullback_browser::{
    check_colours, check_folds, check_keys, check_mark, check_math, check_names, check_page,
    check_print, check_search, pages_of, too_heavy, weigh, Fault, View, Weight, LAPTOP, PHONE,
};

use crate::fixture::{changed, html, none, one, some, told, Fixture};

/// The attributes of a box that scrolls as it should.
const REACHABLE: &str = r#"tabindex="0" role="region" aria-label="Box""#;

/// Writes a page with this body; its own faults are the only ones it can have.
fn write(page: &Fixture<'_>, body: &str) {
    let body = format!(
        r#"<style>body {{ margin: 0; overflow-x: hidden }}</style>
        <div id="mdbook-content" style="overflow-y: auto"><main>{body}</main></div>"#
    );
    page.page("", &body);
}

async fn faults_in(page: &Fixture<'_>, body: &str, view: View) -> Vec<Fault> {
    write(page, body);
    check_page(page.browser, &page.site, "page.html", view).await
}

async fn faults(page: &Fixture<'_>, body: &str) -> Vec<Fault> {
    faults_in(page, body, PHONE).await
}

pub async fn no_fault(page: &Fixture<'_>) {
    none(&faults(page, "<p>Text.</p>").await);
}

pub async fn wide_although_hidden(page: &Fixture<'_>) {
    let found = faults(page, r#"<p id="wide" style="width: 500px">Text.</p>"#).await;
    one(r"^page\.html at 360 px: p#wide ends at 500 px: Text\.$", &found);
}

pub async fn wide_inside_a_box(page: &Fixture<'_>) {
    let inner = r#"<div style="width: 500px; height: 9px">Text.</div>"#;
    let scrolls = format!(r#"<div style="overflow-x: auto" {REACHABLE}>{inner}</div>"#);
    none(&faults(page, &scrolls).await);
    let cut = format!(r#"<div style="overflow-x: hidden">{inner}</div>"#);
    one("div ends at 500 px", &faults(page, &cut).await);
    let wide = format!(
        r#"<div id="box" style="overflow-x: auto; width: 400px" {REACHABLE}>{inner}</div>"#
    );
    one("div#box ends at 400 px", &faults(page, &wide).await);
}

pub async fn wide_without_javascript(page: &Fixture<'_>) {
    let body = r#"<p id="wide" style="width: 500px">Text.</p>
        <script>console.error("ran")</script>"#;
    let found = faults_in(page, body, PHONE.scriptless()).await;
    one("p#wide ends at 500 px: Text.", &found);
    some("console: ran", &faults(page, body).await);
}

pub async fn box_that_no_key_reaches(page: &Fixture<'_>) {
    let scrolls = |attributes: &str| {
        let inner = r#"<div style="width: 500px">Text.</div>"#;
        format!(r#"<div style="overflow-x: auto" {attributes}>{inner}</div>"#)
    };
    let stop = faults(page, &scrolls(r#"role="region" aria-label="Box""#)).await;
    one("div scrolls and is no tab stop: Text.", &stop);
    let name = faults(page, &scrolls(r#"tabindex="0" role="region""#)).await;
    one("div has no name: Text.", &name);
    let role = faults(page, &scrolls(r#"tabindex="0" aria-label="Box""#)).await;
    one("div scrolls and has no role: Text.", &role);
    let folded = format!("<details><summary>More</summary>{}</details>", scrolls(""));
    let all = faults(page, &folded).await;
    assert_eq!(all.len(), 3, "{}", told(&all));
}

pub async fn tab_stop_for_nothing(page: &Fixture<'_>) {
    let body = format!("<div {REACHABLE}>Text.</div>");
    let found = faults(page, &body).await;
    one("div is a tab stop and does not scroll: Text.", &found);
    none(&faults_in(page, &body, PHONE.scriptless()).await);
}

pub async fn arrow_key_that_turns_the_page(page: &Fixture<'_>) {
    let inner = r#"<div style="width: 500px">Text.</div>"#;
    let scrolls =
        format!(r#"<div class="table-box" style="overflow-x: auto" {REACHABLE}>{inner}</div>"#);
    let keys = async |body: &str, script: &str| {
        let script =
            format!(r#"<script>addEventListener("keydown", (event) => {{ {script} }})</script>"#);
        write(page, &format!("{body}{script}"));
        check_keys(page.browser, &page.site, "page.html", PHONE).await
    };
    none(&keys(&scrolls, "").await);
    one("does not scroll the box", &keys(&scrolls, "event.preventDefault()").await);
    let turns = keys(&scrolls, r#"location.href = "page.html?next""#).await;
    one("turns the page", &turns);
    one("cannot be checked", &keys("<p>Text.</p>", "").await);
}

/// A source page of 30 lines with a mark over lines 3 to 5.
fn source([top, mark, edge, text]: [&str; 4]) -> String {
    let lines =
        |write: &dyn Fn(usize) -> String| (1..=30).map(write).collect::<Vec<_>>().join("\n");
    let numbers = lines(&|line| format!(r#"<span id="L{line}">{line}</span>"#));
    let code = lines(&|line| format!("line {line}"));
    format!(
        r#"<style>.source-file {{ position: relative; font: 14px/20px monospace; background: #fff }}
        .source-file pre {{ margin: 0; font: inherit; float: left }}
        .source-file code {{ font: inherit; color: {text} }}
        #L3-L5 {{ position: absolute; inset: {top} 0 auto; height: 60px }}
        #L3-L5:target {{ background: {mark}; box-shadow: inset 0 0 0 1px {edge} }}</style>
        <div class="source-file"><span id="L3-L5"></span><pre class="line-numbers">{numbers}</pre>
        <pre><code>{code}</code></pre></div>"#
    )
}

/// A mark without fault: its place, its colour, that of its edge, and that of the text.
const MARKED: [&str; 4] = ["calc(2 * 20px)", "#0000ff20", "#00f", "#222"];

pub async fn mark_that_is_wrong(page: &Fixture<'_>) {
    let marks = async |body: &str, hash: &str| {
        write(page, body);
        let address = format!("page.html{hash}");
        check_mark(page.browser, &page.site, &address, PHONE.theme("light")).await
    };
    let [top, mark, edge, text] = MARKED;
    let here = "#L3-L5";
    none(&marks(&source(MARKED), here).await);
    let first = marks(&source(["0", mark, edge, text]), here).await;
    some("does not start at the first line", &first);
    some("does not end at the last line", &first);
    let narrow = marks(&source(["calc(2 * 20px) 50%", mark, edge, text]), here).await;
    one("narrower than the file", &narrow);
    let clear = marks(&source([top, "transparent", edge, text]), here).await;
    one("the mark has no colour", &clear);
    let thick = marks(&source([top, "#0000ff80", edge, text]), here).await;
    some(r"marked text has a contrast of [1-4]\.", &thick);
    let pale = marks(&source([top, mark, edge, "#888"]), here).await;
    one(r"marked text has a contrast of 3\.", &pale);
    let faint = marks(&source([top, mark, "#eee", text]), here).await;
    one(r"line around the mark has a contrast of 1\.", &faint);
    let bar = r#"<p id="mdbook-menu-bar" style="position: fixed; inset: 0; margin: 0">Menu</p>"#;
    let covered = marks(&format!("{bar}{}", source(MARKED)), here).await;
    one("the first line is out of sight", &covered);
    one("#L3-L6 is no place on this page", &marks(&source(MARKED), "#L3-L6").await);
}

pub async fn columns_that_do_not_fit(page: &Fixture<'_>) {
    let found = async |columns: usize, width: usize| {
        let code = "x".repeat(columns);
        let body = format!(
            r#"<figure class="listing"><pre><code {REACHABLE} style="display: block;
            overflow-x: auto; width: {width}px; font: 13px/1.5 monospace">{code}</code></pre></figure>"#
        );
        faults_in(page, &body, LAPTOP.scriptless()).await
    };
    one("code of 100 columns scrolls: xxx", &found(100, 400).await);
    none(&found(101, 400).await);
    none(&found(100, 900).await);
}

pub async fn coloured_command_and_missing_number(page: &Fixture<'_>) {
    let command = |test: &str| format!("<pre><code>$ cargo {test}</code></pre>");
    none(&faults(page, &command("test")).await);
    let coloured = faults(page, &command(r#"<b style="color: red">test</b>"#)).await;
    one(r"words of a command have colours: \$ cargo test", &coloured);
    let chapter = |shown: &str| {
        format!(
            r#"<style>h1::before {{ content: "{shown}" }}</style><h1>Title</h1>
            <p class="listing-number">Listing 15-1</p>"#
        )
    };
    none(&faults(page, &chapter("15")).await);
    one("title of chapter 15 shows no number", &faults(page, &chapter("1")).await);
}

pub async fn copy_with_other_words(page: &Fixture<'_>) {
    let listing = |more: &str| {
        format!(
            "<figure class=\"listing\"><pre style=\"font: 9px monospace\"><code>a\n<b>b</b>{more}\
             </code></pre></figure>"
        )
    };
    none(&faults(page, &listing("")).await);
    let found = faults(page, &listing(r#"<span style="display: none">c</span>"#)).await;
    one("a copy of a listing is not its text: a bc", &found);
}

pub async fn code_without_colours_and_pale_code(page: &Fixture<'_>) {
    let found = async |keyword: &str| {
        let body = format!(
            r#"<pre style="background: #eee"><code class="language-rust"
            style="font: 10px monospace"><b style="color: {keyword}">fn</b> f()</code></pre>"#
        );
        let mut all = faults(page, &body).await;
        let view = PHONE.theme("light");
        all.extend(check_colours(page.browser, &page.site, "page.html", view).await);
        all
    };
    none(&found("#00a").await);
    one(r"code has no colours: fn f\(\)", &found("inherit").await);
    let pale = found("#888").await;
    one(r"contrast of 3\.\d+: b rgb\(136, 136, 136\) on rgb\(238", &pale);
}

pub async fn weight(page: &Fixture<'_>) {
    page.write("heavy.css", &format!("/* {} */", "x".repeat(9994)));
    page.write("later.js", &"x".repeat(5000));
    write(
        page,
        r#"<link rel="stylesheet" href="heavy.css">
        <script type="text/later" src="later.js"></script>Text"#,
    );
    let own = fs::metadata(page.folder.path().join("page.html")).expect("a page").len() as i64;
    let weight = weigh(page.browser, &page.site, "page.html", PHONE).await.expect("a weight");
    assert!(weight.paint > 0.0, "{weight:?}");
    assert_eq!((weight.page, weight.requests, weight.total), (own, 2, own + 10_000));

    let light = Weight { page: 350_000, total: 500_000, ..weight };
    none(&too_heavy("a.html", &light));
    let heavy = Weight { page: 372_680, total: 694_876, ..weight };
    let found = told(&too_heavy("a.html", &heavy));
    assert_eq!(
        found,
        "a.html: weighs 372680 bytes, more than 350000\n\
         a.html: with all it loads weighs 694876 bytes, more than 500000"
    );
}

/// A page with a search of its own.
fn searching(script: &str) -> String {
    format!(
        r#"<div id="mdbook-search-wrapper" hidden><input id="mdbook-searchbar">
        <ul id="mdbook-searchresults"></ul></div><button id="mdbook-search-toggle">Search</button>
        <main><p>The seed.</p></main><script>
        const [box, field] = [document.querySelector("div[hidden]"), document.querySelector("input")];
        const find = () => field.nextElementSibling.innerHTML = '<li><a href="?highlight=x">one</a></li>';
        const open = () => {{ box.hidden = false; field.focus() }};
        document.querySelector("button").addEventListener("click", open);
        addEventListener("keydown", (event) => {{
          if (event.key === "Escape") box.hidden = true;
          if (event.target !== field && "/s".includes(event.key)) {{ event.preventDefault(); open() }}
        }});
        field.addEventListener("keyup", find);
        field.addEventListener("input", find);
        if (location.search.includes("search=")) {{ open(); find() }}
        if (location.search.includes("highlight"))
          document.querySelector("main p").innerHTML = "<mark>The seed.</mark>";
        {script}</script>"#
    )
}

pub async fn search_too_early_late_or_not_at_all(page: &Fixture<'_>) {
    page.write("searcher.js", "");
    let found = async |body: &str| {
        page.page("", body);
        check_search(page.browser, &page.site, "page.html", "seed", PHONE).await
    };
    none(&found(&searching("")).await);
    let early = r#"document.head.append(
        Object.assign(document.createElement("script"), { src: "searcher.js" }))"#;
    some("loads 1 scripts of the search that nobody asked for", &found(&searching(early)).await);
    let deaf = changed(&searching(""), [r#""/s""#, r#""s""#]);
    let deaf = changed(&deaf, [r#""keyup""#, r#""x""#]);
    let deaf = changed(&deaf, [r#""input", find"#, r#""y", find"#]);
    let deaf = found(&deaf).await;
    some(r#"(?s)the key / finds nothing.*the key /: of "seed" arrived "eed""#, &deaf);
    let unkeyed = changed(&searching(""), [r#""input", find"#, r#""x", find"#]);
    one("what is pasted finds nothing", &found(&unkeyed).await);
    let cut =
        r#"field.addEventListener("input", () => { if (field.value === "s") field.value = "" })"#;
    some(r#"of "seed" arrived "eed""#, &found(&searching(cut)).await);
    let closes = r#"setTimeout(() => box.classList.add("hidden"), 100)"#;
    let closes =
        changed(&searching(""), ["field.focus() };", &format!("field.focus(); {closes} }};")]);
    one("closes again while the last of its scripts comes", &found(&closes).await);
    let stays = changed(&searching(""), [r#""Escape""#, r#""x""#]);
    one("Escape does not close", &found(&stays).await);
    let unmarked = changed(&searching(""), ["<mark>", "<b>"]);
    one("does not mark the words", &found(&unmarked).await);
}

/// A page with a folded check and its own script.
fn folding(script: &str) -> String {
    format!(
        r#"<figure><pre><code style="font: 9px monospace">code</code>
        <button class="clip-button"></button></pre>
        <details class="check"><summary>What checks</summary></details>
        <p><a href="source/tests/listings/a.html">a</a></p></figure><script>
        const fold = document.querySelector("details");
        const put = (html) => fold.insertAdjacentHTML("beforeend", html);
        const load = (then) => {{
          const script = Object.assign(document.createElement("script"), {{ src: "tests/listings/a.js" }});
          script.onload = then;
          script.onerror = () => put("<p><a href='a.html'>a</a></p>");
          document.head.append(script);
        }};
        const check = '<pre><code style="font: 9px monospace">fn check()</code><button class="clip-button">';
        {script}</script>"#
    )
}

pub async fn check_that_does_not_unfold(page: &Fixture<'_>) {
    page.write("tests/listings/a.js", "");
    let found = async |script: &str| {
        write(page, &folding(script));
        check_folds(page.browser, &page.site, "page.html", PHONE).await
    };
    let once = "{ once: true }";
    let good = format!(r#"fold.addEventListener("toggle", () => load(() => put(check)), {once});"#);
    none(&found(&good).await);
    let early = found(&format!("load(() => {{}}); {good}")).await;
    one("1 folds, 1 checks loaded before", &early);
    let again = found(&changed(&good, [once, "{}"])).await;
    one("[23] checks with [23] buttons", &again);
    let other = found(&changed(&good, ["put(check)", r#"put("<pre><code>no")"#])).await;
    some("no check in a fold: no", &other);
    let nothing = found(&changed(&good, ["put(check)", "0"])).await;
    one("cannot be checked: waited in vain for .*pre > code", &nothing);
    let alone = found(&changed(&good, ["load(() => put(check))", "put(check)"])).await;
    one("cannot be checked: waited in vain for .*p > a", &alone);
    let throws = found(&format!("{good} throw new Error('planted')")).await;
    one("script: Error: planted", &throws);
}

/// A listing with two names and a script that moves between them.
fn naming(style: &str) -> String {
    format!(
        r##"<style>code a {{ color: inherit; text-decoration: underline dotted }}
        code a:focus {{ text-decoration: underline solid }} {style}</style>
        <pre><code style="font: 9px monospace"><u><a href="#x">One</a></u> <a href="#y"
        tabindex="-1">Two</a></code></pre><script>
        const all = [...document.querySelectorAll("code a")];
        document.querySelector("code").addEventListener("keydown", (event) => {{
          const next = all[all.indexOf(event.target) + {{ ArrowRight: 1, ArrowLeft: -1 }}[event.key]];
          if (next) {{ all.forEach((a) => (a.tabIndex = -1)); next.tabIndex = 0; next.focus() }}
        }});</script>"##
    )
}

pub async fn names_that_lead_astray(page: &Fixture<'_>) {
    let found = async |body: &str| {
        write(page, body);
        check_names(page.browser, &page.site, "page.html", LAPTOP).await
    };
    none(&found(&naming("")).await);
    let stops = changed(&naming(""), [r#"tabindex="-1""#, ""]);
    some(r"have \[2\] tab stops", &found(&stops).await);
    let plain = naming("code a:not(:focus) { text-decoration: none }");
    one("has no dotted line", &found(&plain).await);
    one("a colour of its own", &found(&naming("code a { color: red }")).await);
    let focus = naming("code a:focus { text-decoration: none }");
    one("has no plain line", &found(&focus).await);
    let still = changed(&naming(""), ["; next.focus()", ""]);
    some("does not lead from one name to the next", &found(&still).await);
    let turning =
        r#"if (!next && event.key === "ArrowLeft") location.href = "?next"; else if (next)"#;
    let turning = changed(&naming(""), ["if (next)", turning]);
    some("at the first name turns the page", &found(&turning).await);
}

pub async fn wrong_on_paper(page: &Fixture<'_>) {
    const SIDES: &str = "@page { @bottom-center { content: counter(page) } }";
    let printed_on = async |sides: &str, body: &str| {
        let style = "code { display: block; font: 10px/15px monospace }";
        write(page, &format!("<style>{sides}{style}</style>{body}"));
        check_print(page.browser, &page.site, "page.html").await
    };
    let printed = async |body: &str| printed_on(SIDES, body).await;
    let listing = |style: &str| {
        let code = "x ".repeat(50);
        format!(
            "<figure class=\"listing\" style=\"margin: 0\"><pre><code style=\"{style}\">{code}</code>\
             </pre></figure>"
        )
    };
    none(&printed(&listing("white-space: pre-wrap")).await);
    one("its sides have no numbers", &printed_on("@page { margin: 1cm }", "").await);
    let wrapped = printed(&listing("white-space: pre-wrap; width: 300px")).await;
    one("100 columns do not fit the paper", &wrapped);
    let cut = printed(&listing("overflow: hidden; width: 300px")).await;
    one("100 columns do not fit the paper", &cut);
    let rows = |height: usize| {
        format!(
            "<div class=\"source-file\"><pre class=\"line-numbers\" style=\"font: 10px/{height}px \
             monospace\"><span>1</span>\n<span>2</span>\n<span>3</span></pre>\
             <pre><code>a\nb\nc</code></pre></div>"
        )
    };
    none(&printed(&rows(15)).await);
    one(r"numbers are \d+ px high, lines 45 px", &printed(&rows(22)).await);
    let lead = |style: &str| format!(r#"<p style="{style}">So:</p><ul><li>one</li></ul>"#);
    none(&printed(&lead("break-after: avoid")).await);
    one("may be parted from what it announces: So:", &printed(&lead("")).await);
    let fold = |style: &str| {
        let answer = "<details><summary>Answer</summary><p>Four</p></details>";
        format!("<style>{style}</style>{answer}")
    };
    let open = "details::details-content { content-visibility: visible; block-size: auto }";
    none(&printed(&fold(open)).await);
    one("stays folded on paper: Four", &printed(&fold("")).await);
    let place = |font: &str| {
        format!(
            r#"<figure><figcaption>Caption</figcaption>
            <p class="check-place" style="font-family: {font}">Checked.</p></figure>"#
        )
    };
    none(&printed(&place("inherit")).await);
    one(r"not in the font of captions: Checked\.", &printed(&place("fantasy")).await);
}

pub async fn bar_with_a_gap(page: &Fixture<'_>) {
    let found = async |width: &str| {
        let body = format!(
            "<style>mo {{ visibility: hidden }} mover {{ background: \
             linear-gradient(#000, #000) no-repeat top / {width} 2px }}</style>\
             <p style=\"margin: 60px\"><math><mover accent=\"true\"><mrow><mi>c</mi>\
             <mo stretchy=\"false\">(</mo><mi>e</mi></mrow><mo stretchy=\"true\">\u{332}</mo></mover>\
             </math></p>"
        );
        write(page, &body);
        check_math(page.browser, &page.site, "page.html", PHONE.theme("light")).await
    };
    none(&found("100%").await);
    one("an overline has gaps", &found("70%").await);
}

pub async fn error_on_the_console(page: &Fixture<'_>) {
    let found = faults(page, r#"<script>console.error("planted")</script>"#).await;
    one(r"^page\.html at 360 px: console: planted$", &found);
}

pub async fn script_that_throws(page: &Fixture<'_>) {
    let found = faults(page, r#"<script>throw new Error("planted")</script>"#).await;
    one(r"^page\.html at 360 px: script: Error: planted$", &found);
}

pub async fn missing_file(page: &Fixture<'_>) {
    some(r"status 404: .*/missing\.png$", &faults(page, r#"<img src="missing.png" alt="">"#).await);
}

pub async fn address_above_the_book(page: &Fixture<'_>) {
    let found = faults(page, r#"<script src="/absolute.js"></script>"#).await;
    some(r"(?m)status 404: .*/absolute\.js$", &found);
}

/// The request is seen, and gets nowhere.
pub async fn request_to_another_host(page: &Fixture<'_>) {
    let image = r#"<img src="http://example.org/pixel.png" alt="">"#;
    let found = faults(page, image).await;
    some(r"(?m)leaves the site: http://example.org/pixel.png$", &found);
    some(r"failed: http://example.org/pixel.png net::ERR_NAME_NOT_RESOLVED", &found);
    let later =
        r#"<script>setTimeout(() => fetch("http://example.org/x").catch(() => {}))</script>"#;
    some("leaves the site: http://example.org/x", &faults(page, later).await);
}

pub async fn missing_page(page: &Fixture<'_>) {
    let found = check_page(page.browser, &page.site, "nowhere.html", PHONE).await;
    some("status 404", &found);
}

pub async fn pages_in_folders(page: &Fixture<'_>) {
    for name in ["index.html", "404.html", "toc.html", "a.css", "source/b.html", "a/b.html"] {
        page.write(&format!("book/{name}"), &html("", ""));
    }
    let pages = pages_of(&page.folder.path().join("book")).expect("a folder");
    assert_eq!(pages, ["index.html", "source/b.html"]);
}
