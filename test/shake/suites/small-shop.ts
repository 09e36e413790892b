import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { simulated } from "../../../src/testing.ts";
import type { Mistake, Orders } from "../../exam/small-shop.ts";
import { openSmallShop } from "../../exam/small-shop.ts";

const url = "https://shop.example";
const mistake = process.env["MISTAKE"] as Mistake | undefined;

void describe("the small shop", () => {
  void it(
    "sells to a customer who pays by card",
    simulated(async ({ sim, network, visit }) => {
      const store: Orders = new Map();
      const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
      sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0], mistake));
      await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
      await sim.clock.settle();
      await sim.clock.advance("1 minute");
      assert.equal(store.get("order-1")?.status, "paid");
      assert.equal(store.get("order-1")?.fulfilments, 1);
    }),
  );
});
