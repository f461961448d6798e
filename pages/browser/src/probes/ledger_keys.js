// Whether the ledger's buttons are away at the end of its graph, and not beside its details.
() => {
  const figure = document.querySelector("[data-drawing='reverse-ledger']");
  const box = (name) => figure.querySelector(name).getBoundingClientRect();
  // The graph, or the box in which it scrolls.
  const boxed = figure.querySelector(".stepper-graph").getClientRects().length > 0;
  const [edge, graph] = [box(".stepper-edge"), box(boxed ? ".stepper-graph" : ".stepper svg")];
  const beside = edge.top < graph.bottom && graph.top < edge.bottom;
  scrollBy({ top: graph.bottom - innerHeight, behavior: "instant" });
  const { top, bottom } = box(".stepper-keys");
  return !beside && (top < 0 || bottom > innerHeight);
}
