// The rules of axe-core that the page breaks. A frame is a page of its own.
async () => {
  const { violations } = await window.axe.run(document, { resultTypes: ["violations"], iframes: false });
  return violations;
}
