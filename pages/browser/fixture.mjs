// What the tests of the page checks share: a folder that is served, and a browser.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";

import { launch, serve } from "./site.mjs";

export const PHONE = { width: 360, height: 740 };

export let folder;
export let server;
export let browser;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "pages-"));
  server = await serve(folder);
  browser = await launch();
});

after(async () => {
  await browser.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
