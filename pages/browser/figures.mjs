// Looks at the drawn figures as a reader does: steps through the ledger, reads it without a script
// and on paper, and measures the contrast of everything in it.

const LEDGER = "[data-drawing='reverse-ledger']";

/// Runs in the page: what the ledger shows now, and what its table says it should.
function state(selector) {
  const figure = document.querySelector(selector);
  const words = (element) => element.textContent.split(/\s+/).filter(Boolean).join(" ");
  const rows = [...figure.querySelectorAll("tr[data-edge]")];
  const current = rows.findIndex((row) => row.hasAttribute("aria-current"));
  const stepper = figure.querySelector(".stepper");
  const marked = (name, mark) =>
    [...(stepper?.querySelectorAll(`svg .${mark}`) ?? [])].map((one) => one.dataset[name]);
  return {
    rows: rows.map((row) => ({ ...row.dataset, cells: [...row.cells].map(words) })),
    current,
    stepper: Boolean(stepper),
    // The stepper's own graph, not the one of another figure.
    graph: Boolean(stepper?.querySelector("svg")),
    said: words(stepper?.querySelector("output") ?? document.createElement("p")),
    labels: [...(stepper?.querySelectorAll("dt") ?? [])].map(words),
    heads: [...figure.querySelector("thead tr").cells].map(words),
    shown: [...(stepper?.querySelectorAll("dd") ?? [])].map(words),
    // What stands beside each node: in the stepper's graph, and in the one it was copied from.
    adjoints: [...(stepper?.querySelectorAll("svg [data-node]") ?? [])].map((node) => words(node.lastElementChild)),
    final: [...document.querySelectorAll("[data-drawing='forward-graph'] [data-node]")].map((node) => words(node.lastElementChild)),
    ...Object.fromEntries(["back", "forth"].map((head) => {
      const drawn = [...(stepper?.querySelectorAll(`svg .${head}`) ?? [])].filter((one) => getComputedStyle(one).display !== "none");
      return [head, drawn.map((one) => one.closest("[data-edge]").dataset.edge)];
    })),
    edge: marked("edge", "now"),
    child: marked("node", "child-now"),
    parent: marked("node", "parent-now"),
  };
}

