import { expect, test } from "vitest";
import { watchCycles } from "../../bench/progress.ts";
import type { Terminal } from "../../bench/progress.ts";
import { liveMonths, subscribedWorld } from "../../bench/subscribed-world.ts";

const ERASE = "\r\u001B[2K";

test.for([
  { delivered: false, receivers: "without receivers" },
  { delivered: true, receivers: "with a receiver" },
])("in a terminal the bench shows virtual date, cycles done and rate $receivers", async ({ delivered }) => {
  const world = { subscriptions: 250, delivered };
  const sim = await subscribedWorld(world);
  const written: string[] = [];
  let seconds = 0;
  const terminal: Terminal = { isTTY: true, write: (text) => written.push(text) };
  const watched = watchCycles(world, terminal, () => 1000 * seconds);
  seconds = 2;
  await liveMonths(sim, 2, watched);
  const lines = new Set(written);
  expect(lines).toContain(`${ERASE}250 subscriptions  2026-02-02  250 cycles, 125/s`);
  expect(written.at(-1)).toBe(`${ERASE}250 subscriptions  2026-03-02  500 cycles, 250/s`);
});

test("in a pipe the bench asks the clock for no reports", () => {
  const pipe: Terminal = { write: () => expect.unreachable() };
  expect(watchCycles({ subscriptions: 1000, delivered: false }, pipe)).toEqual({});
});
