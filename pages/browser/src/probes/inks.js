// The colours of the texts in code, each with the ground it stands on.
() => {
  const seen = new Map();
  for (const code of document.querySelectorAll("main code")) {
    let box = code;
    while (box.parentElement && getComputedStyle(box).backgroundColor === "rgba(0, 0, 0, 0)") {
      box = box.parentElement;
    }
    const ground = getComputedStyle(box).backgroundColor;
    for (const piece of [code, ...code.querySelectorAll("*:not(.boring)")]) {
      const ink = getComputedStyle(piece).color;
      const name = `${piece.localName} ${ink} on ${ground}`;
      seen.set(name, { name, ink: paint([ground, ink]), ground: paint([ground]) });
    }
  }
  return [...seen.values()];
}
