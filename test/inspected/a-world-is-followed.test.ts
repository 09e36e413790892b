import { expect, test } from "vitest";
import { createSimulator } from "centavo";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { createClient } from "centavo/client";
import type { WorldRecord } from "../../src/inspected/records.ts";
import { WrittenWorld } from "../../src/inspected/written-world.ts";
import { FollowedTest } from "../../src/server/hub/followed-test.ts";

const SHOP = "https://shop.example";
const HOOKS = `${SHOP}/hooks`;

function clientOf(sim: Simulator) {
  return createClient({ baseUrl: sim.baseUrl, authUrl: sim.authUrl, fetch: sim.fetch, ...sim.credentials });
}

/** Follows a simulator as the inspector does: through lines of JSON. */
async function follow(sim: Simulator, act: () => Promise<void>) {
  const lines: string[] = [];
  const { inputs } = sim.internals.parts.engine;
  if (inputs === undefined) throw new Error("nothing is recorded");
  const world = new WrittenWorld(sim, inputs, { name: "a test" }, (record) => lines.push(JSON.stringify(record)));
  await act();
  world.end();
  const [opened, ...records] = lines.map((line) => JSON.parse(line) as WorldRecord);
  if (opened?.kind !== "opened") throw new Error("no world was opened");
  const copy = new FollowedTest(opened);
  for (const record of records) await copy.take(record);
  return { copy, records };
}

async function pay(sim: Simulator, method = "pm_card_approved"): Promise<void> {
  const { paymentIntents } = clientOf(sim);
  const { id } = await paymentIntents.create({ amount: 10_000 });
  await paymentIntents.confirm(id, { paymentMethod: method }).catch(() => undefined);
}

test.for<[what: string, act: (sim: Simulator) => Promise<void>]>([
  ["payments", (sim) => pay(sim)],
  [
    "declines, and time that passes without an input",
    async (sim) => {
      await pay(sim, "pm_card_stolen");
      await sim.clock.advance("40 days");
    },
  ],
  [
    "a webhook whose receiver calls the service",
    async (sim) => {
      sim.connect(SHOP, async () => {
        await clientOf(sim).transactions.list();
        return new Response(null, { status: 204 });
      });
      await pay(sim);
      await sim.clock.settle();
    },
  ],
  [
    "webhooks that fail, and are sent again",
    async (sim) => {
      let calls = 0;
      sim.connect(SHOP, () => new Response(null, { status: (calls += 1) < 3 ? 500 : 200 }));
      await pay(sim);
      await sim.clock.advance("2 days");
    },
  ],
  [
    "events without a receiver, then a receiver",
    async (sim) => {
      await pay(sim);
      await sim.clock.advance("1 hour");
      sim.connect(SHOP, () => new Response(null, { status: 204 }));
      await sim.clock.settle();
    },
  ],
  [
    "faults",
    async (sim) => {
      sim.faults.add({ kind: "request.status", status: 503, times: 1 });
      await pay(sim).catch(() => undefined);
      await pay(sim);
      sim.faults.clear();
    },
  ],
  [
    "a reset",
    async (sim) => {
      await pay(sim);
      sim.reset();
      await pay(sim);
      await sim.clock.advance("1 day");
    },
  ],
  [
    "a snapshot that is restored, with events that wait",
    async (sim) => {
      await pay(sim);
      await sim.clock.settle();
      const before = sim.snapshot();
      await sim.clock.advance("1 day");
      sim.restore(before);
      await pay(sim);
      await sim.clock.settle();
    },
  ],
])("a copy of a world with %s is the same, byte for byte", async ([what, act]) => {
  await using sim = createSimulator({ webhookUrl: HOOKS, seed: what });
  const { copy } = await follow(sim, () => act(sim));
  expect(copy.problem).toBeUndefined();
  expect(String(copy.sim.journal)).toBe(String(sim.journal));
  expect(copy.sim.journal.digest()).toBe(sim.journal.digest());
  expect(copy.sim.clock.now()).toBe(sim.clock.now());
});
