// node --test: the checks of the figures find what they are there to find.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";

import { PHONE, browser, folder, server } from "./fixture.mjs";
import { checkContrast, checkLedger, checkLedgerBox, checkStill } from "./figures.mjs";
import { launch } from "./site.mjs";

const STYLE = new URL("../../book/style/", import.meta.url);

let scriptless;
let script;
let keys;

before(async () => {
  scriptless = await launch({ javaScriptEnabled: false });
  script = await readFile(new URL("ledger.js", STYLE), "utf8");
  keys = await readFile(new URL("keys.js", STYLE), "utf8");
});

after(async () => {
  await scriptless.stop();
});

/// A graph of four nodes and three edges, and its ledger.
function body({ wide = 0, style = "" } = {}) {
  const node = (index) => `<g data-node="${index}"><rect x="5" y="${5 + 40 * index}" width="30"
    height="20" fill="#fff" stroke="#000"></rect><text x="9" y="${20 + 40 * index}">n${index}</text>
    <text x="40" y="${20 + 40 * index}"><tspan>adjoint</tspan> ${["6 7", "5", "3 4", "1"][index]}</text></g>`;
  const edge = (index, y) => `<g data-edge="${index}"><path d="M20 ${y}v20M16 ${y + 15}l4 5l4 -5" stroke="#000"></path></g>`;
  const row = (index, child, parent, upstream, sent) => `<tr data-edge="${index}" data-child="${child}"
    data-parent="${parent}"><th scope="row">${index}</th><td>n${child} → n${parent}</td>
    <td>0</td><td>${upstream}</td><td class="n">${sent}</td><td>${sent}</td></tr>`;
  const box = (content) => `<div class="table-box" tabindex="0" role="region" aria-label="Box"
    style="overflow-x: auto">${content}</div>`;
  return `<style>body { margin: 0; background: #fff; color: #000 }
    .back, .now .forth { display: none } .stepper .now .back { display: inline }
    tr[aria-current] { box-shadow: inset 3px 0 rgb(0, 0, 200) }
    @media print { .stepper { display: none } } ${style}</style>
    <figure class="drawing" data-drawing="forward-graph" id="graph">
    <svg width="50" height="160">${[0, 1, 2].map((at) => edge(2 - at, 25 + 40 * at)).join("")}
    ${[0, 1, 2, 3].map(node).join("")}</svg></figure>
    <figure class="drawing" data-drawing="reverse-ledger" id="ledger"><div class="drawn">
    ${box(`<table style="font-size: 12px; min-width: ${wide}px"><thead><tr><th>step</th><th>edge</th><th>operand</th>
    <th>upstream u</th><th>contribution</th><th>adjoint after</th></tr></thead>
    <tbody>${row(0, 3, 2, "1", "3 4")}${row(1, 2, 1, "3 4", "5")}${row(2, 1, 0, "5", "6 7")}</tbody></table>`)}
    </div></figure>`;
}

/// Writes the page, with the book's script changed in one place.
async function page(options = {}, [from, to] = ["", ""]) {
  assert.equal(script.split(from || "\u0000").length, from ? 2 : 1, `${from} stands once in the script`);
  const changed = from ? script.replace(from, () => to) : script;
  const turning = `addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") location.href = "?turned"; })`;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
    <link rel="icon" href="data:,"></head><body>${body(options)}
    <script>{${keys.replace('"use strict";', "")}}</script><script>{${changed}}</script>
    <script>document.${turning}</script></body></html>`;
  await writeFile(path.join(folder, "page.html"), html);
  return "page.html";
}

const SENT = ["3 4", "5", "6 7"];

async function steps(change, contributions = SENT) {
  const found = await checkLedger(browser.context, server, await page({}, change), PHONE, contributions);
  return found.join("\n");
}

test("a ledger without fault has none", async () => {
  assert.equal(await steps(), "");
});

test("steps that are missing or show something else are found", async () => {
  assert.match(await steps(["document.querySelectorAll(\"[data-drawing='reverse-ledger']\").forEach(start);", ""]), /has no steps/);
  assert.match(await steps(["show(0);", "show(1);"]), /at first, step 0: the marked row is 1/);
  assert.match(await steps(undefined, ["3 4", "6", "6 7"]), /step 1: the contribution is "5", not "6"/);
  assert.match(await steps(["row.cells].slice(1)", "row.cells].slice(0, 2)"]), /what is shown is/);
  assert.match(await steps(["heads[index + 1]", "heads[index]"]), /the labels is/);
  assert.match(await steps(["`[data-node=\"${row.dataset.child}\"]`", "\"[data-node='0']\""]), /the marked child is/);
  assert.match(await steps(["one.classList.remove(mark)", "one.classList.add(mark)"]), /the marked edge is/);
  assert.match(await steps(["said.textContent =", "said.title ="]), /it is announced as ""/);
  assert.match(await steps(["rows.slice(0, step + 1).filter", "rows.filter"]), /step 0: the adjoints in the graph is/);
  assert.match(await steps(["if (!targets.has(node))", "if (false)"]), /step 0: the adjoints in the graph is/);
  // Keys before a graph of a whole screen: they scroll away with what is above it.
  const tall = { style: ".stepper svg { height: 900px }" };
  const away = await checkLedger(browser.context, server, await page(tall), PHONE, SENT);
  assert.match(away.join("\n"), /buttons are out of sight/);
  tall.style += ".stepper-keys { position: sticky; top: 0 }";
  assert.deepEqual(await checkLedger(browser.context, server, await page(tall), PHONE, SENT), []);
  const back = { style: ".back, .now .forth { display: inline }" };
  const shown = await checkLedger(browser.context, server, await page(back), PHONE, SENT);
  assert.match(shown.join("\n"), /the edge whose arrow points back is/);
});

