import { statSync } from "node:fs";
import { createSimulator } from "centavo";
import { expect, test } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { Merchant } from "../../merchant.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

test("a file keeps each world apart, with its options, until it is forgotten", async () => {
  const path = newStateFile();
  const state = openState(path);
  const names = ["ana", "ben", "cora"];
  const sims = names.map((seed) => createSimulator({ seed }));
  for (const [index, sim] of sims.entries()) state.follow(String(names[index]), { seed: names[index] }, sim);
  await Promise.all(
    sims.map(async (sim, index) => {
      const merchant = await Merchant.of(sim);
      for (let count = 0; count <= index; count += 1) await merchant.pay({}, "pm_card_approved");
    }),
  );
  state.forget("ben");
  await (await Merchant.of(sims[1] as (typeof sims)[number])).pay({}, "pm_card_approved");

  const killed = openState(killedCopyOf(path));
  expect([...killed.worlds]).toEqual([
    ["ana", { seed: "ana" }],
    ["cora", { seed: "cora" }],
  ]);
  for (const [name, payments] of [
    ["ana", 1],
    ["cora", 3],
  ] as const) {
    const sim = createSimulator({ seed: name });
    await killed.restore(name, sim);
    expect(sim.intents.list()).toHaveLength(payments);
  }
  await expect(killed.restore("ben", createSimulator())).rejects.toThrow(/has no world "ben"/);
  killed.close();
  state.close();
});

test("a world that takes the place of another of its name is the one that comes back", async () => {
  const path = newStateFile();
  const state = openState(path);
  const [first, second] = [createSimulator({ seed: 1 }), createSimulator({ seed: 2 })];
  state.follow("shop", { seed: 1 }, first);
  const paying = (await Merchant.of(first)).createIntent();
  state.follow("shop", { seed: 2 }, second);
  await paying;
  await (await Merchant.of(second)).pay({}, "pm_card_approved");
  state.close();

  const opened = openState(path);
  expect([...opened.worlds]).toEqual([["shop", { seed: 2 }]]);
  const sim = createSimulator({ seed: 2 });
  await opened.restore("shop", sim);
  expect(sim.journal.digest()).toBe(second.journal.digest());
  opened.close();
});

test("a simulator with another seed is refused for a world, and so is one that records nothing", async () => {
  const path = newStateFile();
  const state = openState(path);
  state.follow("shop", {}, createSimulator({ seed: 1 }));
  await expect(state.restore("shop", createSimulator({ seed: 2 }))).rejects.toThrow(
    /made with the seed "1", and this simulator has "2"/,
  );
  expect(() => state.follow("other", {}, createSimulator({ recording: false }))).toThrow(
    /recording: false.*Leave that option out/,
  );
  expect([...state.worlds.keys()]).toEqual(["shop"]);
  state.close();
});

test("the file of a bounded world stays small, however many requests come", async () => {
  const path = newStateFile();
  const state = openState(path);
  const sim = createSimulator({ keep: 20 });
  state.follow("shop", {}, sim);
  const merchant = await Merchant.of(sim);
  const size = async (): Promise<number> => {
    for (let count = 0; count < 500; count += 1) {
      await merchant.intentStatus(await merchant.pay({}, "pm_card_approved"));
      // A payment that has not ended is not forgotten.
      if (count % 50 === 0) await sim.clock.advance("1 minute");
    }
    return statSync(path).size + statSync(`${path}-wal`).size;
  };
  await size();
  const settled = await size();
  expect(await size()).toBeLessThan(settled * 1.2);
  state.close();
});
