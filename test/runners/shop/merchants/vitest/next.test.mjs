import { nextApp } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { expect, test as base } from "vitest";
import { createCore, sendBy } from "../core.cjs";
import { merchantTestsWith } from "../tests.cjs";
import { shop } from "./shop.js";

const test = withSimulator(base);
const tests = merchantTestsWith(
  (actual, expected) => expect(actual).toBe(expected),
  (configuration) => {
    shop.core = createCore({
      ...configuration,
      send: sendBy(),
    });
    return nextApp("app", { load: (file) => import(file) });
  },
);

for (const [title, run] of Object.entries(tests)) test(`Next: ${title}`, run);
