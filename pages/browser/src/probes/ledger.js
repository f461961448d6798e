// What the ledger shows now, and what its table says it should.
() => {
  const figure = document.querySelector("[data-drawing='reverse-ledger']");
  const words = (element) => element?.textContent.split(/\s+/).filter(Boolean).join(" ") ?? "";
  const rows = [...figure.querySelectorAll("tr[data-edge]")];
  const stepper = figure.querySelector(".stepper");
  const all = (selector) => [...(stepper?.querySelectorAll(selector) ?? [])];
  const edge = (one) => one.closest("[data-edge]").dataset.edge;
  const drawn = (head) =>
    all(`svg .${head}`).filter((one) => getComputedStyle(one).display !== "none").map(edge);
  const beside = (node) => words(node.lastElementChild);
  const nodes = document.querySelectorAll("[data-drawing='forward-graph'] [data-node]");
  return {
    rows: rows.map((row) => ({ ...row.dataset, cells: [...row.cells].map(words) })),
    current: rows.findIndex((row) => row.hasAttribute("aria-current")),
    stepper: Boolean(stepper),
    // The stepper's own graph, not the one of another figure.
    graph: all("svg").length > 0,
    said: words(stepper?.querySelector("output")),
    labels: all("dt").map(words),
    heads: [...(rows[0]?.closest("table").tHead?.rows[0].cells ?? [])].map(words),
    shown: all("dd").map(words),
    // What stands beside each node: in the stepper's graph, and in the one it was copied from.
    adjoints: all("svg [data-node]").map(beside),
    last: [...nodes].map(beside),
    back: drawn("back"),
    forth: drawn("forth"),
    edge: all("svg .now").map((one) => one.dataset.edge),
    child: all("svg .child-now").map((one) => one.dataset.node),
    parent: all("svg .parent-now").map((one) => one.dataset.node),
  };
}
