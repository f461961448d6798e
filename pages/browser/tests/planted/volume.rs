use pullback_browser::{check_document, Fault, Site};

use crate::fixture::{none, one, some, Fixture};

async fn faults(page: &Fixture<'_>, body: &str) -> Vec<Fault> {
    let document = format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
        <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>t</title></head>
        <body style="margin: 8px">{body}</body></html>"#
    );
    page.write("one.xhtml", &document);
    let site = Site::disk(page.folder.path()).expect("a folder");
    check_document(page.browser, &site, "one.xhtml").await
}

fn picture(height: u32) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="{height}">
        <title>Tall</title></svg>"#
    )
}

pub async fn no_fault(page: &Fixture<'_>) {
    none(&faults(page, &format!("<p>Words.</p>{}", picture(500))).await);
}

pub async fn wider_or_higher_than_a_page(page: &Fixture<'_>) {
    let wide = r#"<table style="width: 400px"><tr><td>Wide</td></tr></table>"#;
    some("the volume: table ends at 408 px: Wide", &faults(page, wide).await);
    let scrolls = format!(r#"<div style="overflow-x: auto">{wide}</div>"#);
    some("the volume: div scrolls", &faults(page, &scrolls).await);
    one("no page holds the picture: Tall", &faults(page, &picture(600)).await);
    some("lost.png|ERR_FILE_NOT_FOUND", &faults(page, r#"<img src="lost.png" alt="" />"#).await);
}
