// How a name is written, and whether keys reach it.
(name) => {
  const { textDecorationLine: line, textDecorationStyle: style, color } = getComputedStyle(name);
  return {
    line: `${line} ${style}`,
    ink: color,
    around: getComputedStyle(name.parentElement).color,
    focused: name === document.activeElement,
    stop: name.tabIndex === 0,
  };
}
