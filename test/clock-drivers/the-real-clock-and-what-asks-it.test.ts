import { createSimulator } from "centavo";
import { fakeDate } from "centavo/node";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { turns, woundTime } from "./wound-time.ts";

const PROCESSING = { "intent.processing-time": "5 seconds" };

describe("under the real clock, whatever asks sees the world at the running moment, even where the process had no turn", () => {
  async function overdue() {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING });
    const id = await merchant.pay({});
    await turns();
    time.jump(7000);
    return { sim: merchant.sim, merchant, id, time };
  }

  test("a request", async () => {
    const { sim, merchant, id } = await overdue();
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
    expect(sim.journal.entries.findLast(({ kind }) => kind === "request")?.at).toBe("2026-01-01T00:00:07.000Z");
  });

  test("a reader, whatever it reads", async () => {
    const { sim, id } = await overdue();
    const { intents, transactions } = sim;
    expect(intents.get(id)?.status).toBe("succeeded");
    expect(transactions.list()).toHaveLength(1);
    expect(sim.ledger().lines).not.toEqual([]);
  });

  test.for(["events", "journal", "pending", "snapshot", "fork", "recording"] as const)("and %s", async (what) => {
    const { sim, id } = await overdue();
    const seen = {
      events: () => sim.webhooks.events().map(({ type }) => type),
      journal: () => String(sim.journal),
      pending: () => sim.clock.pending().map(({ at }) => at),
      snapshot: () => JSON.stringify(sim.snapshot()),
      fork: () => sim.fork().intents.get(id)?.status,
      recording: () => sim.recording().end.at,
    }[what]();
    if (what === "pending") expect(seen).not.toContain("2026-01-01T00:00:05.000Z");
    else if (what === "recording") expect(seen).toBeGreaterThanOrEqual(Date.parse("2026-01-01T00:00:05.000Z"));
    else
      expect(seen).toEqual(
        what === "events" ? expect.arrayContaining(["payment_intent.succeeded"]) : expect.stringContaining("succeeded"),
      );
  });

  test("an act of the test", async () => {
    const { sim, id } = await overdue();
    expect(() => sim.intents.cancel(id)).toThrow(/succeeded/);
    const { id: fault } = sim.faults.add({ kind: "response.lost" });
    expect(fault).toBeDefined();
  });

  test("an act of the customer", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real" });
    const { checkoutUrl } = await merchant.createCheckout();
    time.jump(86_400_000);
    const { status } = await merchant.sim.customer.pay(checkoutUrl, "pm_card_approved");
    expect(status).toBe("expired");
  });

  test("a sleep begins at the running moment, not at that of the last event", async () => {
    const time = woundTime();
    const sim = createSimulator({ clock: "real" });
    time.jump(7000);
    const until = sim.clock.sleep("1 second").then(() => sim.clock.now());
    await time.pass(1000);
    expect(await until).toBe("2026-01-01T00:00:08.000Z");
  });

  test("a fault that is over by now is refused", async () => {
    const time = woundTime();
    const sim = createSimulator({ clock: "real" });
    time.jump(7000);
    expect(() => sim.faults.add({ kind: "response.lost", until: "2026-01-01T00:00:06Z" })).toThrow(/could never fire/);
  });

  test("a faked Date", async () => {
    const time = woundTime();
    const sim = createSimulator({ clock: { real: 60 } });
    using _ = fakeDate(sim);
    await time.pass(1000);
    expect(new Date().toISOString()).toBe("2026-01-01T00:01:00.000Z");
    await sim.clock.advance("1 day");
    expect(new Date().toISOString()).toBe("2026-01-02T00:01:00.000Z");
  });
});

