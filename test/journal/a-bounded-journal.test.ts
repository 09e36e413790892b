import { createSimulator } from "centavo";
import type { Snapshot } from "centavo";
import { fixtures } from "centavo/fixtures";
import { describe, expect, test } from "vitest";

const busyWorld = async (bounds: { keep?: number }) => {
  const sim = createSimulator({ seed: 7, ...bounds });
  const make = fixtures(sim);
  for (let count = 0; count < 800; count += 1) await make.intent({ status: "succeeded" });
  return sim;
};

describe("a bounded journal", () => {
  test("keeps the newest entries with their numbers, and has the digest of the whole run", async () => {
    const all = await busyWorld({});
    const bounded = await busyWorld({ keep: 1000 });
    const kept = bounded.journal.entries;
    expect(all.journal.entries.length).toBeGreaterThan(7000);
    expect(kept.length).toBeGreaterThanOrEqual(1000);
    expect(kept.length).toBeLessThan(6000);
    expect(kept).toEqual(all.journal.entries.slice(-kept.length));
    expect(bounded.journal.digest()).toBe(all.journal.digest());

    const copy = createSimulator({ seed: 7, keep: 1000 });
    copy.restore(JSON.parse(JSON.stringify(bounded.snapshot())) as Snapshot);
    const fork = bounded.fork();
    for (const sim of [bounded, copy, fork]) await sim.clock.advance("1 day");
    expect(copy.journal.digest()).toBe(bounded.journal.digest());
    expect(fork.journal.digest()).toBe(bounded.journal.digest());
  });

  test("forgets what changed nothing too", async () => {
    const sim = createSimulator({ keep: 10 });
    for (let count = 0; count < 3000; count += 1) await sim.fetch("/nowhere");
    expect(sim.journal.entries.length).toBeLessThan(10 + 4096 + 2);
  });
});
