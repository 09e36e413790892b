import { setTimeout as pause } from "node:timers/promises";
import { createSimulator, type MerchantApp, type Simulator } from "centavo";
import express from "express";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { expectReplayable } from "../replay/replayable.ts";

const RUNS = 15;

/** What a shop does once it has answered a webhook. */
type Afterwards = (merchant: Merchant) => Promise<unknown>;

const apps: readonly (readonly [string, (afterwards: () => void) => MerchantApp])[] = [
  [
    "a fetch handler",
    (afterwards) => () => {
      afterwards();
      return new Response();
    },
  ],
  [
    "Express",
    (afterwards) => {
      const app = express();
      app.post("/hooks", (_, response) => {
        response.sendStatus(200);
        afterwards();
      });
      return app;
    },
  ],
];

/** A world in which three payments are made and told of to an app that goes on working after its answer. */
async function lived(
  appOf: (afterwards: () => void) => MerchantApp,
  afterwards: Afterwards,
  move: (sim: Simulator) => Promise<void> = (sim) => sim.clock.settle(),
  receiverTimeout = 60_000,
): Promise<Simulator> {
  const sim = createSimulator({ webhookUrl: HOOKS, receiverTimeout });
  const merchant = await Merchant.of(sim);
  sim.connect(SHOP, appOf(() => void afterwards(merchant)) as never);
  for (let payment = 0; payment < 3; payment += 1) await merchant.pay();
  await move(sim);
  return sim;
}

function warningsOf(sim: Simulator): unknown[] {
  return sim.journal.entries.filter(({ kind }) => kind === "warning").map(({ details }) => details["message"]);
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

const [[, fetchApp]] = apps as readonly [(typeof apps)[number]];

test("what is called after the answer is replayed", async () => {
  const sim = await lived(fetchApp, async (merchant) => {
    await pause(1);
    await merchant.createIntent();
  });
  await expectReplayable(sim);
});

test("a longer pause than 100 ms is not waited for", async () => {
  const timers: NodeJS.Timeout[] = [];
  const sim = await lived(fetchApp, async () => timers.push(setTimeout(() => undefined, 60_000)));
  expect(warningsOf(sim)).toEqual([]);
  for (const timer of timers) clearTimeout(timer);
});

test("an interval is not waited for", async () => {
  const timers: NodeJS.Timeout[] = [];
  const sim = await lived(fetchApp, async () => timers.push(setInterval(() => undefined, 1)));
  expect(warningsOf(sim)).toEqual([]);
  for (const timer of timers) clearInterval(timer);
});

test("work that never ends is left after receiverTimeout, and the journal names it", async () => {
  const over = new AbortController();
  let count = 0;
  const endless: Afterwards = async () => {
    count += 1;
    if (count > 1) return;
    while (!over.signal.aborted) await pause(20);
  };
  const sim = await lived(fetchApp, endless, (each) => each.clock.settle(), 50);
  over.abort();
  expect(warningsOf(sim)).toEqual([
    expect.stringMatching(
      /^the clock goes on although the app at https:\/\/shop\.example has not finished POST https:\/\/shop\.example\/hooks: it still has timers of 20 ms;/,
    ),
  ]);
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
