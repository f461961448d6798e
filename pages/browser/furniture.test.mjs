// node --test: the checks of what stands around the chapters find what they are there to find.

import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";

import { PHONE, browser, folder, server } from "./fixture.mjs";
import {
  checkAddresses,
  checkFrame,
  checkLandmarks,
  checkLinks,
  checkLost,
  checkSearch,
  checkTerms,
  serveAsBuilt,
} from "./furniture.mjs";
import { preview, samePicture } from "./preview.mjs";
import { launch } from "./site.mjs";

let touched;

before(async () => {
  touched = await launch({ hasTouch: true, isMobile: true });
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
});

after(async () => {
  await touched.stop();
});

async function write(file, text) {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

const html = (body, head = "") => `<!doctype html><html lang="en"><head><meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1"><title>t</title>${head}
  <link rel="icon" href="data:,"></head><body>${body}</body></html>`;

/// The faults that a check finds on a page with this body, as one text.
async function faults(check, body, ...more) {
  await write("page.html", html(body));
  return (await check(browser.context, server, "page.html", PHONE, ...more)).join("\n");
}

const SKIP = '<a class="skip-link" href="#mdbook-content">Skip</a>';
const SWITCH = '<input type="checkbox" id="switch" checked aria-label="Contents">';
const SIDEBAR = `<nav id="mdbook-sidebar" aria-label="Contents"><a href="#t">A</a></nav>`;
const LABEL = '<label id="mdbook-sidebar-toggle" for="switch">=</label>';
const STYLE = `<style>#switch:not(:checked) ~ nav { visibility: hidden }
  #switch:focus ~ #mdbook-sidebar-toggle { outline: 2px solid }</style>`;
const BUTTON = `<button style="outline: 2px solid" id="mdbook-sidebar-toggle" aria-label="Contents" aria-expanded="true" onclick="
  const nav = document.querySelector('nav');
  nav.style.visibility = nav.style.visibility ? '' : 'hidden';
  this.ariaExpanded = !nav.style.visibility">=</button>`;
const TEXT = '<div id="mdbook-content" tabindex="-1"><main><h1>T</h1><a href="#t" id="t">x</a></main></div>';

test("a frame without skip link, switch, name, mark or effect is found", async () => {
  const frame = (...parts) => faults(checkFrame, parts.join(""));
  assert.equal(await frame(STYLE, SKIP, SWITCH, SIDEBAR, LABEL, TEXT), "");
  assert.match(await frame(STYLE, SWITCH, SIDEBAR, LABEL, TEXT), /first tab stop is no skip link/);
  const hidden = SKIP.replace("<a", '<a style="position: fixed; top: -99px"');
  assert.match(await frame(STYLE, hidden, SWITCH, SIDEBAR, LABEL, TEXT), /no skip link in sight/);
  const astray = SKIP.replace("#mdbook-content", "#nowhere");
  assert.match(await frame(STYLE, astray, SWITCH, SIDEBAR, LABEL, TEXT), /does not lead into the text/);
  assert.match(await frame(STYLE, SKIP, SIDEBAR, LABEL, TEXT), /no tab stop is the switch/);
  assert.equal(await frame(SKIP, SIDEBAR, BUTTON, TEXT), "");
  const mute = BUTTON.replace(/this.ariaExpanded = [^"]*/, "");
  assert.match(await frame(SKIP, SIDEBAR, mute, TEXT), /a screen reader is not told/);
  const nameless = SWITCH.replace(/ aria-label="[^"]*"/, "");
  assert.match(await frame(STYLE, SKIP, nameless, SIDEBAR, LABEL, TEXT), /the switch has no name/);
  const marked = STYLE.replace("2px solid", "none");
  assert.match(await frame(marked, SKIP, SWITCH, SIDEBAR, LABEL, TEXT), /does not show that it has/);
  const still = STYLE.replace(/#switch:not.*/, "");
  assert.match(await frame(still, SKIP, SWITCH, SIDEBAR, LABEL, TEXT), /does not switch the sidebar/);
  const once = `<script>onchange = (event) => { document.querySelector("nav").remove() }</script>`;
  assert.match(await frame(STYLE, SKIP, SWITCH, SIDEBAR, LABEL, TEXT, once), /cannot be checked|back/);
});

test("landmarks that are missing, nameless or named alike are found", async () => {
  const page = (nav, rest = "<main><h1>T</h1></main>") =>
    faults(checkLandmarks, `<div role="banner">B</div>${nav}${rest}`);
  assert.equal(await page('<nav aria-label="a">1</nav><nav aria-label="b">2</nav>'), "");
  assert.match(await page("<nav>1</nav>"), /navigations have no names/);
  assert.match(await page('<nav aria-label="a">1</nav><nav aria-label="a">2</nav>'), /no names of their/);
  assert.match(await page("", "<div><h1>T</h1></div>"), /0 landmarks are a main/);
  assert.match(await page("", "<main><h1>T</h1><h1>U</h1></main>"), /2 headings are the title/);
});

/// A page with the book's own script for terms, changed by `change`.
async function termsPage(change = (script) => script) {
  const script = await readFile(new URL("../../book/style/terms.js", import.meta.url), "utf8");
  await write("style/glossary.js", `window.glossary={"sum":["Sum","What it is."]};`);
  await write("glossary.html", html('<p id="sum">Sum</p>'));
  await write(
    "page.html",
    html(`<style>#definition { position: absolute; max-width: 340px }</style>
      <div class="content"><main><p>A <a href="glossary.html#sum">sum</a>.</p><p><a href="#x">x</a></p>
      <p style="height: 2000px"></p></main></div>
      <script>const path_to_root = "";</script><script>${change(script)}</script>`),
  );
}

async function termsFaults(change, touch = false) {
  await termsPage(change);
  const { context } = touch ? touched : browser;
  return (await checkTerms(context, server, "page.html", PHONE, touch)).join("\n");
}

test("a definition that does not show, stay, go or tell is found", async () => {
  assert.equal(await termsFaults(), "");
  assert.equal(await termsFaults(undefined, true), "");
  const instead = (part, other) => (script) => {
    assert.ok(script.includes(part), part);
    return script.replaceAll(part, other);
  };
  const without = (part) => instead(part, "");
  assert.match(await termsFaults(() => ""), /under the pointer: .* not there/);
  const told = 'link.setAttribute("aria-describedby", box.id);';
  assert.match(await termsFaults(without(told)), /a screen reader is not told/);
  const stays = 'box.addEventListener("pointerenter", () => clearTimeout(leaving));';
  assert.match(await termsFaults(without(stays)), /in the definition: .* not there/);
  assert.match(await termsFaults(instead('"Escape"', '"Esc"')), /after Escape: .* is "Sum/);
  const focus = 'link.addEventListener("focus", () => show(link));';
  assert.match(await termsFaults(without(focus)), /with the focus: .* not there/);
  const blur = 'link.addEventListener("blur", leave);';
  assert.match(await termsFaults(without(blur)), /next tab stop: .* is still there/);
  const leave = "document.activeElement !== link";
  assert.match(await termsFaults(instead(leave, "false")), /after the pointer has left: .* is "Sum/);
  const place = instead("last.bottom + GAP : first", "last.bottom + 9999 : first");
  assert.match(await termsFaults(place), /is "outside the window"/);
  assert.match(await termsFaults(without("event.preventDefault();"), true), /first tap follows|after a tap/);
});

test("a search that finds nothing, or another place first, is found", async () => {
  const page = (results, target = "p") => `<style>p { height: 50px }</style><div id="mdbook-searchbar-box">
    <input id="mdbook-searchbar"><div id="mdbook-searchresults">${results}</div></div>
    <p id="${target}">Here.</p>
    <script>document.querySelector("input").onkeydown = (event) => {
      if (event.key === "Enter") { location.href = document.querySelector("a").href; }
    }</script>`;
  const search = (body) => faults(checkSearch, body, [["word", "#p"]]);
  assert.equal(await search(page('<a href="page.html?x#p">1</a>')), "");
  assert.match(await search(page('<a href="page.html#q">1</a><a href="#p">2</a>')), /leads to page.html#q/);
  assert.match(await search(page('<a href="page.html?x#p">1</a>', "q")), /out of sight/);
  assert.match(await search(page("")), /cannot be checked/);
});

test("an address that leads nowhere, or not to a listing, is found", async () => {
  const leads = async (place, target = '<figure class="listing" id="listing-x">L</figure>') => {
    await write("page.html", html(target));
    await write("a/x.html", html("", `<meta http-equiv="refresh" content="0; url=${place}">`));
    return (await checkAddresses(browser.context, server, ["x"])).join("\n");
  };
  assert.equal(await leads("../page.html#listing-x"), "");
  const former = '<span id="listing-x"></span><figure class="listing" id="listing-y">L</figure>';
  assert.equal(await leads("../page.html#listing-x", former), "");
  assert.match(await leads("../page.html#listing-x", '<p id="listing-x">P</p>'), /leads to no listing/);
  assert.match(await leads("../page.html#listing-x", "<p>P</p>"), /leads to no listing/);
  assert.match(await leads("../page.html"), /leads nowhere/);
});

test("a page for lost addresses that works at the front only is found", async () => {
  const lost = async (root, { style = "a.css", links = ["a", "b", "c"], result = "a.html" } = {}) => {
    await write("a.css", "");
    for (const name of ["a", "b", "c"]) {
      await write(`${name}.html`, html(name));
    }
    const body = `<main>${links.map((link) => `<a href="${root}${link}.html">x</a>`).join("")}</main>
      <nav id="mdbook-sidebar"></nav><button id="mdbook-search-toggle">s</button>
      <input id="mdbook-searchbar"><p id="mdbook-searchresults"><a href="${root}${result}">r</a></p>
      <script>const path_to_root = "/below/";</script>`;
    await write("404.html", html(body, `<link rel="stylesheet" href="${root}${style}">`));
    const as = await serveAsBuilt(folder);
    const found = await checkLost(browser.context, as, "no/such.html", PHONE).finally(as.stop);
    return found.join("\n");
  };
  assert.equal(await lost("/below/"), "");
  assert.match(await lost(""), /it needs .*\/below\/no\/a.css, which is not there/);
  assert.match(await lost("/"), /its link to .* leads nowhere/);
  assert.match(await lost("/below/", { links: ["a"] }), /it leads to 1 pages/);
  assert.match(await lost("/below/", { result: "gone.html" }), /its search leads to .*gone.html/);
});

test("a link to no file, to no place or out of the site is found", async () => {
  const links = async (body, api = "") => {
    await write("404.html", html('<script>const path_to_root = "/below/";</script>'));
    await write("page.html", html(`<a href="there/index.html#here">x</a>${body}`));
    await write("there/index.html", html('<p id="here">x</p>'));
    await write("api/x.html", html(`<p id="method.y">x</p><a href="gone.html">own</a>${api}`));
    return (await checkLinks(browser.context, folder)).join("\n");
  };
  assert.equal(await links('<a href="api/x.html#method.y">x</a><a href="there/">x</a>'), "");
  assert.match(await links('<img src="gone.png" alt="">'), /gone.png leads to no file/);
  assert.match(await links('<a href="there/#gone">x</a>'), /#gone leads to no place on there/);
  assert.match(await links('<a href="api/x.html#gone">x</a>'), /leads to no place on api/);
  assert.match(await links('<a href="/page.html">x</a>'), /leaves the site/);
  assert.match(await links("", '<a href="../gone.html">x</a>'), /^api\/x.html: .* no file/);
  const refresh = '<meta http-equiv="refresh" content="0; url=gone.html">';
  assert.match(await links(refresh), /gone.html leads to no file/);
});

test("another picture than the drawing is found", async () => {
  const drawn = await preview(browser.context);
  assert.ok(await samePicture(browser.context, drawn, drawn));
  const tab = await browser.context.newPage();
  await tab.setViewportSize({ width: 1200, height: 630 });
  const other = await tab.screenshot();
  await tab.close();
  assert.ok(!(await samePicture(browser.context, drawn, other)));
});