describe("under the real clock, calls of the test move time on top", () => {
  test.for([
    ["advance", "2026-01-04T00:00:01.000Z", "3 days"],
    ["advanceTo", "2026-02-01T00:00:00.000Z", "2026-02-01"],
  ] as const)("%s, to %s", async ([call, then, by]) => {
    const time = woundTime();
    const sim = createSimulator({ clock: "real" });
    await time.pass(1000);
    await sim.clock[call](by);
    expect(sim.clock.now()).toBe(then);
    await time.pass(1500);
    expect(Date.parse(sim.clock.now()) - Date.parse(then)).toBe(1500);
  });

  test("advanceUntil stops right after the timer, and time runs on from there", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: { real: 10 }, assumptions: PROCESSING });
    const { sim } = merchant;
    const id = await merchant.pay({});
    await turns();
    await sim.clock.advanceUntil(() => sim.intents.get(id)?.status === "succeeded");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:05.000Z");
    await time.pass(100);
    expect(sim.clock.now()).toBe("2026-01-01T00:00:06.000Z");
    expect(merchant.eventTypes).toContain("payment_intent.succeeded");
  });

  test("settle runs what is due, deliveries awaited, and moves nothing", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING });
    await merchant.pay({});
    await merchant.sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["payment_intent.processing"]);
    expect(merchant.sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    time.jump(7000);
    await merchant.sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
    expect(merchant.sim.clock.now()).toBe("2026-01-01T00:00:07.000Z");
  });

  test("what such a call brings nearer in real time comes sooner", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: { "intent.processing-time": "1 hour" } });
    const id = await merchant.pay({});
    await turns();
    await merchant.sim.clock.advance("59 minutes 59 seconds");
    await time.pass(1000);
    expect(merchant.sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("such a call begins at the running moment, after the delivery that is under way", async () => {
    const time = woundTime();
    const answer = Promise.withResolvers<Response>();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING }, () => answer.promise);
    const { sim } = merchant;
    await merchant.pay({});
    await turns();
    const advanced = sim.clock.advance("1 minute");
    await time.pass(10_000);
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    answer.resolve(new Response());
    await advanced;
    expect(sim.clock.now()).toBe("2026-01-01T00:01:10.000Z");
  });

  test("time stands while such a call waits for a delivery, and runs on from its end", async () => {
    const time = woundTime();
    const answer = Promise.withResolvers<Response>();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING }, () => answer.promise);
    const { sim } = merchant;
    await merchant.pay({});
    const advanced = sim.clock.advance("1 minute");
    await time.pass(10_000);
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    answer.resolve(new Response());
    await advanced;
    expect(sim.clock.now()).toBe("2026-01-01T00:01:00.000Z");
    await time.pass(1000);
    expect(sim.clock.now()).toBe("2026-01-01T00:01:01.000Z");
  });

  test("and a moment that real time has passed is refused", async () => {
    const time = woundTime();
    const sim = createSimulator({ clock: "real" });
    time.jump(7000);
    await expect(sim.clock.advanceTo("2026-01-01T00:00:06Z")).rejects.toMatchObject({
      code: "CLOCK_BACKWARDS",
      message: expect.stringContaining("go back from 2026-01-01T00:00:07.000Z") as unknown,
    });
  });
});

describe("under the real clock, a world", () => {
  test("that is restored or reset runs on from its own moment", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING });
    const { sim } = merchant;
    await time.pass(1000);
    const id = await merchant.pay({});
    await time.pass(2000);
    const kept = sim.snapshot();
    await time.pass(60_000);
    sim.restore(kept);
    expect(sim.clock.now()).toBe("2026-01-01T00:00:03.000Z");
    await time.pass(2999);
    expect(sim.intents.get(id)?.status).toBe("processing");
    await time.pass(1);
    expect(sim.intents.get(id)?.status).toBe("succeeded");
    sim.reset();
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    await time.pass(500);
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.500Z");
  });

  test("that took the place of another does not wait for the deliveries of that one", async () => {
    const time = woundTime();
    const first = Promise.withResolvers<Response>();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING }, (_, count) =>
      count === 1 ? first.promise : new Response(),
    );
    const { sim } = merchant;
    await merchant.pay({});
    await turns();
    sim.reset();
    await merchant.logIn();
    const id = await merchant.pay({});
    await time.pass(5000);
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
    expect(merchant.arrivals).toHaveLength(3);
    first.resolve(new Response());
    await turns();
    expect(sim.webhooks.attempts()).toHaveLength(2);
  });

  test("goes on by itself in a fork, apart from its parent", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING });
    const id = await merchant.pay({});
    await time.pass(1000);
    const fork = merchant.sim.fork();
    await fork.clock.advance("1 hour");
    await time.pass(4000);
    expect([merchant.sim, fork].map((sim) => sim.clock.now())).toEqual([
      "2026-01-01T00:00:05.000Z",
      "2026-01-01T01:00:05.000Z",
    ]);
    expect(fork.intents.get(id)?.status).toBe("succeeded");
    expect(fork.webhooks.events().at(-1)?.status).toBe("pending");
    fork.connect(SHOP, () => new Response());
    await time.pass(1);
    expect(fork.webhooks.events().at(-1)).toMatchObject({ status: "delivered", url: HOOKS });
  });

  test("that is closed stands still, and leaves no timer of the process", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: PROCESSING });
    const { sim } = merchant;
    const id = await merchant.pay({});
    await turns();
    expect(time.timers.size).toBe(1);
    await sim.close();
    expect(time.timers.size).toBe(0);
    const closedAt = sim.clock.now();
    await time.pass(60_000);
    await merchant.intentStatus(id);
    expect(sim.clock.now()).toBe(closedAt);
    expect(sim.intents.get(id)?.status).toBe("processing");
    expect(time.timers.size).toBe(0);
  });
});
