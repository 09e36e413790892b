import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { turns, woundTime } from "./wound-time.ts";

const NOW = "2026-01-01T00:00:00Z";

describe("virtual time follows real time", () => {
  test.for([
    ["real", 1500, "2026-01-01T00:00:01.500Z"],
    [{ real: 1 }, 1500, "2026-01-01T00:00:01.500Z"],
    [{ real: 60 }, 1500, "2026-01-01T00:01:30.000Z"],
    [{ real: 0.5 }, 1501, "2026-01-01T00:00:00.750Z"],
    [{ real: 1e9 }, 10, "2026-04-26T17:46:40.000Z"],
  ] as const)("under the clock %j: %d ms later it is %s", async ([clock, passed, now]) => {
    const time = woundTime();
    const sim = createSimulator({ now: NOW, clock });
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    await time.pass(passed);
    expect(sim.clock.now()).toBe(now);
  });

  test("up to the last moment that a Date can tell", async () => {
    const time = woundTime();
    const sim = createSimulator({ clock: { real: 1e9 } });
    await time.pass(1e12);
    expect(sim.clock.now()).toBe("+275760-09-13T00:00:00.000Z");
  });

  test("so a payment is decided by itself, and not before its time", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: { "intent.processing-time": "5 seconds" } });
    const id = await merchant.pay({});
    await time.pass(4999);
    expect(merchant.sim.intents.get(id)?.status).toBe("processing");
    await time.pass(1);
    expect(merchant.sim.intents.get(id)?.status).toBe("succeeded");
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
  });

  test("and a webhook comes at once, and again after 8 s of real time where its third attempt has failed", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real" }, () => new Response(null, { status: 500 }));
    await merchant.pay({}, "pm_display_details");
    await turns();
    expect(merchant.arrivals).toHaveLength(1);
    const retries: number[] = [];
    for (let passed = 0; passed < 31_000; passed += 100) {
      const before = merchant.arrivals.length;
      await time.pass(100);
      if (merchant.arrivals.length > before) retries.push(passed + 100);
    }
    expect(retries.slice(0, 4)).toEqual([2000, 6000, 14_000, 30_000]);
  });

  test("a sleep lasts as long as its virtual time takes, and a timeout aborts then", async () => {
    const time = woundTime();
    const sim = createSimulator({ clock: { real: 60 } });
    await time.pass(500);
    const signal = sim.clock.timeout("1 minute");
    let slept = false;
    const sleep = sim.clock.sleep("2 minutes").then(() => (slept = true));
    await time.pass(999);
    expect([signal.aborted, slept]).toEqual([false, false]);
    await time.pass(1);
    expect([signal.aborted, slept]).toEqual([true, false]);
    await time.pass(1000);
    await sleep;
    expect(sim.clock.now()).toBe("2026-01-01T00:02:30.000Z");
  });

  test("a deadline two months ahead comes, although no timer of the process takes that long", async () => {
    const time = woundTime();
    const sim = createSimulator({ now: NOW, clock: "real" });
    const rung: string[] = [];
    void sim.clock.sleep("60 days").then(() => rung.push(sim.clock.now()));
    time.jump(60 * 86_400_000 - 20_000);
    await time.pass(25_000);
    expect(rung).toEqual(["2026-03-02T00:00:00.000Z"]);
  });

  test("nothing waits in real time while nothing is due", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real" });
    await merchant.pay({});
    await time.pass(10_000);
    expect(merchant.eventTypes).toHaveLength(2);
    expect([...time.timers]).toEqual([]);
  });
});

test("the wall clock itself moves a world at a hundred thousand times its speed", async () => {
  await using sim = createSimulator({
    clock: { real: 100_000 },
    webhookUrl: "https://shop.example/hooks",
    // A second of real time is more than a day.
    assumptions: { "auth.token-lifetime": "3650 days" },
  });
  const paid = Promise.withResolvers<void>();
  sim.connect("https://shop.example", async (request) => {
    const { type } = (await request.json()) as { readonly type: string };
    if (type === "payment_intent.succeeded") paid.resolve();
    return new Response();
  });
  const merchant = await Merchant.of(sim);
  const id = await merchant.pay({});
  await paid.promise;
  expect(sim.intents.get(id)?.status).toBe("succeeded");
  const slept = sim.clock.sleep("10 minutes");
  const before = Date.parse(sim.clock.now());
  await slept;
  expect(Date.parse(sim.clock.now()) - before).toBeGreaterThanOrEqual(600_000);
});
