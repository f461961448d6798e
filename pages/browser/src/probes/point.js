// Scrolls an element into sight: the point where a pointer meets it, or null while it is not there,
// not visible, or, unless it is forced, under something else.
(element, forced) => {
  if (!element?.checkVisibility({ visibilityProperty: true })) {
    return null;
  }
  element.scrollIntoViewIfNeeded();
  const [box] = element.getClientRects();
  if (!box || box.width === 0 || box.height === 0) {
    return null;
  }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return forced || element.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}
