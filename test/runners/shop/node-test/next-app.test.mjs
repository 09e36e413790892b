import assert from "node:assert/strict";
import { test } from "node:test";
import { nextApp, simulated } from "centavo/testing";

test(
  "route handlers of Next are called",
  simulated(async ({ sim, visit }) => {
    sim.connect("https://shop.example", nextApp(new URL("app", import.meta.url)));
    const answer = await visit("POST", "/orders", { id: "order-1" });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("set-cookie"), "order=order-1; Path=/");
    assert.deepEqual(await answer.json(), { id: "order-1", isNext: true });
  }),
);
