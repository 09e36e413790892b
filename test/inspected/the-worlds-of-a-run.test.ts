import { expect, onTestFinished, test } from "vitest";
import { createSimulator } from "centavo";
import type { SimulatorOptions } from "centavo";
import type { Opened } from "../../src/inspected/records.ts";
import { HostedWorlds } from "../../src/server/hosted-worlds.ts";
import { RunWorlds } from "../../src/server/hub/run-worlds.ts";
import { aboutWorld } from "../../src/server/inspector/about-worlds.ts";
import { checkLimits } from "../../src/server/world-limits.ts";
import { HostList } from "../../src/kit/base/runtime/host-list.ts";

/** The worlds that an inspector hosts, by title, oldest first. */
function openRun(mostEnded?: number) {
  const worlds = new HostedWorlds({
    url: "http://127.0.0.1:4010",
    seed: undefined,
    limits: checkLimits({ most: 1 }),
    webhookHosts: new HostList("allowedWebhookHosts", []),
    state: undefined,
  });
  onTestFinished(() => worlds.close());
  const run = new RunWorlds(worlds, mostEnded);
  const titles = () => worlds.all.map(({ sim }) => aboutWorld(sim).title);
  return { worlds, run, titles };
}

function begins(name: string, { pid = 1, ...options }: SimulatorOptions & { readonly pid?: number } = {}): Opened {
  return {
    kind: "opened",
    title: { name },
    pid,
    options: createSimulator({ seed: name, ...options }).recording().options,
  };
}

test("a run of a test takes the place of the run before it, in the same simulator, which begins anew", async () => {
  const { worlds, run, titles } = openRun();
  const first = await run.opened(begins("pays"));
  const other = await run.opened(begins("declines"));
  await first.take({ kind: "continued", at: Date.parse("2026-02-01"), timers: 0, inputs: [], isAtRest: true });
  await first.take({ kind: "ended" });
  await run.ended(first);
  expect(aboutWorld(first.sim).isEnded).toBe(true);
  const second = await run.opened(begins("pays"));
  expect(second.sim).toBe(first.sim);
  expect(second.sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
  expect(aboutWorld(second.sim).isEnded).toBe(false);
  expect(worlds.all.map(({ name }) => name)).toEqual(["test-1", "test-2"]);
  expect(titles()).toEqual(["pays", "declines"]);
  // What is left of the first run touches nothing.
  await first.take({ kind: "continued", at: Date.parse("2026-03-01"), timers: 0, inputs: [], isAtRest: true });
  await run.ended(first);
  expect(second.sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
  expect(aboutWorld(second.sim).isEnded).toBe(false);
  expect(other.sim).not.toBe(first.sim);
});

test("a run with other options has another simulator", async () => {
  const { worlds, run, titles } = openRun();
  await run.opened(begins("pays"));
  const second = await run.opened(begins("pays", { now: "2027-01-01T00:00:00Z" }));
  expect(titles()).toEqual(["pays"]);
  expect(worlds.all.map(({ sim }) => sim)).toEqual([second.sim]);
});

test("tests of one title in processes that run at once are told apart", async () => {
  const { run, titles } = openRun();
  await run.opened(begins("pays", { pid: 1 }));
  await run.opened(begins("pays", { pid: 2 }));
  await run.opened(begins("pays", { pid: 3 }));
  expect(titles()).toEqual(["pays", "pays · 2", "pays · 3"]);
});

test("the oldest worlds that have ended are dropped, and none that goes on, however few a server may have", async () => {
  const { run, titles } = openRun(2);
  await run.opened(begins("goes on"));
  for (const name of ["one", "two", "three", "four"]) {
    const opened = await run.opened(begins(name));
    await opened.take({ kind: "ended" });
    await run.ended(opened);
  }
  expect(titles()).toEqual(["goes on", "three", "four"]);
});
