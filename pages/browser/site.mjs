// Loads every page of a built site in Chromium and reports what a reader would see go wrong.

import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

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

/// Serves a folder on this machine only; returns its address and a way to stop.
export async function serve(folder) {
  const root = path.resolve(folder);
  const server = createServer(async (request, response) => {
    const refuse = (code) => response.writeHead(code).end();
    const { pathname } = new URL(request.url, "http://localhost");
    if (!pathname.startsWith(BASE)) {
      return refuse(404);
    }
    let file = path.join(root, decodeURIComponent(pathname.slice(BASE.length)));
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
    address: (page) => origin + BASE + page,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
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
/// `toc.html` is a frame of the other pages.
export async function pagesOf(folder) {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .map((entry) => entry.split(path.sep).join("/"))
    .filter((entry) => entry.endsWith(".html") && entry !== "404.html" && entry !== "toc.html")
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

/// Loads one page and returns its faults.
export async function checkPage(context, server, page, { width, height }) {
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
    faults.push(...(await tab.evaluate(overflows)));
  } catch (error) {
    faults.push(`cannot be checked: ${error.message}`);
  } finally {
    await tab.close();
  }
  return faults.map((fault) => `${page} at ${width} px: ${fault}`);
}
