// Where the parts of the ledger's step stand in the window: each its top and its bottom.
() => {
  const figure = document.querySelector("[data-drawing='reverse-ledger']");
  const span = (name) => {
    const { top, bottom } = figure.querySelector(name).getBoundingClientRect();
    return [Math.round(top), Math.round(bottom)];
  };
  return {
    details: span(".stepper-edge"),
    graph: span(".stepper-graph"),
    lit: span("svg [data-edge].now"),
    keys: span(".stepper-keys"),
  };
}
