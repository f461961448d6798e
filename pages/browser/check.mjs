// node check.mjs FOLDER SCREENSHOTS
// node check.mjs --links FOLDER
//
// Checks every page of the built book in FOLDER at the width of a phone and of a laptop, with
// and without JavaScript, and leaves pictures for a person in SCREENSHOTS.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { checkAccess, checkSwitch } from "./access.mjs";
import { checkContrast, checkLedger, checkLedgerBox, checkStill } from "./figures.mjs";
import {
  checkAddresses,
  checkFrame,
  checkLandmarks,
  checkLinks,
  checkLost,
  checkSearch as checkFound,
  checkTerms,
  serveAsBuilt,
} from "./furniture.mjs";
import { preview, samePicture } from "./preview.mjs";
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
  disk,
  launch,
  pagesOf,
  serve,
  tooHeavy,
  weigh,
} from "./site.mjs";

const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1280, height: 800 };

const THEMES = ["light", "rust", "coal", "navy", "ayu"];

/// The pages that people look at after a change of style.
const PICTURED = [/^introduction\.html$/, /^ch\d+-.*\.html$/, /^(glossary|listings)\.html$/];

/// Words of the source, and the listings to which the search must lead from them.
const SEARCHED = [
  ["tensor-reverse-pass", "#listing-tensor-reverse-pass"],
  ["TensorSavedContext", "#listing-tensor-structural-vjps"],
  ["broadcast_vjp", "#listing-tensor-broadcast-vjp"],
  ["backward_with_trace", "#listing-tensor-reverse-pass"],
];

/// The page with the figures, and what each step of its ledger sends back, as the contract of the
/// chapter has it.
const DRAWN = "ch15-tensor-autodiff-core.html";
const SENT = [
  "1 1 1 / 2 2 2",
  "2 2 5 / 6 6 12",
  "2 2 5 / 6 6 12",
  "4 4 10 / 12 12 24",
  "4 4 10 / 12 12 24",
  "16 16 34",
  "4 12 / 4 12 / 10 24",
  "4 12 4 / 12 10 24",
];

/// A4 paper with margins of 2 cm.
const PAPER = { width: 642, height: 971 };


/// A picture taller than this is cut into several.
const TALLEST = 6000;

const links = process.argv[2] === "--links";
const [folder, screenshots] = process.argv.slice(links ? 3 : 2);
if (!folder || (!screenshots && !links)) {
  console.error("usage: node check.mjs FOLDER SCREENSHOTS | --links FOLDER");
  process.exit(2);
}

const server = await serve(folder);
const { context, stop } = await launch();
const scriptless = await launch({ javaScriptEnabled: false });
const phone = await launch({ hasTouch: true, isMobile: true });
const pages = await pagesOf(folder);
let passed = 0;
let failed = 0;

function count(faults) {
  for (const fault of faults) {
    console.error(fault);
  }
  if (faults.length === 0) {
    passed += 1;
  } else {
    failed += 1;
  }
}

try {
  const chapters = pages.filter((page) => PICTURED[1].test(page));
  count(chapters.length > 0 ? [] : [`${folder} holds no chapter`]);
  if (links) {
    count(await checkLinks(context, folder));
  }
  for (const page of links ? chapters : pages) {
    count(await checkPage(context, server, page, PHONE));
    count(await checkPrint(context, server, page));
    // The source files and checks all have one shape, made by one function.
    if (page.startsWith("source/tests/")) {
      continue;
    }
    count(await checkPage(context, server, page, LAPTOP));
    if (page.startsWith("source/src/")) {
      continue;
    }
    const silent = await checkPage(scriptless.context, server, page, PHONE, false);
    count(silent.map((fault) => `without JavaScript: ${fault}`));
  }
  for (const chapter of links ? [] : chapters) {
    count(await checkKeys(context, server, chapter, PHONE));
    for (const theme of ["light", "navy"]) {
      count(await checkMath(context, server, chapter, LAPTOP, theme, "screen"));
    }
    count(await checkMath(context, server, chapter, LAPTOP, "light", "print"));
    for (const theme of THEMES) {
      count(await checkColours(context, server, chapter, theme));
    }
    for (const scheme of ["light", "dark"]) {
      count(await checkColours(scriptless.context, server, chapter, null, scheme));
    }
    // A book works without a server too.
    for (const place of [server, disk(folder)]) {
      count(await checkSearch(context, place, chapter, "transpose"));
      count(await checkFolds(context, place, chapter, PHONE));
    }
    count(await checkNames(context, server, chapter));
    count(await checkWeight(chapter));
    for (const address of await places(chapter)) {
      for (const theme of THEMES) {
        count(await checkMark(context, server, address, LAPTOP, theme));
      }
      count(await checkMark(scriptless.context, server, address, PHONE));
    }
  }
  if (!links) {
    await figures();
    await furniture(chapters);
    await accessible(chapters);
    await pictures();
  }
} finally {
  await stop();
  await phone.stop();
  await scriptless.stop();
  await server.stop();
}

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/// What axe-core finds on one page of each kind, in light and dark, on a laptop and a phone.
async function accessible(chapters) {
  const source = pages.find((page) => page.startsWith("source/src/"));
  const others = ["introduction.html", "bibliography.html", source, "404.html", "print.html"];
  for (const page of [...others, ...chapters].filter(Boolean)) {
    count(await checkAccess(context, server, page, LAPTOP, "light"));
    count(await checkAccess(context, server, page, PHONE, "navy"));
  }
  for (const page of chapters) {
    count(await checkAccess(context, server, page, LAPTOP, "navy"));
    for (const view of [PHONE, LAPTOP]) {
      count(await checkSwitch(context, server, page, view));
    }
  }
}

