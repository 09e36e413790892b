import type { SimulatorOptions } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

/** The challenge stays open for as long as the retries go on, so that no other event comes between. */
const patiently: SimulatorOptions = {
  assumptions: { "intent.authentication": { card: "1 day", gcash: "1 day", grab_pay: "1 day" } },
};

/** A shop that answers every webhook with a status, and one intent's `requires_action`, which is the only event. */
async function failingShop(status: (count: number) => number, options: SimulatorOptions = {}) {
  const merchant = await Merchant.open(options, (_, count) => new Response(null, { status: status(count) }));
  const { sim, arrivals } = merchant;
  await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  const eventId = sim.webhooks.events()[0]?.id ?? "";
  const secondsOfAttempts = () => sim.webhooks.attempts({ eventId }).map(({ at }) => (Date.parse(at) - START) / 1000);
  const event = () => sim.webhooks.events()[0];
  return { sim, arrivals, eventId, event, secondsOfAttempts };
}

describe("an event that is not delivered", () => {
  test("is tried 12 times more, retry n at 2ⁿ s after the one before, 136.5 minutes in all", async () => {
    const { sim, event, secondsOfAttempts } = await failingShop(() => 500, patiently);
    await sim.clock.advance("5 hours");
    const waits = secondsOfAttempts().map((at, index, all) => at - (all[index - 1] ?? 0));
    expect(waits).toEqual([0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]);
    expect(secondsOfAttempts().at(-1)).toBe(136.5 * 60);
    expect(event()).toMatchObject({ status: "exhausted", attempts: 13 });
  });

  test("is still pending one millisecond before the last retry, and exhausted at its instant", async () => {
    const { sim, event } = await failingShop(() => 500, patiently);
    await sim.clock.advanceTo(START + 136.5 * 60_000 - 1);
    expect(event()).toMatchObject({ status: "pending", attempts: 12 });
    await sim.clock.advance("1 millisecond");
    expect(event()).toMatchObject({ status: "exhausted", attempts: 13 });
  });

  test("is delivered when the last retry is", async () => {
    const { sim, event } = await failingShop((count) => (count === 13 ? 200 : 500), patiently);
    await sim.clock.advance("5 hours");
    expect(event()).toMatchObject({ status: "delivered", attempts: 13 });
  });

  test("is delivered by the first retry that is answered with any 2xx", async () => {
    const { sim, event, secondsOfAttempts } = await failingShop((count) => (count < 3 ? 500 : 204));
    await sim.clock.advance("10 minutes");
    expect(secondsOfAttempts()).toEqual([0, 2, 6]);
    expect(event()).toMatchObject({ status: "delivered" });
  });

  test("says of each attempt what came of it and when the next is due", async () => {
    const { sim, eventId } = await failingShop((count) => (count === 1 ? 500 : 200));
    await sim.clock.advance("1 minute");
    expect(sim.webhooks.attempts({ eventId })).toEqual([
      {
        eventId,
        number: 1,
        at: "2026-01-01T00:00:00.000Z",
        url: HOOKS,
        answer: { kind: "answered", status: 500 },
        delivered: false,
        nextAt: "2026-01-01T00:00:02.000Z",
      },
      {
        eventId,
        number: 2,
        at: "2026-01-01T00:00:02.000Z",
        url: HOOKS,
        answer: { kind: "answered", status: 200 },
        delivered: true,
      },
    ]);
    expect(() => sim.webhooks.attempts({ eventId: "evt_unknown" })).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  });

  test("is retried as often as the assumption webhook.retries says", async () => {
    const { sim, event, secondsOfAttempts } = await failingShop(() => 500, { assumptions: { "webhook.retries": 2 } });
    await sim.clock.advance("30 minutes");
    expect(secondsOfAttempts()).toEqual([0, 2, 6]);
    expect(event()).toMatchObject({ status: "exhausted" });
  });

  test("is tried once when there are no retries", async () => {
    const { sim, event, secondsOfAttempts } = await failingShop(() => 500, { assumptions: { "webhook.retries": 0 } });
    await sim.clock.advance("30 minutes");
    expect(secondsOfAttempts()).toEqual([0]);
    expect(event()).toMatchObject({ status: "exhausted" });
  });
});

describe("an answer", () => {
  test.each([301, 302, 303, 307, 308])("of %i is a failure, and the redirect is not followed", async (status) => {
    const merchant = await Merchant.open({}, (_, count) =>
      count === 1 ? new Response(null, { status, headers: { location: "/elsewhere" } }) : new Response(),
    );
    const { sim, arrivals } = merchant;
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    await sim.clock.settle();
    expect(arrivals).toHaveLength(1);
    expect(sim.webhooks.attempts()).toMatchObject([{ delivered: false, answer: { status, location: "/elsewhere" } }]);
    await sim.clock.advance("2 seconds");
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered" }]);
  });

  test("of 410 stops all further tries of that event, and of no other", async () => {
    const merchant = await Merchant.open(
      {},
      ({ body }) => new Response(null, { status: body.includes(".processing") ? 410 : 200 }),
    );
    const { sim, arrivals } = merchant;
    await merchant.pay();
    await sim.clock.advance("5 hours");
    expect(arrivals).toHaveLength(2);
    expect(sim.webhooks.events()).toMatchObject([{ status: "gone", attempts: 1 }, { status: "delivered" }]);
  });

  test.each([200, 201, 202, 204, 299])("of %i is a delivery", async (status) => {
    const { sim, event } = await failingShop(() => status);
    await sim.clock.settle();
    expect(event()).toMatchObject({ status: "delivered", attempts: 1 });
  });
});
