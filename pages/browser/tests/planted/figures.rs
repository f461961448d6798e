use pullback_browser::{
    check_arrival, check_contrast, check_ledger, check_ledger_box, check_still, check_tables,
    check_together, Fault, View, PHONE,
};

use crate::fixture::{changed, none, one, some, style, Fixture};

/// What the steps of the small ledger send back.
const SENT: [&str; 3] = ["3 4", "5", "6 7"];

/// A graph of four nodes and three edges, and its ledger.
fn body(wide: usize, style: &str) -> String {
    let node = |index: usize| {
        let adjoint = ["6 7", "5", "3 4", "1"][index];
        let (top, line) = (5 + 40 * index, 20 + 40 * index);
        format!(
            r##"<g data-node="{index}"><rect x="5" y="{top}" width="30" height="20" fill="#fff"
            stroke="#000"></rect><text x="9" y="{line}">n{index}</text><text x="40"
            y="{line}"><tspan>adjoint</tspan> {adjoint}</text></g>"##
        )
    };
    let edge = |index: usize| {
        let y = 25 + 40 * (2 - index);
        let head = y + 15;
        format!(
            r##"<g data-edge="{index}"><path d="M20 {y}v20M16 {head}l4 5l4 -5" stroke="#000"></path></g>"##
        )
    };
    let row = |index: usize, [child, parent]: [usize; 2], upstream: &str| {
        let sent = SENT[index];
        format!(
            r#"<tr data-edge="{index}" data-child="{child}" data-parent="{parent}">
            <th scope="row">{index}</th><td>n{child} → n{parent}</td><td>0</td><td>{upstream}</td>
            <td class="n">{sent}</td><td>{sent}</td></tr>"#
        )
    };
    let edges: String = (0..3).rev().map(edge).collect();
    let nodes: String = (0..4).map(node).collect();
    let rows = row(0, [3, 2], "1") + &row(1, [2, 1], "3 4") + &row(2, [1, 0], "5");
    format!(
        r#"<style>body {{ margin: 0; background: #fff; color: #000 }}
        .back, .now .forth {{ display: none }} .stepper .now .back {{ display: inline }}
        tr[aria-current] {{ box-shadow: inset 3px 0 rgb(0, 0, 200) }}
        @media print {{ .stepper {{ display: none }} }} {style}</style>
        <figure class="drawing" data-drawing="forward-graph" id="graph">
        <svg width="50" height="160">{edges}{nodes}</svg></figure>
        <figure class="drawing" data-drawing="reverse-ledger" id="ledger"><div class="drawn">
        <div class="table-box" tabindex="0" role="region" aria-label="Box" style="overflow-x: auto">
        <table style="font-size: 12px; min-width: {wide}px"><thead><tr><th>step</th><th>edge</th>
        <th>slot</th><th>upstream u</th><th>contribution</th><th>adjoint after</th></tr></thead>
        <tbody>{rows}</tbody></table></div></div></figure>"#
    )
}

/// The small ledger with the book's own script, changed in one place at a time.
struct Small<'a, 'b> {
    page: &'a Fixture<'b>,
    script: String,
    wide: usize,
    style: String,
}

impl<'a, 'b> Small<'a, 'b> {
    fn new(page: &'a Fixture<'b>) -> Self {
        Self { page, script: style("ledger.js"), wide: 0, style: String::new() }
    }

    fn with(self, part: &str, other: &str) -> Self {
        Self { script: changed(&self.script, [part, other]), ..self }
    }

    fn wide(self, wide: usize) -> Self {
        Self { wide, ..self }
    }

    fn style(self, style: &str) -> Self {
        Self { style: style.to_string(), ..self }
    }

    /// Writes the page. As mdBook does, it turns for an arrow key that nobody takes.
    fn write(&self) {
        let keys = style("keys.js").replace("\"use strict\";", "");
        let turning = r#"document.addEventListener("keydown", (event) => {
            if (["ArrowRight", "ArrowLeft"].includes(event.key)) location.href = "?turned"; })"#;
        let (body, script) = (body(self.wide, &self.style), &self.script);
        let scripts = [format!("{{{keys}}}"), format!("{{{script}}}"), turning.to_string()];
        let scripts: String = scripts.map(|one| format!("<script>{one}</script>")).concat();
        self.page.page("", &format!("{body}{scripts}"));
    }

    async fn steps(&self) -> Vec<Fault> {
        self.steps_sending(&SENT).await
    }

    async fn steps_sending(&self, sent: &[&str]) -> Vec<Fault> {
        self.write();
        check_ledger(self.page.browser, &self.page.site, "page.html", PHONE, sent).await
    }

    async fn in_the_box(&self) -> Vec<Fault> {
        self.write();
        check_ledger_box(self.page.browser, &self.page.site, "page.html", PHONE).await
    }

    async fn together(&self) -> Vec<Fault> {
        self.write();
        check_together(self.page.browser, &self.page.site, "page.html", PHONE).await
    }

    async fn arrival(&self) -> Vec<Fault> {
        self.write();
        let Fixture { browser, site, .. } = self.page;
        check_arrival(browser, site, "page.html", "ledger", PHONE).await
    }

    async fn tables(&self) -> Vec<Fault> {
        self.write();
        check_tables(self.page.browser, &self.page.site, "page.html", PHONE).await
    }

    async fn still(&self, rows: usize, view: View) -> Vec<Fault> {
        self.write();
        check_still(self.page.browser, &self.page.site, "page.html", view, rows).await
    }

    async fn contrast(&self) -> Vec<Fault> {
        self.write();
        let view = PHONE.theme("light");
        check_contrast(self.page.browser, &self.page.site, "page.html", view).await
    }
}

