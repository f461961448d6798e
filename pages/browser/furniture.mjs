// Checks what stands around the chapters of a built site: the way past the menu, the switch of the
// sidebar, definitions of terms, the search, the page for lost addresses, and every link.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { serve } from "./site.mjs";

/// A link that goes to the glossary.
const TERM = "main a[href*='glossary.html#']";

/// Opens a page, lets a check collect faults, and closes it.
async function onPage(context, server, page, { width, height }, check) {
  const tab = await context.newPage();
  const faults = [];
  // What does not come at once does not come.
  tab.setDefaultTimeout(5000);
  try {
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    await check(tab, (fault) => faults.push(fault));
  } catch (error) {
    faults.push(`cannot be checked: ${error.message.split("\n")[0]}`);
  } finally {
    await tab.close();
  }
  return faults.map((fault) => `${page} at ${width} px: ${fault}`);
}

/// Runs in the page: whether the element that has the focus can be seen to have it.
function focused(selector) {
  const element = document.activeElement;
  return element?.matches(selector) ? element.getBoundingClientRect().top >= 0 : false;
}

/// The faults of the keyboard's first steps on a page: past the menu, and to the sidebar.
export function checkFrame(context, server, page, size) {
  return onPage(context, server, page, size, async (tab, fault) => {
    await tab.keyboard.press("Tab");
    await tab.waitForTimeout(50);
    if (!(await tab.evaluate(focused, ".skip-link"))) {
      fault("the first tab stop is no skip link in sight");
      return;
    }
    await tab.keyboard.press("Enter");
    await tab.keyboard.press("Tab");
    if (!(await tab.evaluate(() => document.activeElement.closest("#mdbook-content")))) {
      fault("the skip link does not lead into the text");
    }

    await tab.goto(server.address(page), { waitUntil: "load" });
    const shows = async () => {
      await tab.waitForTimeout(600);
      return tab.evaluate(() => {
        const sidebar = document.querySelector("#mdbook-sidebar");
        const box = sidebar.getBoundingClientRect();
        return box.right > 0 && getComputedStyle(sidebar).visibility === "visible";
      });
    };
    // With a script a button, without one the check box of the label.
    const isSwitch = () => {
      const { id, type, labels } = document.activeElement;
      return [id, labels?.[0]?.id].includes("mdbook-sidebar-toggle") && type;
    };
    let type;
    for (let stop = 0; stop < 100 && !type; stop += 1) {
      await tab.keyboard.press("Tab");
      type = await tab.evaluate(isSwitch);
    }
    if (!type) {
      fault("no tab stop is the switch of the sidebar");
      return;
    }
    const [name, outline] = await tab.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element.labels?.[0] ?? element);
      const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
      return [element.ariaLabel, outlined];
    });
    if (!name) {
      fault("the switch has no name");
    }
    if (!outline) {
      fault("the switch does not show that it has the focus");
    }
    const told = () =>
      tab.evaluate(() => document.activeElement.ariaExpanded ?? `${document.activeElement.checked}`);
    const before = await shows();
    await tab.keyboard.press("Space");
    if ((await shows()) === before) {
      fault("the space bar does not switch the sidebar");
    }
    if ((await told()) !== `${!before}`) {
      fault("a screen reader is not told that the sidebar was switched");
    }
    await tab.keyboard.press("Space");
    if ((await shows()) !== before) {
      fault("a second space bar does not switch the sidebar back");
    }
  });
}

/// The faults of the landmarks of a page, as a browser tells them to a screen reader.
export function checkLandmarks(context, server, page, size) {
  return onPage(context, server, page, size, async (tab, fault) => {
    const session = await context.newCDPSession(tab);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const shown = nodes.filter((node) => !node.ignored);
    const roles = (role) => shown.filter((node) => node.role?.value === role);
    for (const role of ["banner", "main"]) {
      if (roles(role).length !== 1) {
        fault(`${roles(role).length} landmarks are a ${role}`);
      }
    }
    const names = roles("navigation").map((node) => node.name?.value);
    if (names.some((name) => !name) || new Set(names).size !== names.length) {
      fault(`navigations have no names of their own: ${names.join(", ")}`);
    }
    const titles = roles("heading").filter((node) =>
      node.properties?.some(({ name, value }) => name === "level" && value.value === 1),
    );
    if (titles.length !== 1) {
      fault(`${titles.length} headings are the title of the page`);
    }
  });
}

