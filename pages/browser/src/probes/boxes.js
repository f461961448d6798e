// The boxes that scroll to the side or are tab stops, and what is said of them.
() => {
  const content = document.querySelector("#mdbook-content") ?? document.body;
  // In a closed fold nothing is a tab stop, whatever it says.
  return [...content.querySelectorAll("*")]
    .filter((box) => box.checkVisibility())
    .map((box) => ({
      name: box.localName,
      scrolls: /auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth,
      stop: box.getAttribute("tabindex") === "0",
      role: box.getAttribute("role"),
      label: box.getAttribute("aria-label"),
      text: box.textContent.trim().slice(0, 40).replace(/\s+/g, " "),
    }))
    .filter(({ scrolls, stop }) => scrolls || stop);
}
