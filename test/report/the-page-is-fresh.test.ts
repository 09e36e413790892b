import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builtPage, builtPageFile } from "../../scripts/report-page.ts";

test("the built page is up to date with its sources; npm run page builds it", async () => {
  expect(readFileSync(builtPageFile, "utf8") === (await builtPage())).toBe(true);
});
