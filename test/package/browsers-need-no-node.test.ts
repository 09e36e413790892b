import { expect, test } from "vitest";
import { entries, outputName } from "../../scripts/entries.ts";
import { filesBehind, modulesIn } from "./built-files.ts";

/** The entries that only a process loads. */
const ofNode = new Set([
  "coverage-collector",
  "exam",
  "jest-reporter",
  "no-network",
  "node",
  "playwright",
  "scenario",
  "server",
  "vitest-reporter",
]);
const forBrowsers = entries.filter(({ name }) => !ofNode.has(name.replace("centavo/", "")));

test.for(forBrowsers)("$name imports no module of Node, so a browser loads it", ({ source }) => {
  const modules = [...filesBehind("esm", `${outputName(source)}.js`).values()].flatMap((text) => modulesIn(text));
  expect(modules.filter((name) => name.startsWith("node:"))).toEqual([]);
});

test("the other entries do, so the modules of a file are found", () => {
  const modules = [...filesBehind("esm", "server.js").values()].flatMap((text) => modulesIn(text));
  expect(modules).toContain("node:http");
});
