// node --test: axe-core finds what it is there to find.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";

import { PHONE, browser, folder, server } from "./fixture.mjs";
import { checkAccess, checkSwitch } from "./access.mjs";

/// The faults of a page with this body, and with this theme's colours.
async function faultsOf(body, { theme = "light", head = "" } = {}) {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>
    <link rel="icon" href="data:,">${head}</head><body><main><h1>Title</h1>${body}</main></body></html>`;
  await writeFile(path.join(folder, "page.html"), html);
  return checkAccess(browser.context, server, "page.html", PHONE, theme);
}

test("a page without fault has none", async () => {
  assert.deepEqual(await faultsOf("<p>Text.</p>"), []);
});

test("a picture without words is found", async () => {
  const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
  const [fault, ...others] = await faultsOf(`<img src="${pixel}">`);
  assert.match(fault, /^page\.html at 360 px in light: image-alt: <img src=.*alt attribute/);
  assert.deepEqual(others, []);
  assert.deepEqual(await faultsOf(`<img src="${pixel}" alt="A dot">`), []);
});

test("pale text is found, in something folded too", async () => {
  const [fault] = await faultsOf('<p style="color: #999">Text.</p>');
  assert.match(fault, /color-contrast: <p style="color: #999">.*contrast of 2\.84/);
  const folded = '<details><summary>More</summary><p style="color: #999">Text.</p></details>';
  assert.match((await faultsOf(folded)).join(), /color-contrast/);
});

test("text that is pale in one theme is found in that theme", async () => {
  const theme = (name) => ({
    theme: name,
    head: `<style>.light { background: #fff } .navy { background: #161923 }</style>
      <script>document.documentElement.className = localStorage.getItem("mdbook-theme")</script>`,
  });
  const body = '<p style="color: #444">Text.</p>';
  assert.deepEqual(await faultsOf(`<style>h1 { color: #888 }</style>${body}`, theme("light")), []);
  const [fault] = await faultsOf(`<style>h1 { color: #888 }</style>${body}`, theme("navy"));
  assert.match(fault, /in navy: color-contrast: <p/);
});

test("a field and a button without a name are found", async () => {
  assert.match((await faultsOf("<input>")).join(), / label: <input>/);
  assert.deepEqual(await faultsOf("<label>Word <input></label>"), []);
  assert.match((await faultsOf("<button></button>")).join(), /button-name/);
});

test("what belongs to no landmark is found, and two landmarks of one name", async () => {
  const region = '<div role="region" aria-label="Command 1">x</div>';
  assert.match((await faultsOf(region.repeat(2))).join(), /landmark-unique: <div role="region"/);
  assert.match((await faultsOf("</main><p>Text.</p><main>")).join(), /region: <p>Text/);
});

test("a page that starts from the root of its host is seen with its style", async () => {
  await writeFile(path.join(folder, "root.css"), "p { color: #999 }");
  const head = '<link rel="stylesheet" href="/root.css">';
  assert.match((await faultsOf("<p>Text.</p>", { head })).join(), /color-contrast: <p>/);
});

test("a page that is not there is found", async () => {
  assert.notDeepEqual(await checkAccess(browser.context, server, "no.html", PHONE, "light"), []);
});

test("a switch of the sidebar that no key reaches or presses is found", async () => {
  const faults = async (element, script) => {
    await faultsOf(`<input type="checkbox" id="mdbook-sidebar-toggle-anchor" hidden>${element}<script>
      const box = document.getElementById("mdbook-sidebar-toggle-anchor");
      const button = document.getElementById("mdbook-sidebar-toggle");
      button.addEventListener("click", () => { ${script} });</script>`);
    return (await checkSwitch(browser.context, server, "page.html", PHONE)).join("\n");
  };
  const button = '<button id="mdbook-sidebar-toggle" aria-expanded="false">Contents</button>';
  const press = 'box.checked = !box.checked; button.setAttribute("aria-expanded", box.checked)';
  assert.equal(await faults(button, press), "");
  const label = '<label id="mdbook-sidebar-toggle" for="mdbook-sidebar-toggle-anchor">Contents</label>';
  assert.match(await faults(label, ""), /no key reaches it\n.*Enter does not press it/);
  assert.match(await faults(button, ""), /Space does not press it/);
  assert.match(await faults(button, "box.checked = !box.checked"), /Enter it says the opposite/);
  assert.match(await faults("<p id=mdbook-sidebar-toggle hidden>", ""), /no key reaches it/);
});
