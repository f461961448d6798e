// The mark on the lines that the address names, those lines, and the colours of the text under it.
() => {
  const target = document.querySelector(":target");
  const numbers = location.hash.match(/^#L(\d+)(?:-L(\d+))?$/);
  if (!target || !numbers) {
    return { hash: location.hash, mark: null };
  }
  const single = target.closest(".line-numbers");
  const style = getComputedStyle(target, single ? "::after" : null);
  const height = ({ top, bottom }) => [top, bottom];
  const line = (number) => height(document.getElementById(`L${number}`).getBoundingClientRect());
  const grounds = (element) =>
    element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : [];
  const code = document.querySelector(".source-file pre > code");
  const texts = new Map();
  for (const element of [code, ...code.querySelectorAll("*")]) {
    const below = [...grounds(element), style.backgroundColor];
    const above = [...grounds(element), getComputedStyle(element).color, style.backgroundColor];
    const [ground, ink] = [paint(below), paint(above)];
    texts.set(`${ground} ${ink}`, { name: element.className, ink, ground });
  }
  const edge = style.boxShadow.match(/^(rgb|color)[^)]*\)/)?.[0] ?? "transparent";
  return {
    hash: location.hash,
    mark: {
      single: Boolean(single),
      first: line(numbers[1]),
      last: line(numbers[2] ?? numbers[1]),
      heights: height(target.getBoundingClientRect()),
      width: parseFloat(style.width),
      file: target.closest(".source-file").getBoundingClientRect().width,
      bar: document.querySelector("#mdbook-menu-bar")?.getBoundingClientRect().bottom ?? 0,
      window: innerHeight,
      colour: paint([style.backgroundColor]),
      texts: [...texts.values()],
      // The line around the mark is what the colour-blind see.
      edge: { name: "edge", ink: paint([...grounds(code), edge]), ground: paint(grounds(code)) },
    },
  };
}
