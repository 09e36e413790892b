import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import type { Pace } from "../exam/pace.ts";
import type { LearnedFlow } from "../exam/chances.ts";
import type { VerdictFacts } from "../exam/verdict.ts";
import { describe } from "./described.ts";
import { LOADS_WITHIN } from "./exam-files.ts";
import type { Examination } from "./exam-search.ts";

/** Marks a worker as one of these. */
export const ROLE = "centavo exam";

/** A story's objects are garbage once the next story begins. With room for several stories, almost none of them are moved. */
const MEMORY = { maxYoungGenerationSizeMb: 64 } as const;

export interface Assignment {
  readonly role: typeof ROLE;
  readonly examination: Examination;
  /** The number of the worker, from 0. */
  readonly index: number;
  readonly of: number;
  /** The worker takes it away before it loads the exam file, so that no code of the merchant can speak for the search. */
  port?: MessagePort;
}

/** What a worker has found so far, or in the end. */
export interface Found {
  readonly facts: VerdictFacts;
  readonly pace: Pace;
}

/** A message from a worker. */
export type Message =
  | { readonly kind: "started"; readonly failures: number; readonly milliseconds: number; readonly longestLoop: number }
  /** The thread yields to its event loop. */
  | { readonly kind: "heartbeat" }
  | { readonly kind: "story-started"; readonly token: string }
  | { readonly kind: "learned"; readonly flows: readonly LearnedFlow[] }
  | { readonly kind: "story-ended"; readonly stories: number; readonly failed: readonly string[] }
  /** `progress`: what was found so far. `verdict`: the search has ended. */
  | ({ readonly kind: "progress" | "verdict" } & Found)
  /** `isFinal`: no law could judge the merchant, so what was found does not count. */
  | { readonly kind: "aborted"; readonly reason: string; readonly isFinal?: boolean };

/** A message to a worker: what all workers have learned, or to stop the search. */
export type Order = { readonly kind: "learned"; readonly flows: readonly LearnedFlow[] } | { readonly kind: "stop" };

/** Why the search of an exam was aborted, as described by a worker. */
export class SearchAborted extends Error {
  override readonly name = "SearchAborted";
  /** Whether no law could judge the merchant, so that nothing counts that was found. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal = false) {
    super(reason);
    this.isFinal = isFinal;
  }
}

/** How often a thread shows that it yields to its event loop, in milliseconds. */
export const BETWEEN_BEATS = 500;

/** One thread of a search, and what it has told. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #end = Promise.withResolvers<void>();
  readonly #onMessage: (message: Message) => void;
  readonly #watching: ReturnType<typeof setInterval>;
  #hasEnded = false;
  #heardAt = performance.now();
  #longestSilence = LOADS_WITHIN;
  #playing: string | undefined;
  /** The newest that it has found. */
  found: Found | undefined;
  /** Why it was given up; undefined for a thread that ended its search. */
  givenUp: string | undefined;
  /** The token of the story in which it did not yield; undefined while it does. */
  silentIn: string | undefined;

  /** @param program the file that the thread runs */
  constructor(program: URL, assignment: Assignment, onMessage: (message: Message) => void) {
    this.#onMessage = onMessage;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1.on("message", (message: Message) => {
      this.#receive(message);
    });
    this.#worker = new Worker(program, {
      workerData: { ...assignment, port: port2 },
      transferList: [port2],
      resourceLimits: MEMORY,
    })
      .on("error", (error) => {
        this.#drain();
        this.#abort(`A thread of the search ended by what nothing caught: ${describe(error)}`);
      })
      .on("exit", (code) => {
        this.#drain();
        this.#abort(`A thread of the search ended with the exit code ${code} before it was done.`);
      });
    this.#watching = setInterval(() => {
      this.#watch();
    }, BETWEEN_BEATS);
  }

  /** Resolves when the thread has ended its search, or was given up. */
  get end(): Promise<void> {
    return this.#end.promise;
  }

  order(each: Order): void {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#port.postMessage(each);
  }

  /** Takes what the thread has found so far, if anything, for its result. */
  giveUp(why = "A thread did not end in time, and was ended in the middle of a story."): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.givenUp = why;
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
      this.#receive(received.message as Message);
      received = receiveMessageOnPort(this.#port);
    }
  }

  /** Ends the thread once it has not yielded for too long. */
  #watch(): void {
    const silence = this.#longestSilence;
    if (this.#hasEnded || performance.now() - this.#heardAt < silence) return;
    this.silentIn = this.#playing;
    this.giveUp(`A thread did not yield for ${silence / 1000} seconds, as in a loop without an end, and was ended.`);
  }

  #receive(message: Message): void {
    this.#heardAt = performance.now();
    if (message.kind === "started") this.#longestSilence = message.longestLoop;
    if (message.kind === "story-started") this.#playing = message.token;
    if (message.kind === "progress" || message.kind === "verdict") this.found = message;
    if (message.kind === "verdict") {
      this.#hasEnded = true;
      this.#end.resolve();
    } else if (message.kind === "aborted") this.#abort(message.reason, message.isFinal);
    this.#onMessage(message);
  }

  #abort(reason: string, isFinal?: boolean): void {
    this.#end.reject(new SearchAborted(reason, isFinal));
  }
}
