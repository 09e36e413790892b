import { createSimulator, type SimulatorOptions, type Snapshot } from "centavo";
import { describe, expect, test } from "vitest";
import { secondMerchant, merchantWith } from "./verifying-merchant.ts";

/** A shop whose first answer is under way for some time, and one payment: two events. */
async function slowShop(delay: string, assumptions: SimulatorOptions["assumptions"] = {}) {
  const verifying = await merchantWith([{ kind: "webhook.slow", delay, times: 1 }], { options: { assumptions } });
  await verifying.merchant.pay({});
  return verifying;
}

describe("an answer that is slow", () => {
  test("counts when it arrives in time, and the merchant had the event at once", async () => {
    const { sim, types, seconds } = await slowShop("20 seconds");
    await sim.clock.settle();
    expect(types()).toEqual(["processing"]);
    expect(sim.webhooks.events()).toMatchObject([{ status: "pending", attempts: 0 }, { status: "pending" }]);
    await sim.clock.advance("20 seconds");
    expect(types()).toEqual(["processing", "succeeded"]);
    expect(seconds()).toEqual([0, 20]);
    expect(sim.webhooks.attempts()).toMatchObject([
      { number: 1, at: "2026-01-01T00:00:00.000Z", answeredAt: "2026-01-01T00:00:20.000Z", delivered: true },
      { number: 1, at: "2026-01-01T00:00:20.000Z", delivered: true },
    ]);
    expect(sim.webhooks.attempts()[1]).not.toHaveProperty("answeredAt");
  });

  test("is in time one millisecond before the timeout, and too late at its instant", async () => {
    const early = await slowShop("29 seconds 999 milliseconds");
    await early.sim.clock.advance("1 minute");
    expect(early.types()).toEqual(["processing", "succeeded"]);

    const late = await slowShop("30 seconds");
    await late.sim.clock.advance("1 minute");
    expect(late.types()).toEqual(["processing", "succeeded", "processing"]);
    expect(late.seconds()).toEqual([0, 30, 32]);
    const { id } = late.sim.webhooks.events()[0] ?? {};
    expect(late.sim.webhooks.attempts({ eventId: id ?? "" })).toMatchObject([
      {
        at: "2026-01-01T00:00:00.000Z",
        answeredAt: "2026-01-01T00:00:30.000Z",
        nextAt: "2026-01-01T00:00:32.000Z",
        answer: {
          kind: "failed",
          reason: "timeout",
          message: expect.stringContaining(`This was attempt 1 to deliver payment_intent.processing ${id}.`) as string,
        },
      },
      { number: 2, delivered: true },
    ]);
  });

  test("that arrives after the service gave up is journaled and changes nothing", async () => {
    const { sim } = await slowShop("45 seconds");
    await sim.clock.advance("44 seconds");
    const before = sim.webhooks.attempts();
    await sim.clock.advance("1 second");
    expect(sim.webhooks.attempts()).toEqual(before);
    expect(String(sim.journal)).toMatch(
      /00:00:45\.000Z {2}outbox {4}payment_intent\.processing evt_\w+ → \S+: answered attempt 1 after its timeout, and dropped/,
    );
  });

  test("that was lost on the way never arrives, however late", async () => {
    const { sim } = await slowShop("45 seconds");
    sim.faults.add({ kind: "webhook.answer-lost", times: 1 });
    await sim.clock.advance("1 minute");
    expect(sim.webhooks.attempts()[0]?.answer).toMatchObject({ reason: "timeout" });
    expect(sim.journal.entries.filter(({ kind }) => kind === "late-answer")).toEqual([]);
  });

  test("has as long as the assumption webhook.timeout says", async () => {
    const { sim, types } = await slowShop("20 seconds", { "webhook.timeout": "10 seconds" });
    await sim.clock.advance("1 minute");
    expect(types()).toEqual(["processing", "succeeded", "processing"]);
    expect(sim.assumptions.used().map(({ id }) => id)).toContain("webhook.timeout");
  });

  test("may be another than the merchant's", async () => {
    const { sim, merchant, seconds } = await merchantWith([
      { kind: "webhook.answer", status: 500, times: 1 },
      { kind: "webhook.slow", delay: "10 seconds", times: 1 },
    ]);
    await merchant.pay({}, "pm_display_details");
    await sim.clock.advance("1 minute");
    expect(seconds()).toEqual([0, 12]);
  });
});

