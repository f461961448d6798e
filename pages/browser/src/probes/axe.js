// Starts axe-core and leaves the rules that the page breaks in `window.broken`: it may take longer than
// an answer to a command. A frame is a page of its own.
() => {
  const looked = axe.run(document, { resultTypes: ["violations"], iframes: false });
  looked.then(
    ({ violations }) => (window.broken = { violations }),
    (error) => (window.broken = { violations: [], error: String(error) }),
  );
  return null;
}
