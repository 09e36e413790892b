import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createSimulator } from "centavo";
import { expect, test as base } from "vitest";

const collectGarbage = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as (options?: { readonly type: "minor" }) => void;
})();

base("short worlds are free before V8 collects its old space", () => {
  createSimulator();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let count = 1; count <= 2000; count += 1) {
    createSimulator();
    if (count % 50 === 0) collectGarbage({ type: "minor" });
  }
  const kept = process.memoryUsage().heapUsed - before;
  // A world takes 60 000.
  expect(kept / 2000, "bytes of each world").toBeLessThan(20_000);
});
