import { createClient } from "centavo/client";
import { withSimulator } from "centavo/vitest";
import { Hono } from "hono";
import { afterAll, describe, expect, test as base } from "vitest";

const test = withSimulator(base);
const names = ["one", "two", "three", "four"];
/** Resolves once every test has come here, so that all are open at the same time. */
const meeting = { came: 0, all: Promise.withResolvers<void>() };

function everyTest(): Promise<void> {
  meeting.came += 1;
  if (meeting.came === names.length) meeting.all.resolve();
  return meeting.all.promise;
}

describe.concurrent("tests that run at the same time and share a base URL", () => {
  for (const [index, name] of names.entries()) {
    test(`reach a world each: ${name}`, async ({ sim, network }) => {
      const { clientId, clientSecret } = sim.credentials;
      const { baseUrl, authUrl } = network;
      const client = createClient({ baseUrl, authUrl, clientId, clientSecret, fetch: (...call) => fetch(...call) });
      const shop = new Hono();
      const heard: unknown[] = [];
      shop.post("/hooks", async (context) => {
        heard.push(await context.req.json());
        return context.body(null, 204);
      });
      sim.connect("https://shop.example", shop);
      await everyTest();
      for (let made = 0; made <= index; made += 1) {
        const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
        await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_approved" });
      }
      await sim.clock.settle();
      expect(sim.intents.list()).toHaveLength(index + 1);
      expect(heard).toHaveLength(sim.webhooks.attempts().length);
      expect(sim.webhooks.attempts().length).toBeGreaterThan(index);
      expect(sim.journal.entries.filter(({ kind }) => kind === "warning" || kind === "refused")).toEqual([]);
    });
  }
  afterAll(() => expect(meeting.came).toBe(names.length));
});
