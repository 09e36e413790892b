import { addDuration } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import { keyOf } from "../engine/timers.ts";
import type { Biting, FaultKind, Faults } from "../faults/faults.ts";
import type { Occasion } from "../faults/occasion.ts";
import { ApiError, codeOfStatus } from "./errors.ts";
import { connectionRefused, connectionReset } from "./network-errors.ts";
import type { RawAnswer } from "./route.ts";

/** One call on its way through the service, as far as faults can disturb it. */
export interface DisturbedCall {
  readonly occasion: Occasion;
  readonly url: string;
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal;
  /** Lets the service answer the call. */
  answer(): RawAnswer;
  /** Writes down a call that the service never gets to see, and what the client is told in its place. */
  turnAway(answer?: RawAnswer): void;
  /** Told when the call begins to be held back; the answer is told when that ends. */
  hold(): () => void;
}

/** What `Disturbances` needs of the rest of the service. */
export interface DisturbancesOptions {
  readonly engine: Engine;
  readonly faults: Faults;
  /** Told the moment for which a held call waits, in milliseconds since 1970. */
  readonly onHeld: (until: number) => void;
  /** Lets the client act on an answer that was held before time goes on. */
  readonly yieldToEventLoop: () => Promise<void>;
}

type RequestFaultKind = Extract<FaultKind, `request.${string}`>;
type ResponseFaultKind = Extract<FaultKind, `response.${string}`>;

const requestFaults: ReadonlySet<RequestFaultKind> = new Set([
  "request.status",
  "request.malformed",
  "request.refused",
  "request.reset",
  "request.hang",
  "request.latency",
]);
const responseFaults: ReadonlySet<ResponseFaultKind> = new Set([
  "response.lost",
  "response.status",
  "response.truncated",
  "response.content-type",
  "response.late",
]);

/** What the client gets in the end: an answer, a failure of the network, or nothing until it gives up. */
type End = { readonly answer: RawAnswer } | { readonly error: Error } | "silence";

const OWNER = "held-call";
const UNFINISHED_JSON = '{"success":true,"data":{"id":"';

/** Lets faults come between the merchant and the service: in front of a call, and on the way back. */
export class Disturbances {
  readonly #options: DisturbancesOptions;
  /** Calls without an end yet, by the name of their timer; they belong to this process, and no snapshot holds them. */
  readonly #held = new Map<string, { readonly goOn: () => void; readonly breakOff: (error: Error) => void }>();

  constructor(options: DisturbancesOptions) {
    this.#options = options;
    options.engine.onTimer(
      OWNER,
      ({ subject }) =>
        () =>
          this.#release(subject),
    );
  }

