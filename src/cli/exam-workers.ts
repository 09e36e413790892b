import { enableCompileCache } from "node:module";
import { isMainThread, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { startTimer } from "../kit/base/runtime/real-time.ts";
import { holdExit } from "../kit/base/runtime/unfinished-work.ts";
import { mergeVerdicts } from "../exam/merge-verdicts.ts";
import { tokenOf } from "../exam/token.ts";
import { Unexaminable } from "../exam/unexaminable.ts";
import type { LearnedFlow } from "../exam/chances.ts";
import type { Verdict, VerdictFacts } from "../exam/verdict.ts";
import { describe } from "./described.ts";
import type { Examination } from "./exam-search.ts";
import { BETWEEN_BEATS, ROLE, SearchAborted, SearchThread } from "./search-thread.ts";
import type { Assignment, Message, Order } from "./search-thread.ts";

/** Watches the search of all workers. */
export interface WorkersWatch {
  readonly stopped: Promise<unknown>;
  readonly onStory: (stories: number, failed: ReadonlySet<string>) => void;
}

/** How long a worker may take to end once it was told to, in milliseconds. */
const STOPS_WITHIN = 3000;
/** How long it may take once its budget is spent: a loop that does not yield is found in that time. */
const ENDS_WITHIN = 15_000;

/**
 * Searches with several threads. Each loads the exam file and takes a part of the flows and stories. Once every thread has reported what it
 * learned from its flows, all get the sum. Threads that do not end soon after the budget, or after an interrupt, are ended.
 * @throws {SearchAborted} when a worker could not search, or died, and nothing was found
 */
export async function searchWithWorkers(
  examination: Examination,
  jobs: number,
  { stopped, onStory }: WorkersWatch,
): Promise<Verdict> {
  const learned = new Map<number, readonly LearnedFlow[]>();
  const failed = new Set<string>();
  const stories = new Map<number, number>();
  const timers: (() => void)[] = [];
  // A thread knows the file's budget, but only this one knows how many laws all of them broke.
  let mostFailures = Infinity;
  const noteLearned = (index: number, flows: readonly LearnedFlow[]): void => {
    learned.set(index, flows);
    if (learned.size === jobs) order({ kind: "learned", flows: [...learned.values()].flat() });
  };
  const onMessage = (message: Message, index: number): void => {
    if (message.kind === "started") {
      mostFailures = message.failures;
      const { milliseconds } = message;
      if (Number.isFinite(milliseconds)) endAfter(milliseconds + ENDS_WITHIN);
    } else if (message.kind === "learned") {
      noteLearned(index, message.flows);
    } else if (message.kind === "verdict") {
      // A search that ended before it learned keeps no other waiting.
      if (!learned.has(index)) noteLearned(index, []);
    } else if (message.kind === "story-ended") {
      stories.set(index, message.stories);
      for (const law of message.failed) failed.add(law);
      if (failed.size >= mostFailures) order({ kind: "stop" });
      onStory(
        [...stories.values()].reduce((sum, each) => sum + each, 0),
        failed,
      );
    }
  };
  const threads = Array.from(
    { length: jobs },
    (_, index) =>
      new SearchThread(new URL(import.meta.url), { role: ROLE, examination, index, of: jobs }, (message) => {
        onMessage(message, index);
      }),
  );
  const order = (each: Order): void => {
    for (const thread of threads) thread.order(each);
  };
  const endAfter = (milliseconds: number): void => {
    const end = (): void => {
      for (const thread of threads) thread.giveUp();
    };
    // A longer timer would fire at once.
    if (milliseconds < 2 ** 31) timers.push(startTimer(milliseconds, end));
  };
  const stop = async (): Promise<void> => {
    await stopped;
    order({ kind: "stop" });
    endAfter(STOPS_WITHIN);
  };
  void stop();
  // Which thread comes first differs from run to run, so all are heard before one of them tells why the search was aborted.
  const goOnWithout = (index: number): void => {
    order({ kind: "stop" });
    if (!learned.has(index)) noteLearned(index, []);
    endAfter(ENDS_WITHIN);
  };
  const abortions: SearchAborted[] = [];
  const endOf = async ({ end }: SearchThread, index: number): Promise<void> => {
    try {
      await end;
    } catch (error) {
      const abortion = error instanceof SearchAborted ? error : new SearchAborted(messageOf(error));
      abortions[index] = abortion;
      if (abortion.isFinal) for (const thread of threads) thread.giveUp();
      else goOnWithout(index);
    }
  };
  await Promise.all(threads.map(endOf));
  for (const callOff of timers) callOff();
  await Promise.all(threads.map(async (thread) => thread.terminate()));
  const broken =
    abortions.find((abortion) => abortion?.isFinal) ?? abortions.find((abortion) => abortion !== undefined);
  if (broken?.isFinal === true) throw broken;
  const parts = threads.flatMap(({ found }) => found ?? []);
  const silent = threads.find(({ silentIn }) => silentIn !== undefined)?.silentIn;
  const looped = silent === undefined ? undefined : await loopIn({ ...examination, replay: silent });
  if (looped !== undefined) parts.push({ facts: looped.toJSON(), pace: looped.pace });
  const [first] = parts;
  const givenUp = threads.flatMap((thread) => thread.givenUp ?? []);
  if (first === undefined) throw broken ?? new SearchAborted(givenUp[0] ?? "No thread has searched.");
  const verdict = mergeVerdicts(
    parts.map(({ facts }) => facts) as [VerdictFacts, ...VerdictFacts[]],
    parts.map(({ pace }) => pace),
  );
  // What was found counts, whatever ended the search.
  if (broken !== undefined && verdict.failures.length === 0) throw broken;
  const why = broken === undefined ? [] : [messageOf(broken)];
  return verdict.with({ endedEarly: [...new Set([...verdict.endedEarly, ...givenUp, ...why])] });
}

/**
 * Plays a story in which a thread did not yield once more in this thread, where a loop can be interrupted and told of.
 * @returns the verdict on the loop; undefined when the story came to an end this time
 */
async function loopIn(examination: Examination): Promise<Verdict | undefined> {
  const { searchIn } = await import("./exam-search.ts");
  const verdict = await searchIn(examination, {}).catch(() => undefined);
  return verdict?.stories === 0 ? verdict : undefined;
}

/** How often a thread tells what it has found, in milliseconds of real time, unless it finds another broken law. */
const BETWEEN_REPORTS = 1000;

async function work({ examination, index, of }: Assignment, port: MessagePort): Promise<void> {
  const tell = (message: Message): void => {
    port.postMessage(message);
  };
  let isStopped = false;
  const yielding = setInterval(() => {
    tell({ kind: "heartbeat" });
  }, BETWEEN_BEATS);
  yielding.unref();
  const learnedByAll = Promise.withResolvers<readonly LearnedFlow[]>();
  port
    .on("message", (order: Order) => {
      if (order.kind === "stop") isStopped = true;
      else learnedByAll.resolve(order.flows);
    })
    .unref();
  const share = async (flows: readonly LearnedFlow[]): Promise<readonly LearnedFlow[]> => {
    tell({ kind: "learned", flows });
    // Nothing else keeps the thread alive while it waits.
    port.ref();
    const all = await learnedByAll.promise;
    port.unref();
    return all;
  };
  const tellVerdict = (kind: "progress" | "verdict", verdict: Verdict): void => {
    tell({ kind, facts: verdict.toJSON(), pace: verdict.pace });
  };
  let soFar: (() => Verdict) | undefined;
  let told = { at: 0, failed: 0 };
  // A thread does not share the compile cache of its process.
  enableCompileCache();
  const release = holdExit({
    brokenOff: (cause) => `${cause} before the search was over.`,
    tell: (reason) => {
      tell({ kind: "aborted", reason });
    },
  });
  try {
    const { searchIn } = await import("./exam-search.ts");
    const verdict = await searchIn(
      examination,
      {
        isStopped: () => isStopped,
        onBegin: ({ budget: { failures, milliseconds }, longestLoop }, found) => {
          soFar = found;
          tell({ kind: "started", failures, milliseconds, longestLoop });
          tellVerdict("progress", found());
        },
        onShorten: () => {
          if (soFar !== undefined) tellVerdict("progress", soFar());
        },
        onPlay: (story) => {
          tell({ kind: "story-started", token: tokenOf(story) });
        },
        onStory: (stories, failed) => {
          tell({ kind: "story-ended", stories, failed });
          const now = performance.now();
          if (soFar === undefined || (failed.length === told.failed && now - told.at < BETWEEN_REPORTS)) return;
          told = { at: now, failed: failed.length };
          tellVerdict("progress", soFar());
        },
      },
      { index, of, share },
    );
    tellVerdict("verdict", verdict);
  } catch (error) {
    const reason = error instanceof CentavoError ? error.message : describe(error);
    tell({ kind: "aborted", reason, isFinal: error instanceof Unexaminable });
  } finally {
    clearInterval(yielding);
    release();
  }
}

if (!isMainThread && (workerData as Partial<Assignment> | null)?.role === ROLE) {
  const assignment = workerData as Assignment;
  const { port } = assignment;
  delete assignment.port;
  if (port !== undefined) await work(assignment, port);
}
