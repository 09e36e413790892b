import { pbkdf2 } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createSimulator, type MerchantApp, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { isNight } from "../by-night.ts";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { expectReplayable } from "../replay/replayable.ts";
import { apps, fetchApp } from "./apps-that-work-on.ts";

const RUNS = 15;

/** What a shop does once it has answered a webhook. */
type Afterwards = (merchant: Merchant) => Promise<unknown>;

/** A world in which three payments are made and told of to an app that goes on working after its answer. */
async function lived(
  appOf: (afterwards: () => void) => MerchantApp,
  afterwards: Afterwards,
  move: (sim: Simulator) => Promise<void> = (sim) => sim.clock.settle(),
): Promise<Simulator> {
  const sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 60_000 });
  const merchant = await Merchant.of(sim);
  sim.connect(SHOP, appOf(() => void afterwards(merchant)) as never);
  for (let payment = 0; payment < 3; payment += 1) await merchant.pay();
  await move(sim);
  return sim;
}

function warningsOf(sim: Simulator): unknown[] {
  return sim.journal.entries.flatMap((entry) => (entry.kind === "warning" ? [entry.volatile?.message] : []));
}

describe.for(apps)("when %s calls the API after it has answered", ([, appOf]) => {
  test.for([
    ["settle", (sim: Simulator) => sim.clock.settle()],
    ["advance", (sim: Simulator) => sim.clock.advance("1 day")],
  ] as const)("%s waits for it, so that many runs have one digest", async ([, move]) => {
    const digests = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const afterwards: Afterwards = async (merchant) => {
        await pause(3);
        await merchant.client.transactions.list();
        await pause(run % 4);
        await merchant.createIntent();
      };
      await using sim = await lived(appOf, afterwards, move);
      expect(sim.intents.list()).toHaveLength(9);
      expect(warningsOf(sim)).toEqual([]);
      digests.add(sim.journal.digest());
    }
    expect([...digests]).toHaveLength(1);
  });
});

test("what is called after the answer is replayed", async () => {
  const sim = await lived(fetchApp, async (merchant) => {
    await pause(1);
    await merchant.createIntent();
  });
  await expectReplayable(sim);
});

test("a call after the answer that a fault holds does not hold up the clock that it waits for", async () => {
  const sim = createSimulator({ webhookUrl: HOOKS });
  const merchant = await Merchant.of(sim);
  let created = 0;
  sim.connect(SHOP, () => {
    if (created < 2) void merchant.createIntent({}).then(() => (created += 1));
    return new Response();
  });
  await merchant.pay();
  sim.faults.add({ kind: "request.latency", delay: "5 seconds", times: 2 });
  await sim.clock.advance("1 minute");
  expect(created).toBe(2);
  expect(warningsOf(sim)).not.toContainEqual(expect.stringContaining("the clock goes on although"));
});

/** Jobs that end in another order in every second run. */
const jobs: readonly (readonly [string, (run: number, job: number) => Promise<unknown>])[] = [
  ["timers", (run, job) => pause(run % 2 === job ? 1 : 20)],
  [
    "a file and timers",
    async (run, job) => {
      if (run % 2 === job) await readFile(import.meta.filename);
      else await pause(20);
      await readFile(import.meta.filename);
    },
  ],
  ["compression", async (run, job) => promisify(gzip)(Buffer.alloc(run % 2 === job ? 10 : 1e7))],
];

describe.for(isNight ? apps : apps.slice(0, 1))("when two jobs of %s end in the order of real time", ([, appOf]) => {
  test.for(jobs)("%s: a warning says so, and the digest does not depend on it", async ([, job]) => {
    const digests = new Set<string>();
    const warnings = new Set<unknown>();
    for (let run = 0; run < 4; run += 1) {
      await using sim = await lived(appOf, (merchant) =>
        Promise.all(
          [0, 1].map(async (each) => {
            await job(run, each);
            await merchant.createIntent({ amount: 1000 + each });
            await job(run, each);
            await merchant.createIntent({ amount: 2000 + each });
          }),
        ),
      );
      expect(sim.intents.list()).toHaveLength(3 + 6 * 4);
      digests.add(sim.journal.digest());
      for (const warning of warningsOf(sim)) warnings.add(warning);
    }
    expect(digests.size).toBe(1);
    expect([...warnings]).toEqual([
      "jobs of the app at https://shop.example, after its answer to POST https://shop.example/hooks, end in the order of real time and then call the service; here their calls have a fixed order, in production they do not",
    ]);
  });
});

test("deliveries at once have one digest, in whatever order their jobs end", async () => {
  const digests = new Set<string>();
  for (let run = 0; run < 4; run += 1) {
    let count = 0;
    await using sim = createSimulator({
      webhookUrl: HOOKS,
      receiverTimeout: 60_000,
      assumptions: { "webhook.order": "concurrent" },
    });
    const merchant = await Merchant.of(sim);
    const work = async (): Promise<void> => {
      count += 1;
      const amount = 1000 + count;
      await pause(run % 2 === count % 2 ? 1 : 20);
      await merchant.createIntent({ amount });
    };
    sim.connect(SHOP, () => {
      void work();
      return new Response();
    });
    for (let payment = 0; payment < 3; payment += 1) await merchant.pay();
    await sim.clock.settle();
    expect(sim.intents.list()).toHaveLength(9);
    digests.add(sim.journal.digest());
  }
  expect(digests.size).toBe(1);
});

