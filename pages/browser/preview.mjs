// node preview.mjs [FILE]
//
// Draws book/style/preview.svg as the picture that stands for the book where somebody shares a
// link, book/style/preview.png unless FILE says otherwise. It needs the DejaVu fonts.

import { readFile, writeFile } from "node:fs/promises";

import { launch } from "./site.mjs";

const style = new URL("../../book/style/", import.meta.url);

/// The bytes of the picture.
export async function preview(context) {
  const tab = await context.newPage();
  try {
    await tab.setViewportSize({ width: 1200, height: 630 });
    const drawing = await readFile(new URL("preview.svg", style), "utf8");
    await tab.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
    return await tab.screenshot();
  } finally {
    await tab.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { context, stop } = await launch();
  const file = process.argv[2] ?? new URL("preview.png", style);
  await writeFile(file, await preview(context)).finally(stop);
}