test("a mouse or a key that does something else is found", async () => {
  assert.match(await steps(["() => go(step + 1)", "() => go(step + 2)"]), /.+/);
  assert.match(await steps(["() => go(step - 1)", "() => {}"]), /back by mouse, step 1: the marked row is 2/);
  assert.match(await steps(["ArrowRight: 1", "ArrowDown: 1"]), /an arrow key in the ledger turns the page/);
  assert.match(await steps(["go(step + by)", "go(step - by)"]), /by ArrowRight, step 2: the marked row is 0/);
  assert.match(await steps(["event.stopPropagation();", ""]), /an arrow key in the ledger turns the page/);
  assert.match(await steps(["figure.addEventListener(\"keydown\"", "document.addEventListener(\"keydown\""]), /turns the page|by a key outside/);
});

test("a play that does not go, stop or ask is found", async () => {
  assert.match(await steps(["timer = setInterval(advance, PAUSE);", "timer = 1;"]), /by Play, step 1/);
  assert.match(await steps(["clearInterval(timer);", ""]), /after Pause|does not stop/);
  assert.match(await steps(["if (step === rows.length - 1) {\n                pause();", "if (false) {\n                pause();"]), /does not stop/);
  assert.match(await steps(["play.hidden = calm.matches;", ""]), /wants no motion/);
});

test("a table that scrolls keeps its keys", async () => {
  const found = async (options, change) => {
    const name = await page(options, change);
    return (await checkLedgerBox(browser.context, server, name, PHONE)).join("\n");
  };
  assert.equal(await found({ wide: 900 }), "");
  const early = ["figure.addEventListener(\"keydown\", (event) => {", "addEventListener(\"keydown\", (event) => {"];
  const capturing = ["go(step + by);\n        });", "go(step + by);\n        }, true);"];
  assert.equal(await found({ wide: 900 }, early), "");
  script = script.replace(...early);
  assert.match(await found({ wide: 900 }, capturing).finally(() => {
    script = script.replace(early[1], early[0]);
  }), /takes a step/);
  assert.match(await found({ wide: 0 }), /.+/);
});

test("what a page without a script or on paper lacks is found", async () => {
  const found = async (options, rows = 3, media = "screen", { context } = scriptless) => {
    const name = await page(options);
    return (await checkStill(context, server, name, PHONE, rows, media)).join("\n");
  };
  assert.equal(await found({}), "");
  assert.match(await found({}, 4), /the ledger shows 3 rows, not 4/);
  assert.match(await found({ style: "tr + tr { display: none }" }), /shows 1 rows[^]*ledger hides 14 parts, one a tr/);
  assert.match(await found({ style: "svg { visibility: hidden }" }), /graph hides \d+ parts, one a svg/);
  assert.equal(await found({}, 3, "print", browser), "");
  assert.match(await found({ wide: 900 }, 3, "print", browser), /ledger is wider than the paper/);
  const steps = { style: ".stepper { display: block !important }" };
  assert.match(await found(steps, 3, "print", browser), /has steps that nothing can take/);
});

test("faint texts and lines are found", async () => {
  const found = async (style) => {
    const name = await page({ style });
    return (await checkContrast(browser.context, server, name, PHONE, "light")).join("\n");
  };
  assert.equal(await found(""), "");
  assert.match(await found("td { color: #888 }"), /: text has a contrast of 3\.5/);
  assert.match(await found("svg text { fill: #888 }"), /text of a picture has a contrast of 3\.5/);
  assert.match(await found("svg rect { fill: #666 }"), /text of a picture has a contrast of [1-4]\./);
  assert.match(await found("svg path { stroke: #aaa }"), /line of a picture has a contrast of 2\./);
  assert.match(await found("tr[aria-current] { box-shadow: inset 3px 0 rgb(220, 220, 220) }"), /edge of the marked row/);
});
