// What axe-core finds wrong with a page for those who hear it, see little of it, or use keys alone.

import axe from "axe-core";

/// Runs in the page: each rule that is broken, with the first element that breaks it and why.
async function violations() {
  // A frame is a page of its own.
  const options = { resultTypes: ["violations"], iframes: false };
  const { violations } = await window.axe.run(document, options);
  return violations.map(({ id, nodes }) => {
    const [{ html, any, all, none }] = nodes;
    const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
    const more = nodes.length > 1 ? `, and ${nodes.length - 1} more` : "";
    return `${id}: ${html.replace(/\s+/g, " ").slice(0, 120)}: ${why}${more}`;
  });
}

/// The faults of a page in one theme, with everything unfolded.
export async function checkAccess(context, server, page, { width, height }, theme) {
  const tab = await context.newPage();
  // A page for any address that leads nowhere starts from the root of its host.
  const below = new URL(server.address(""));
  const outside = (url) => url.origin === below.origin && !url.pathname.startsWith(below.pathname);
  await tab.route(outside, async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: server.address(pathname.slice(1)) }) });
  });
  try {
    await tab.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
    await tab.setViewportSize({ width, height });
    // Nothing is half faded in.
    await tab.emulateMedia({ reducedMotion: "reduce" });
    await tab.goto(server.address(page), { waitUntil: "load" });
    await tab.evaluate(() => {
      document.querySelectorAll("details").forEach((details) => (details.open = true));
    });
    await tab.waitForTimeout(200);
    await tab.evaluate(axe.source);
    const faults = await tab.evaluate(violations);
    return faults.map((fault) => `${page} at ${width} px in ${theme}: ${fault}`);
  } catch (error) {
    return [`${page} at ${width} px in ${theme}: axe-core cannot look at it: ${error.message}`];
  } finally {
    await tab.close();
  }
}

/// The faults of the switch of the sidebar: keys must reach it and press it.
export async function checkSwitch(context, server, page, { width, height }) {
  const tab = await context.newPage();
  const faults = [];
  try {
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const button = tab.locator("#mdbook-sidebar-toggle");
    const box = tab.locator("#mdbook-sidebar-toggle-anchor");
    await button.focus({ timeout: 2000 });
    if (!(await button.evaluate((button) => button === document.activeElement))) {
      faults.push("no key reaches it");
    }
    for (const key of ["Enter", "Space"]) {
      const before = await box.isChecked();
      await tab.keyboard.press(key);
      const after = await box.isChecked();
      if (after === before) {
        faults.push(`${key} does not press it`);
      }
      if ((await button.getAttribute("aria-expanded")) !== String(after)) {
        faults.push(`after ${key} it says the opposite of what it did`);
      }
    }
  } catch (error) {
    faults.push(`cannot be tried: ${error.message}`);
  } finally {
    await tab.close();
  }
  return faults.map((fault) => `${page} at ${width} px, switch of the sidebar: ${fault}`);
}
