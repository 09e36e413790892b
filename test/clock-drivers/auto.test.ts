import type { SimulatorOptions } from "centavo";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { HOOKS, Merchant, shop, typesOf } from "../webhooks/merchant.ts";

/** A merchant's code that polls until a payment is decided, or until it has asked `times` times; `pause` in milliseconds. */
async function poll(merchant: Merchant, id: string, times = 100, pause = 5): Promise<string> {
  for (let asked = 1; ; asked += 1) {
    const status = await merchant.status(id);
    if (status === "succeeded" || status === "failed" || asked === times) return status;
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
    });
  }
}

function processingFor(time: string, clock: SimulatorOptions["clock"] = "auto"): SimulatorOptions {
  return { clock, assumptions: { "intent.processing-time": time } };
}

describe("the auto clock moves while the code under test waits", () => {
  test("so a merchant that polls is done without the test touching the clock", async () => {
    const { sim } = shop(undefined, processingFor("4 seconds"));
    const merchant = await Merchant.of(sim);
    const id = await merchant.pay({});
    expect(await poll(merchant, id)).toBe("succeeded");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:04.000Z");
  });

  test("so a merchant that polls every 2 s has its success in a few polls, where the service decides within the horizon", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 0 }).setTimerTickMode("nextTimerAsync");
    onTestFinished(() => void vi.useRealTimers());
    const { sim } = shop(undefined, processingFor("50 minutes", { auto: { horizon: "1 hour" } }));
    const merchant = await Merchant.of(sim);
    const id = await merchant.pay({});
    const before = Date.now();
    expect(await poll(merchant, id, 100, 2000)).toBe("succeeded");
    expect(sim.clock.now()).toBe("2026-01-01T00:50:00.000Z");
    expect(Date.now() - before).toBeLessThan(60_000);
  });

  test("after the caller has its answer, so that every status can be seen", async () => {
    const { sim } = shop(undefined, processingFor("4 seconds"));
    const merchant = await Merchant.of(sim);
    expect(await merchant.status(await merchant.pay({}))).toBe("processing");
  });

  test("so webhooks arrive, and what failed is tried again", async () => {
    const done = Promise.withResolvers<void>();
    const { sim, arrivals } = shop(
      (_, count) => {
        if (count === 3) done.resolve();
        return new Response(null, { status: count === 1 ? 500 : 200 });
      },
      { clock: "auto" },
    );
    const merchant = await Merchant.of(sim);
    await merchant.pay();
    await done.promise;
    expect(typesOf(arrivals)).toEqual(
      ["processing", "succeeded", "processing"].map((each) => `payment_intent.${each}`),
    );
    await sim.clock.settle();
    expect(sim.webhooks.attempts().map(({ at }) => at.slice(17, 19))).toEqual(["00", "00", "02"]);
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
  });

  test("but not to what is due later than 10 s after the last request, which needs the test", async () => {
    const { sim } = shop(undefined, processingFor("10001 milliseconds"));
    const merchant = await Merchant.of(sim);
    const id = await merchant.pay({});
    expect(await poll(merchant, id, 10)).toBe("processing");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    await sim.clock.advance("11 seconds");
    expect(await merchant.status(id)).toBe("succeeded");
  });

  test("and to what is due at exactly 10 s", async () => {
    const { sim } = shop(undefined, processingFor("10 seconds"));
    const merchant = await Merchant.of(sim);
    expect(await poll(merchant, await merchant.pay({}))).toBe("succeeded");
  });

  test("as far as the horizon that the test chose", async () => {
    const { sim } = shop(undefined, processingFor("1 minute", { auto: { horizon: "1 minute" } }));
    const merchant = await Merchant.of(sim);
    expect(await poll(merchant, await merchant.pay({}))).toBe("succeeded");
  });
});

describe("under the auto clock", () => {
  test("a receiver that fails is in the journal, and nobody is thrown at", async () => {
    const { sim } = shop(
      () => {
        throw new Error("no stock");
      },
      { clock: "auto" },
    );
    const merchant = await Merchant.of(sim);
    expect(await poll(merchant, await merchant.pay())).toBe("succeeded");
    await sim.clock.settle();
    expect(String(sim.journal)).toContain("Error: no stock");
  });

  test("a reset world stands still until its first request", async () => {
    const { sim } = shop(undefined, { clock: "auto" });
    const merchant = await Merchant.of(sim);
    await merchant.pay();
    const kept = sim.snapshot();
    sim.reset();
    sim.restore(kept);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sim.snapshot()).toEqual(kept);
    expect(await poll(merchant, sim.intents.last()?.id ?? "")).toBe("succeeded");
  });

  test("close lets the clock stand", async () => {
    const { sim } = shop(undefined, { clock: "auto" });
    const merchant = await Merchant.of(sim);
    const id = await merchant.pay();
    await sim.close();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sim.intents.get(id)?.status).toBe("processing");
  });
});

describe("the test may move the clock itself", () => {
  test("while a step of the auto clock is under way, for whose end it waits", async () => {
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Response>();
    const { sim } = shop(
      () => {
        arrived.resolve();
        return answer.promise;
      },
      { clock: "auto" },
    );
    const merchant = await Merchant.of(sim);
    await merchant.confirm(await merchant.create({ webhookUrl: HOOKS }), "pm_display_details");
    await arrived.promise;
    let moved = false;
    const moving = sim.clock.advance("30 minutes").then(() => (moved = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(moved).toBe(false);
    answer.resolve(new Response());
    await moving;
    expect(sim.clock.now()).toBe("2026-01-01T00:30:00.000Z");
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  test("at once after a request, before the auto clock has had its turn", async () => {
    const { sim } = shop(undefined, { clock: "auto" });
    const merchant = await Merchant.of(sim);
    const id = await merchant.pay();
    await sim.clock.advance("1 day");
    expect(sim.clock.now()).toBe("2026-01-02T00:00:00.000Z");
    expect(sim.intents.get(id)?.status).toBe("succeeded");
  });
});
