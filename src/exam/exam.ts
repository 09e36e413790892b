import { inTurn } from "../kit/base/runtime/in-turn.ts";
import { oldNode } from "../kit/base/runtime/old-node.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { warnOfShortLimit } from "../kit/base/runtime/time-limit.ts";
import { interruptLoops } from "../kit/base/runtime/loops.ts";
import { warnProcess } from "../kit/base/runtime/process-warning.ts";
import { beginExam } from "./begin-exam.ts";
import { holdExam } from "./hold-exam.ts";
import type { ExamOptions } from "./options.ts";
import { readOptions } from "./read-options.ts";
import { Search } from "./search.ts";
import type { SearchWatch } from "./search.ts";
import type { Team } from "./team.ts";
import type { Verdict } from "./verdict.ts";

// An exam in an older Node would fail somewhere inside, with a message that says nothing of its cause.
const tooOld = oldNode();
if (tooOld !== undefined) throw new Error(tooOld);

const CANNOT_WATCH =
  "exam() cannot watch itself here, because it runs in a worker thread, a debugger is attached, or this runtime cannot interrupt a loop. A loop of the merchant that never ends would hang the test.";

/** How long a first round may take, in milliseconds of real time, as far as one can tell. */
const LONG_FIRST_ROUND = 60_000;

/**
 * Searches for the shortest story in which a merchant goes wrong. It plays customers through the merchant's own routes, learns what can fail,
 * makes it fail, and compares the merchant's books with the service's.
 *
 * By default it plays at least 300 stories, which takes some seconds or a minute, so give a test that awaits it a longer timeout, such as 120 seconds. Where
 * `centavo/vitest` is imported, a warning says so before vitest ends the test.
 *
 * @param options the merchant's program, what its customers can do, and how to read its books
 * @returns the verdict: its `outcome`, `failures` with the story of each, and what was tried. `String(verdict)` tells it in sentences
 * @throws {CentavoError} `INVALID_OPTION` naming the option, `INTERCEPTION_REFUSED` while fake timers replace what Node itself needs, and what the merchant's own `open` throws
 *
 * @example
 * const verdict = await exam({
 *   open: ({ sim, fetch, store, url }) => createShop({ api: sim.baseUrl, ...sim.credentials, fetch, store, url }),
 *   acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
 *   books: ({ store }) => ({ orders: [...store.values()] }),
 * });
 * expect(verdict).toPass();
 */
export async function exam<Store = Map<string, unknown>>(options: ExamOptions<Store>): Promise<Verdict> {
  return watchedExam(options, {});
}

/** Runs an exam while something watches the search, and may stop it. */
export async function watchedExam<Store>(
  options: ExamOptions<Store>,
  watch: SearchWatch,
  team?: Team,
): Promise<Verdict> {
  return inTurn(async () => {
    const read = readOptions(options);
    const { takesFirstRound, milliseconds } = read.budget;
    warnOfShortLimit("exam()", takesFirstRound ? LONG_FIRST_ROUND : milliseconds);
    const release = holdExam(read.running);
    try {
      const end = await beginExam(read);
      const search = new Search(read, watch, team);
      let loop = Promise.withResolvers<void>();
      // The threads of a search are watched by the thread that started them.
      const stopWatching =
        team === undefined
          ? watchLoops(read.longestLoop, (hasWorked) => {
              search.endLoop(read.longestLoop / 1000, hasWorked);
              loop.resolve();
            })
          : undefined;
      // Where a loop was ended, the work that waited for it never goes on.
      const untilLoop = async (work: () => Promise<unknown>): Promise<void> => {
        loop = Promise.withResolvers();
        await Promise.race([nextMacrotask().then(work), loop.promise]);
      };
      try {
        await untilLoop(() => search.verdict());
      } finally {
        await untilLoop(() => search.close(end));
        await stopWatching?.();
      }
      return search.soFar();
    } finally {
      release();
    }
  });
}

function watchLoops(...watch: Parameters<typeof interruptLoops>): ReturnType<typeof interruptLoops> {
  const stop = interruptLoops(...watch);
  if (stop === undefined) warnProcess(CANNOT_WATCH);
  return stop;
}
