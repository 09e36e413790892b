import { enableCompileCache } from "node:module";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
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
}

/** A message from a worker. */
type Message =
  | { readonly kind: "begun"; readonly failures: number }
  | { readonly kind: "learned"; readonly flows: readonly LearnedFlow[] }
  | { readonly kind: "story"; readonly stories: number; readonly failed: readonly string[] }
  | { readonly kind: "verdict"; readonly facts: VerdictFacts; readonly pace: Pace }
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

/**
 * Searches with several threads. Each loads the exam file and takes a part of the flows and stories. Once every thread has reported what it
 * learned from its flows, all get the sum.
 * @throws {BrokenOff} when a worker could not search, or died
 */
export async function searchWithWorkers(
  examination: Examination,
  jobs: number,
  { stopped, onStory }: WorkersWatch,
): Promise<Verdict> {
  const workers = Array.from({ length: jobs }, (_, index) => {
    const assignment: Assignment = { for: OURS, examination, index, of: jobs };
    return new Worker(new URL(import.meta.url), { workerData: assignment, resourceLimits: MEMORY });
  });
  const order = (each: Order): void => {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    for (const worker of workers) worker.postMessage(each);
  };
  const stop = (): void => order({ kind: "stop" });
  void stopped.then(stop);
  const learned: (readonly LearnedFlow[])[] = [];
  const noteLearned = (flows: readonly LearnedFlow[]): void => {
    learned.push(flows);
    if (learned.length === jobs) order({ kind: "learned", flows: learned.flat() });
  };
  // A thread knows the file's budget, but only this one knows how many laws all of them broke.
  let mostFailures = Infinity;
  const noteBegun = (failures: number): void => {
    mostFailures = failures;
  };
  const stories = new Map<Worker, number>();
  const failed = new Set<string>();
  const noteStory = (worker: Worker, message: Extract<Message, { kind: "story" }>): void => {
    stories.set(worker, message.stories);
    for (const law of message.failed) failed.add(law);
    if (failed.size >= mostFailures) stop();
    onStory(
      [...stories.values()].reduce((sum, each) => sum + each, 0),
      failed,
    );
  };
  try {
    const parts = await Promise.all(
      workers.map(async (worker) => verdictOf(worker, noteBegun, noteLearned, noteStory)),
    );
    return mergeVerdicts(
      parts.map(({ facts }) => facts) as [VerdictFacts, ...VerdictFacts[]],
      parts.map(({ pace }) => pace),
    );
  } finally {
    await Promise.all(workers.map(async (worker) => worker.terminate()));
  }
}

function verdictOf(
  worker: Worker,
  noteBegun: (failures: number) => void,
  noteLearned: (flows: readonly LearnedFlow[]) => void,
  noteStory: (worker: Worker, message: Extract<Message, { kind: "story" }>) => void,
): Promise<Extract<Message, { kind: "verdict" }>> {
  const { promise, resolve, reject } = Promise.withResolvers<Extract<Message, { kind: "verdict" }>>();
  worker
    .on("message", (message: Message) => {
      if (message.kind === "begun") noteBegun(message.failures);
      else if (message.kind === "learned") noteLearned(message.flows);
      else if (message.kind === "story") noteStory(worker, message);
      else if (message.kind === "verdict") resolve(message);
      else reject(new BrokenOff(message.why));
    })
    .on("error", (error) =>
      reject(new BrokenOff(`A thread of the search ended by what nothing caught: ${describe(error)}`)),
    )
    .on("exit", (code) =>
      reject(new BrokenOff(`A thread of the search ended with the exit code ${code} before it was done.`)),
    );
  return promise;
}

async function work(port: NonNullable<typeof parentPort>, { examination, index, of }: Assignment): Promise<void> {
  const tell = (message: Message): void => port.postMessage(message);
  let isStopped = false;
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
  // A thread does not share the compile cache of its process.
  enableCompileCache();
  const release = holdExit({
    brokenOff: (cause) => `${cause} before the search was over.`,
    tell: (why) => tell({ kind: "broken off", why }),
  });
  try {
    const { searchIn } = await import("./exam-search.ts");
    const verdict = await searchIn(
      examination,
      {
        isStopped: () => isStopped,
        onBegin: (failures) => tell({ kind: "begun", failures }),
        onStory: (stories, failed) => tell({ kind: "story", stories, failed }),
      },
      { index, of, share },
    );
    tell({ kind: "verdict", facts: verdict.toJSON(), pace: verdict.pace });
  } catch (error) {
    tell({ kind: "broken off", why: error instanceof CentavoError ? error.message : describe(error) });
  } finally {
    release();
  }
}

if (!isMainThread && parentPort !== null && (workerData as Partial<Assignment> | null)?.for === OURS)
  await work(parentPort, workerData as Assignment);
