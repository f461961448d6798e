use pullback_browser::{axe, check_access, check_switch, Fault, Site, View, PHONE};

use crate::fixture::{html, none, one, some, Fixture};

const PIXEL: &str = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";

/// The faults of a page with this head and body.
async fn faults(page: &Fixture<'_>, head: &str, body: &str, view: View) -> Vec<Fault> {
    page.page(head, &format!("<main><h1>Title</h1>{body}</main>"));
    let axe = axe().expect("axe-core");
    check_access(page.browser, &page.site, "page.html", view, &axe).await
}

async fn of_body(page: &Fixture<'_>, body: &str) -> Vec<Fault> {
    faults(page, "", body, PHONE.theme("light")).await
}

pub async fn no_fault(page: &Fixture<'_>) {
    none(&of_body(page, "<p>Text.</p>").await);
}

pub async fn picture_without_words(page: &Fixture<'_>) {
    let found = of_body(page, &format!(r#"<img src="{PIXEL}">"#)).await;
    one(r"^page\.html at 360 px in light, axe-core: image-alt: <img src=.*alt attribute", &found);
    none(&of_body(page, &format!(r#"<img src="{PIXEL}" alt="A dot">"#)).await);
}

pub async fn pale_text(page: &Fixture<'_>) {
    let pale = r#"<p style="color: #999">Text.</p>"#;
    let found = of_body(page, pale).await;
    one(r#"color-contrast: <p style="color: #999">.*contrast of 2\.84"#, &found);
    let folded = format!("<details><summary>More</summary>{pale}</details>");
    some("color-contrast", &of_body(page, &folded).await);
}

pub async fn text_pale_in_one_theme(page: &Fixture<'_>) {
    let head = r#"<style>.light { background: #fff } .navy { background: #161923 }</style>
        <script>document.documentElement.className = localStorage.getItem("mdbook-theme")</script>"#;
    let body = r#"<style>h1 { color: #888 }</style><p style="color: #444">Text.</p>"#;
    none(&faults(page, head, body, PHONE.theme("light")).await);
    let found = faults(page, head, body, PHONE.theme("navy")).await;
    one("in navy, axe-core: color-contrast: <p", &found);
}

pub async fn field_and_button_without_a_name(page: &Fixture<'_>) {
    some(" label: <input>", &of_body(page, "<input>").await);
    none(&of_body(page, "<label>Word <input></label>").await);
    some("button-name", &of_body(page, "<button></button>").await);
}

pub async fn outside_of_landmarks(page: &Fixture<'_>) {
    let region = r#"<div role="region" aria-label="Command 1">x</div>"#;
    some(r#"landmark-unique: <div role="region""#, &of_body(page, &region.repeat(2)).await);
    some("region: <p>Text", &of_body(page, "</main><p>Text.</p><main>").await);
}

/// A page for any address that leads nowhere starts from the root of its host.
pub async fn style_from_the_root_of_the_host(page: &Fixture<'_>) {
    page.write("root.css", "p { color: #999 }");
    let head = r#"<link rel="stylesheet" href="/root.css">
        <script>const path_to_root = "/";</script>"#;
    page.write("404.html", &html(head, "<main><h1>Title</h1><p>Text.</p></main>"));
    let site = Site::serve_as_built(page.folder.path()).await.expect("a site");
    let axe = axe().expect("axe-core");
    let view = PHONE.theme("light");
    let found = check_access(page.browser, &site, "404.html", view, &axe).await;
    one("color-contrast: <p>", &found);
}

pub async fn missing_page(page: &Fixture<'_>) {
    let axe = axe().expect("axe-core");
    let view = PHONE.theme("light");
    let found = check_access(page.browser, &page.site, "no.html", view, &axe).await;
    one("cannot be checked", &found);
}

pub async fn switch_that_no_key_reaches(page: &Fixture<'_>) {
    let faults = async |element: &str, script: &str| {
        let body = format!(
            r#"<input type="checkbox" id="mdbook-sidebar-toggle-anchor" hidden>{element}<script>
            const box = document.getElementById("mdbook-sidebar-toggle-anchor");
            const button = document.getElementById("mdbook-sidebar-toggle");
            button.addEventListener("click", () => {{ {script} }});</script>"#
        );
        page.page("", &body);
        check_switch(page.browser, &page.site, "page.html", PHONE).await
    };
    let button = r#"<button id="mdbook-sidebar-toggle" aria-expanded="false">Contents</button>"#;
    let press = r#"box.checked = !box.checked; button.setAttribute("aria-expanded", box.checked)"#;
    none(&faults(button, press).await);
    let label =
        r#"<label id="mdbook-sidebar-toggle" for="mdbook-sidebar-toggle-anchor">Contents</label>"#;
    some("no key reaches it\n.*Enter does not press it", &faults(label, "").await);
    some("Space does not press it", &faults(button, "").await);
    let mute = faults(button, "box.checked = !box.checked").await;
    some("Enter it says the opposite", &mute);
    let hidden = faults("<p id=mdbook-sidebar-toggle hidden>", "").await;
    some("no key reaches it", &hidden);
}
