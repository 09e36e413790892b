import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test("events, attempts and failures are read, and an event is sent again", async () => {
      await using world = await reach(way, { webhookUrl: "https://shop.example/hooks" });
      const { sim, local } = world;
      const statuses = [500, 200];
      const received: string[] = [];
      local.connect("https://shop.example", async (request) => {
        received.push(((await request.json()) as { readonly id: string }).id);
        return new Response(null, { status: statuses.shift() ?? 200 });
      });
      await sim.make.intent({ status: "succeeded" });
      await sim.clock.settle();
      const [event] = await sim.webhooks.events({ type: "payment_intent.succeeded" });
      const id = event?.id ?? "";
      expect(await sim.webhooks.events({ type: "payment_intent.*" })).toContainEqual(event);
      expect(await sim.webhooks.failures()).toMatchObject([{ attempt: { number: 1 } }]);
      await sim.webhooks.redeliver(id);
      await sim.clock.settle();
      expect((await sim.webhooks.attempts({ eventId: id })).length).toBeGreaterThan(0);
      expect(await sim.webhooks.attempts()).toEqual(local.webhooks.attempts());
      expect(received).toContain(id);
    });

    test("an unknown type or event is refused", async () => {
      await using world = await reach(way);
      const { webhooks } = world.sim;
      expect(await errorOf(() => webhooks.events({ type: "payment_intent.suceeded" as never }))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('"payment_intent.succeeded"') as unknown,
      });
      expect(await errorOf(() => webhooks.attempts({ eventId: "evt_x" }))).toMatchObject({ code: "NOT_FOUND" });
      expect(await errorOf(() => webhooks.redeliver("evt_x"))).toMatchObject({ code: "NOT_FOUND" });
    });
  });
}