test("a call waits longer than a second for cryptography, so that the digest stays the same", async () => {
  const derive = promisify(pbkdf2);
  const digests = new Set<string>();
  for (const slow of [0, 1]) {
    await using sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 120_000 });
    const merchant = await Merchant.of(sim);
    let begun = 0;
    sim.connect(SHOP, () => {
      if (begun > 0) return new Response();
      for (; begun < 2; begun += 1) {
        const amount = 1000 + begun;
        void derive("password", "salt", begun === slow ? 4_000_000 : 1, 64, "sha512").then(() =>
          merchant.createIntent({ amount }),
        );
      }
      return new Response();
    });
    await merchant.pay();
    await sim.clock.settle();
    expect(sim.intents.list()).toHaveLength(3);
    digests.add(sim.journal.digest());
    expect(warningsOf(sim)).toEqual([expect.stringContaining("here their calls have a fixed order")]);
  }
  expect(digests.size).toBe(1);
});

test("jobs that wait for each other, as for a lock, go on in the order of their calls", async () => {
  const sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 1000 });
  const merchant = await Merchant.of(sim);
  const freed = new AbortController();
  const works: Promise<unknown>[] = [];
  sim.connect(SHOP, () => {
    const holder = merchant.createIntent().then(() => freed.abort());
    const waiting = (async () => {
      while (!freed.signal.aborted) await pause(1);
    })();
    works.push(holder, waiting);
    return new Response();
  });
  await merchant.pay();
  await sim.clock.settle();
  await Promise.all(works);
  expect(freed.signal.aborted).toBe(true);
});

describe("promises that an app hands over", () => {
  test("are waited for", async () => {
    await using sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 60_000 });
    const merchant = await Merchant.of(sim);
    const handedOver: Promise<unknown>[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    // A message of a channel is work that nobody can see.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => resolve());
    port1.start();
    let done = 0;
    sim.connect(
      SHOP,
      () => {
        handedOver.push(promise.then(() => (done += 1)));
        return new Response();
      },
      { waitUntil: () => handedOver.splice(0) },
    );
    await merchant.pay();
    const timer = setTimeout(() => port2.postMessage("done"), 20);
    await sim.clock.settle();
    expect(done).toBe(2);
    clearTimeout(timer);
    port1.close();
  });

  test("may be one promise, and its rejection is a warning", async () => {
    await using sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 60_000 });
    const merchant = await Merchant.of(sim);
    sim.connect(SHOP, () => new Response(), { waitUntil: () => Promise.reject(new Error("no such order")) });
    await merchant.pay();
    await sim.clock.settle();
    expect(warningsOf(sim)[0]).toBe(
      "a promise that the app at https://shop.example handed over after its answer to POST https://shop.example/hooks was rejected: Error: no such order",
    );
  });

  test("may be none, and what the option itself throws is a warning", async () => {
    await using sim = createSimulator({ webhookUrl: HOOKS });
    const merchant = await Merchant.of(sim);
    const given: (() => unknown)[] = [
      () => undefined,
      () => null,
      () => {
        throw new Error("no queue");
      },
    ];
    sim.connect(SHOP, () => new Response(), { waitUntil: () => given.shift()?.() as undefined });
    await merchant.pay();
    await merchant.pay();
    await sim.clock.settle({ strict: true });
    expect(warningsOf(sim).at(-1)).toMatch(/was rejected: Error: no queue$/);
  });

  test("that never settle are left after receiverTimeout", async () => {
    await using sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout: 50 });
    const merchant = await Merchant.of(sim);
    sim.connect(SHOP, () => new Response(), { waitUntil: () => [new Promise(() => undefined)] });
    await merchant.pay();
    await sim.clock.settle();
    expect(warningsOf(sim)[0]).toContain("it waits for a promise that it handed over;");
  });

  test.for([
    [{ waitUntil: [] }, "the option waitUntil is"],
    [{ waitFor: () => [] }, 'has no option "waitFor"'],
  ] as const)("are refused as anything but a function: %j", ([options, message]) => {
    const sim = createSimulator();
    expect(() => sim.connect(SHOP, () => new Response(), options as never)).toThrow(message);
  });
});

test.for([
  ["does nothing", (): void => undefined],
  [
    "clears a timer",
    (): void => {
      clearTimeout(setTimeout(() => undefined, 50));
    },
  ],
] as const)("the clock goes on in the next turn when an app %s after its answer", async ([, afterwards]) => {
  const turns = { counted: 0, goOn: true };
  const count = (): void => {
    turns.counted += 1;
    if (turns.goOn) setImmediate(count);
  };
  const answeredAt: number[] = [];
  const appOf = (then: () => void) => () => {
    answeredAt.push(turns.counted);
    then();
    return new Response();
  };
  await lived(
    appOf,
    async () => afterwards(),
    async (sim) => {
      count();
      await sim.clock.settle();
      turns.goOn = false;
    },
  );
  expect(answeredAt.length).toBeGreaterThan(1);
  expect(new Set(answeredAt).size).toBe(answeredAt.length);
  expect((answeredAt.at(-1) ?? 0) - (answeredAt[0] ?? 0)).toBeLessThanOrEqual(answeredAt.length);
});
