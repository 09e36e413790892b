import { enableCompileCache } from "node:module";
import { isMainThread, MessageChannel, receiveMessageOnPort, Worker, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { startTimer } from "../kit/base/runtime/real-time.ts";
import { holdExit } from "../kit/base/runtime/unfinished-work.ts";
import { mergeVerdicts } from "../exam/merge-verdicts.ts";
import type { Pace } from "../exam/pace.ts";
import type { LearnedFlow } from "../exam/stories.ts";
import type { Verdict, VerdictFacts } from "../exam/verdict.ts";
import { describe } from "./described.ts";
import type { Examination } from "./exam-search.ts";

/** Marks a worker as one of these. */
const OURS = "centavo exam";

/** A story's objects are garbage once the next story begins. With room for several stories, almost none of them are moved. */
const MEMORY = { maxYoungGenerationSizeMb: 64 } as const;

interface Assignment {
  readonly for: typeof OURS;
  readonly examination: Examination;
  /** The number of the worker, from 0. */
  readonly index: number;
  readonly of: number;
  /** The worker takes it away before it loads the exam file, so that no code of the merchant can speak for the search. */
  port?: MessagePort;
}

/** What a worker has found so far, or in the end. */
interface Found {
  readonly facts: VerdictFacts;
  readonly pace: Pace;
}

/** A message from a worker. */
type Message =
  | { readonly kind: "begun"; readonly failures: number; readonly milliseconds: number; readonly longestLoop: number }
  | { readonly kind: "yields" }
  | { readonly kind: "learned"; readonly flows: readonly LearnedFlow[] }
  | { readonly kind: "story"; readonly stories: number; readonly failed: readonly string[] }
  | ({ readonly kind: "found" | "verdict" } & Found)
  | { readonly kind: "broken off"; readonly why: string };

/** A message to a worker: what all workers have learned, or to stop the search. */
type Order = { readonly kind: "learned"; readonly flows: readonly LearnedFlow[] } | { readonly kind: "stop" };

/** Watches the search of all workers. */
export interface WorkersWatch {
  readonly stopped: Promise<unknown>;
  readonly onStory: (stories: number, failed: ReadonlySet<string>) => void;
}

/** Why an exam could not run, as described by a worker. */
export class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

/** How often a thread shows that it yields to its event loop, in milliseconds. */
const BETWEEN_SIGNS = 500;
/** How long a worker may take to end once it was told to, in milliseconds. */
const STOPS_WITHIN = 3000;
/** How long it may take once its budget is spent: a loop that does not yield is found in that time. */
const ENDS_WITHIN = 15_000;

/**
 * Searches with several threads. Each loads the exam file and takes a part of the flows and stories. Once every thread has reported what it
 * learned from its flows, all get the sum. Threads that do not end soon after the budget, or after an interrupt, are ended.
 * @throws {BrokenOff} when a worker could not search, or died, and nothing was found
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
  const hear = (message: Message, index: number): void => {
    if (message.kind === "begun") {
      mostFailures = message.failures;
      const { milliseconds } = message;
      if (Number.isFinite(milliseconds)) endAfter(milliseconds + ENDS_WITHIN);
    } else if (message.kind === "learned") {
      noteLearned(index, message.flows);
    } else if (message.kind === "verdict") {
      // A search that ended before it learned keeps no other waiting.
      if (!learned.has(index)) noteLearned(index, []);
    } else if (message.kind === "story") {
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
      new SearchThread({ for: OURS, examination, index, of: jobs }, (message) => {
        hear(message, index);
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
  let broken: Error | undefined;
  try {
    await Promise.all(threads.map(async ({ end }) => end));
  } catch (error) {
    broken = error instanceof Error ? error : new BrokenOff(messageOf(error));
  } finally {
    for (const callOff of timers) callOff();
    await Promise.all(threads.map(async (thread) => thread.terminate()));
  }
  const parts = threads.flatMap(({ found }) => found ?? []);
  const [first] = parts;
  if (first === undefined) throw broken ?? new BrokenOff("No thread had played a story when the search ended.");
  const verdict = mergeVerdicts(
    parts.map(({ facts }) => facts) as [VerdictFacts, ...VerdictFacts[]],
    parts.map(({ pace }) => pace),
  );
  if (broken === undefined) return verdict;
  // What was found counts, whatever ended the search.
  if (verdict.failures.length === 0) throw broken;
  return verdict.with({ endedEarly: [...verdict.endedEarly, messageOf(broken)] });
}

/** One thread of a search, and what it has told. */
class SearchThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #end = Promise.withResolvers<void>();
  readonly #hear: (message: Message) => void;
  #hasEnded = false;
  #heardAt = 0;
  #watching: ReturnType<typeof setInterval> | undefined;
  /** The newest that it has found. */
  found: Found | undefined;

  constructor(assignment: Assignment, hear: (message: Message) => void) {
    this.#hear = hear;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1.on("message", (message: Message) => {
      this.#take(message);
    });
    this.#worker = new Worker(new URL(import.meta.url), {
      workerData: { ...assignment, port: port2 },
      transferList: [port2],
      resourceLimits: MEMORY,
    })
      .on("error", (error) => {
        this.#drain();
        this.#breakOff(`A thread of the search ended by what nothing caught: ${describe(error)}`);
      })
      .on("exit", (code) => {
        this.#drain();
        this.#breakOff(`A thread of the search ended with the exit code ${code} before it was done.`);
      });
  }

  /** Resolves when the thread has ended its search, or was given up. */
  get end(): Promise<void> {
    return this.#end.promise;
  }

  order(each: Order): void {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#port.postMessage(each);
  }

  /** Takes what the thread has found so far for its result. */
  giveUp(why = "A thread did not end in time, and was ended in the middle of a story."): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.found === undefined) {
      this.#breakOff(why);
      return;
    }
    const { facts, pace } = this.found;
    const endedEarly = [...facts.endedEarly, why];
    this.found = { facts: { ...facts, endedEarly }, pace };
    this.#end.resolve();
  }

  async terminate(): Promise<void> {
    clearInterval(this.#watching);
    this.#port.close();
    await this.#worker.terminate();
  }

  /** Takes what the thread told before it ended. */
  #drain(): void {
    for (let received = receiveMessageOnPort(this.#port); received !== undefined;) {
      this.#take(received.message as Message);
      received = receiveMessageOnPort(this.#port);
    }
  }

  /** Ends the thread once it has not yielded for so long, in milliseconds. */
  #watch(longestLoop: number): void {
    this.#watching = setInterval(() => {
      if (this.#hasEnded || performance.now() - this.#heardAt < longestLoop) return;
      this.giveUp(
        `A thread did not yield for ${longestLoop / 1000} seconds, as in a loop without an end, and was ended.`,
      );
    }, BETWEEN_SIGNS);
  }

  #take(message: Message): void {
    this.#heardAt = performance.now();
    if (message.kind === "begun") this.#watch(message.longestLoop);
    if (message.kind === "found" || message.kind === "verdict") this.found = message;
    if (message.kind === "verdict") {
      this.#hasEnded = true;
      this.#end.resolve();
    } else if (message.kind === "broken off") this.#breakOff(message.why);
    this.#hear(message);
  }

  #breakOff(why: string): void {
    this.#end.reject(new BrokenOff(why));
  }
}

