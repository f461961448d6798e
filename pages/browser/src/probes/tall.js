// The pictures that are higher than the window.
() =>
  [...document.querySelectorAll("svg")]
    .filter((picture) => picture.getBoundingClientRect().height > window.innerHeight)
    .map((picture) => picture.querySelector("title")?.textContent ?? picture.outerHTML.slice(0, 40))
