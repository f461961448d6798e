// What the code of a page shows, and the number before the title of a chapter.
() => {
  const ink = (element) => getComputedStyle(element).color;
  const codes = [...document.querySelectorAll("pre > code")].map((code) => ({
    start: code.textContent.trim().slice(0, 40).replace(/\s+/g, " "),
    text: code.textContent,
    printed: code.matches(":is(.listing, .source-file) pre > code"),
    // What somebody copies.
    copied: !code.matches(".listing > pre > code") || code.innerText === code.textContent,
    scrolls: code.scrollWidth > code.clientWidth,
    rust: code.matches(".language-rust"),
    coloured: [...code.querySelectorAll("*")].some((piece) => ink(piece) !== ink(code)),
  }));
  const titles = [...document.querySelectorAll("main h1")];
  return {
    codes,
    listing: document.querySelector(".listing-number")?.textContent,
    titles: titles.map((title) => getComputedStyle(title, "::before").content),
  };
}
