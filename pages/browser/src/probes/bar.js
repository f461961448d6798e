// What stands under one bar, scrolled into sight.
(number) => {
  const bar = window.bars[number];
  bar.scrollIntoViewIfNeeded();
  const { x, y, width, height } = bar.firstElementChild.getBoundingClientRect();
  return { x: x + scrollX, y: y + scrollY, width, height, text: bar.textContent };
}
