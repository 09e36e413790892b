import { createSimulator, replay, type Simulator, type SimulatorOptions } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

const concurrent = { assumptions: { "webhook.order": "concurrent" } } as const satisfies SimulatorOptions;

interface Shop {
  readonly sim: Simulator;
  readonly merchant: Merchant;
  /** What happened in the handlers, in order: `begins` and `ends` with the type and the number of the payment. */
  readonly log: string[];
  /** The ids of the payments. */
  readonly payments: string[];
}

/** A shop that has made two payments whose handlers read the payment's status over the API, the first in more calls than the second. */
async function shopWithTwoPayments(options: SimulatorOptions = concurrent): Promise<Shop> {
  const sim = createSimulator(options);
  const log: string[] = [];
  const payments: string[] = [];
  const merchant = await Merchant.of(sim);
  sim.connect(SHOP, async (request) => {
    const { type, data } = (await request.json()) as { type: string; data: { id: string } };
    const name = `${type.split(".")[1]} ${payments.indexOf(data.id)}`;
    log.push(`begins ${name}`);
    for (let calls = payments.indexOf(data.id) === 0 ? 3 : 1; calls > 0; calls -= 1)
      await merchant.intentStatus(data.id);
    log.push(`ends ${name}`);
    return new Response();
  });
  for (let count = 0; count < 2; count += 1)
    payments.push(await merchant.pay({ webhookUrl: HOOKS }, "pm_card_challenge"));
  return { sim, merchant, log, payments };
}

const kindsOf = (sim: Simulator): string[] =>
  sim.journal.entries.flatMap(({ kind, details }) =>
    kind === "delivery" ? ["ended"] : kind === "webhook" && details.status === "under-way" ? ["begun"] : [],
  );

/** An app that counts how many of its calls were in flight at the same time, at most. */
function countingApp() {
  let now = 0;
  return {
    most: 0,
    async fetch() {
      now += 1;
      this.most = Math.max(this.most, now);
      await Promise.resolve();
      now -= 1;
      return new Response();
    },
  };
}

