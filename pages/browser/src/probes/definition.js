// The definition that shows, and how the link to its term stands to it.
(selector) => {
  const definition = document.querySelector("#definition");
  const { x, y, right, bottom, width, height } = definition?.getBoundingClientRect() ?? {};
  const link = document.querySelector(selector);
  return {
    text: definition?.innerText ?? null,
    inside: x >= 0 && right <= innerWidth && y >= 0 && bottom <= innerHeight,
    told: link.getAttribute("aria-describedby") === "definition",
    focused: document.activeElement.matches(selector),
    term: link.getAttribute("href").split("#")[1],
    box: definition && { x, y, width, height },
  };
}