describe("while an answer is under way", () => {
  test("the merchant's other events wait in line, also those that are sent by hand, and another merchant's do not", async () => {
    const { sim, merchant, received, types, seconds } = await merchantWith([
      { kind: "webhook.slow", delay: "20 seconds", nth: 2 },
    ]);
    const second = await secondMerchant(merchant);
    await merchant.pay({});
    await sim.clock.settle();
    expect(types()).toEqual(["processing", "succeeded"]);

    sim.webhooks.redeliver(received[0]?.event?.id ?? "");
    await merchant.pay({});
    await second.merchant.pay({});
    await sim.clock.advance("19 seconds");
    expect(types()).toHaveLength(2);
    expect(second.seconds()).toEqual([0, 0]);
    expect(String(sim.journal)).toMatch(/is queued behind a delivery in flight/);
    await sim.clock.advance("1 second");
    expect(types()).toEqual(["processing", "succeeded", "processing", "processing", "succeeded"]);
    expect(seconds()).toEqual([0, 0, 20, 20, 20]);
    expect(received[2]?.event?.id).toBe(received[0]?.event?.id);
  });

  test("a line of slow answers is worked off one by one, in order", async () => {
    const { sim, merchant, received, types, seconds } = await merchantWith([
      { kind: "webhook.slow", delay: "5 seconds" },
    ]);
    await merchant.pay({});
    await merchant.pay({});
    await sim.clock.advance("1 minute");
    expect(types()).toEqual(["processing", "processing", "succeeded", "succeeded"]);
    expect(seconds()).toEqual([0, 5, 10, 15]);
    expect(received.map(({ event }) => event?.id)).toEqual(sim.webhooks.events().map(({ id }) => id));
    expect(sim.webhooks.events().every(({ status }) => status === "delivered")).toBe(true);
    expect(sim.clock.pending().filter(({ key }) => key.startsWith("webhook"))).toEqual([]);
  });

  test("a retry that waits in line is dropped when a copy before it is delivered", async () => {
    const { sim, merchant, types, seconds } = await merchantWith(
      [
        { kind: "webhook.duplicate", event: "*.processing", delay: "1 second" },
        { kind: "webhook.slow", event: "*.succeeded", delay: "10 seconds" },
      ],
      { answer: (_, count) => new Response(null, { status: count === 1 ? 500 : 200 }) },
    );
    await merchant.pay({});
    await sim.clock.advance("1 minute");
    expect(types()).toEqual(["processing", "succeeded", "processing"]);
    expect(seconds()).toEqual([0, 0, 10]);
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered", attempts: 2 }, { status: "delivered" }]);
  });

  test("the world can be kept: it ends the same, and sends nothing again", async () => {
    for (const delay of ["10 seconds", "40 seconds"]) {
      const { sim, received } = await slowShop(delay);
      await sim.clock.advance("5 seconds");
      const kept = JSON.stringify(sim.snapshot());
      const fork = sim.fork();
      await sim.clock.advance("2 minutes");

      const restored = createSimulator({ webhookUrl: "https://shop.example/hooks" });
      restored.restore(JSON.parse(kept) as Snapshot);
      for (const world of [restored, fork]) {
        let count = 0;
        world.connect("https://shop.example", () => {
          count += 1;
          return new Response();
        });
        await world.clock.advanceTo(sim.clock.now());
        expect(count).toBe(received.length - 1);
        expect(world.webhooks.attempts()).toEqual(sim.webhooks.attempts());
        expect(world.journal.digest()).toBe(sim.journal.digest());
      }
    }
  });

  test("a world that is reset forgets it", async () => {
    const { sim, merchant, types } = await slowShop("20 seconds");
    await sim.clock.settle();
    sim.reset();
    expect(sim.clock.pending()).toEqual([]);
    await merchant.logIn();
    await merchant.pay({});
    await sim.clock.settle();
    expect(types()).toEqual(["processing", "processing", "succeeded"]);
  });
});
