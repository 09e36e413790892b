import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { createClient } from "centavo/client";
import { serve } from "centavo/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

/** A merchant's code that polls until a payment is decided, or until it has asked `times` times; `pause` in milliseconds. */
async function poll(merchant: Merchant, id: string, times = 100, pause = 5): Promise<string> {
  for (let asked = 1; ; asked += 1) {
    const status = (await merchant.intentStatus(id)).status;
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
  test("so a merchant that polls finishes without the test moving the clock", async () => {
    const merchant = await Merchant.open(processingFor("4 seconds"));
    const { sim } = merchant;
    const id = await merchant.pay({});
    expect(await poll(merchant, id)).toBe("succeeded");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:04.000Z");
  });

  test("so a merchant that polls every 2 s succeeds in a few polls if the service decides within the horizon", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 0 }).setTimerTickMode("nextTimerAsync");
    onTestFinished(() => void vi.useRealTimers());
    const merchant = await Merchant.open(processingFor("50 minutes", { auto: { horizon: "1 hour" } }));
    const { sim } = merchant;
    const id = await merchant.pay({});
    const before = Date.now();
    expect(await poll(merchant, id, 100, 2000)).toBe("succeeded");
    expect(sim.clock.now()).toBe("2026-01-01T00:50:00.000Z");
    expect(Date.now() - before).toBeLessThan(60_000);
  });

  test("after the caller has its answer and before its next call, however soon that is", async () => {
    const merchant = await Merchant.open(processingFor("4 seconds"));
    const { id } = await merchant.createIntent();
    expect((await merchant.confirm(id)).body).toMatchObject({ data: { status: "processing" } });
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
  });

  test("so webhooks arrive, and failed ones are tried again", async () => {
    const done = Promise.withResolvers<void>();
    const merchant = await Merchant.open({ clock: "auto" }, (_, count) => {
      if (count === 3) done.resolve();
      return new Response(null, { status: count === 1 ? 500 : 200 });
    });
    const { sim } = merchant;
    await merchant.pay();
    await done.promise;
    expect(merchant.eventTypes).toEqual(
      ["processing", "succeeded", "processing"].map((each) => `payment_intent.${each}`),
    );
    await sim.clock.settle();
    expect(sim.webhooks.attempts().map(({ at }) => at.slice(17, 19))).toEqual(["00", "00", "02"]);
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
  });

  test("but not to timers due later than 10 s after the last request, which need the test", async () => {
    const merchant = await Merchant.open(processingFor("10001 milliseconds"));
    const { sim } = merchant;
    const id = await merchant.pay({});
    expect(await poll(merchant, id, 10)).toBe("processing");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    await sim.clock.advance("11 seconds");
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
  });

  test("and to timers due at exactly 10 s", async () => {
    const merchant = await Merchant.open(processingFor("10 seconds"));
    expect(await poll(merchant, await merchant.pay({}))).toBe("succeeded");
  });

  test("as far as the horizon that the test chose", async () => {
    const merchant = await Merchant.open(processingFor("1 minute", { auto: { horizon: "1 minute" } }));
    expect(await poll(merchant, await merchant.pay({}))).toBe("succeeded");
  });
});

describe("under the auto clock", () => {
  test("a receiver that fails is in the journal, and nothing throws", async () => {
    const merchant = await Merchant.open({ clock: "auto" }, () => {
      throw new Error("no stock");
    });
    const { sim } = merchant;
    expect(await poll(merchant, await merchant.pay())).toBe("succeeded");
    await sim.clock.settle();
    expect(String(sim.journal)).toContain("Error: no stock");
  });

  test("a reset world stands still until its first request", async () => {
    const merchant = await Merchant.open({ clock: "auto" });
    const { sim } = merchant;
    await merchant.pay();
    const kept = sim.snapshot();
    sim.reset();
    sim.restore(kept);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sim.snapshot()).toEqual(kept);
    expect(await poll(merchant, sim.intents.last()?.id ?? "")).toBe("succeeded");
  });

  test("close stops the clock", async () => {
    const merchant = await Merchant.open({ clock: "auto" });
    const { sim } = merchant;
    const id = await merchant.pay();
    await sim.close();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sim.intents.get(id)?.status).toBe("processing");
  });
});

describe("the test may move the clock itself", () => {
  test("while a step of the auto clock is under way, and waits for that step to end", async () => {
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Response>();
    const merchant = await Merchant.open({ clock: "auto" }, () => {
      arrived.resolve();
      return answer.promise;
    });
    const { sim } = merchant;
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
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
    const merchant = await Merchant.open({ clock: "auto" });
    const { sim } = merchant;
    const id = await merchant.pay();
    await sim.clock.advance("1 day");
    expect(sim.clock.now()).toBe("2026-01-02T00:00:00.000Z");
    expect(sim.intents.get(id)?.status).toBe("succeeded");
  });

  test.for([
    ["advance", "over a socket", (sim: Simulator) => sim.clock.advance("1 month")],
    ["settle", "over a socket", (sim: Simulator) => sim.clock.settle()],
    ["advanceTo", "over a socket", (sim: Simulator) => sim.clock.advanceTo("2026-03-01")],
    ["advanceUntil", "over a socket", (sim: Simulator) => sim.clock.advanceUntil(() => areDelivered(sim))],
    ["advance", "in memory", (sim: Simulator) => sim.clock.advance("1 month")],
  ] as const)(
    "with %s at once after a request %s, while the auto clock delivers to a server of the test",
    async ([, way, move]) => {
      const receiver = createServer((request, response) => void request.resume().on("end", () => response.end()));
      await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void receiver.close());
      const { port } = receiver.address() as AddressInfo;
      await using sim = createSimulator({ clock: "auto", webhookUrl: `http://127.0.0.1:${port}/hooks` });
      const reached =
        way === "in memory" ? { baseUrl: sim.baseUrl, fetch: sim.fetch } : { baseUrl: (await serve(sim)).url };
      const client = createClient({ ...sim.credentials, ...reached });
      const { id } = await client.paymentIntents.create({ amount: 10_000 });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      await move(sim);
      await sim.clock.settle();
      expect(areDelivered(sim)).toBe(true);
    },
  );
});

function areDelivered(sim: Simulator): boolean {
  const statuses = sim.webhooks.events().map(({ status }) => status);
  return statuses.length === 2 && statuses.every((status) => status === "delivered");
}
