import { createSimulator, type Simulator, type SimulatorOptions, type Snapshot } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ClockOption } from "../../../src/simulator/simulator-options.ts";
import { openState } from "../../../src/server/state/state.ts";
import { halfOf } from "../../half-of.ts";
import { woundTime } from "../../clock-drivers/wound-time.ts";
import { Merchant } from "../../merchant.ts";
import { HOOKS } from "../../merchant/requests.ts";
import { acts, answers, RandomRun } from "../../replay/random-runs.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

const options = fc.record<SimulatorOptions>(
  {
    seed: fc.integer(),
    webhookUrl: fc.constant(HOOKS),
    clock: fc.constantFrom<ClockOption>("manual", "auto", { real: 60 }),
    keep: fc.constantFrom(3, 20),
    assumptions: fc.constant({ "webhook.order": "concurrent" }),
  },
  { requiredKeys: ["seed", "webhookUrl"] },
);
/** An act, and how many turns of the event loop after it the world is killed, if it is. */
const step = fc.record({
  act: acts.map(([first]) => first ?? ({ do: "settle" } as const)),
  turns: fc.option(fc.integer({ min: 0, max: 6 })),
});

test("a world that is killed anywhere comes back as it was, and goes on as if it had not been killed", async () => {
  // Real time stands, and the clock that runs sends what is due.
  woundTime();
  const killed = { atRest: 0, inFlight: 0, holdingCalls: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40, size: "max" }),
      answers,
      options,
      fc.constantFrom(0, 3000, undefined),
      fc.boolean(),
      async (steps, shopAnswers, given, shortestTail, hangs) => {
        const path = newStateFile();
        const state = openState(path, shortestTail);
        const run = new RandomRun(given, shopAnswers);
        state.follow("shop", {}, run.sim);
        await run.logIn();
        // Faults that hold a call are too rare among random acts.
        if (hangs) run.sim.faults.add({ kind: "request.hang", nth: 2 });
        for (const { act, turns } of steps) {
          const { sim } = run;
          const acted = run.do(act);
          if (run.sim !== sim) state.follow("shop", {}, run.sim);
          if (turns === null) {
            await acted;
            continue;
          }
          await turnsOfTheEventLoop(turns);
          const { engine, dispatcher } = run.sim.internals.parts;
          engine.inputs?.keeper?.keep();
          killed[dispatcher.heldCalls > 0 ? "holdingCalls" : engine.inFlight.length > 0 ? "inFlight" : "atRest"] += 1;
          const [snapshot, copy] = [run.sim.snapshot(), killedCopyOf(path)];
          await acted;
          await expectInFile(copy, snapshot, given);
        }
        state.close();
      },
    ),
    { ...halfOf({ numRuns: 40, seed: 20_261_126 }), endOnFailure: true },
  );
  expect(Math.min(...Object.values(killed)), JSON.stringify(killed)).toBeGreaterThan(3);
});

async function turnsOfTheEventLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Holds what comes out of a file to what was killed. */
async function expectInFile(path: string, killed: Snapshot, given: SimulatorOptions): Promise<void> {
  // A clock that runs would send what is due while it is looked at.
  const still: SimulatorOptions = typeof given.clock === "object" ? { ...given, clock: "manual" } : given;
  const [copy, twin] = [createSimulator(still), createSimulator(still)];
  copy.restore(killed);
  const state = openState(path);
  expect([...state.worlds]).toEqual([["shop", {}]]);
  await state.restore("shop", twin);
  expect(worldOf(twin)).toEqual(worldOf(copy));
  expect(await lifeOf(twin)).toEqual(await lifeOf(copy));
  state.close();
}

function worldOf(sim: Simulator): object {
  return { ...sim.snapshot().world, journal: sim.journal.digest() };
}

/** What a merchant sees who pays and then waits for three days. */
async function lifeOf(sim: Simulator): Promise<unknown> {
  const fork = sim.fork();
  fork.faults.clear();
  const merchant = await Merchant.of(fork);
  const paid = await merchant.pay({ webhookUrl: HOOKS }, "pm_card_approved");
  await fork.clock.advance("3 days");
  return [paid, fork.journal.digest(), fork.intents.list(), fork.webhooks.events(), fork.ledger()];
}
