// Whether the ledger's buttons are away while its graph is in sight, and not beside its details.
() => {
  const figure = document.querySelector("[data-drawing='reverse-ledger']");
  const box = (name) => figure.querySelector(name).getBoundingClientRect();
  const [edge, graph] = [box(".stepper-edge"), box(".stepper svg")];
  const beside = edge.top < graph.bottom && graph.top < edge.bottom;
  scrollBy({ top: graph.top, behavior: "instant" });
  const { top, bottom } = box(".stepper-keys");
  return !beside && (top < 0 || bottom > innerHeight);
}
