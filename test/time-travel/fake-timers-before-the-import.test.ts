import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HOOKS, SHOP } from "../merchant/requests.ts";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

async function paid(receiverTimeout: number, app: () => Response | Promise<Response>) {
  const [{ createSimulator }, { createClient }] = await Promise.all([import("centavo"), import("centavo/client")]);
  const sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout });
  sim.connect(SHOP, app);
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  sim.intents.cancel(id);
  await sim.clock.settle();
  return sim;
}

test("where fake timers were there before Centavo, the clock still waits for work after the answer", async () => {
  let done = 0;
  await using _sim = await paid(60_000, () => {
    void promisify(pbkdf2)("secret", "salt", 300_000, 64, "sha512").then(() => (done += 1));
    return new Response();
  });
  expect(done).toBe(1);
});

test("where fake timers were there before Centavo, an app that never answers is still given up", async () => {
  await using sim = await paid(50, () => new Promise<Response>(() => undefined));
  expect(sim.webhooks.failures()).toMatchObject([
    { message: expect.stringContaining("within 50 ms of real time") as string },
  ]);
});
