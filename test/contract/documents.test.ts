import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderedDocuments } from "../../scripts/docs.ts";

test.for(renderedDocuments())("$path says what the code says; `npm run docs` writes it anew", ({ path, text }) => {
  expect(readFileSync(path, "utf8")).toBe(text);
});