/** How often a thread tells what it has found, in milliseconds of real time, unless it finds another broken law. */
const BETWEEN_REPORTS = 1000;

async function work({ examination, index, of }: Assignment, port: MessagePort): Promise<void> {
  const tell = (message: Message): void => {
    port.postMessage(message);
  };
  let isStopped = false;
  const yielding = setInterval(() => {
    tell({ kind: "yields" });
  }, BETWEEN_SIGNS);
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
  const tellVerdict = (kind: "found" | "verdict", verdict: Verdict): void => {
    tell({ kind, facts: verdict.toJSON(), pace: verdict.pace });
  };
  let soFar: (() => Verdict) | undefined;
  let told = { at: 0, failed: 0 };
  // A thread does not share the compile cache of its process.
  enableCompileCache();
  const release = holdExit({
    brokenOff: (cause) => `${cause} before the search was over.`,
    tell: (why) => {
      tell({ kind: "broken off", why });
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
          tell({ kind: "begun", failures, milliseconds, longestLoop });
          tellVerdict("found", found());
        },
        onStory: (stories, failed) => {
          tell({ kind: "story", stories, failed });
          const now = performance.now();
          if (soFar === undefined || (failed.length === told.failed && now - told.at < BETWEEN_REPORTS)) return;
          told = { at: now, failed: failed.length };
          tellVerdict("found", soFar());
        },
      },
      { index, of, share },
    );
    tellVerdict("verdict", verdict);
  } catch (error) {
    tell({ kind: "broken off", why: error instanceof CentavoError ? error.message : describe(error) });
  } finally {
    clearInterval(yielding);
    release();
  }
}

if (!isMainThread && (workerData as Partial<Assignment> | null)?.for === OURS) {
  const assignment = workerData as Assignment;
  const { port } = assignment;
  delete assignment.port;
  if (port !== undefined) await work(assignment, port);
}
