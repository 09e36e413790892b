import { verifyWebhook } from "centavo/webhooks";
import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test("a fixture brings a resource to a status, and data comes from the seed", async () => {
      await using world = await reach(way);
      const { make } = world.sim;
      expect(await make.subscription({ status: "past_due" })).toMatchObject({ status: "past_due" });
      expect(await make.intent({ status: "failed", decline: "insufficient_funds", amount: 25_000 })).toMatchObject({
        status: "failed",
        amount: 25_000,
      });
      expect(await make.token({ status: "expired" })).toMatchObject({ status: "expired" });
      expect((await make.contact({ name: "Ana" })).name).toBe("Ana");
      expect((await make.order()).items.length).toBeGreaterThan(0);
      expect(await make.plan({ amount: 19_900 })).toMatchObject({ amount: 19_900 });
      expect(await make.invoice({ status: "paid" })).toMatchObject({ status: "paid" });
      expect(await make.transaction()).toHaveProperty("id");
      expect(await make.address()).toHaveProperty("city");
    });

    test("several resources have their statuses at one moment", async () => {
      await using world = await reach(way);
      const made = await world.sim.make.world({
        intents: [{ status: "requires_action" }],
        subscriptions: [{ status: "past_due" }],
      });
      expect(made.intents[0].status).toBe("requires_action");
      expect(made.subscriptions[0].status).toBe("past_due");
      expect(made.plans).toEqual([]);
    });

    test("an event is a signed delivery", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const request = await sim.make.event("payment_intent.succeeded", { amount: 25_000 });
      expect(request.method).toBe("POST");
      const { webhookSecret } = await sim.credentials;
      const event = await verifyWebhook(request, webhookSecret);
      expect(event).toMatchObject({ type: "payment_intent.succeeded" });
    });

    test("months pass while customers pay", async () => {
      await using world = await reach(way);
      const transactions = await world.sim.make.transactions({ months: 1, perDay: 1, declined: 0 });
      expect(transactions).toHaveLength(31);
    });

    test("a wrong status, option or type is refused with the nearest right one", async () => {
      await using world = await reach(way);
      const { make } = world.sim;
      expect(await errorOf(() => make.subscription({ status: "past_deu" } as never))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('"past_due"') as unknown,
      });
      expect(await errorOf(() => make.intent({ amuont: 1 } as never))).toMatchObject({
        message: expect.stringContaining('"amount"') as unknown,
      });
      expect(await errorOf(() => make.event("payment_intent.suceeded" as never))).toMatchObject({
        message: expect.stringContaining('"payment_intent.succeeded"') as unknown,
      });
    });
  });
}
