import * as fc from "fast-check";
import { expect, test } from "vitest";
import { acts, answers, RandomRun } from "./random-runs.ts";
import { expectReplayable } from "./replayable.ts";

test("the recording of any run is replayed to the same journal, and is recorded again as it was", async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(acts, answers, fc.integer(), async (chosen, shopAnswers, seed) => {
      const run = new RandomRun({ seed }, shopAnswers);
      await run.logIn();
      for (const act of chosen) await run.do(act);
      const { sim } = run;
      await expectReplayable(sim);
      for (const { kind } of sim.recording().inputs) kinds.add(kind);
    }),
    { numRuns: 60, seed: 20_260_101 },
  );
  expect([...kinds]).toEqual(expect.arrayContaining(["answer", "cancel", "mint", "note", "redeliver", "request"]));
});