pub async fn ledger_without_fault(page: &Fixture<'_>) {
    none(&Small::new(page).steps().await);
}

pub async fn steps_missing_or_wrong(page: &Fixture<'_>) {
    let found = async |part, other| Small::new(page).with(part, other).steps().await;
    let started = r#"document.querySelectorAll("[data-drawing='reverse-ledger']").forEach(start);"#;
    one("has no steps", &found(started, "").await);
    one("at first, step 0: the marked row is 1", &found("show(0);", "show(1);").await);
    let other = Small::new(page).steps_sending(&["3 4", "6", "6 7"]).await;
    one(r#"step 1: the contribution is "5", not "6""#, &other);
    one("what is shown is", &found("row.cells].slice(1)", "row.cells].slice(0, 2)").await);
    one("the labels is", &found("heads[index + 1]", "heads[index]").await);
    let child = r#"`[data-node="${row.dataset.child}"]`"#;
    one("the marked child is", &found(child, r#""[data-node='0']""#).await);
    let kept = found("one.classList.remove(mark)", "one.classList.add(mark)").await;
    one("the marked edge is", &kept);
    one(r#"it is announced as """#, &found("said.replaceChildren(", "said.title = String(").await);
    let ahead = found("rows.slice(0, step + 1).filter", "rows.filter").await;
    one("step 0: the adjoints in the graph is", &ahead);
    let output = found("if (!targets.has(node))", "if (false)").await;
    one("step 0: the adjoints in the graph is", &output);
    // Keys before a graph of a whole screen: they scroll away with what is above it.
    let tall = Small::new(page).style(".stepper svg { height: 900px }").steps().await;
    one("buttons are out of sight", &tall);
    let sticky = ".stepper svg { height: 900px } .stepper-keys { position: sticky; top: 0 }";
    none(&Small::new(page).style(sticky).steps().await);
    let back = Small::new(page).style(".back, .now .forth { display: inline }").steps().await;
    one("the edge whose arrow points back is", &back);
}

pub async fn mouse_or_key_that_does_something_else(page: &Fixture<'_>) {
    let found = async |part, other| Small::new(page).with(part, other).steps().await;
    let far = found("() => go(step + 1)", "() => go(step + 2)").await;
    one("by mouse, step 1: the marked row is 2", &far);
    let deaf = found("() => go(step - 1)", "() => {}").await;
    one("back by mouse, step 1: the marked row is 2", &deaf);
    let turns = "an arrow key in the ledger turns the page";
    some(turns, &found("ArrowRight: 1", "ArrowDown: 1").await);
    let astray = found("go(step + by)", "go(step - by)").await;
    one("by ArrowRight, step 2: the marked row is 0", &astray);
    some(turns, &found("event.stopPropagation();", "").await);
    let keys_alone = found(", tabIndex: -1", "").await;
    some("by ArrowRight after a click beside the buttons, step 1", &keys_alone);
    let everywhere =
        found(r#"figure.addEventListener("keydown""#, r#"document.addEventListener("keydown""#)
            .await;
    some("turns the page|by a key outside", &everywhere);
}

pub async fn play_that_does_not_go_stop_or_ask(page: &Fixture<'_>) {
    let found = async |part, other| Small::new(page).with(part, other).steps().await;
    let stuck = found("timer = setInterval(advance, PAUSE);", "timer = 1;").await;
    one("by Play, step 2", &stuck);
    some("after Pause|does not stop", &found("clearInterval(timer);", "").await);
    let end = "if (step === rows.length - 1) {\n                pause();";
    some("does not stop", &found(end, "if (false) {\n                pause();").await);
    one("wants no motion", &found("play.hidden = calm.matches;", "").await);
}

pub async fn table_that_scrolls_keeps_its_keys(page: &Fixture<'_>) {
    none(&Small::new(page).wide(900).in_the_box().await);
    let own = r#"figure.addEventListener("keydown", (event) => {"#;
    let all = r#"addEventListener("keydown", (event) => {"#;
    none(&Small::new(page).wide(900).with(own, all).in_the_box().await);
    let capturing = ["go(step + by);\n        });", "go(step + by);\n        }, true);"];
    let first = Small::new(page).wide(900).with(own, all).with(capturing[0], capturing[1]);
    some("takes a step", &first.in_the_box().await);
    some("does not scroll", &Small::new(page).in_the_box().await);
}

/// A box for the graph with the keys at its top, below the details.
const BOX: &str = ".stepper-view { display: flex; flex-direction: column-reverse }
    .stepper-graph { display: flex; flex-direction: column; height: 150px; overflow: auto }
    .stepper svg { flex: none; height: 480px } .stepper-keys { position: sticky; top: 0 }";

pub async fn step_that_one_window_does_not_show(page: &Fixture<'_>) {
    none(&Small::new(page).style(BOX).together().await);
    let tall = [BOX, ".stepper-graph { height: 900px }"].concat();
    one("step 0 is not in one window", &Small::new(page).style(&tall).together().await);
    let before = [BOX, ".stepper-view { flex-direction: column }"].concat();
    one("step 0 is not in one window", &Small::new(page).style(&before).together().await);
    let still = Small::new(page).style(BOX).with("box.scrollBy({", "void ({");
    one(r"step \d is not in one window", &still.together().await);
    let grows = ".stepper:has([data-edge='1'].now) .stepper-edge { padding-top: 9px }";
    let grows = [BOX, grows].concat();
    one("step 1 jumps", &Small::new(page).style(&grows).together().await);
    let deaf = "figure.addEventListener(\"keydown\", (event) => {";
    let deaf = Small::new(page).style(BOX).with(deaf, &format!("{deaf} event.preventDefault();"));
    one("no key scrolls the box of the graph", &deaf.together().await);
}

pub async fn keys_that_an_arriving_reader_does_not_see(page: &Fixture<'_>) {
    let room = "body { padding-bottom: 2000px }";
    none(&Small::new(page).style(&[BOX, room].concat()).arrival().await);
    let low = [BOX, room, ".stepper-edge { min-height: 900px }"].concat();
    one("keys of the ledger are not in the window", &Small::new(page).style(&low).arrival().await);
    let bar = "<b id='mdbook-menu-bar' style='position: fixed; top: 0; height: 500px'></b>";
    let under = Small::new(page).style(&[BOX, room, "</style>", bar, "<style>"].concat());
    one("keys of the ledger are not in the window", &under.arrival().await);
}

pub async fn table_that_is_cut(page: &Fixture<'_>) {
    none(&Small::new(page).tables().await);
    one(r#"the box "Box" cuts its table"#, &Small::new(page).wide(900).tables().await);
}

pub async fn still_figures_that_lack_something(page: &Fixture<'_>) {
    let (silent, paper) = (PHONE.scriptless(), PHONE.printed());
    none(&Small::new(page).still(3, silent).await);
    one("the ledger shows 3 rows, not 4", &Small::new(page).still(4, silent).await);
    let rows = Small::new(page).style("tr + tr { display: none }").still(3, silent).await;
    some("(?s)shows 1 rows.*ledger hides 14 parts, one a tr", &rows);
    let picture = Small::new(page).style("svg { visibility: hidden }").still(3, silent).await;
    one(r"graph hides \d+ parts, one a svg", &picture);
    none(&Small::new(page).still(3, paper).await);
    let wide = Small::new(page).wide(900).still(3, paper).await;
    one("ledger is wider than the paper", &wide);
    let steps = Small::new(page).style(".stepper { display: block !important }");
    one("has steps that nothing can take", &steps.still(3, paper).await);
}

pub async fn faint_texts_and_lines(page: &Fixture<'_>) {
    let found = async |style| Small::new(page).style(style).contrast().await;
    none(&found("").await);
    some(r": text has a contrast of 3\.5", &found("td { color: #888 }").await);
    let letters = found("svg text { fill: #888 }").await;
    some(r"text of a picture has a contrast of 3\.5", &letters);
    let pills = found("svg rect { fill: #666 }").await;
    some(r"text of a picture has a contrast of [1-4]\.", &pills);
    let lines = found("svg path { stroke: #aaa }").await;
    some(r"line of a picture has a contrast of 2\.", &lines);
    let arrow =
        "</style><a class='mobile-nav-chapters' style='background: #3b2e2a; color: #17506f'>
        next</a><style>";
    some(r"arrow to another page has a contrast of 1\.", &found(arrow).await);
    let edge = found("tr[aria-current] { box-shadow: inset 3px 0 rgb(220, 220, 220) }").await;
    some("edge of the marked row", &edge);
}
