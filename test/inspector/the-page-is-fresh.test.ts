import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inspectorPage, inspectorPageFile } from "../../scripts/inspector-page.ts";

test("the built page of the inspector is up to date with its sources; npm run page builds it", async () => {
  expect(readFileSync(inspectorPageFile, "utf8") === (await inspectorPage())).toBe(true);
});