  /**
   * Takes a call through the faults in front of the service, the service itself, and the faults on the way back. What is held back
   * waits for the virtual clock; the service goes on with it although the client has given up.
   * @throws an Error with `code` and `errno` where the network fails, and the signal's reason where the client gave up
   */
  exchange(call: DisturbedCall): Promise<RawAnswer> {
    const { signal } = call;
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const finish = (end: End): void => {
        if (end === "silence") this.#keepSilent(signal, reject);
        else if ("error" in end) reject(end.error);
        else resolve(end.answer);
      };
      const before = this.#faultsBefore(call);
      this.#wait(before.delay, call, reject, () => {
        if (before.end !== undefined) {
          call.turnAway(typeof before.end === "object" && "answer" in before.end ? before.end.answer : undefined);
          finish(before.end);
          return;
        }
        const after = this.#faultsAfter(call, call.answer());
        this.#wait(after.delay, call, reject, () => finish(after.end));
      });
    });
  }

  /** Whether calls are held back in this process, which no copy of the world knows of. */
  get holdsCalls(): boolean {
    return this.#held.size > 0;
  }

  /** Breaks the connection of every call that has no answer yet: its world is no more, or nobody is left to answer. */
  breakOff(): void {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { breakOff } of held) breakOff(connectionReset());
  }

  #faultsBefore({ occasion, url }: DisturbedCall): { readonly delay: number; readonly end?: End } {
    let delay = 0;
    let end: End | undefined;
    this.#options.faults.strike(requestFaults, occasion, (fault) => {
      if (fault.kind === "request.latency") delay += this.#lengthOf(fault.delay);
      else end = endBefore(fault, url);
      return end === undefined;
    });
    return end === undefined ? { delay } : { delay, end };
  }

  #faultsAfter({ occasion }: DisturbedCall, given: RawAnswer): { readonly delay: number; readonly end: End } {
    let delay = 0;
    let end: End = { answer: given };
    const answered: Occasion = {
      ...occasion,
      refused: isRefusal(given),
      // Each fault meets what the one before it left.
      get answerLength() {
        return typeof end === "object" && "answer" in end ? end.answer.body.length : 0;
      },
    };
    this.#options.faults.strike(responseFaults, answered, (fault) => {
      if (fault.kind === "response.late") delay += this.#lengthOf(fault.delay);
      else if (typeof end === "object" && "answer" in end) end = endAfter(fault, end.answer);
      return typeof end === "object" && "answer" in end;
    });
    return { delay, end };
  }

  #wait(delay: number, call: DisturbedCall, breakOff: (error: Error) => void, goOn: () => void): void {
    if (delay === 0) {
      goOn();
      return;
    }
    const { engine, onHeld } = this.#options;
    const until = engine.now + delay;
    engine.note("fault", { act: "hold", until, ...call.occasion.note });
    if (engine.inFlight !== undefined) {
      engine.note("warning", {
        message: `a call is held while the clock waits for ${keyOf(engine.inFlight)}; if what answers that delivery awaits the call, neither goes on before the delivery has timed out`,
      });
    }
    const subject = this.#newSubject();
    const end = call.hold();
    this.#held.set(subject, {
      goOn: () => {
        end();
        engine.note("fault", { act: "let-go", ...call.occasion.note });
        goOn();
      },
      breakOff: (error) => {
        end();
        breakOff(error);
      },
    });
    engine.unit(() => engine.schedule(OWNER, subject, "go-on", until, { type: "go_on" }));
    onHeld(until);
  }

  /** Leaves a call without an answer until its client gives up. */
  #keepSilent(signal: AbortSignal, breakOff: (error: Error) => void): void {
    if (signal.aborted) return;
    const subject = this.#newSubject();
    this.#held.set(subject, { goOn: () => undefined, breakOff });
    signal.addEventListener("abort", () => this.#held.delete(subject), { once: true });
  }

  async #release(subject: string): Promise<void> {
    const { engine, yieldToEventLoop } = this.#options;
    const held = this.#held.get(subject);
    if (held === undefined) {
      engine.note("warning", {
        message: "a call that was held until now is nobody's any more: its world was copied, or its connection closed",
      });
      return;
    }
    this.#held.delete(subject);
    // Nothing is under way any more: the call may be held once more, and a world that is kept while the client acts does not hold it.
    engine.inFlight = undefined;
    held.goOn();
    await yieldToEventLoop();
  }

  /** The journal never shrinks, so that its length names a call for good, in every copy of the world. */
  #newSubject(): string {
    const { journal } = this.#options.engine;
    return String(journal.forgotten.count + journal.length);
  }

  #lengthOf(delay: Biting<"request.latency">["delay"]): number {
    const { now } = this.#options.engine;
    return addDuration(now, delay) - now;
  }
}

/** Whether nothing came of a call; a decline is no refusal, because it stands. */
function isRefusal({ status }: RawAnswer): boolean {
  return status >= 400 && status < 500 && status !== 402;
}

function endBefore(fault: Biting<Exclude<RequestFaultKind, "request.latency">>, url: string): End {
  switch (fault.kind) {
    case "request.status":
      return { answer: answerOf(fault) };
    case "request.malformed":
      return { answer: { status: 200, headers: JSON_HEADERS, body: fault.body ?? UNFINISHED_JSON } };
    case "request.refused":
      return { error: connectionRefused(url) };
    case "request.reset":
      return { error: connectionReset() };
    case "request.hang":
      return "silence";
  }
}

function endAfter(fault: Biting<Exclude<ResponseFaultKind, "response.late">>, answer: RawAnswer): End {
  switch (fault.kind) {
    case "response.lost":
      return fault.as === "hang" ? "silence" : { error: connectionReset() };
    case "response.status":
      return { answer: answerOf(fault) };
    case "response.truncated":
      return { answer: { ...answer, body: answer.body.slice(0, fault.keep ?? Math.floor(answer.body.length / 2)) } };
    case "response.content-type": {
      const { contentType = "text/html", body = answer.body } = fault;
      return { answer: { ...answer, headers: { ...answer.headers, "content-type": contentType }, body } };
    }
  }
}

const JSON_HEADERS = { "content-type": "application/json" };

/** What stands between the merchant and the service answers in its place. */
function answerOf({ status, body, headers = {} }: Biting<"request.status" | "response.status">): RawAnswer {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (typeof body === "string") return { status, headers: { "content-type": "text/plain", ...named }, body };
  const given = body === undefined ? new ApiError(codeOfStatus(status), { status }).body() : body;
  return { status, headers: { ...JSON_HEADERS, ...named }, body: JSON.stringify(given) };
}
