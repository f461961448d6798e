// Keeps the formulas that have a bar, and tells their number.
() => {
  const stretched = document.querySelectorAll("mover:has(> mo[stretchy='true']:last-child)");
  window.bars = [...stretched].filter(({ lastElementChild: mark }) => mark.textContent === "\u0332");
  return window.bars.length;
}
