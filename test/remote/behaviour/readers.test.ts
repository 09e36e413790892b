import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

const readers = ["intents", "checkouts", "plans", "subscriptions", "invoices", "transactions"] as const;

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test.for(readers)("%s can be listed, read by id, and read last", async (name) => {
      await using world = await reach(way);
      const { sim } = world;
      expect(await sim[name].list()).toEqual([]);
      expect(await sim[name].last()).toBeUndefined();
      expect(await sim[name].get("unknown/../id")).toBeUndefined();
      await sim.make.checkout({ status: "completed" });
      await sim.make.subscription({ status: "active" });
      const [first] = await sim[name].list();
      expect(first).toBeDefined();
      expect(await sim[name].get(first?.id ?? "")).toEqual(first);
      expect(await sim[name].last()).toEqual((await sim[name].list()).at(-1));
      expect(await sim[name].get(first?.id ?? "")).toEqual(world.local[name].get(first?.id ?? ""));
    });

    test("a filter takes statuses and patterns, and a wrong one is refused with the nearest", async () => {
      await using world = await reach(way);
      const { sim } = world;
      await sim.make.intent({ status: "succeeded" });
      await sim.make.intent({ status: "failed" });
      expect(await sim.intents.list({ status: "failed" })).toMatchObject([{ status: "failed" }]);
      expect(await sim.intents.list({ status: "*" })).toHaveLength(2);
      expect(await sim.intents.last({ status: "succe*" })).toMatchObject({ status: "succeeded" });
      expect(await errorOf(() => sim.intents.list({ status: "fialed" as never }))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('"failed"') as unknown,
      });
      expect(await errorOf(() => sim.intents.list({ statuss: "failed" } as never))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('"status"') as unknown,
      });
    });

    test("the back office cancels an intent, once", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const { id } = await sim.make.intent({ status: "requires_action" });
      expect(await sim.intents.cancel(id)).toMatchObject({ id, status: "canceled" });
      expect(await errorOf(() => sim.intents.cancel(id))).toMatchObject({ code: "INVALID_STATE" });
      expect(await errorOf(() => sim.intents.cancel("pi_unknown"))).toMatchObject({ code: "NOT_FOUND" });
    });

    test("the ledger balances, and a card becomes a reusable method", async () => {
      await using world = await reach(way);
      const { sim } = world;
      await sim.make.intent({ status: "succeeded", amount: 25_000 });
      expect(await sim.ledger()).toMatchObject({ balance: 0 });
      expect((await sim.ledger()).lines).not.toEqual([]);
      expect((await sim.ledger("USD")).lines).toEqual([]);
      expect(await errorOf(() => sim.ledger("PHQ"))).toMatchObject({ code: "INVALID_OPTION" });
      expect(await sim.paymentMethods.create(await sim.make.card())).toMatch(/^pm_/);
      expect(await errorOf(() => sim.paymentMethods.create({ cardNumber: "1" } as never))).toMatchObject({
        code: "INVALID_OPTION",
      });
    });

    test("the credentials are those of the first merchant", async () => {
      await using world = await reach(way, { seed: "shop" });
      expect(await world.sim.seed).toBe("shop");
      expect(await world.sim.credentials).toEqual(world.local.credentials);
      expect(await world.sim.baseUrl).toMatch(/^https?:/);
      expect(await world.sim.authUrl).toBe(await world.sim.baseUrl);
    });
  });
}
