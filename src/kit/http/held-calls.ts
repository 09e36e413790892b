import type { Engine } from "../engine/engine.ts";
import { keyOf } from "../engine/timer.ts";
import type { Timer } from "../engine/timer.ts";
import { keepProcessAlive } from "../base/runtime/real-time.ts";

/** A call that has no answer yet. */
interface OpenCall {
  readonly request: Request;
  /** Its name in messages, such as `POST /v1/charges`. */
  readonly name: string;
  /** Breaks its connection. */
  readonly breakOff: (error: Error) => void;
}

/** How a held call ends: it goes on when the clock reaches its moment, or its connection breaks. */
interface HeldCall extends OpenCall {
  readonly goOn: () => void;
}

/** What `HeldCalls` needs of the rest of the service. */
export interface HeldCallsOptions {
  readonly engine: Engine;
  /** Called with the moment that a held call waits for, in milliseconds since 1970, and the signal of its client. */
  readonly onHeld: (until: number, client: AbortSignal) => void;
  /** Lets the client act on its answer before time goes on. */
  readonly yieldToEventLoop: () => Promise<void>;
}

const OWNER = "held-call";

/** Calls that have no answer yet. They belong to this process: a snapshot contains the timers that they wait for, but not their clients. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  /** The calls that wait for the clock, by the subject of their timers. */
  readonly #waiting = new Map<string, HeldCall>();
  /** The calls that are never answered, each with the function that lets the process end. Holding a request here keeps its `abort` listener alive. */
  readonly #silent = new Map<OpenCall, () => void>();

  constructor(options: HeldCallsOptions) {
    this.#options = options;
    options.engine.onTimer(OWNER, (timer) => () => this.#goOn(timer), {
      inWords: ({ subject }) => {
        const call = this.#waiting.get(subject)?.name;
        return call === undefined ? "a held call goes on, but its client is gone" : `${call}: the held call goes on`;
      },
    });
  }

  /** How many calls in this process have no answer. No copy of the world contains them. */
  get count(): number {
    return this.#waiting.size + this.#silent.size;
  }

  /**
   * Holds a call until the delay has passed.
   * @param delay in milliseconds of virtual time
   * @param note how the journal describes the call
   */
  hold(delay: number, note: Readonly<Record<string, unknown>>, call: HeldCall): void {
    const { engine, onHeld } = this.#options;
    const until = engine.now + delay;
    engine.note("fault", { act: "hold", until, ...note });
    if (engine.inFlight.length > 0) {
      engine.note("warning", {
        message: `a call is held while the clock waits for ${engine.inFlight.map(keyOf).join(", ")}; if the handler of that delivery awaits the call, both wait until the delivery times out`,
      });
    }
    const subject = this.#nextSubject();
    this.#waiting.set(subject, {
      ...call,
      goOn: () => {
        engine.note("fault", { act: "let-go", ...note });
        call.goOn();
      },
    });
    engine.unit(() => engine.schedule(OWNER, subject, "go-on", until, { type: "go_on" }));
    onHeld(until, call.request.signal);
  }

  /** The names of the calls that are never answered, in the order in which they came. */
  get silent(): string[] {
    return [...this.#silent.keys()].map(({ name }) => name);
  }

  /** Leaves a call without an answer until its client gives up. Until then it keeps the process alive, as an open socket does. */
  keepSilent(call: OpenCall): void {
    const { signal } = call.request;
    if (signal.aborted) return;
    this.#silent.set(call, keepProcessAlive());
    signal.addEventListener("abort", () => this.#forget(call), { once: true });
  }

  /**
   * Breaks the connection of every call that has no answer, because its world has ended.
   * @param errorOf makes the error that the client gets, given the name of its call
   */
  breakOff(errorOf: (call: string) => Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { name, breakOff } of waiting) breakOff(errorOf(name));
    this.breakSilence(errorOf);
  }

  /**
   * Breaks the connection of every call that is never answered.
   * @param errorOf makes the error that the client gets, given the name of its call
   */
  breakSilence(errorOf: (call: string) => Error): void {
    const silent = [...this.#silent.keys()];
    for (const call of silent) this.#forget(call);
    for (const { name, breakOff } of silent) breakOff(errorOf(name));
  }

  #forget(call: OpenCall): void {
    this.#silent.get(call)?.();
    this.#silent.delete(call);
  }

  async #goOn(timer: Timer): Promise<void> {
    const { engine, yieldToEventLoop } = this.#options;
    const held = this.#waiting.get(timer.subject);
    if (held === undefined) {
      engine.note("warning", {
        message: "a call that was held until now has lost its client: its world was copied, or its connection closed",
      });
      return;
    }
    this.#waiting.delete(timer.subject);
    // The wait is over: another fault may hold the call again, and a snapshot taken while the client acts must not contain its timer.
    engine.inFlightEnds(timer);
    held.goOn();
    await yieldToEventLoop();
  }

  /**
   * Returns the number of the timer that the call will wait for. A world never reuses a number, so no two calls share a name, not even in a
   * copy that still has the timers of another process.
   */
  #nextSubject(): string {
    return String(this.#options.engine.timers.sequence + 1);
  }
}
