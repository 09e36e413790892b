import { join } from "node:path";
import { expect, test } from "vitest";
import { compiled } from "./compiled.ts";
import { examples, examplesForPlaywright, root } from "./examples.ts";

test("the compiler finds nothing wrong in the examples of the documentation, in a reader's strict project", () => {
  expect(compiled([...examples, ...examplesForPlaywright], join(root, ".cache/documented"))).toBe("");
});

test("nor in a project for Node alone, without the types of a browser, where JSON that was read is unknown", () => {
  const ofServers = examples.filter(({ code }) => !/\b(document|window|setupWorker)\b|jsdom/.test(code));
  const said = compiled(ofServers, join(root, ".cache/documented-for-node"), ["es2024", "esnext.disposable"]);
  // The source itself, which readers have as declarations, needs those types.
  expect(said.split("\n").filter((line) => line.startsWith("docs-") || line.startsWith("README"))).toEqual([]);
});
