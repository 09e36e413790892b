import { hasChildProcess } from "../../kit/base/runtime/outside-work.ts";
import { watch } from "../../kit/receivers/app-work.ts";
import { doing } from "../../merchant/process/merchant-process.ts";
import type { Cause } from "../../merchant/process/merchant-process.ts";
import { Unexaminable } from "../unexaminable.ts";
import type { StoryRun } from "./story-run.ts";

/** Refuses a merchant that passes its requests on to another process, thread or server, because the exam could not see what it waits for. */
export class Elsewhere {
  readonly #run: StoryRun;
  /** The causes that went on over HTTP. */
  readonly #overHttp = new Set<Cause>();
  #hasWorker = false;
  readonly #stop: () => void;

  constructor(run: StoryRun) {
    this.#run = run;
    this.#stop = watch.tell(({ kind }) => {
      if (kind === "a worker") this.#hasWorker = true;
      const cause = doing.value?.cause;
      if (kind === "an HTTP call" && cause !== undefined) this.#overHttp.add(cause);
      return undefined;
    });
  }

  /**
   * Looks where the first call of a story without trouble comes from. A program that is seen makes it while it answers a request, or in the
   * background, and never while a request waits for nothing that the exam sees and nothing of the program makes the call.
   * @param cause what made the program call; undefined when nothing of it did
   * @param what the call, such as `POST /oauth`
   */
  firstCall(cause: Cause | undefined, what: string): void {
    if (cause !== undefined && cause.kind !== "open") return;
    const waiting = [...this.#run.course.exchanges].find((each) => each.cause.waiting === 0)?.cause;
    if (waiting === undefined) return;
    const place = this.#overHttp.has(waiting)
      ? "behind an HTTP server"
      : hasChildProcess()
        ? "in another process"
        : this.#hasWorker
          ? "in another thread"
          : undefined;
    if (place === undefined && cause !== undefined) return;
    this.#run.breakOff(
      new Unexaminable(
        `exam: the merchant's program runs ${place ?? "in another process or thread"}: ${waiting.what ?? "while it worked"}, the call ${what} came from outside the app that open returned. ` +
          "The exam holds each call, stops the time and ends the program at any moment, so it has to run the program itself. Let open create the app and return it: Express, Hono, Koa, Fastify, Nest or a fetch handler. It need not listen on a port.",
      ),
    );
  }

  close(): void {
    this.#stop();
  }
}
