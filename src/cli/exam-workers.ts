import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { CentavoError } from "../errors/centavo-error.ts";
import { mergeVerdicts } from "../exam/merge-verdicts.ts";
import type { Shard } from "../exam/options.ts";
import type { Pace } from "../exam/pace.ts";
import type { Verdict, VerdictFacts } from "../exam/verdict.ts";
import { describe } from "./described.ts";
import { searchIn } from "./exam-search.ts";
import type { Examination } from "./exam-search.ts";

/** What marks a worker as one of these. */
const OURS = "centavo exam";

interface Assignment {
  readonly for: typeof OURS;
  readonly examination: Examination;
}

/** What a worker tells. */
type Message =
  | { readonly kind: "story"; readonly stories: number; readonly failed: readonly string[] }
  | { readonly kind: "verdict"; readonly facts: VerdictFacts; readonly pace: Pace }
  | { readonly kind: "broken off"; readonly why: string };

/** What watches the search of all workers. */
export interface WorkersWatch {
  readonly stopped: Promise<unknown>;
  readonly onStory: (stories: number, failed: ReadonlySet<string>) => void;
}

/** Why an exam could not run, as a worker describes it. */
export class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

/**
 * Searches with several threads, each of which loads the exam file and takes a part of the stories.
 * @throws {BrokenOff} when a worker could not search, and {CentavoError} `INVALID_STATE` when one died
 */
export async function searchWithWorkers(
  examination: Examination,
  jobs: number,
  { stopped, onStory }: WorkersWatch,
): Promise<Verdict> {
  const { index, of } = examination.shard;
  const workers = Array.from({ length: jobs }, (_, job) => {
    // The stories of shard 3/20 are those whose number leaves 2, modulo 20. Each job takes its share of those.
    const shard: Shard = { index: job * of + index, of: jobs * of };
    const assignment: Assignment = { for: OURS, examination: { ...examination, shard } };
    return new Worker(new URL(import.meta.url), { workerData: assignment });
  });
  const stop = (): void => {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    for (const worker of workers) worker.postMessage("stop");
  };
  void stopped.then(stop);
  const stories = new Map<Worker, number>();
  const failed = new Set<string>();
  const noteStory = (worker: Worker, message: Extract<Message, { kind: "story" }>): void => {
    stories.set(worker, message.stories);
    for (const law of message.failed) failed.add(law);
    if (failed.size >= (examination.failures ?? Infinity)) stop();
    onStory(
      [...stories.values()].reduce((sum, each) => sum + each, 0),
      failed,
    );
  };
  try {
    const parts = await Promise.all(workers.map(async (worker) => verdictOf(worker, noteStory)));
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
  noteStory: (worker: Worker, message: Extract<Message, { kind: "story" }>) => void,
): Promise<Extract<Message, { kind: "verdict" }>> {
  const { promise, resolve, reject } = Promise.withResolvers<Extract<Message, { kind: "verdict" }>>();
  worker
    .on("message", (message: Message) => {
      if (message.kind === "story") noteStory(worker, message);
      else if (message.kind === "verdict") resolve(message);
      else reject(new BrokenOff(message.why));
    })
    .on("error", (error) =>
      reject(new BrokenOff(`A thread of the search ended by what nothing caught: ${describe(error)}`)),
    )
    .on("exit", (code) => reject(died(code)));
  return promise;
}

function died(code: number): CentavoError {
  return new CentavoError(
    "INVALID_STATE",
    `A thread of the search ended with the exit code ${code} before it was done. Most likely the merchant called process.exit(). Throw an error instead, or search without threads with --jobs 1.`,
  );
}

/** The part of this file that runs in a worker. */
async function work(port: NonNullable<typeof parentPort>, { examination }: Assignment): Promise<void> {
  const tell = (message: Message): void => port.postMessage(message);
  let isStopped = false;
  port.once("message", () => (isStopped = true)).unref();
  try {
    const verdict = await searchIn(examination, {
      isStopped: () => isStopped,
      onStory: (stories, failed) => tell({ kind: "story", stories, failed }),
    });
    tell({ kind: "verdict", facts: verdict.toJSON(), pace: verdict.pace });
  } catch (error) {
    tell({ kind: "broken off", why: error instanceof CentavoError ? error.message : describe(error) });
  }
}

if (!isMainThread && parentPort !== null && (workerData as Partial<Assignment> | null)?.for === OURS)
  await work(parentPort, workerData as Assignment);
