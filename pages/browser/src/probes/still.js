// What the figures of a page show and hide where no script helps.
() => {
  const visible = (element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
  const rows = document.querySelectorAll("[data-drawing='reverse-ledger'] tr[data-edge]");
  const figures = [...document.querySelectorAll(".drawing")].map((figure) => {
    const parts = [...figure.querySelectorAll("svg, table, tr, td, th, text, path, rect")];
    const boxes = [...figure.querySelectorAll(".table-box")];
    const { right } = figure.getBoundingClientRect();
    return {
      id: figure.id,
      hidden: parts
        .filter((part) => !part.closest(".stepper") && !visible(part))
        .map((part) => part.localName),
      steps: [...figure.querySelectorAll(".stepper")].some(visible),
      wide: boxes.some(
        (box) => box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > right,
      ),
    };
  });
  return { rows: [...rows].filter(visible).length, figures };
}
