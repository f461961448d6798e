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

/// Runs in an empty page: the share of points that differ so much that one sees it.
async function difference(pictures) {
  const [one, other] = await Promise.all(
    pictures.map(async (picture) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const ink = new OffscreenCanvas(image.width, image.height).getContext("2d");
      ink.drawImage(image, 0, 0);
      return ink.getImageData(0, 0, image.width, image.height);
    }),
  );
  if (one.width !== other.width || one.height !== other.height) {
    return 1;
  }
  let differing = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    differing += [0, 1, 2].some((part) => Math.abs(one.data[at + part] - other.data[at + part]) > 32);
  }
  return (4 * differing) / one.data.length;
}

/// Whether two pictures show the same; how the edges of letters are smoothed does not count.
export async function samePicture(context, one, other) {
  const tab = await context.newPage();
  try {
    const pictures = [one, other].map((picture) => Buffer.from(picture).toString("base64"));
    return (await tab.evaluate(difference, pictures)) < 0.01;
  } finally {
    await tab.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const { context, stop } = await launch();
  const file = process.argv[2] ?? new URL("preview.png", style);
  await writeFile(file, await preview(context)).finally(stop);
}
