// node --test: the check of workflows finds what it is there to find.

import assert from "node:assert/strict";
import { test } from "node:test";

import { faultsOf } from "./workflows.mjs";

const workflow = (runner, step) =>
  `on: push\njobs:\n  test:\n    runs-on: ${runner}\n    steps:\n      - ${step}\n`;

test("a workflow without fault has none", async () => {
  assert.deepEqual(await faultsOf(workflow("ubuntu-24.04", "run: echo"), "a.yml"), []);
});

test("a runner, a name and an action that do not exist are found", async () => {
  const faults = async (...parts) => (await faultsOf(workflow(...parts), "a.yml")).join("\n");
  assert.match(await faults("ubuntu-24.40", "run: echo"), /^a.yml:4:14: label "ubuntu-24.40" is unknown/);
  assert.match(await faults("ubuntu-24.04", "run: echo ${{ github.nope }}"), /"nope" is not defined/);
  assert.match(await faults("ubuntu-24.04", "uses: actions/checkout"), /ref is missing/);
  assert.match(await faults("ubuntu-24.04", "runs: echo"), /unexpected key "runs"|"run".*"uses"/);
});
