// node --test: the page checks find what they are there to find.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";

import { checkPage, launch, pagesOf, serve } from "./site.mjs";

const PHONE = { width: 360, height: 740 };

let folder;
let server;
let browser;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "site-"));
  server = await serve(folder);
  browser = await launch();
});

after(async () => {
  await browser.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/// The faults of a page with this body; its own faults are the only ones it can have.
async function faultsOf(body, { context } = browser) {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,"></head>
    <body style="margin: 0; overflow-x: hidden">
    <div id="mdbook-content" style="overflow-y: auto"><main>${body}</main></div></body></html>`;
  await writeFile(path.join(folder, "page.html"), html);
  return checkPage(context, server, "page.html", PHONE);
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
  assert.deepEqual(await faultsOf(`<div style="overflow-x: auto">${inner}</div>`), []);
  assert.notDeepEqual(await faultsOf(`<div style="overflow-x: hidden">${inner}</div>`), []);
  const wide = `<div id="box" style="overflow-x: auto; width: 400px">${inner}</div>`;
  assert.match((await faultsOf(wide))[0], /div#box ends at 400 px/);
});

test("something wide is found without JavaScript too", async () => {
  const scriptless = await launch({ javaScriptEnabled: false });
  const body = '<p id="wide" style="width: 500px">Text.</p><script>console.error("ran")</script>';
  const faults = await faultsOf(body, scriptless).finally(scriptless.stop);
  assert.deepEqual(faults, ["page.html at 360 px: p#wide ends at 500 px: Text."]);
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
