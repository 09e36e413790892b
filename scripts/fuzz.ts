import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { isRefusedOrWorks, isReplayedOrRefused, livedThrough } from "../test/fuzz/mutated-worlds.ts";
import { mutation } from "../test/fuzz/mutations.ts";
import type { Mutation } from "../test/fuzz/mutations.ts";
import { keepsItsPromises } from "../test/fuzz/properties.ts";
import { randomScript } from "../test/fuzz/random-world.ts";
import type { Script } from "../test/fuzz/random-world.ts";

const USAGE = `npm run fuzz -- [--minutes 1] [--worlds 10000] [--seed 42] [--path "12:0:3"]

Runs random worlds until the time is over, this many worlds have run, or one breaks a promise. The broken world is then shrunk as far as
possible, and printed with the command that runs it again.`;

const MOST_MUTATIONS = 10;
const SECONDS_FOR_SHRINKING = 120;

process.exitCode = await run();

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string" },
      worlds: { type: "string" },
      seed: { type: "string" },
      path: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  // A run without a bound ends after a minute.
  const minutes = Number(values.minutes ?? (values.worlds === undefined ? 1 : Infinity));
  const worlds = Number(values.worlds ?? Number.MAX_SAFE_INTEGER);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const { path } = values;
  if (![minutes, worlds, seed].every((number) => number >= 0)) {
    console.error(USAGE);
    return 2;
  }

  console.log(`Random worlds from the seed ${seed}.`);
  const start = performance.now();
  let lived = 0;
  let reported = start;
  let failedAt: number | undefined;
  const property = fc.asyncProperty(
    randomScript,
    fc.array(mutation, { maxLength: MOST_MUTATIONS }),
    async (script, mutations) => {
      // A skipped world counts as passed, so skipping all smaller ones ends the shrinking.
      fc.pre(failedAt === undefined || performance.now() - failedAt < SECONDS_FOR_SHRINKING * 1000);
      try {
        await keepsItsPromises(script);
        await keepsChangedWorldsOut(script, mutations);
      } catch (error) {
        if (failedAt === undefined) console.log(`\nA world failed after ${lived} others. Shrinking it.`);
        failedAt ??= performance.now();
        throw error;
      }
      if (failedAt !== undefined) return;
      lived += 1;
      if (performance.now() - reported < 5000) return;
      reported = performance.now();
      console.log(progress(lived, reported - start));
    },
  );
  const result = await fc.check(property, {
    seed,
    numRuns: worlds,
    ...(path === undefined ? {} : { path }),
    ...(Number.isFinite(minutes) ? { interruptAfterTimeLimit: minutes * 60_000 } : {}),
  });
  if (!result.failed || result.counterexample === null) {
    console.log(`${progress(lived, performance.now() - start)} All promises were kept.`);
    return 0;
  }
  report(result.counterexample, result.errorInstance, `--seed ${seed} --path "${result.counterexamplePath}"`);
  return 1;
}

/** Changes the snapshot and the recording of a world, and checks that each is refused or works. */
async function keepsChangedWorldsOut(script: Script, mutations: readonly Mutation[]): Promise<void> {
  if (mutations.length === 0) return;
  const lived = await livedThrough(script);
  for (const each of mutations) {
    await isRefusedOrWorks(lived, each);
    await isReplayedOrRefused(lived.recording, each);
  }
}

function progress(lived: number, milliseconds: number): string {
  return `${lived} worlds in ${(milliseconds / 1000).toFixed(0)} s, ${(milliseconds / Math.max(1, lived)).toFixed(1)} ms each.`;
}

function report([script, mutations]: readonly [Script, readonly Mutation[]], error: unknown, replay: string): void {
  console.log(`\nThis world breaks a promise:\n\n${JSON.stringify({ script, mutations }, undefined, 2)}\n`);
  console.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.log(`\nRun it again: npm run fuzz -- ${replay}`);
}
