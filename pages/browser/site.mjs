// Loads every page of a built site in Chromium and reports what a reader would see go wrong.

import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

/// Where the site is served: below a path, as a project's page on a host would be.
const BASE = "/below/a/path/";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/// The browser to start: the one the variable CHROMIUM names, else one from the usual places.
export function browserPath() {
  const found = [process.env.CHROMIUM, ...BROWSERS].find((name) => name && existsSync(name));
  if (!found) {
    throw new Error("no Chromium found; name one in the variable CHROMIUM");
  }
  return found;
}

/// Serves a folder on this machine only, as GitHub Pages would: below a path, and with the book's own
/// page for what is not there. Returns its address and a way to stop.
export async function serve(folder, base = BASE) {
  const root = path.resolve(folder);
  const server = createServer(async (request, response) => {
    const refuse = (code) => {
      const lost = path.join(root, "404.html");
      if (code !== 404 || !existsSync(lost)) {
        return response.writeHead(code).end();
      }
      response.writeHead(code, { "content-type": TYPES[".html"] });
      createReadStream(lost).pipe(response);
    };
    const { pathname } = new URL(request.url, "http://localhost");
    if (!pathname.startsWith(base)) {
      return refuse(404);
    }
    let file = path.join(root, decodeURIComponent(pathname.slice(base.length)));
    if (file !== root && !file.startsWith(root + path.sep)) {
      return refuse(403);
    }
    try {
      if ((await stat(file)).isDirectory()) {
        file = path.join(file, "index.html");
        await stat(file);
      }
    } catch {
      return refuse(404);
    }
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    address: (page) => origin + base + page,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/// A folder as a reader finds it on a disk, without a server.
export function disk(folder) {
  const root = pathToFileURL(path.resolve(folder) + path.sep).href;
  return { origin: root, address: (page) => root + page, stop: async () => {} };
}

/// A headless browser with a profile of its own.
export async function launch(options = {}) {
  const profile = await mkdtemp(path.join(tmpdir(), "pages-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    headless: true,
    ...options,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    context,
    stop: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/// The pages of a built book, relative to its folder.
///
/// `404.html` is left out: a host serves it for any address, so its own links are absolute.
/// `toc.html` is a frame of the other pages, those in `a/` lead on at once, and those in `api/` are
/// rustdoc's.
export async function pagesOf(folder) {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .map((entry) => entry.split(path.sep).join("/"))
    .filter((entry) => entry.endsWith(".html") && !/^(404|toc)\.html$|^(a|api)\//.test(entry))
    .sort();
}

/// Runs in the page: what sticks out of the window to the right.
///
/// mdBook's page hides what the body is too narrow for, so the width of the document
/// says little. An element may be wide inside a box that scrolls, and nowhere else.
function overflows() {
  const limit = document.documentElement.clientWidth;
  const found = [];
  if (document.scrollingElement.scrollWidth > limit) {
    found.push(`the document is ${document.scrollingElement.scrollWidth} px wide`);
  }
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const content = document.querySelector("#mdbook-content") ?? document.body;
  for (const element of content.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || box.right <= limit + 0.5) {
      continue;
    }
    let inside = element.parentElement;
    while (inside && inside !== content && !scrolls(inside)) {
      inside = inside.parentElement;
    }
    if (inside && inside !== content) {
      continue;
    }
    const name = element.id ? `${element.localName}#${element.id}` : element.localName;
    const text = element.textContent.trim().slice(0, 40).replace(/\s+/g, " ");
    found.push(`${name} ends at ${Math.round(box.right)} px: ${text}`);
  }
  return found.slice(0, 5);
}

/// Runs in the page: which boxes scroll to the side, and no key gets there or no name says what
/// they are; and, with a script that can tell, which are a tab stop for nothing.
function unreachable(scripted) {
  const found = [];
  const content = document.querySelector("#mdbook-content") ?? document.body;
  for (const box of content.querySelectorAll("*")) {
    const scrolls =
      /auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth;
    const stop = box.getAttribute("tabindex") === "0";
    const wrong = [];
    if (scrolls && !stop) {
      wrong.push("scrolls and is no tab stop");
    }
    if (scrolls && !/^(region|group)$/.test(box.getAttribute("role"))) {
      wrong.push("scrolls and has no role");
    }
    if ((scrolls || stop) && !box.getAttribute("aria-label")) {
      wrong.push("has no name");
    }
    if (scripted && stop && !scrolls) {
      wrong.push("is a tab stop and does not scroll");
    }
    const text = box.textContent.trim().slice(0, 40).replace(/\s+/g, " ");
    found.push(...wrong.map((what) => `${box.localName} ${what}: ${text}`));
  }
  return found.slice(0, 5);
}

/// Runs in the page: what a listing, a chapter's title or a command shows that it should not, or
/// does not show. A laptop's window is wide enough for the 100 columns of the source.
function misshown(laptop) {
  const found = [];
  const start = (code) => code.textContent.trim().slice(0, 40).replace(/\s+/g, " ");
  for (const code of document.querySelectorAll(":is(.listing, .source-file) pre > code")) {
    const widest = Math.max(...code.textContent.split("\n").map((line) => [...line].length));
    if (laptop && widest <= 100 && code.scrollWidth > code.clientWidth) {
      found.push(`code of ${widest} columns scrolls: ${start(code)}`);
    }
  }
  for (const code of document.querySelectorAll(".listing > pre > code")) {
    // What somebody copies.
    if (code.innerText !== code.textContent) {
      found.push(`a copy of a listing is not its text: ${start(code)}`);
    }
  }
  const ink = (element) => getComputedStyle(element).color;
  for (const code of document.querySelectorAll("pre > code")) {
    const colours = [...code.querySelectorAll("*")].some((piece) => ink(piece) !== ink(code));
    if (/^\$ /m.test(code.textContent) && colours) {
      found.push(`words of a command have colours: ${start(code)}`);
    }
    if (code.matches(".language-rust") && /\b(fn|let|use) /.test(code.textContent) && !colours) {
      found.push(`code has no colours: ${start(code)}`);
    }
  }
  const listing = document.querySelector(".listing-number")?.textContent.match(/ (\d+)-/)?.[1];
  const titles = [...document.querySelectorAll("main h1")];
  const shown = titles.map((title) => getComputedStyle(title, "::before").content);
  if (listing && !shown.includes(`"${listing}"`)) {
    found.push(`the title of chapter ${listing} shows no number`);
  }
  return found.slice(0, 5);
}

/// Runs in the page as it is printed: lines that are parted from their numbers, listings that
/// are too wide for the paper, and what may stand on another page than what it announces.
function misprinted() {
  const found = [];
  const start = (element) => element.textContent.trim().slice(0, 40).replace(/\s+/g, " ");
  const inner = (element) => {
    const { paddingTop: top, paddingBottom: bottom } = getComputedStyle(element);
    return element.getBoundingClientRect().height - parseFloat(top) - parseFloat(bottom);
  };
  for (const code of document.querySelectorAll(":is(.listing, .source-file) pre > code")) {
    if (code.getClientRects().length === 0) {
      continue;
    }
    const lines = code.textContent.replace(/\n$/, "").split("\n");
    const widest = Math.max(...lines.map((line) => [...line].length));
    const rows = Math.round(inner(code) / parseFloat(getComputedStyle(code).lineHeight));
    if (widest <= 100 && (rows > lines.length || code.scrollWidth > code.clientWidth)) {
      found.push(`${widest} columns do not fit the paper: ${start(code)}`);
    }
    const numbers = code.closest(".source-file")?.querySelector(".line-numbers");
    if (numbers) {
      const [first, last] = [numbers.firstElementChild, numbers.lastElementChild];
      const height = last.getBoundingClientRect().bottom - first.getBoundingClientRect().top;
      if (Math.abs(height - inner(code)) > parseFloat(getComputedStyle(code).lineHeight) / 2) {
        found.push(`numbers are ${Math.round(height)} px high, lines ${Math.round(inner(code))} px`);
      }
    }
  }
  for (const part of document.querySelectorAll("main details:not(.check) > :not(summary)")) {
    if (!part.checkVisibility()) {
      found.push(`stays folded on paper: ${start(part)}`);
    }
  }
  for (const text of document.querySelectorAll("main p:has(+ :is(ol, ul, figure, pre, .formula))")) {
    if (getComputedStyle(text).breakAfter !== "avoid") {
      found.push(`may be parted from what it announces: ${start(text)}`);
    }
  }
  for (const place of document.querySelectorAll(".check-place")) {
    const caption = place.closest("figure").querySelector("figcaption");
    if (getComputedStyle(place).fontFamily !== getComputedStyle(caption).fontFamily) {
      found.push(`is not in the font of captions: ${start(place)}`);
    }
  }
  return found.slice(0, 5);
}

/// The faults of a page on A4 paper with margins of 2 cm.
export async function checkPrint(context, server, page) {
  const tab = await context.newPage();
  try {
    await tab.setViewportSize({ width: 642, height: 971 });
    await tab.emulateMedia({ media: "print" });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const faults = await tab.evaluate(misprinted);
    return faults.map((fault) => `${page} in print: ${fault}`);
  } finally {
    await tab.close();
  }
}

/// Runs in an empty page: whether some row of a picture is ink from one end to the other.
async function hasBar(picture) {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), image);
  [canvas.width, canvas.height] = [image.width, image.height];
  const ink = canvas.getContext("2d");
  ink.drawImage(image, 0, 0);
  const { data } = ink.getImageData(0, 0, canvas.width, canvas.height);
  const light = (x, y) => {
    const at = 4 * (y * canvas.width + x);
    return data[at] + data[at + 1] + data[at + 2];
  };
  const ground = light(0, 0);
  const rows = Array.from({ length: canvas.height }, (_, y) => y);
  const columns = Array.from({ length: canvas.width }, (_, x) => x);
  return rows.some((y) => columns.every((x) => Math.abs(light(x, y) - ground) > 90));
}

/// The faults of a page's formulas: a bar with a gap.
export async function checkMath(context, server, page, { width, height }, theme, media) {
  const tab = await context.newPage();
  const blank = await context.newPage();
  const faults = [];
  try {
    await tab.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
    await tab.setViewportSize({ width, height });
    await tab.emulateMedia({ media });
    await tab.goto(server.address(page), { waitUntil: "load" });
    await tab.evaluate(() => {
      document.querySelectorAll("details").forEach((details) => (details.open = true));
      return document.fonts.ready;
    });
    for (const bar of await tab.locator("mover:has(> mo[stretchy='true']:last-child)").all()) {
      if ((await bar.locator("> mo").textContent()) !== "\u0332") {
        continue;
      }
      await bar.scrollIntoViewIfNeeded();
      const box = await bar.locator("> :first-child").boundingBox();
      // Above what is under the bar; the corner to the left of the picture is bare.
      const clip = { x: box.x + 1, y: box.y - 12, width: box.width - 2, height: 14 };
      const picture = (await tab.screenshot({ clip })).toString("base64");
      if (!(await blank.evaluate(hasBar, picture))) {
        faults.push(`an overline has gaps: ${await bar.textContent()}`);
      }
    }
  } finally {
    await tab.close();
    await blank.close();
  }
  return faults.slice(0, 5).map((fault) => `${page} in ${media}, ${theme}: ${fault}`);
}

/// Runs in the page: what is wrong with the mark on the lines that the address names.
function unmarked() {
  const target = document.querySelector(":target");
  const numbers = location.hash.match(/^#L(\d+)(?:-L(\d+))?$/);
  if (!target || !numbers) {
    return [`${location.hash} is no place on this page`];
  }
  const found = [];
  const one = target.closest(".line-numbers");
  const style = getComputedStyle(target, one ? "::after" : null);
  const lines = [numbers[1], numbers[2] ?? numbers[1]].map((number) =>
    document.getElementById(`L${number}`).getBoundingClientRect(),
  );
  const box = target.getBoundingClientRect();
  const file = target.closest(".source-file").getBoundingClientRect();
  const middle = (line) => (line.top + line.bottom) / 2;
  if (!one && (middle(lines[0]) < box.top || middle(lines[0]) > box.top + 20)) {
    found.push("the mark does not start at the first line");
  }
  if (!one && (middle(lines[1]) > box.bottom || middle(lines[1]) < box.bottom - 20)) {
    found.push("the mark does not end at the last line");
  }
  if (parseFloat(style.width) < 0.95 * file.width) {
    found.push("the mark is narrower than the file");
  }
  const bar = document.querySelector("#mdbook-menu-bar")?.getBoundingClientRect().bottom ?? 0;
  if (lines[0].top < Math.max(bar, 0) || lines[0].bottom > innerHeight) {
    found.push("the first line is out of sight");
  }

  // Colours as Chromium paints them, whatever way the style sheet writes them.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (colours) => {
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = paint(colours).map((value) => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  if (paint([style.backgroundColor])[3] === 0) {
    found.push("the mark has no colour");
  }
  const grounds = (element) =>
    element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : [];
  const code = document.querySelector(".source-file pre > code");
  let least = [Infinity, ""];
  for (const element of [code, ...code.querySelectorAll("*")]) {
    const ground = grounds(element);
    const text = [...ground, getComputedStyle(element).color];
    const ratio = contrast([...text, style.backgroundColor], [...ground, style.backgroundColor]);
    if (ratio < least[0]) {
      least = [ratio, element.className];
    }
  }
  if (least[0] < 4.5) {
    found.push(`marked text has a contrast of ${least[0].toFixed(2)} (${least[1]})`);
  }
  // The line around the mark is what the colour-blind see.
  const ground = grounds(code);
  const line = style.boxShadow.match(/^(rgb|color)[^)]*\)/)?.[0] ?? "transparent";
  const edge = contrast([...ground, line], ground);
  if (edge < 3) {
    found.push(`the line around the mark has a contrast of ${edge.toFixed(2)}`);
  }
  return found;
}

/// The faults of the marked lines that an address names, in one theme.
export async function checkMark(context, server, address, { width, height }, theme) {
  const tab = await context.newPage();
  try {
    if (theme) {
      await tab.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
    }
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(address), { waitUntil: "load" });
    const faults = await tab.evaluate(unmarked);
    return faults.map((fault) => `${address} in ${theme ?? "no script"}: ${fault}`);
  } finally {
    await tab.close();
  }
}

/// Runs in the page: which text in code cannot be read on its ground.
function pale() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data]
      .slice(0, 3)
      .map((value) => linear(value / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const seen = new Map();
  for (const code of document.querySelectorAll("main code")) {
    let box = code;
    while (box.parentElement && getComputedStyle(box).backgroundColor === "rgba(0, 0, 0, 0)") {
      box = box.parentElement;
    }
    const ground = getComputedStyle(box).backgroundColor;
    for (const piece of [code, ...code.querySelectorAll("*:not(.boring)")]) {
      const ink = getComputedStyle(piece).color;
      const key = `${piece.localName} ${ink} on ${ground}`;
      if (!seen.has(key)) {
        const [dark, light] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
        seen.set(key, (light + 0.05) / (dark + 0.05));
      }
    }
  }
  return [...seen]
    .filter(([, contrast]) => contrast < 4.5)
    .map(([key, contrast]) => `code has a contrast of ${contrast.toFixed(2)}: ${key}`);
}

/// The faults of the colours of a page's code, in one theme or as the system asks without a script.
export async function checkColours(context, server, page, theme, scheme = "light") {
  const tab = await context.newPage();
  try {
    if (theme) {
      await tab.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
    }
    await tab.emulateMedia({ colorScheme: scheme });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const faults = await tab.evaluate(pale);
    return faults.slice(0, 5).map((fault) => `${page} in ${theme ?? scheme}: ${fault}`);
  } finally {
    await tab.close();
  }
}

/// What a page loads before anybody does anything: its own bytes, those of all requests, their
/// number, and the milliseconds to the first paint.
export async function weigh(context, server, page) {
  const tab = await context.newPage();
  const sizes = [];
  tab.on("response", (response) => {
    sizes.push(response.body().then((body) => body.length, () => 0));
  });
  try {
    await tab.goto(server.address(page), { waitUntil: "networkidle" });
    const paint = await tab.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    );
    const all = await Promise.all(sizes);
    const total = all.reduce((sum, size) => sum + size, 0);
    return { html: all[0], requests: all.length, total, paint };
  } finally {
    await tab.close();
  }
}

/// What a page and all that comes with it may weigh, in bytes, before anybody does anything.
const HEAVIEST = { html: 350_000, total: 500_000 };

/// The faults of what a page weighs.
export function tooHeavy(page, { html, total }) {
  return [
    html > HEAVIEST.html && `${page} weighs ${html} bytes, more than ${HEAVIEST.html}`,
    total > HEAVIEST.total && `${page} loads ${total} bytes, more than ${HEAVIEST.total}`,
  ].filter(Boolean);
}

/// The faults of the search: its scripts come when it is opened, and what was typed before they
/// came is searched for.
export async function checkSearch(context, server, page, words) {
  const faults = [];
  const tab = await context.newPage();
  const loaded = [];
  let slow = false;
  const scripts = /(elasticlunr|mark|searcher|searchindex)[^/]*\.js$/;
  await tab.route(scripts, async (route) => {
    loaded.push(route.request().url());
    await new Promise((resolve) => setTimeout(resolve, slow ? 200 : 0));
    await route.continue();
  });
  const results = tab.locator("#mdbook-searchresults a");
  const open = async (what, start) => {
    await tab.goto(server.address(page), { waitUntil: "load" });
    if (loaded.length > 0) {
      faults.push(`loads ${loaded.length} scripts of the search that nobody asked for`);
    }
    await start();
    await tab.keyboard.type(words);
    await results.first().waitFor({ timeout: 5000 }).catch(() => {
      faults.push(`${what} finds nothing`);
    });
    const typed = await tab.locator("#mdbook-searchbar").inputValue();
    if (typed !== words) {
      faults.push(`${what}: of "${words}" arrived "${typed}"`);
    }
    loaded.length = 0;
  };
  try {
    await open("the key /", () => tab.keyboard.press("/"));
    await open("the key s", () => tab.keyboard.press("s"));
    slow = true;
    await open("the button, with slow scripts,", () => tab.locator("#mdbook-search-toggle").click());
    slow = false;
    await tab.keyboard.press("Escape");
    if (await tab.locator("#mdbook-search-wrapper").isVisible()) {
      faults.push("Escape does not close the search");
    }
    // A result marks the words where it leads, and an address may name words.
    await tab.goto(server.address(`${page}?search=${words}`), { waitUntil: "load" });
    await results.first().waitFor({ timeout: 5000 });
    await results.first().click();
    await tab.waitForLoadState("load");
    await tab
      .locator("main mark")
      .first()
      .waitFor({ state: "attached", timeout: 5000 })
      .catch(() => faults.push("a result does not mark the words"));
  } catch (error) {
    faults.push(`cannot be tried: ${error.message}`);
  } finally {
    await tab.close();
  }
  return faults.map((fault) => `${page}, search: ${fault}`);
}

/// The faults of the folded checks: each comes when it is unfolded, and a page stands in for it
/// where that fails.
export async function checkFolds(context, server, page, { width, height }) {
  const faults = [];
  const tab = await context.newPage();
  tab.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  const loaded = [];
  tab.on("request", (request) => loaded.push(request.url()));
  try {
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const folds = await tab.locator("details.check").all();
    const before = loaded.filter((url) => url.includes("tests/listings"));
    if (folds.length === 0 || before.length > 0) {
      faults.push(`${folds.length} folds, ${before.length} checks loaded before they are unfolded`);
    }
    for (const fold of folds) {
      await fold.locator("summary").focus();
      await tab.keyboard.press("Enter");
      await fold.locator("pre > code").waitFor({ timeout: 5000 });
    }
    const texts = await tab.locator("details.check > pre > code").allTextContents();
    const bare = texts.filter((text) => !text.includes("fn check()"));
    faults.push(...bare.map((text) => `no check in a fold: ${text.slice(0, 40)}`));
    faults.push(...(await tab.evaluate(overflows)));
    await tab.waitForTimeout(100);
    faults.push(...(await tab.evaluate(unreachable, true)));
    // Closed and opened again it is there once.
    await folds[0].locator("summary").click();
    await folds[0].locator("summary").click();
    const copies = await folds[0].locator("pre").count();
    const buttons = await folds[0].locator(".clip-button").count();
    if (copies !== 1 || buttons !== 1) {
      faults.push(`${copies} checks with ${buttons} buttons to copy in one fold`);
    }
    await tab.route(/tests\/listings/, (route) => route.abort());
    await tab.reload({ waitUntil: "load" });
    await tab.locator("details.check > summary").first().click();
    await tab.locator("details.check > p > a").first().waitFor({ timeout: 5000 });
  } catch (error) {
    faults.push(`cannot be tried: ${error.message}`);
  } finally {
    await tab.close();
  }
  return faults.slice(0, 5).map((fault) => `${page}, checks: ${fault}`);
}

/// The faults of the names in listings that lead to their definition: one tab stop for each
/// listing, arrow keys between its names, a dotted line under them and a plain one on focus.
export async function checkNames(context, server, page) {
  const faults = [];
  const tab = await context.newPage();
  try {
    await tab.goto(server.address(page), { waitUntil: "load" });
    const listings = tab.locator("pre > code:has(a[href])");
    const stops = await listings.evaluateAll((all) =>
      all.map((code) => [...code.querySelectorAll("a[href]")].filter((a) => a.tabIndex === 0).length),
    );
    if (stops.length === 0 || stops.some((count) => count !== 1)) {
      faults.push(`listings with names have ${[...new Set(stops)]} tab stops for them`);
    }
    const several = await listings.evaluateAll((all) =>
      all.findIndex((code) => code.querySelectorAll("a[href]").length > 1),
    );
    const all = listings.nth(several).locator("a[href]");
    const [first, second] = [all.first(), all.nth(1)];
    const line = (name) =>
      name.evaluate((a) => {
        const { textDecorationLine: line, textDecorationStyle: style } = getComputedStyle(a);
        return `${line} ${style}`;
      });
    await tab.mouse.move(0, 0);
    if ((await line(first)) !== "underline dotted") {
      faults.push("a name that leads somewhere has no dotted line");
    }
    const ink = (name) => name.evaluate((a) => getComputedStyle(a).color);
    const around = await first.evaluate((a) => getComputedStyle(a.parentElement).color);
    if ((await ink(first)) !== around) {
      faults.push("a name that leads somewhere has a colour of its own");
    }
    const address = tab.url();
    await first.focus();
    await tab.keyboard.press("ArrowRight");
    const there = await second.evaluate((a) => a === document.activeElement && a.tabIndex === 0);
    if (!there || tab.url() !== address) {
      faults.push("an arrow key does not lead from one name to the next");
    }
    if ((await line(second)) !== "underline solid") {
      faults.push("the focused name has no plain line");
    }
    await tab.keyboard.press("ArrowLeft");
    await tab.keyboard.press("ArrowLeft");
    if (!(await first.evaluate((a) => a === document.activeElement)) || tab.url() !== address) {
      faults.push("an arrow key at the first name turns the page");
    }
    const target = await first.getAttribute("href");
    await tab.keyboard.press("Enter");
    await tab.waitForTimeout(100);
    if (!tab.url().endsWith(target)) {
      faults.push(`${target} is not where Enter leads: ${tab.url()}`);
    }
  } catch (error) {
    faults.push(`cannot be tried: ${error.message}`);
  } finally {
    await tab.close();
  }
  return faults.map((fault) => `${page}, names: ${fault}`);
}

/// The faults of the arrow keys in the first box that scrolls on a page.
export async function checkKeys(context, server, page, { width, height }) {
  const tab = await context.newPage();
  try {
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const box = tab.locator("[tabindex='0']:is(pre > code, .table-box)").first();
    await box.focus({ timeout: 2000 });
    await tab.keyboard.press("ArrowRight");
    await tab.waitForTimeout(300);
    if (tab.url() !== server.address(page)) {
      return [`${page} at ${width} px: an arrow key in a box that scrolls turns the page`];
    }
    const left = await box.evaluate((box) => box.scrollLeft);
    return left > 0 ? [] : [`${page} at ${width} px: an arrow key does not scroll the box`];
  } catch (error) {
    return [`${page} at ${width} px: no box to scroll: ${error.message}`];
  } finally {
    await tab.close();
  }
}

/// Loads one page and returns its faults.
export async function checkPage(context, server, page, { width, height }, scripted = true) {
  const faults = [];
  const tab = await context.newPage();
  const outside = (url) => /^https?:|^wss?:/.test(url) && !url.startsWith(server.origin);
  tab.on("console", (message) => {
    if (message.type() === "error") {
      faults.push(`console: ${message.text()}`);
    }
  });
  tab.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  tab.on("request", (request) => {
    if (outside(request.url())) {
      faults.push(`leaves the site: ${request.url()}`);
    }
  });
  tab.on("requestfailed", (request) => {
    faults.push(`failed: ${request.url()} ${request.failure()?.errorText ?? ""}`);
  });
  tab.on("response", (response) => {
    if (response.status() >= 400) {
      faults.push(`status ${response.status()}: ${response.url()}`);
    }
  });
  try {
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    // What is folded must be right once it unfolds.
    await tab.evaluate(() => {
      document.querySelectorAll("details").forEach((details) => (details.open = true));
    });
    if (scripted) {
      await tab.waitForFunction(() =>
        [...document.querySelectorAll("details.check")].every((fold) => fold.children.length > 1),
      );
    }
    await tab.waitForTimeout(50);
    faults.push(...(await tab.evaluate(overflows)));
    faults.push(...(await tab.evaluate(unreachable, scripted)));
    faults.push(...(await tab.evaluate(misshown, width >= 1280)));
  } catch (error) {
    faults.push(`cannot be checked: ${error.message}`);
  } finally {
    await tab.close();
  }
  return faults.map((fault) => `${page} at ${width} px: ${fault}`);
}
