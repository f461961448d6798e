// The colours of texts and lines in figures, and of the arrows to the next pages, each with the
// ground it stands on.
() => {
  const seen = new Map();
  const grounds = (element) =>
    element ? [...grounds(element.parentElement), getComputedStyle(element).backgroundColor] : [];
  const note = (what, ground, ink, element) => {
    const [below, above] = [paint(ground), paint([...ground, ink])];
    const key = `${what} ${below} ${above}`;
    if (!seen.has(key)) {
      const name = element.textContent.trim().slice(0, 30).replace(/\s+/g, " ");
      seen.set(key, { what, name, ink: above, ground: below });
    }
  };
  for (const figure of document.querySelectorAll(".drawing")) {
    for (const element of figure.querySelectorAll("*")) {
      const style = getComputedStyle(element);
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      const picture = element.closest("svg");
      if (picture && /^(text|tspan)$/.test(element.localName) && own) {
        // A name lies on the ground of its pill.
        const pill = element.closest("g")?.querySelector("rect");
        const ground = [...grounds(picture), ...(pill ? [getComputedStyle(pill).fill] : [])];
        note("text of a picture", ground, style.fill, element);
      } else if (picture && /^(path|rect)$/.test(element.localName)) {
        note("line of a picture", grounds(picture), style.stroke, element.parentElement);
      } else if (!picture && own && element.getClientRects().length > 0) {
        note("text", grounds(element), style.color, element);
      }
    }
    for (const row of figure.querySelectorAll("tr[aria-current]")) {
      const edge = getComputedStyle(row).boxShadow.match(/^(?:rgba?|color|oklch|oklab)\([^)]*\)/)?.[0];
      note("edge of the marked row", grounds(row.parentElement), edge ?? "transparent", row);
    }
  }
  for (const arrow of document.querySelectorAll(".mobile-nav-chapters")) {
    if (arrow.getClientRects().length > 0) {
      note("arrow to another page", grounds(arrow), getComputedStyle(arrow).color, arrow);
    }
  }
  return [...seen.values()];
}