/// What is wrong with the step that a ledger shows; `contributions` are what an independent source
/// says of each step.
function wrongAt(step, now, contributions) {
  const wrong = [];
  const expect = (what, found, expected) => {
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      wrong.push(`step ${step}: ${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
    }
  };
  const row = now.rows[step];
  expect("the marked row", now.current, step);
  expect("the labels", now.labels, now.heads.slice(1));
  expect("what is shown", now.shown, row.cells.slice(1));
  const at = now.heads.indexOf("contribution");
  expect("the contribution", now.shown[at - 1], contributions[step]);
  const met = new Set(now.rows.slice(0, step + 1).flatMap(({ child, parent }) => [child, parent]));
  const adjoints = now.final.map((text, node) => {
    const last = now.rows.slice(0, step + 1).findLast(({ parent }) => parent === String(node));
    return met.has(String(node)) ? `adjoint ${last?.cells.at(-1) ?? now.rows[0].cells[now.heads.indexOf("upstream u")]}` : "adjoint 0, nothing yet";
  });
  expect("the adjoints in the graph", now.adjoints, adjoints);
  if (step === now.rows.length - 1) {
    expect("the adjoints at the end", now.adjoints, now.final);
  }
  expect("the edge whose arrow points back", now.back, [row.edge]);
  expect("the number of arrows that point forth", now.forth.length, now.rows.length - 1);
  expect("the marked edge", now.edge, [row.edge]);
  expect("the marked child", now.child, [row.child]);
  expect("the marked parent", now.parent, [row.parent]);
  if (!now.said.includes(`Step ${step} `) || !now.said.endsWith(`: ${row.cells[1]}, operand ${row.cells[2]}; the parent’s adjoint is now ${row.cells.at(-1)}`)) {
    wrong.push(`step ${step}: it is announced as ${JSON.stringify(now.said)}`);
  }
  return wrong;
}

/// One wrong step is enough: those after it only follow.
const WRONG = new Error("a step is wrong");

/// The faults of a ledger that a reader steps through by mouse, by keyboard, and by itself.
export async function checkLedger(context, server, page, { width, height }, contributions) {
  const tab = await context.newPage();
  const faults = [];
  let turned = false;
  try {
    await tab.clock.install();
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    tab.setDefaultTimeout(3000);
    const now = () => tab.evaluate(state, LEDGER);
    const figure = tab.locator(LEDGER);
    const button = (name) => figure.getByRole("button", { name, exact: true });
    const last = contributions.length - 1;
    // The page stays, whatever a key wants of it.
    await tab.route("**", (route) => {
      turned ||= route.request().isNavigationRequest();
      return route.fulfill({ status: 204 });
    });
    const first = await now();
    if (!first.stepper || !first.graph || first.rows.length !== contributions.length) {
      return [`${page} at ${width} px: the ledger has no steps, no graph or other rows`];
    }
    const at = async (step, how) => {
      const wrong = wrongAt(step, await now(), contributions);
      faults.push(...wrong.map((fault) => `${how}, ${fault}`));
      if (wrong.length > 0) {
        throw WRONG;
      }
    };

    // A step changes graph and details: the keys are beside both, or stay in sight.
    const away = await figure.evaluate((element) => {
      const box = (name) => element.querySelector(name).getBoundingClientRect();
      const beside = box(".stepper-edge").top < box(".stepper svg").bottom && box(".stepper svg").top < box(".stepper-edge").bottom;
      scrollBy({ top: box(".stepper svg").top, behavior: "instant" });
      const { top, bottom } = box(".stepper-keys");
      return !beside && (top < 0 || bottom > innerHeight);
    });
    if (away) {
      faults.push(`at ${width} px the ledger's buttons are out of sight beside its graph`);
    }

    // A button that has nothing to do says so, and may be pressed all the same.
    await at(0, "at first");
    await button("Previous").click({ force: true });
    await at(0, "before the first");
    for (let step = 1; step <= last; step += 1) {
      await button("Next").click({ force: true });
      await at(step, "by mouse");
    }
    await button("Next").click({ force: true });
    await at(last, "after the last");
    await button("Previous").click({ force: true });
    await at(last - 1, "back by mouse");

    // The keys, from a button inside the figure.
    await button("Next").focus();
    await tab.keyboard.press("ArrowRight");
    await at(last, "by ArrowRight");
    await tab.keyboard.press("ArrowRight");
    await at(last, "by ArrowRight after the last");
    for (let step = last - 1; step >= 0; step -= 1) {
      await tab.keyboard.press("ArrowLeft");
      await at(step, "by ArrowLeft");
    }
    await tab.keyboard.press("Enter");
    await at(1, "by Enter on Next");
    await button("Previous").focus();
    await tab.keyboard.press("Space");
    await at(0, "by Space on Previous");

    // Elsewhere the keys are not its own.
    await tab.evaluate(() => {
      document.activeElement.blur();
      addEventListener("keydown", (event) => event.stopImmediatePropagation(), { capture: true });
    });
    await tab.keyboard.press("ArrowRight");
    await at(0, "by a key outside");

    // By itself, and no further than to the end.
    await button("Play").click({ force: true });
    await at(0, "at the start of Play");
    await tab.clock.runFor(3100);
    await at(1, "by Play");
    await button("Pause").click({ force: true });
    await tab.clock.runFor(9000);
    await at(1, "after Pause");
    await button("Play").click({ force: true });
    await tab.clock.runFor(3000 * (last + 2));
    await at(last, "after all of Play");
    if ((await button("Play").count()) !== 1) {
      faults.push("at its end Play does not stop");
    }

    await tab.emulateMedia({ reducedMotion: "reduce" });
    // The change is told with the next frame.
    const gone = button("Play").waitFor({ state: "hidden", timeout: 1000 });
    await gone.catch(() => faults.push("it offers to move by itself to a reader who wants no motion"));
    await button("Previous").click({ force: true });
    await at(last - 1, "with reduced motion");
  } catch (error) {
    if (error !== WRONG) {
      faults.push(`cannot be stepped: ${error.message.split("\n")[0]}`);
    }
  } finally {
    await tab.waitForTimeout(50);
    await tab.close();
  }
  if (turned) {
    faults.unshift("an arrow key in the ledger turns the page");
  }
  return faults.slice(0, 5).map((fault) => `${page} at ${width} px: ${fault}`);
}

/// The faults of the arrow keys in a box of the ledger that scrolls: they scroll, and do not step.
export async function checkLedgerBox(context, server, page, { width, height }) {
  const tab = await context.newPage();
  try {
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const box = tab.locator(`${LEDGER} .table-box:has(tr[data-edge])`);
    await box.focus({ timeout: 2000 });
    await tab.keyboard.press("ArrowRight");
    await tab.waitForTimeout(300);
    const faults = [];
    if ((await box.evaluate((box) => box.scrollLeft)) === 0) {
      faults.push("an arrow key does not scroll the ledger's table");
    }
    if ((await tab.evaluate(state, LEDGER)).current !== 0) {
      faults.push("an arrow key in the table that scrolls takes a step");
    }
    return faults.map((fault) => `${page} at ${width} px: ${fault}`);
  } catch (error) {
    return [`${page} at ${width} px: ${error.message.split("\n")[0]}`];
  } finally {
    await tab.close();
  }
}