/** Ends every call of the returned handler when the test says so. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ids: string[] = [];
  const bothArrived = Promise.withResolvers<void>();
  const app = async (request: Request): Promise<Response> => {
    ids.push(((await request.json()) as { id: string }).id);
    if (ids.length === 2) bothArrived.resolve();
    await promise;
    return new Response();
  };
  return { app, ids, open: () => resolve(), arrived: bothArrived.promise };
}

async function twoInFlight() {
  const { sim } = await shopWithTwoPayments();
  const door = gate();
  sim.connect(SHOP, door.app);
  const moving = sim.clock.settle();
  await door.arrived;
  const finish = async (): Promise<void> => {
    door.open();
    await moving;
  };
  return { sim, ids: door.ids, finish };
}

test("deliveries of one moment overlap with the order concurrent, and come one at a time without it", async () => {
  const overlapping = await shopWithTwoPayments();
  await overlapping.sim.clock.settle();
  expect(overlapping.log).toEqual([
    "begins requires_action 0",
    "begins requires_action 1",
    "ends requires_action 1",
    "ends requires_action 0",
  ]);
  const waiting = await shopWithTwoPayments({});
  await waiting.sim.clock.settle();
  expect(waiting.log).toEqual([
    "begins requires_action 0",
    "ends requires_action 0",
    "begins requires_action 1",
    "ends requires_action 1",
  ]);
});

test("the journal has their beginnings and their ends in the order of the events, whichever handler is faster", async () => {
  const { sim } = await shopWithTwoPayments();
  await sim.clock.settle();
  const events = sim.webhooks.events().map(({ id }) => id);
  const noted = sim.journal.entries.flatMap(({ kind, details }) =>
    kind === "delivery" || (kind === "webhook" && details.status === "under-way") ? [[kind, details.event]] : [],
  );
  expect(noted).toEqual([...events.map((id) => ["webhook", id]), ...events.map((id) => ["delivery", id])]);
  expect(String(sim.journal)).toContain(`payment_intent.requires_action ${events[0]} is on its way`);
});

test("twenty-five runs of handlers that wait for nothing but the API have one digest", async () => {
  const digests = new Set<string>();
  for (let run = 0; run < 25; run += 1) {
    const { sim, merchant, payments } = await shopWithTwoPayments();
    await sim.clock.settle();
    for (const id of payments) await sim.customer.authenticate(id);
    await merchant.pay({ webhookUrl: HOOKS });
    await sim.clock.advance("1 hour");
    digests.add(sim.journal.digest());
  }
  expect(digests.size).toBe(1);
});

test("the ends stay in order when handlers wait for real time, the first longest", async () => {
  const { sim } = await shopWithTwoPayments();
  const second = Promise.withResolvers<void>();
  let count = 0;
  sim.connect(SHOP, async () => {
    count += 1;
    if (count === 1) await second.promise;
    else second.resolve();
    return new Response();
  });
  await sim.clock.settle();
  expect(sim.webhooks.attempts().map(({ eventId }) => eventId)).toEqual(sim.webhooks.events().map(({ id }) => id));
});

test("a moment with more than 64 deliveries has 64 in flight at most", async () => {
  const sim = createSimulator(concurrent);
  const merchant = await Merchant.of(sim);
  const app = countingApp();
  sim.connect(SHOP, app);
  for (let count = 0; count < 70; count += 1) await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  await sim.clock.settle();
  expect(app.most).toBe(64);
  expect(sim.webhooks.events().every(({ status }) => status === "delivered")).toBe(true);
});

describe("a failure", () => {
  test("is retried by itself, and holds nothing else back", async () => {
    const { sim } = await shopWithTwoPayments();
    const seen: string[] = [];
    sim.connect(SHOP, async (request) => {
      seen.push(((await request.json()) as { id: string }).id);
      return new Response(null, { status: seen.length === 1 ? 500 : 200 });
    });
    await sim.clock.advance("1 minute");
    const [first, second] = sim.webhooks.events();
    expect(seen).toEqual([first?.id, second?.id, first?.id]);
    expect([first, second]).toMatchObject([
      { status: "delivered", attempts: 2 },
      { status: "delivered", attempts: 1 },
    ]);
  });

  test("does not bring back an event that a copy in flight beside it has delivered", async () => {
    const sim = createSimulator(concurrent);
    const merchant = await Merchant.of(sim);
    sim.faults.add({ kind: "webhook.duplicate", delay: "1 second" });
    sim.faults.add({ kind: "webhook.answer", status: 500, times: 1 });
    sim.faults.add({ kind: "webhook.slow", delay: "10 seconds", times: 1 });
    sim.connect(SHOP, () => new Response());
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    await sim.clock.advance("30 minutes");
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered", attempts: 2 }]);
    expect(sim.webhooks.attempts().map(({ at, delivered }) => [at.slice(17, 19), delivered])).toEqual([
      ["01", true],
      ["00", false],
    ]);
  });

  test("of a handler that throws fails its own delivery alone", async () => {
    const { sim } = await shopWithTwoPayments();
    let count = 0;
    sim.connect(SHOP, () => {
      count += 1;
      if (count === 1) throw new Error("out of stock");
      return new Response();
    });
    await sim.clock.settle();
    expect(sim.webhooks.attempts()).toMatchObject([
      { delivered: false, answer: { reason: "threw" } },
      { delivered: true },
    ]);
  });
});

describe("under faults", () => {
  test("a slow answer lets the next event through, and both answers count", async () => {
    const { sim } = await shopWithTwoPayments();
    sim.connect(SHOP, () => new Response());
    sim.faults.add({ kind: "webhook.slow", delay: "20 seconds", times: 1 });
    await sim.clock.settle();
    const [slow, fast] = sim.webhooks.events();
    expect([slow?.status, fast?.status]).toEqual(["pending", "delivered"]);
    expect(sim.clock.pending().filter(({ input }) => input.type === "answer")).toHaveLength(1);
    await sim.clock.advance("20 seconds");
    expect(sim.webhooks.events().map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  });

  test("answers that come after the timeout are told by the number of their own attempt", async () => {
    const sim = createSimulator(concurrent);
    const merchant = await Merchant.of(sim);
    sim.faults.add({ kind: "webhook.duplicate", copies: 2 });
    sim.faults.add({ kind: "webhook.slow", delay: "40 seconds", times: 3 });
    sim.connect(SHOP, () => new Response());
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    await sim.clock.advance("41 seconds");
    const late = sim.journal.entries.flatMap(({ kind, details }) => (kind === "late-answer" ? [details.attempt] : []));
    expect(late).toEqual([1, 2, 3]);
  });

  test.each([
    { kind: "webhook.burst", within: "10 seconds" } as const,
    { kind: "webhook.reorder", within: "10 seconds" } as const,
    { kind: "webhook.interleave", within: "10 seconds" } as const,
  ])("$kind releases all that it holds together", async (fault) => {
    const sim = createSimulator(concurrent);
    sim.faults.add(fault);
    const merchant = await Merchant.of(sim);
    const app = countingApp();
    sim.connect(SHOP, app);
    for (let count = 0; count < 3; count += 1) await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    await sim.clock.advance("10 seconds");
    expect(app.most).toBe(3);
    const order = sim.webhooks.attempts().map(({ eventId }) => eventId);
    const events = sim.webhooks.events().map(({ id }) => id);
    expect(order).toEqual(fault.kind === "webhook.reorder" ? events.toReversed() : events);
  });

  test("a second redelivery of one event waits for the answer to the first", async () => {
    const { sim } = await shopWithTwoPayments();
    let count = 0;
    sim.connect(SHOP, () => {
      count += 1;
      return new Response();
    });
    await sim.clock.settle();
    sim.faults.add({ kind: "webhook.slow", delay: "10 seconds", times: 1 });
    const [event] = sim.webhooks.events();
    for (let calls = 0; calls < 2; calls += 1) {
      sim.webhooks.redeliver(event?.id ?? "");
      await sim.clock.settle();
    }
    expect(count).toBe(3);
    await sim.clock.advance("10 seconds");
    expect(count).toBe(4);
    expect(sim.webhooks.attempts({ eventId: event?.id ?? "" }).map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});

describe("while several are in flight", () => {
  test("a snapshot and a fork contain them as not yet made, and end as this world does", async () => {
    const { sim, ids, finish } = await twoInFlight();
    const fork = sim.fork();
    const restored = createSimulator(concurrent);
    restored.restore(sim.snapshot());
    await finish();
    for (const copy of [fork, restored]) {
      expect(copy.webhooks.events().map(({ status }) => status)).toEqual(["pending", "pending"]);
      const again = gate();
      again.open();
      copy.connect(SHOP, again.app);
      await copy.clock.settle();
      expect(again.ids).toEqual(ids);
      expect(kindsOf(copy)).toEqual(["begun", "begun", "ended", "ended"]);
      expect(copy.journal.digest()).toBe(sim.journal.digest());
    }
  });

  test("the clock has neither of them pending", async () => {
    const { sim, finish } = await twoInFlight();
    expect(sim.clock.pending().filter(({ input }) => input.type === "deliver")).toEqual([]);
    await finish();
  });

  test("answers to a world that was replaced are noted and dropped", async () => {
    const { sim, finish } = await twoInFlight();
    sim.reset();
    await finish();
    expect(sim.webhooks.events()).toEqual([]);
    expect(String(sim.journal).match(/answered after the world was replaced, and dropped/g)).toHaveLength(2);
    expect(sim.clock.busy).toBe(false);
  });

  test("closing lets the call that moves the clock end", async () => {
    const { sim, finish } = await twoInFlight();
    await sim.close();
    await finish();
    expect(sim.webhooks.events().map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  });

  test("a recording replays to the same digest", async () => {
    const { sim, finish } = await twoInFlight();
    const cutOff = sim.recording();
    const digest = sim.journal.digest();
    await finish();
    expect((await replay(sim.recording())).journal.digest()).toBe(sim.journal.digest());
    const replayed = await replay(cutOff);
    expect(replayed.journal.digest()).toBe(digest);
    expect(replayed.webhooks.events().map(({ status }) => status)).toEqual(["pending", "pending"]);
  });
});

describe("a recording with overlapping deliveries replays to the same digest", () => {
  test("when handlers call the API", async () => {
    const { sim, payments } = await shopWithTwoPayments();
    await sim.clock.settle();
    for (const id of payments) await sim.customer.authenticate(id);
    await sim.clock.advance("1 hour");
    expect((await replay(sim.recording())).journal.digest()).toBe(sim.journal.digest());
  });

  test("when a clock listener acts between two deliveries of one moment", async () => {
    const { sim, log } = await shopWithTwoPayments();
    let moves = 0;
    sim.clock.onMove(() => {
      moves += 1;
      if (moves === 2) sim.faults.add({ kind: "webhook.answer", status: 503, times: 1 });
    });
    await sim.clock.advance("1 minute");
    expect(log.slice(0, 2)).toEqual(["begins requires_action 0", "ends requires_action 0"]);
    expect((await replay(sim.recording())).journal.digest()).toBe(sim.journal.digest());
  });

  test("when the clock stops at a condition in the middle of a moment", async () => {
    const { sim } = await shopWithTwoPayments();
    await sim.clock.advanceUntil(() => kindsOf(sim).includes("begun"));
    expect(kindsOf(sim)).toEqual(["begun", "ended"]);
    await sim.clock.settle();
    expect((await replay(sim.recording())).journal.digest()).toBe(sim.journal.digest());
  });
});
