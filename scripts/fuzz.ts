import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { isKnownAsEdited, isReplayedOrRefused, livedThrough } from "../test/fuzz/mutated-worlds.ts";
import { mutation } from "../test/fuzz/mutations.ts";
import type { Mutation } from "../test/fuzz/mutations.ts";
import { randomStory } from "../test/fuzz/oracle/steps.ts";
import type { Story } from "../test/fuzz/oracle/steps.ts";
import { keepsItsPromises } from "../test/fuzz/properties.ts";
import { randomScript } from "../test/fuzz/random-world.ts";
import type { Script } from "../test/fuzz/random-world.ts";
import { answersWell } from "../test/fuzz/requests/answers-well.ts";
import { everyStatus } from "../test/fuzz/requests/every-status.ts";
import { randomRequest } from "../test/fuzz/requests/random-request.ts";
import type { RandomRequest } from "../test/fuzz/requests/random-request.ts";
import { agrees } from "../test/fuzz/stories/agrees.ts";
import { setsForStories } from "../test/fuzz/under-sets.ts";

const USAGE = `npm run fuzz -- [--minutes 1] [--cases 10000] [--seed 42] [--path "12:0:3"]

Runs random cases until the time is over, this many have run, or one breaks a promise: worlds that are lived through again and changed,
stories that an oracle foretells, also under whole sets of assumptions, and requests of every kind. The broken case is then shrunk as far as possible, and printed with the
command that runs it again.`;

const MOST_MUTATIONS = 10;
const MOST_REQUESTS = 40;
const SECONDS_FOR_SHRINKING = 120;

/** One case, as plain data. */
type Case =
  | { readonly world: Script; readonly mutations: readonly Mutation[] }
  | { readonly story: Story; readonly under?: string | undefined }
  | { readonly requests: readonly RandomRequest[] };

/** What has been done, but for what a shrinking did. */
const done = { worlds: 0, requests: 0, steps: 0, replays: 0, snapshots: 0 };
const populated = await everyStatus();

// A time limit of fast-check would keep the process for as long.
process.exit(await run());

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string" },
      cases: { type: "string" },
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
  const minutes = Number(values.minutes ?? (values.cases === undefined ? 1 : Infinity));
  const cases = Number(values.cases ?? Number.MAX_SAFE_INTEGER);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const { path } = values;
  if (![minutes, cases, seed].every((number) => number >= 0)) {
    console.error(USAGE);
    return 2;
  }

  console.log(`Random cases from the seed ${seed}.`);
  const start = performance.now();
  let reported = start;
  let failedAt: number | undefined;
  const property = fc.asyncProperty(randomCase(), async (one) => {
    // A skipped case counts as passed, so skipping all smaller ones ends the shrinking.
    fc.pre(failedAt === undefined || performance.now() - failedAt < SECONDS_FOR_SHRINKING * 1000);
    try {
      const more = await happen(one);
      if (failedAt === undefined) count(more);
    } catch (error) {
      if (failedAt === undefined) console.log(`${progress(start)}\n\nA case failed. Shrinking it.`);
      failedAt ??= performance.now();
      throw error;
    }
    if (failedAt !== undefined || performance.now() - reported < 5000) return;
    reported = performance.now();
    console.log(progress(start));
  });
  const result = await fc.check(property, {
    seed,
    numRuns: cases,
    ...(path === undefined ? {} : { path }),
    ...(Number.isFinite(minutes) ? { interruptAfterTimeLimit: minutes * 60_000 } : {}),
  });
  if (!result.failed || result.counterexample === null) {
    console.log(`${progress(start)}\nAll promises were kept.`);
    return 0;
  }
  report(result.counterexample[0], result.errorInstance, `--seed ${seed} --path "${result.counterexamplePath}"`);
  return 1;
}

function randomCase(): fc.Arbitrary<Case> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ world: randomScript, mutations: fc.array(mutation, { maxLength: MOST_MUTATIONS }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        story: randomStory,
        under: fc.constantFrom(undefined, ...Object.keys(setsForStories)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        requests: fc.array(randomRequest(populated), { minLength: 1, maxLength: MOST_REQUESTS, size: "max" }),
      }),
    },
  );
}

/**
 * Lets a case happen.
 * @returns what was done
 * @throws the promise that it breaks
 */
async function happen(one: Case): Promise<Partial<typeof done>> {
  if ("story" in one) {
    const { steps, requests } = await agrees(one.story, one.under === undefined ? {} : setsForStories[one.under]);
    return { steps, requests };
  }
  if ("requests" in one) {
    const { requests } = await answersWell(populated, one.requests);
    return { requests };
  }
  const { world, mutations } = one;
  const { journal } = await keepsItsPromises(world);
  const requests = journal.entries.filter(({ kind }) => kind === "request").length;
  if (mutations.length === 0) return { worlds: 1, requests, replays: 1 };
  const lived = await livedThrough(world);
  for (const each of mutations) {
    await isKnownAsEdited(lived, each);
    await isReplayedOrRefused(lived.recording, each);
  }
  return { worlds: 1, requests, replays: 1 + mutations.length, snapshots: mutations.length };
}

function count(more: Partial<typeof done>): void {
  for (const [name, number] of Object.entries(more)) done[name as keyof typeof done] += number;
}

function progress(start: number): string {
  const { worlds, requests, steps, replays, snapshots } = done;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  return `${seconds} s: ${worlds} worlds, ${requests} requests, ${steps} oracle steps, ${replays} replays, ${snapshots} mutated snapshots.`;
}

function report(one: Case, error: unknown, replay: string): void {
  console.log(`\nThis case breaks a promise:\n\n${JSON.stringify(one, undefined, 2)}\n`);
  console.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.log(`\nRun it again: npm run fuzz -- ${replay}`);
}