/// Runs in the page: what of the figures does not stand there, as far as a script would be needed.
function incomplete([selector, rows, paper]) {
  const found = [];
  const visible = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
  const figures = [...document.querySelectorAll(".drawing")];
  if (figures.length === 0) {
    found.push("there is no figure");
  }
  const shown = [...document.querySelectorAll(`${selector} tr[data-edge]`)].filter(visible);
  if (shown.length !== rows) {
    found.push(`the ledger shows ${shown.length} rows, not ${rows}`);
  }
  for (const figure of figures) {
    const parts = figure.querySelectorAll("svg, table, tr, td, th, text, path, rect");
    const hidden = [...parts].filter((part) => !part.closest(".stepper") && !visible(part));
    if (hidden.length > 0) {
      found.push(`${figure.id} hides ${hidden.length} parts, one a ${hidden[0].localName}`);
    }
    if ([...figure.querySelectorAll(".stepper")].some(visible)) {
      found.push(`${figure.id} has steps that nothing can take`);
    }
    const boxes = [...figure.querySelectorAll(".table-box")];
    const right = figure.getBoundingClientRect().right;
    const wide = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1);
    if (paper && (wide.length > 0 || boxes.some((box) => box.getBoundingClientRect().right > right))) {
      found.push(`${figure.id} is wider than the paper`);
    }
  }
  return found;
}

/// The faults of the figures without a script, given a context that runs none, or on paper.
export async function checkStill(context, server, page, { width, height }, rows, media = "screen") {
  const tab = await context.newPage();
  try {
    await tab.setViewportSize({ width, height });
    await tab.emulateMedia({ media });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const faults = await tab.evaluate(incomplete, [LEDGER, rows, media === "print"]);
    return faults.map((fault) => `${page} still, ${media}: ${fault}`);
  } finally {
    await tab.close();
  }
}

/// Runs in the page: texts and lines of the figures that are hard to tell from their ground.
function faint() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((one) => linear(one / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (ground, colour) => {
    const [dark, light] = [luminance(ground), luminance([...ground, colour])].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const grounds = (element) =>
    element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : [];
  const least = new Map();
  const note = (what, ratio, limit, element) => {
    if (ratio < limit && ratio < (least.get(what)?.ratio ?? Infinity)) {
      const text = element.textContent.trim().slice(0, 30).replace(/\s+/g, " ");
      least.set(what, { ratio, text });
    }
  };
  for (const figure of document.querySelectorAll(".drawing")) {
    for (const element of figure.querySelectorAll("*")) {
      const style = getComputedStyle(element);
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      const inPicture = element.closest("svg");
      if (inPicture && /^(text|tspan)$/.test(element.localName) && own) {
        // A name lies on the ground of its pill.
        const pill = element.closest("g")?.querySelector("rect");
        const ground = [...grounds(inPicture), ...(pill ? [getComputedStyle(pill).fill] : [])];
        note("text of a picture", contrast(ground, style.fill), 4.5, element);
      } else if (inPicture && /^(path|rect)$/.test(element.localName)) {
        note("line of a picture", contrast(grounds(inPicture), style.stroke), 3, element.parentElement);
      } else if (!inPicture && own && element.getClientRects().length > 0) {
        note("text", contrast(grounds(element), style.color), 4.5, element);
      }
    }
    for (const row of figure.querySelectorAll("tr[aria-current]")) {
      const edge = getComputedStyle(row).boxShadow.match(/^(?:rgba?|color|oklch|oklab)\([^)]*\)/)?.[0];
      note("edge of the marked row", edge ? contrast(grounds(row.parentElement), edge) : 1, 3, row);
    }
  }
  return [...least].map(([what, { ratio, text }]) => `${what} has a contrast of ${ratio.toFixed(2)}: ${text}`);
}

/// The faults of the figures' contrast in a theme.
export async function checkContrast(context, server, page, { width, height }, theme) {
  const tab = await context.newPage();
  try {
    await tab.addInitScript((theme) => localStorage.setItem("mdbook-theme", theme), theme);
    await tab.setViewportSize({ width, height });
    await tab.goto(server.address(page), { waitUntil: "load" });
    const faults = await tab.evaluate(faint);
    return faults.map((fault) => `${page} in ${theme}: ${fault}`);
  } finally {
    await tab.close();
  }
}