/// What is too heavy about a chapter. The server sends all anew: as to somebody who never was here.
async function checkWeight(chapter) {
  const { html, requests, total } = await weigh(context, server, chapter);
  const paints = [];
  for (let run = 0; run < 5; run += 1) {
    paints.push((await weigh(context, disk(folder), chapter)).paint);
  }
  const paint = Math.round(paints.sort((one, other) => one - other)[2]);
  console.log(
    `${chapter}: ${html} bytes, with its ${requests} requests ${total} bytes; ` +
      `first paint from a disk after ${paint} ms`,
  );
  return tooHeavy(chapter, { html, total });
}

/// The figures of the chapter, and the ledger step by step.
async function figures() {
  for (const view of [PHONE, LAPTOP]) {
    count(await checkLedger(context, server, DRAWN, view, SENT));
    count(await checkStill(scriptless.context, server, DRAWN, view, SENT.length));
  }
  count(await checkLedger(context, server, DRAWN, { width: 640, height: 800 }, SENT));
  count(await checkLedgerBox(context, server, DRAWN, PHONE));
  count(await checkStill(context, server, DRAWN, PAPER, SENT.length, "print"));
  for (const theme of THEMES) {
    count(await checkContrast(context, server, DRAWN, LAPTOP, theme));
  }
}

/// What stands around the chapters.
async function furniture(chapters) {
  count(await checkLinks(context, folder));
  const lost = await serveAsBuilt(folder);
  const nowhere = "no/such/page/anywhere.html";
  for (const size of [PHONE, LAPTOP]) {
    count(await checkLost(context, lost, nowhere, size));
    count(await checkPage(context, lost, "404.html", size));
    count(await checkFrame(context, lost, nowhere, size));
    count(await checkFrame(scriptless.context, lost, nowhere, size));
    count(await checkLandmarks(context, lost, nowhere, size));
  }
  await lost.stop();
  const anchors = SEARCHED.map(([, place]) => place.replace("#listing-", ""));
  count(await checkAddresses(context, server, anchors));
  count(await checkAddresses(scriptless.context, server, anchors));
  count(await checkFound(context, server, "introduction.html", LAPTOP, SEARCHED));
  const drawn = await preview(context);
  const kept = await readFile(new URL("../../book/style/preview.png", import.meta.url));
  count((await samePicture(context, drawn, kept)) ? [] : ["preview.png is not what preview.mjs draws"]);
  for (const page of ["introduction.html", ...chapters]) {
    for (const size of [PHONE, LAPTOP]) {
      count(await checkLandmarks(context, server, page, size));
      count(await checkFrame(context, server, page, size));
      const silent = await checkFrame(scriptless.context, server, page, size);
      count(silent.map((fault) => `without JavaScript: ${fault}`));
    }
  }
  for (const page of ["introduction.html", ...chapters]) {
    count(await checkTerms(context, server, page, LAPTOP));
    count(await checkTerms(context, server, page, PHONE));
    count(await checkTerms(phone.context, server, page, PHONE, true));
  }
}

/// Where the links to the source of a chapter's first and last listing lead, and a single line.
async function places(chapter) {
  const tab = await context.newPage();
  await tab.goto(server.address(chapter), { waitUntil: "load" });
  const links = await tab.locator(".listing-place a").evaluateAll((links) => links.map(String));
  await tab.close();
  const inside = links
    .filter((link) => link.startsWith(server.origin))
    .map((link) => link.slice(server.address("").length));
  const single = inside.at(0)?.replace(/-L\d+$/, "");
  return [...new Set([inside.at(0), inside.at(-1), single])].filter(Boolean);
}

async function pictures() {
  await rm(screenshots, { recursive: true, force: true });
  await mkdir(screenshots, { recursive: true });
  const views = [
    ["laptop", LAPTOP, "light"],
    ["laptop", LAPTOP, "navy"],
    ["phone", PHONE, "light"],
    ["phone", PHONE, "navy"],
    ["phone", PHONE, "ayu"],
  ];
  for (const page of pages.filter((page) => PICTURED.some((pattern) => pattern.test(page)))) {
    const name = path.basename(page, ".html");
    for (const [size, view, theme] of views) {
      const tab = await context.newPage();
      await tab.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
      await tab.setViewportSize(view);
      await tab.goto(server.address(page), { waitUntil: "load" });
      const height = await tab.evaluate(() => document.documentElement.scrollHeight);
      for (let top = 0, part = 1; top < height; top += TALLEST, part += 1) {
        const number = String(part).padStart(2, "0");
        await tab.screenshot({
          path: path.join(screenshots, `${name}-${size}-${theme}-${number}.png`),
          fullPage: true,
          clip: { x: 0, y: top, width: view.width, height: Math.min(TALLEST, height - top) },
        });
      }
      await tab.close();
    }
    const tab = await context.newPage();
    await tab.goto(server.address(page), { waitUntil: "load" });
    await writeFile(path.join(screenshots, `${name}.pdf`), await tab.pdf({ format: "A4" }));
    await tab.close();
  }
  for (const chapter of pages.filter((page) => PICTURED[1].test(page))) {
    const [address] = await places(chapter);
    for (const [size, view, theme] of views.filter(() => address)) {
      const tab = await context.newPage();
      await tab.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
      await tab.setViewportSize(view);
      await tab.goto(server.address(address), { waitUntil: "load" });
      const name = `${path.basename(chapter, ".html")}-source-${size}-${theme}.png`;
      await tab.screenshot({ path: path.join(screenshots, name) });
      await tab.close();
    }
  }
}
