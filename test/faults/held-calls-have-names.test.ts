import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions, Snapshot } from "centavo";
import { describe, expect, test } from "vitest";

const SLOW = { kind: "request.latency", delay: "40 seconds" } as const;

/** Holds a number of calls, one after another. They are not awaited, because their world may end before they do. */
async function hold(sim: Simulator, calls: number): Promise<void> {
  const fault = sim.faults.add(SLOW);
  for (let call = 1; call <= calls; call += 1) {
    sim.fetch("/api/plans").catch(() => undefined);
    await fault.struck(call);
  }
  fault.remove();
}

function namesOf(sim: Simulator): string[] {
  return sim.clock.pending().flatMap(({ key }) => (key.startsWith("held-call/") ? [key] : []));
}

describe("the names of held calls", () => {
  test.each<[string, SimulatorOptions]>([
    ["is bounded", { keep: 1 }],
    ["is whole", {}],
  ])("are the same where the journal %s", async (_, options) => {
    const sim = createSimulator(options);
    for (let round = 0; round < 200; round += 1) sim.faults.add(SLOW).remove();
    await hold(sim, 2);
    expect(namesOf(sim)).toEqual(["held-call/1/go-on", "held-call/2/go-on"]);
  });

  test("are the same when the digest is read between two calls", async () => {
    const sim = createSimulator();
    await hold(sim, 1);
    sim.journal.digest();
    await hold(sim, 1);
    expect(namesOf(sim)).toEqual(["held-call/1/go-on", "held-call/2/go-on"]);
  });

  test("are never those of calls that a copy of the world still waits for", async () => {
    const sim = createSimulator();
    await hold(sim, 2);
    const elsewhere = createSimulator();
    await hold(elsewhere, 3);
    elsewhere.restore(JSON.parse(JSON.stringify(sim.snapshot())) as Snapshot);
    for (const copy of [sim.fork(), elsewhere]) {
      await hold(copy, 2);
      expect(new Set(namesOf(copy)).size).toBe(4);
      expect(namesOf(copy)).toEqual(expect.arrayContaining(namesOf(sim)));
    }
  });

  test("are not taken by a call that is never answered", async () => {
    const sim = createSimulator();
    const hang = sim.faults.add({ kind: "request.hang" });
    const silent = sim.fetch("/api/plans");
    await hang.struck();
    hang.remove();
    await hold(sim, 2);
    expect(namesOf(sim)).toHaveLength(2);
    await sim.close();
    await expect(silent).rejects.toThrow("fetch failed");
  });
});
