// How code, folds, texts before lists and places of checks stand on paper, and whether its sides
// have numbers.
() => {
  const start = (element) => element.textContent.trim().slice(0, 40).replace(/\s+/g, " ");
  const inner = (element) => {
    const { paddingTop: top, paddingBottom: bottom } = getComputedStyle(element);
    return element.getBoundingClientRect().height - parseFloat(top) - parseFloat(bottom);
  };
  const height = (numbers) =>
    numbers &&
    numbers.lastElementChild.getBoundingClientRect().bottom -
      numbers.firstElementChild.getBoundingClientRect().top;
  const font = (element) => getComputedStyle(element).fontFamily;
  const seen = (code) => code.getClientRects().length > 0;
  const codes = [...document.querySelectorAll(":is(.listing, .source-file) pre > code")].filter(seen);
  const folded = [...document.querySelectorAll("main details:not(.check) > :not(summary)")];
  const texts = [...document.querySelectorAll("main p:has(+ :is(ol, ul, figure, pre, .formula))")];
  // A browser keeps of a rule what it knows.
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const sides = rules.filter((rule) => rule instanceof CSSPageRule).map((rule) => rule.cssText);
  return {
    numbered: sides.some((text) => text.includes("counter(page)")),
    codes: codes.map((code) => ({
      start: start(code),
      text: code.textContent,
      height: inner(code),
      line: parseFloat(getComputedStyle(code).lineHeight),
      scrolls: code.scrollWidth > code.clientWidth,
      numbers: height(code.closest(".source-file")?.querySelector(".line-numbers")),
    })),
    folded: folded.filter((part) => !part.checkVisibility()).map(start),
    parted: texts.filter((text) => getComputedStyle(text).breakAfter !== "avoid").map(start),
    places: [...document.querySelectorAll(".check-place")].map((place) => ({
      start: start(place),
      font: font(place),
      caption: font(place.closest("figure").querySelector("figcaption")),
    })),
  };
}
