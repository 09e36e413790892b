import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator, type MerchantApp, type FetchApp } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

/** One event, sent to an app once. */
async function deliverTo(app: MerchantApp | undefined, { webhookUrl = HOOKS, receiverTimeout = 60_000 } = {}) {
  const sim = createSimulator({ receiverTimeout });
  if (app !== undefined) sim.connect(SHOP, app as FetchApp);
  const merchant = await Merchant.of(sim);
  await merchant.pay({ webhookUrl }, "pm_display_details");
  await sim.clock.settle();
  return { sim, attempts: sim.webhooks.attempts(), journal: String(sim.journal) };
}

describe("a receiver that fails is a failed attempt, never an exception in the test", () => {
  test("when its handler throws", async () => {
    const { sim, attempts, journal } = await deliverTo(() => {
      throw new Error("no stock");
    });
    expect(attempts).toMatchObject([
      { delivered: false, answer: { kind: "failed", reason: "threw" }, nextAt: "2026-01-01T00:00:02.000Z" },
    ]);
    expect(journal).toContain(
      "The app connected at https://shop.example threw on POST https://shop.example/hooks: Error: no stock",
    );
    expect(sim.webhooks.events()).toMatchObject([{ status: "pending" }]);
  });

  test("when its handler never settles, which names the delivery, and the assumption that gives it up", async () => {
    const { sim, attempts, journal } = await deliverTo(() => new Promise<Response>(() => undefined), {
      receiverTimeout: 50,
    });
    const delivery = `attempt 1 to deliver payment_intent.requires_action ${attempts[0]?.eventId}`;
    expect(attempts).toMatchObject([
      { answer: { reason: "timeout", message: expect.stringContaining(delivery) as string } },
    ]);
    expect(journal).toContain(delivery);
    expect(journal).toMatch(/did not answer POST .* within 50 ms of real time.*receiverTimeout/);
    expect(sim.assumptions.used().map(({ id }) => id)).toContain("webhook.timeout");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
  });

  test("when it answers too late for its answer to count", async () => {
    const answer = Promise.withResolvers<Response>();
    const { sim } = await deliverTo(() => answer.promise, { receiverTimeout: 50 });
    answer.resolve(new Response());
    await answer.promise;
    await sim.clock.settle();
    expect(sim.webhooks.events()).toMatchObject([{ status: "pending", attempts: 1 }]);
  });

  test("when it breaks the connection", async () => {
    const { attempts } = await deliverTo({ listener: (_request, response) => void response.destroy() });
    expect(attempts).toMatchObject([{ answer: { reason: "reset" } }]);
  });

  test("when nothing listens at the loopback address", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { attempts, journal } = await deliverTo(undefined, { webhookUrl: `http://127.0.0.1:${port}/hooks` });
    expect(attempts).toMatchObject([{ answer: { reason: "refused" } }]);
    expect(journal).toContain("nothing listens there");
  });

  test("when no app is connected for a remote host, and the journal says how to connect one", async () => {
    const { sim, attempts, journal } = await deliverTo(undefined);
    expect(attempts).toMatchObject([{ delivered: false, answer: { reason: "not-connected" } }]);
    expect(journal).toContain('sim.connect("https://shop.example", app)');

    sim.connect(SHOP, () => new Response());
    await sim.clock.advance("2 seconds");
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });
});

test("an event without a receiver is recorded, and never tried", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  merchant.connect();
  await merchant.pay({});
  await sim.clock.advance("1 day");
  expect(sim.webhooks.events()).toMatchObject([
    { status: "no-receiver", attempts: 0 },
    { status: "no-receiver", attempts: 0 },
  ]);
  expect(sim.webhooks.events()[0]).not.toHaveProperty("url");
  expect(sim.webhooks.attempts()).toEqual([]);
  expect(merchant.arrivals).toEqual([]);
  expect(() => sim.webhooks.redeliver(sim.webhooks.events()[0]?.id ?? "")).toThrow(
    expect.objectContaining({ code: "INVALID_STATE" }),
  );
});

test("the merchant's webhookUrl receives the events of objects without one", async () => {
  const merchant = await Merchant.open({ webhookUrl: `${SHOP}/default` });
  const { sim, arrivals } = merchant;
  await merchant.pay({});
  await merchant.pay({ webhookUrl: HOOKS });
  await sim.clock.settle();
  expect(arrivals).toHaveLength(4);
  expect(sim.webhooks.attempts().map(({ url }) => url)).toEqual([`${SHOP}/default`, HOOKS, `${SHOP}/default`, HOOKS]);
});
