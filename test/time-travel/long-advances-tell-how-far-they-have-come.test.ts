import { createSimulator } from "centavo";
import type { Progress } from "centavo";
import { fixtures } from "centavo/fixtures";
import { expect, test } from "vitest";

test("a long advance reports every thousand timers and at its end, and is silent unless asked", async () => {
  const sim = createSimulator({ assumptions: { "intent.processing-time": "1 minute" } });
  const make = fixtures(sim);
  for (let count = 0; count < 1200; count += 1) await make.intent({ status: "processing" });
  const reports: Progress[] = [];
  await sim.clock.advance("1 day", { onProgress: (progress) => reports.push(progress) });
  expect(reports).toEqual([
    { now: "2026-01-01T00:01:00.000Z", until: "2026-01-02T00:00:00.000Z", timers: 1000 },
    { now: "2026-01-02T00:00:00.000Z", until: "2026-01-02T00:00:00.000Z", timers: 1200 },
  ]);
});

test("advanceTo and advanceUntil report too, the latter both when its condition holds and at its limit", async () => {
  const sim = createSimulator({ assumptions: { "intent.processing-time": "1 minute" } });
  const reports: Progress[] = [];
  const onProgress = (progress: Progress): void => void reports.push(progress);
  await sim.clock.advanceTo("2026-02-01", { onProgress });
  await fixtures(sim).intent({ status: "processing" });
  const isPaid = (): boolean => sim.intents.last()?.status === "succeeded";
  await sim.clock.advanceUntil(isPaid, { limit: "1 day", onProgress });
  await sim.clock.advanceUntil(isPaid, { limit: "1 day", onProgress });
  await expect(sim.clock.advanceUntil(() => false, { limit: "1 day", onProgress })).rejects.toThrow();
  expect(reports).toEqual([
    { now: "2026-02-01T00:00:00.000Z", until: "2026-02-01T00:00:00.000Z", timers: 0 },
    { now: "2026-02-01T00:01:00.000Z", until: "2026-02-02T00:00:00.000Z", timers: 1 },
    { now: "2026-02-01T00:01:00.000Z", until: "2026-02-02T00:01:00.000Z", timers: 0 },
    { now: "2026-02-02T00:01:00.000Z", until: "2026-02-02T00:01:00.000Z", timers: 0 },
  ]);
});
