import { expect, test } from "vitest";
import { filesBehind, modulesIn } from "./built-files.ts";

test("the client brings neither the engine nor any package into a script", () => {
  const files = filesBehind("esm", "client.js");
  const packages = [...files.values()].flatMap((text) => modulesIn(text)).filter((name) => !name.startsWith("."));
  const size = [...files.values()].reduce((total, text) => total + text.length, 0);
  expect(files.size).toBeGreaterThan(1);
  expect(packages).toEqual([]);
  expect(size).toBeLessThan(40_000);
});
