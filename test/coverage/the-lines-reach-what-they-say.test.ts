import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { blocks } from "../../src/report/coverage/blocks.ts";
import { universe } from "../../src/report/coverage/universe.ts";
import { coverageBlocks, reachOf, sourceOf } from "../../scripts/coverage-blocks.ts";

const everything = Object.entries(universe).flatMap(([part, names]) => names.map((name) => `${part} ${name}`));

describe("the lines of a test that coverage tells", () => {
  test("are there for every part of the service", () => {
    expect(blocks.flatMap(({ reach }) => reach).toSorted()).toEqual(everything.toSorted());
  });

  test.for(blocks)("reach $reach.0", async ({ lines, reach }) => {
    const reached = await reachOf(lines);
    expect(reach.filter((key) => !reached.includes(key))).toEqual([]);
  });

  test("are those that node scripts/coverage-blocks.ts finds", async () => {
    const file = new URL("../../src/report/coverage/blocks.ts", import.meta.url);
    expect(readFileSync(file, "utf8")).toBe(sourceOf(await coverageBlocks()));
  });
});
