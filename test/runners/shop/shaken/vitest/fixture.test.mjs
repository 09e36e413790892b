import assert from "node:assert/strict";
import { withSimulator } from "centavo/vitest";
import { test as base } from "vitest";
import { sell } from "../shop.cjs";

const test = withSimulator(base, { network: "fetch" });

test("a test of withSimulator sells", async ({ sim, network }) => {
  assert.deepEqual(await sell(sim, network.fetch), { status: "completed", parcels: 1 });
});
