import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { causes } from "../../src/report/causes/causes.ts";

const tests = globSync("*.test.ts", { cwd: import.meta.dirname })
  .filter((file) => file !== "table.test.ts")
  .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
  .join("\n");

describe("every cause", () => {
  test.for(causes.map(({ name }) => name))("%s has a test in which a merchant makes the mistake", (name) => {
    expect([`cause: "${name}"`, `again("${name}"`].some((call) => tests.includes(call))).toBe(true);
  });

  test("has a name of its own, which an anchor can have", () => {
    const names = causes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(30);
  });
});