/// What the definition that shows says; nothing while none shows.
const definition = (tab) =>
  tab.evaluate(() => {
    const box = document.querySelector("#definition");
    const { left, right, top, bottom } = box?.getBoundingClientRect() ?? {};
    const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    return box && (inside ? box.innerText : "outside the window");
  });

/// The faults of the first definitions of a page: shown on hover, on focus and by a tap.
export function checkTerms(context, server, page, size, touch = false) {
  return onPage(context, server, page, size, async (tab, fault) => {
    const link = tab.locator(TERM).first();
    const term = (await link.getAttribute("href")).split("#")[1];
    await link.scrollIntoViewIfNeeded();
    const expect = async (what, wanted) => {
      await tab.waitForTimeout(wanted ? 200 : 500);
      const shown = await definition(tab);
      if (wanted ? !shown || shown === "outside the window" : shown) {
        fault(`${what}: the definition of ${term} is ${shown ? `"${shown}"` : "not there"}`);
      }
      const id = await link.getAttribute("aria-describedby");
      if (wanted && id !== "definition") {
        fault(`${what}: a screen reader is not told the definition`);
      }
    };
    if (touch) {
      await link.tap();
      await expect("after a tap", true);
      if (tab.url() !== server.address(page)) {
        fault("a first tap follows the link");
      }
      await link.tap();
      await tab.waitForURL(/glossary\.html#/);
      return;
    }
    await link.hover();
    await expect("under the pointer", true);
    const box = await tab.locator("#definition").boundingBox();
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    await tab.waitForTimeout(500);
    await expect("with the pointer in the definition", true);
    await tab.keyboard.press("Escape");
    await expect("after Escape", false);
    await tab.mouse.move(0, 0);
    await link.hover();
    await tab.mouse.move(0, 0);
    await expect("after the pointer has left", false);
    await link.focus();
    await expect("with the focus", true);
    await tab.keyboard.press("Tab");
    await tab.waitForTimeout(500);
    if (await link.getAttribute("aria-describedby")) {
      fault(`after the next tab stop: the definition of ${term} is still there`);
    }
    await tab.keyboard.press("Shift+Tab");
    await expect("with the focus again", true);
    await tab.keyboard.press("Escape");
    await expect("after Escape", false);
    if (!(await tab.evaluate((term) => document.activeElement.matches(term), TERM))) {
      fault("Escape takes the focus away");
    }
  });
}

/// The faults of searches, each a word with the end of the address that its first result must have.
export async function checkSearch(context, server, page, size, words) {
  const faults = [];
  for (const [word, place] of words) {
    const found = await onPage(context, server, page, size, async (tab, fault) => {
      await tab.keyboard.press("/");
      await tab.locator("#mdbook-searchbar").fill(word);
      await tab.locator("#mdbook-searchbar").press("End");
      const first = tab.locator("#mdbook-searchresults a").first();
      const address = await first.getAttribute("href");
      if (!address.endsWith(place)) {
        fault(`the search for ${word} leads to ${address} and not to ${place}`);
        return;
      }
      await tab.keyboard.press("Enter");
      await tab.waitForURL(new RegExp(`${place.split("#")[1]}$`));
      const top = await tab.evaluate(() => document.querySelector(":target")?.getBoundingClientRect().top);
      if (!(top >= -1 && top < size.height)) {
        fault(`the search for ${word} leads to a place out of sight`);
      }
    });
    faults.push(...found);
  }
  return faults;
}

/// The faults of the addresses in `a/`: each leads on to the listing it names, and back leads back.
export async function checkAddresses(context, server, anchors) {
  const faults = [];
  for (const anchor of anchors) {
    const tab = await context.newPage();
    try {
      await tab.goto(server.address(`a/${anchor}.html`), { waitUntil: "commit" });
      await tab.waitForURL(/#listing-/);
      const shown = await tab.evaluate(() => {
        const target = document.querySelector(":target");
        return target && (target.matches("figure") ? target : target.nextElementSibling)?.matches("figure.listing");
      });
      if (!shown) {
        faults.push(`a/${anchor}.html leads to no listing but to ${tab.url()}`);
      }
    } catch (error) {
      faults.push(`a/${anchor}.html leads nowhere: ${error.message.split("\n")[0]}`);
    } finally {
      await tab.close();
    }
  }
  return faults;
}

/// Serves a folder below the one path for which its page for lost addresses was made.
export async function serveAsBuilt(folder) {
  const html = await readFile(path.join(folder, "404.html"), "utf8");
  return serve(folder, html.match(/const path_to_root = "([^"]*)"/)?.[1]);
}

/// The status with which an address is served.
async function status(address) {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  return answer.status;
}

/// The faults of the page that is shown for an address far below, where nothing is.
export function checkLost(context, server, page, size) {
  return onPage(context, server, page, size, async (tab, fault) => {
    tab.on("response", (response) => {
      if (response.status() >= 400 && response.url() !== server.address(page)) {
        fault(`it needs ${response.url()}, which is not there`);
      }
    });
    const answer = await tab.goto(server.address(page), { waitUntil: "networkidle" });
    if (answer.status() !== 404) {
      fault(`it is served with status ${answer.status()}`);
    }
    const links = await tab
      .locator(":is(main, #mdbook-sidebar) a[href]")
      .evaluateAll((links) => links.map((link) => link.href.split("#")[0]));
    const others = [...new Set(links)].filter((link) => link !== server.address(page));
    if (others.length < 3) {
      fault(`it leads to ${others.length} pages`);
    }
    for (const link of others) {
      if ((await status(link)) !== 200) {
        fault(`its link to ${link} leads nowhere`);
      }
    }
    await tab.locator("#mdbook-search-toggle").click();
    await tab.locator("#mdbook-searchbar").fill("adjoint");
    await tab.locator("#mdbook-searchbar").press("End");
    await tab.locator("#mdbook-searchresults a").first().click();
    await tab.waitForURL((url) => url.pathname !== new URL(server.address(page)).pathname);
    if ((await status(tab.url())) !== 200) {
      fault(`its search leads to ${tab.url()}, which is not there`);
    }
  });
}

/// Runs in an empty page: the addresses that a page names, and the places it has.
function addresses(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const links = [];
  for (const name of ["href", "src", "data", "poster"]) {
    for (const element of page.querySelectorAll(`[${name}]`)) {
      links.push(element.getAttribute(name));
    }
  }
  for (const element of page.querySelectorAll("meta[http-equiv=refresh]")) {
    links.push(element.content.replace(/^.*?url=/i, ""));
  }
  const ids = [...page.querySelectorAll("[id]")].map((element) => element.id);
  return { links, ids };
}

/// The faults of all links inside the site, from every page, to files and places on pages.
///
/// A file of rustdoc is held to what leads out of its folder, and to what leads into it.
export async function checkLinks(context, folder) {
  const root = path.resolve(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
      .map((file) => file.split(path.sep).join("/")),
  );
  const lost = await readFile(path.join(root, "404.html"), "utf8");
  const base = lost.match(/const path_to_root = "([^"]*)"/)?.[1] ?? "/";
  const tab = await context.newPage();
  const pages = new Map();
  for (const file of [...files].filter((file) => file.endsWith(".html"))) {
    pages.set(file, await tab.evaluate(addresses, await readFile(path.join(root, file), "utf8")));
  }
  await tab.close();

  const faults = [];
  let links = 0;
  for (const [file, { links: named }] of pages) {
    for (const link of named) {
      const from = new URL(file, `http://site${base}`);
      const to = new URL(link, from);
      if (to.host !== "site") {
        continue;
      }
      if (!to.pathname.startsWith(base)) {
        faults.push(`${file}: ${link} leaves the site`);
        continue;
      }
      let target = decodeURIComponent(to.pathname.slice(base.length));
      if (target === "" || target.endsWith("/")) {
        target += "index.html";
      }
      if (file.startsWith("api/") && target.startsWith("api/")) {
        continue;
      }
      links += 1;
      const place = decodeURIComponent(to.hash.slice(1));
      if (!files.has(target)) {
        faults.push(`${file}: ${link} leads to no file`);
      } else if (place && pages.has(target) && !pages.get(target).ids.includes(place)) {
        faults.push(`${file}: ${link} leads to no place on ${target}`);
      }
    }
  }
  if (links === 0) {
    faults.push(`${folder} has no link inside`);
  }
  return faults;
}
