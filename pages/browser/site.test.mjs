// node --test: the page checks find what they are there to find.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";

import { PHONE, browser, folder, server } from "./fixture.mjs";
import {
  checkColours,
  checkFolds,
  checkKeys,
  checkMark,
  checkMath,
  checkNames,
  checkPage,
  checkPrint,
  checkSearch,
  launch,
  pagesOf,
  tooHeavy,
  weigh,
} from "./site.mjs";

/// The faults of a page with this body; its own faults are the only ones it can have.
async function faultsOf(body, { context, scripted } = browser) {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,"></head>
    <body style="margin: 0; overflow-x: hidden">
    <div id="mdbook-content" style="overflow-y: auto"><main>${body}</main></div></body></html>`;
  await writeFile(path.join(folder, "page.html"), html);
  return checkPage(context, server, "page.html", PHONE, scripted);
}

/// The attributes of a box that scrolls as it should.
const REACHABLE = 'tabindex="0" role="region" aria-label="Box"';

/// A source page of 30 lines with a mark over lines 3 to 5.
function source({ top = "calc(2 * 20px)", mark = "#0000ff20", edge = "#00f", text = "#222" } = {}) {
  const rows = Array.from({ length: 30 }, (_, index) => index + 1);
  return `<style>
    .source-file { position: relative; font: 14px/20px monospace; background: #fff }
    .source-file pre { margin: 0; font: inherit; float: left }
    .source-file code { font: inherit; color: ${text} }
    #L3-L5 { position: absolute; inset: ${top} 0 auto; height: 60px }
    #L3-L5:target { background: ${mark}; box-shadow: inset 0 0 0 1px ${edge} }
    </style><div class="source-file"><span id="L3-L5"></span>
    <pre class="line-numbers">${rows.map((row) => `<span id="L${row}">${row}</span>`).join("\n")}</pre>
    <pre><code>${rows.map((row) => `line ${row}`).join("\n")}</code></pre></div>`;
}

/// The faults of the mark that an address names.
async function marksOf(body, hash = "#L3-L5") {
  await faultsOf(body);
  return checkMark(browser.context, server, `page.html${hash}`, PHONE, "light");
}

test("a page without fault has none", async () => {
  assert.deepEqual(await faultsOf("<p>Text.</p>"), []);
});

test("something wide is found although the page hides it", async () => {
  const [fault] = await faultsOf('<p id="wide" style="width: 500px">Text.</p>');
  assert.equal(fault, "page.html at 360 px: p#wide ends at 500 px: Text.");
});

test("something wide may scroll inside itself, and the box that scrolls must fit", async () => {
  const inner = '<div style="width: 500px; height: 9px">Text.</div>';
  const box = `<div style="overflow-x: auto" ${REACHABLE}>${inner}</div>`;
  assert.deepEqual(await faultsOf(box), []);
  assert.notDeepEqual(await faultsOf(`<div style="overflow-x: hidden">${inner}</div>`), []);
  const wide = `<div id="box" style="overflow-x: auto; width: 400px">${inner}</div>`;
  assert.match((await faultsOf(wide))[0], /div#box ends at 400 px/);
});

test("something wide is found without JavaScript too", async () => {
  const scriptless = await launch({ javaScriptEnabled: false });
  const body = '<p id="wide" style="width: 500px">Text.</p><script>console.error("ran")</script>';
  const view = { ...scriptless, scripted: false };
  const faults = await faultsOf(body, view).finally(scriptless.stop);
  assert.deepEqual(faults, ["page.html at 360 px: p#wide ends at 500 px: Text."]);
});

test("what scrolls and no key reaches is found, in something folded too", async () => {
  const inner = '<div style="width: 500px">Text.</div>';
  const box = (attributes) => `<div style="overflow-x: auto" ${attributes}>${inner}</div>`;
  const at = "page.html at 360 px: div";
  assert.deepEqual(await faultsOf(box('role="region" aria-label="Box"')), [
    `${at} scrolls and is no tab stop: Text.`,
  ]);
  assert.deepEqual(await faultsOf(box('tabindex="0" role="region"')), [
    `${at} has no name: Text.`,
  ]);
  assert.deepEqual(await faultsOf(box('tabindex="0" aria-label="Box"')), [
    `${at} scrolls and has no role: Text.`,
  ]);
  const folded = `<details><summary>More</summary>${box("")}</details>`;
  assert.equal((await faultsOf(folded)).length, 3);
});

test("a tab stop for nothing is found where a script could tell", async () => {
  const body = `<div ${REACHABLE}>Text.</div>`;
  assert.deepEqual(await faultsOf(body), [
    "page.html at 360 px: div is a tab stop and does not scroll: Text.",
  ]);
  assert.deepEqual(await faultsOf(body, { ...browser, scripted: false }), []);
});

test("an arrow key that turns the page or does not scroll is found", async () => {
  const inner = '<div style="width: 500px">Text.</div>';
  const box = `<div class="table-box" style="overflow-x: auto" ${REACHABLE}>${inner}</div>`;
  const keys = async (script) => {
    await faultsOf(`${box}<script>addEventListener("keydown", (event) => { ${script} })</script>`);
    return checkKeys(browser.context, server, "page.html", PHONE);
  };
  assert.deepEqual(await keys(""), []);
  assert.match((await keys("event.preventDefault()"))[0], /does not scroll the box/);
  assert.match((await keys('location.href = "page.html?next"'))[0], /turns the page/);
  await faultsOf("<p>Text.</p>");
  assert.match((await checkKeys(browser.context, server, "page.html", PHONE))[0], /no box/);
});

test("a mark that is missing, misplaced or hides the text is found", async () => {
  assert.deepEqual(await marksOf(source()), []);
  const faults = async (options) => (await marksOf(source(options))).join("\n");
  assert.match(await faults({ top: "0" }), /does not start at the first line/);
  assert.match(await faults({ top: "0" }), /does not end at the last line/);
  assert.match(await faults({ mark: "transparent" }), /the mark has no colour/);
  assert.match(await faults({ mark: "#0000ff80" }), /marked text has a contrast of [1-4]\./);
  assert.match(await faults({ text: "#888" }), /marked text has a contrast of 3\./);
  assert.match(await faults({ edge: "#eee" }), /the line around the mark has a contrast of 1\./);
  assert.match(await faults({ top: "calc(2 * 20px) 50%" }), /narrower than the file/);
  const bar = '<p id="mdbook-menu-bar" style="position: fixed; inset: 0; margin: 0">Menu</p>';
  assert.match((await marksOf(bar + source()))[0], /the first line is out of sight/);
  assert.match((await marksOf(source(), "#L3-L6"))[0], /#L3-L6 is no place on this page/);
});

const LAPTOP = { width: 1280, height: 800 };

test("100 columns that do not fit a laptop are found", async () => {
  const listing = (columns, width) => `<figure class="listing"><pre><code ${REACHABLE}
    style="display: block; overflow-x: auto; width: ${width}px; font: 13px/1.5 monospace"
    >${"x".repeat(columns)}</code></pre></figure>`;
  const faults = async (columns, width) => {
    await faultsOf(listing(columns, width));
    const found = await checkPage(browser.context, server, "page.html", LAPTOP, false);
    return found.join("\n");
  };
  assert.match(await faults(100, 400), /code of 100 columns scrolls: xxx/);
  assert.equal(await faults(101, 400), "");
  assert.equal(await faults(100, 900), "");
});

test("coloured words of a command and a chapter without its number are found", async () => {
  const command = (test) => `<pre><code>$ cargo ${test}</code></pre>`;
  assert.deepEqual(await faultsOf(command("test")), []);
  const coloured = await faultsOf(command('<b style="color: red">test</b>'));
  assert.match(coloured[0], /words of a command have colours: \$ cargo test/);
  const chapter = (shown) => `<style>h1::before { content: "${shown}" }</style>
    <h1>Title</h1><p class="listing-number">Listing 15-1</p>`;
  assert.deepEqual(await faultsOf(chapter("15")), []);
  assert.match((await faultsOf(chapter("1")))[0], /title of chapter 15 shows no number/);
});

test("a listing that is copied with other words than it shows is found", async () => {
  const listing = (more) =>
    `<figure class="listing"><pre style="font: 9px monospace"><code>a\n<b>b</b>${more}</code></pre></figure>`;
  assert.deepEqual(await faultsOf(listing("")), []);
  const [fault] = await faultsOf(listing('<span style="display: none">c</span>'));
  assert.match(fault, /a copy of a listing is not its text: a bc/);
});

test("code without colours and pale code are found", async () => {
  const code = (keyword) => `<pre style="background: #eee"><code class="language-rust"
    style="font: 10px monospace"><b style="color: ${keyword}">fn</b> f()</code></pre>`;
  const faults = async (keyword) => {
    const shown = await faultsOf(code(keyword));
    const pale = await checkColours(browser.context, server, "page.html", "light");
    return [...shown, ...pale].join("\n");
  };
  assert.equal(await faults("#00a"), "");
  assert.match(await faults("inherit"), /code has no colours: fn f\(\)/);
  assert.match(await faults("#888"), /contrast of 3\.\d+: b rgb\(136, 136, 136\) on rgb\(238/);
});

test("what a page loads is weighed", async () => {
  await writeFile(path.join(folder, "heavy.css"), `/* ${"x".repeat(9994)} */`);
  await writeFile(path.join(folder, "later.js"), "x".repeat(5000));
  await faultsOf('<link rel="stylesheet" href="heavy.css"><script type="text/later" src="later.js"></script>Text');
  const { html, requests, total, paint } = await weigh(browser.context, server, "page.html");
  assert.ok(html > 200 && html < 1000 && paint > 0, `${html} bytes, ${paint} ms`);
  assert.deepEqual([requests, total - html], [2, 10000]);

  assert.deepEqual(tooHeavy("a.html", { html: 350_000, total: 500_000 }), []);
  assert.deepEqual(tooHeavy("a.html", { html: 372_680, total: 694_876 }), [
    "a.html weighs 372680 bytes, more than 350000",
    "a.html loads 694876 bytes, more than 500000",
  ]);
});

test("a search that comes too early, late or not at all is found", async () => {
  const words = "seed";
  const frame = (script) => `<div id="mdbook-search-wrapper" hidden><input id="mdbook-searchbar">
    <ul id="mdbook-searchresults"></ul></div><button id="mdbook-search-toggle">Search</button>
    <main><p>The seed.</p></main><script>
    const [box, field] = [document.querySelector("div[hidden]"), document.querySelector("input")];
    const find = () => field.nextElementSibling.innerHTML = '<li><a href="?highlight=x">one</a></li>';
    const open = () => { box.hidden = false; field.focus() };
    document.querySelector("button").addEventListener("click", open);
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") box.hidden = true;
      if (event.target !== field && "/s".includes(event.key)) { event.preventDefault(); open() }
    });
    field.addEventListener("keyup", find);
    if (location.search.includes("search=")) { open(); find() }
    if (location.search.includes("highlight"))
      document.querySelector("main p").innerHTML = "<mark>The seed.</mark>";
    ${script}</script>`;
  const faults = async (script, change = (html) => html) => {
    await faultsOf(change(frame(script)));
    return (await checkSearch(browser.context, server, "page.html", words)).join("\n");
  };
  await writeFile(path.join(folder, "searcher.js"), "");
  assert.equal(await faults(""), "");
  const early = 'document.head.append(Object.assign(document.createElement("script"), { src: "searcher.js" }))';
  assert.match(await faults(early), /loads 1 scripts of the search that nobody asked for/);
  const deaf = await faults("", (html) => html.replace('"/s"', '"s"').replace('"keyup"', '"x"'));
  assert.match(deaf, /the key \/ finds nothing[^]*the key \/: of "seed" arrived "eed"/);
  const cut = 'field.addEventListener("input", () => { if (field.value === "s") field.value = "" })';
  assert.match(await faults(cut), /of "seed" arrived "eed"/);
  assert.match(await faults("", (html) => html.replace('"Escape"', '"x"')), /Escape does not close/);
  assert.match(await faults("", (html) => html.replace("<mark>", "<b>")), /does not mark the words/);
});

test("a check that does not unfold is found", async () => {
  const fold = (script) => `<figure><pre><code style="font: 9px monospace">code</code>
    <button class="clip-button"></button></pre>
    <details class="check"><summary>What checks</summary></details>
    <p><a href="source/tests/listings/a.html">a</a></p></figure><script>
    const fold = document.querySelector("details");
    const put = (html) => fold.insertAdjacentHTML("beforeend", html);
    const load = (then) => {
      const script = Object.assign(document.createElement("script"), { src: "tests/listings/a.js" });
      script.onload = then;
      script.onerror = () => put("<p><a href='a.html'>a</a></p>");
      document.head.append(script);
    };
    const check = '<pre><code style="font: 9px monospace">fn check()</code><button class="clip-button">';
    ${script}</script>`;
  await mkdir(path.join(folder, "tests/listings"), { recursive: true });
  await writeFile(path.join(folder, "tests/listings/a.js"), "");
  const faults = async (script) => {
    // The page's own check waits for what never comes here.
    await faultsOf(fold(script).replace('class="check"', 'class="later"'));
    const html = await readFile(path.join(folder, "page.html"), "utf8");
    await writeFile(path.join(folder, "page.html"), html.replace('class="later"', 'class="check"'));
    return (await checkFolds(browser.context, server, "page.html", PHONE)).join("\n");
  };
  const once = "{ once: true }";
  const good = `fold.addEventListener("toggle", () => load(() => put(check)), ${once});`;
  assert.equal(await faults(good), "");
  assert.match(await faults(`load(() => {}); ${good}`), /1 folds, 1 checks loaded before/);
  assert.match(await faults(good.replace(once, "{}")), /[23] checks with [23] buttons/);
  assert.match(await faults(good.replace("put(check)", 'put("<pre><code>no")')), /no check in a fold: no/);
  assert.match(await faults(good.replace("put(check)", "0")), /cannot be tried: .*Timeout/);
  const without = good.replace("load(() => put(check))", "put(check)");
  assert.match(await faults(without), /cannot be tried: .*Timeout/);
});

test("names in code that are many tab stops, hidden or turn the page are found", async () => {
  const listing = (style, rove = true) => `<style>code a { color: inherit; text-decoration: underline dotted }
    code a:focus { text-decoration: underline solid } ${style}</style>
    <pre><code style="font: 9px monospace"><u><a href="#x">One</a></u> <a href="#y"
    ${rove ? 'tabindex="-1"' : ""}>Two</a></code></pre><script>
    const all = [...document.querySelectorAll("code a")];
    document.querySelector("code").addEventListener("keydown", (event) => {
      const next = all[all.indexOf(event.target) + { ArrowRight: 1, ArrowLeft: -1 }[event.key]];
      if (next) { all.forEach((a) => (a.tabIndex = -1)); next.tabIndex = 0; next.focus() }
    });</script>`;
  const faults = async (body) => {
    await faultsOf(body);
    return (await checkNames(browser.context, server, "page.html")).join("\n");
  };
  assert.equal(await faults(listing("")), "");
  assert.match(await faults(listing("", false)), /have 2 tab stops/);
  assert.match(await faults(listing("code a { text-decoration: none }")), /has no dotted line/);
  assert.match(await faults(listing("code a { color: red }")), /a colour of its own/);
  assert.match(await faults(listing("code a:focus { text-decoration: none }")), /has no plain line/);
  const still = listing("").replace("next.focus()", "");
  assert.match(await faults(still), /does not lead from one name to the next/);
  const turning = listing("").replace("if (next)", 'if (!next && event.key === "ArrowLeft") location.href = "?next"; else if (next)');
  assert.match(await faults(turning), /at the first name turns the page|cannot be tried/);
});

test("what goes wrong on paper is found", async () => {
  const printed = async (body) => {
    await faultsOf(`<style>code { display: block; font: 10px/15px monospace }</style>${body}`);
    return (await checkPrint(browser.context, server, "page.html")).join("\n");
  };
  const listing = (style, columns = 100) =>
    `<figure class="listing" style="margin: 0"><pre><code style="${style}">${"x ".repeat(columns / 2)}
    </code></pre></figure>`.replace(/\n\s+/, "");
  assert.equal(await printed(listing("white-space: pre-wrap")), "");
  const wrapped = listing("white-space: pre-wrap; width: 300px");
  assert.match(await printed(wrapped), /100 columns do not fit the paper/);
  const cut = listing("overflow: hidden; width: 300px");
  assert.match(await printed(cut), /100 columns do not fit the paper/);
  const rows = (height) => `<div class="source-file"><pre class="line-numbers"
    style="font: 10px/${height}px monospace"><span>1</span>\n<span>2</span>\n<span>3</span></pre>
    <pre><code>a\nb\nc</code></pre></div>`;
  assert.equal(await printed(rows(15)), "");
  assert.match(await printed(rows(22)), /numbers are \d+ px high, lines 45 px/);
  const lead = (style) => `<p style="${style}">So:</p><ul><li>one</li></ul>`;
  assert.equal(await printed(lead("break-after: avoid")), "");
  assert.match(await printed(lead("")), /may be parted from what it announces: So:/);
  const fold = (style) => `<main><style>${style}</style><details><summary>Answer</summary><p>Four</p></details></main>`;
  const open = "details::details-content { content-visibility: visible; block-size: auto }";
  assert.equal(await printed(fold(open)), "");
  assert.match(await printed(fold("")), /stays folded on paper: Four/);
  const place = (font) => `<figure><figcaption>Caption</figcaption>
    <p class="check-place" style="font-family: ${font}">Checked.</p></figure>`;
  assert.equal(await printed(place("inherit")), "");
  assert.match(await printed(place("fantasy")), /not in the font of captions: Checked\./);
});

test("a bar with a gap is found", async () => {
  const bar = (width) => `<style>mo { visibility: hidden }
    mover { background: linear-gradient(#000, #000) no-repeat top / ${width} 2px }</style>
    <p style="margin: 60px"><math><mover accent="true"><mrow><mi>c</mi><mo stretchy="false">(</mo>
    <mi>e</mi></mrow><mo stretchy="true">\u0332</mo></mover></math></p>`;
  const faults = async (body) => {
    await faultsOf(body);
    const found = await checkMath(browser.context, server, "page.html", PHONE, "light", "screen");
    return found.join("\n");
  };
  assert.doesNotMatch(await faults(bar("100%")), /overline/);
  assert.match(await faults(bar("70%")), /an overline has gaps/);
});

test("an error on the console is found", async () => {
  const faults = await faultsOf('<script>console.error("planted")</script>');
  assert.deepEqual(faults, ["page.html at 360 px: console: planted"]);
});

test("a script that throws is found", async () => {
  const faults = await faultsOf('<script>throw new Error("planted")</script>');
  assert.deepEqual(faults, ["page.html at 360 px: script: planted"]);
});

test("a missing file is found", async () => {
  const faults = await faultsOf('<img src="missing.png" alt="">');
  assert.ok(faults.some((fault) => /status 404: .*\/missing\.png$/.test(fault)), `${faults}`);
});

test("an address above the book is missing", async () => {
  const faults = await faultsOf('<script src="/absolute.js"></script>');
  assert.ok(faults.some((fault) => /status 404: .*\/absolute\.js$/.test(fault)), `${faults}`);
});

test("a request to another host is found", async () => {
  const faults = await faultsOf('<img src="http://localhost.invalid/pixel.png" alt="">');
  assert.ok(faults.some((fault) => fault.includes("leaves the site: http://localhost.invalid")));
});

test("a page that is not there is found", async () => {
  const faults = await checkPage(browser.context, server, "nowhere.html", PHONE);
  assert.ok(faults.some((fault) => fault.includes("status 404")), `${faults}`);
});

test("the pages of a book are found in its folders too", async () => {
  await mkdir(path.join(folder, "book/source"), { recursive: true });
  for (const page of ["index.html", "404.html", "toc.html", "a.css", "source/b.html"]) {
    await writeFile(path.join(folder, "book", page), "");
  }
  assert.deepEqual(await pagesOf(path.join(folder, "book")), ["index.html", "source/b.html"]);
});
