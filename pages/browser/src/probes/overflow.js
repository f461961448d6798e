// What ends beyond the window's right edge.
//
// mdBook's page hides what the body is too narrow for, so the width of the document says little. An
// element may be wide inside a box that scrolls, and nowhere else.
() => {
  const limit = document.documentElement.clientWidth;
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const content = document.querySelector("#mdbook-content") ?? document.body;
  const loose = [];
  for (const element of content.querySelectorAll("*")) {
    const { width, height, right } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || right <= limit) {
      continue;
    }
    let around = element.parentElement;
    while (around && around !== content && !scrolls(around)) {
      around = around.parentElement;
    }
    if (!around || around === content) {
      const name = element.id ? `${element.localName}#${element.id}` : element.localName;
      const text = element.textContent.trim().slice(0, 40).replace(/\s+/g, " ");
      loose.push({ name, right, text });
    }
  }
  return { limit, document: document.scrollingElement.scrollWidth, loose };
}
