import { asyncContext } from "../base/runtime/async-context.ts";
import { type BegunWork, BegunWorkWatch } from "../base/runtime/begun-work.ts";
import type { AppWorks } from "./app-works.ts";
import type { WorkReport } from "./work-report.ts";

/** Whose code is running: an app that handles a request, or the other end of a socket, which may be such an app. */
export const caller = asyncContext<AppWork | "socket">();

/** Watches while apps have requests. One watch serves every simulator of the process. */
export const watch: BegunWorkWatch<AppWork> = new BegunWorkWatch((begun) => {
  const { value } = caller;
  // An add-on may keep what it begins for as long as it likes.
  if (!(value instanceof AppWork) || begun.kind === "native code") return undefined;
  const work = value.stage === "done" ? newestBeside(value) : value;
  return work?.owner.begins(work, begun);
});

/** A pool calls back in the context of the work that opened its connection, which may be of an earlier simulator. */
function newestBeside({ owner }: AppWork): AppWork | undefined {
  const open = watch.watchers;
  return open.findLast((work) => work.owner === owner) ?? open.at(-1);
}

/** Whether the running code handles a request of an app, or is what such code began. */
export function isAppRunning(): boolean {
  return caller.value instanceof AppWork;
}

/** Runs work that arrived through a socket. The other end may be an app that handles a request. */
export function asSocketCall<Result>(work: () => Result): Result {
  return caller.run("socket", work);
}

/** Returns a function that runs work in the current async context. A server needs it, because no context passes through its socket. */
export function asCallerNow(): <Result>(work: () => Result) => Result {
  const now = caller.value;
  return (work) => (now === undefined ? work() : caller.run(now, work));
}

/** Returns the function to call when the app whose code is running has answered its request. */
export function endOfAnswer(): () => void {
  const { value } = caller;
  return () => (value instanceof AppWork ? value.answered() : undefined);
}

/** What a call to the service may wait for. */
const OF_CALLS: ReadonlySet<string> = new Set(["a socket", "an HTTP call"]);

/** What one app does for one request, during its answer and afterwards. */
export class AppWork {
  readonly owner: AppWorks;
  readonly report: WorkReport;
  /** `left`: the clock has gone on without it. */
  stage: "answering" | "working" | "done" | "left" = "answering";
  /** How many of its calls have not reached the service yet. */
  calls = 0;
  /** How many promises that it handed over are open. */
  promises = 0;
  readonly #begun = new Map<object, BegunWork>();

  constructor(owner: AppWorks, report: WorkReport) {
    this.owner = owner;
    this.report = report;
  }

  /** Adds what it has begun. Returns the function to call at the end. */
  add(begun: BegunWork): () => void {
    this.#begun.set(begun.subject, begun);
    return () => {
      if (this.#begun.get(begun.subject) === begun) this.#begun.delete(begun.subject);
    };
  }

  answered(): void {
    if (this.stage === "answering") this.stage = "working";
  }

  /** Adds a promise that the app handed over. */
  waitFor(promise: PromiseLike<unknown>): void {
    this.promises += 1;
    void Promise.resolve(promise)
      .catch((reason: unknown) => this.report.rejected(reason))
      .finally(() => (this.promises -= 1));
  }

  get isOpen(): boolean {
    return this.calls > 0 || this.promises > 0 || this.waitsFor(() => true);
  }

  /** Whether something is open of what it has begun. */
  waitsFor(matches: (begun: BegunWork) => boolean): boolean {
    for (const begun of this.#begun.values()) if (matches(begun) && this.#isOpen(begun)) return true;
    return false;
  }

  get begun(): readonly BegunWork[] {
    return [...this.#begun.values()].filter((begun) => this.#isOpen(begun));
  }

  /** The kinds of what it waits for, in the order of the alphabet, so that every run says the same. */
  get kinds(): readonly string[] {
    const kinds = new Set(this.begun.map(({ kind }) => kind));
    if (this.calls > 0) kinds.add("a call to the service");
    if (this.promises > 0) kinds.add("a promise that it handed over");
    return [...kinds].toSorted();
  }

  /** A call that a fault holds waits for the clock, so the clock cannot wait for it. */
  #isOpen(begun: BegunWork): boolean {
    return begun.isOpen && !(OF_CALLS.has(begun.kind) && this.owner.faultsHoldCalls());
  }
}
