// Where the parts of the ledger's step stand in the window.
() => {
  const figure = document.querySelector("[data-drawing='reverse-ledger']");
  const span = (name) => {
    const place = figure.querySelector(name).getBoundingClientRect();
    return Object.fromEntries(
      ["left", "top", "right", "bottom"].map((side) => [side, Math.round(place[side])]),
    );
  };
  return {
    details: span(".stepper-edge"),
    graph: span(".stepper-graph"),
    lit: span("svg [data-edge].now"),
    keys: span(".stepper-keys"),
  };
}
