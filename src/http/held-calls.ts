import type { Engine } from "../engine/engine.ts";
import { keyOf } from "../engine/timer.ts";
import type { Timer } from "../engine/timer.ts";
import { connectionReset } from "./network-errors.ts";

/** How a held call ends: it goes on when the clock reaches its moment, or its connection breaks. */
interface HeldCall {
  readonly goOn: () => void;
  readonly breakOff: (error: Error) => void;
}

/** What `HeldCalls` needs of the rest of the service. */
export interface HeldCallsOptions {
  readonly engine: Engine;
  /** Called with the moment for which a held call waits, in milliseconds since 1970. */
  readonly onHeld: (until: number) => void;
  /** Lets the client act on its answer before time goes on. */
  readonly yieldToEventLoop: () => Promise<void>;
}

const OWNER = "held-call";

/** Calls that have no answer yet. They belong to this process: a snapshot contains the timers for which they wait, but no clients. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  /** The calls that wait for the clock, by the subject of their timers. */
  readonly #waiting = new Map<string, HeldCall>();
  /** For each call that is never answered, the function that breaks its connection. */
  readonly #silent = new Set<(error: Error) => void>();

  constructor(options: HeldCallsOptions) {
    this.#options = options;
    options.engine.onTimer(OWNER, (timer) => () => this.#goOn(timer));
  }

  /** True while calls in this process have no answer. No copy of the world contains them. */
  get any(): boolean {
    return this.#waiting.size > 0 || this.#silent.size > 0;
  }

  /**
   * Holds a call until the delay has passed.
   * @param delay in milliseconds of virtual time
   * @param note how the journal describes the call
   */
  hold(delay: number, note: Readonly<Record<string, unknown>>, { goOn, breakOff }: HeldCall): void {
    const { engine, onHeld } = this.#options;
    const until = engine.now + delay;
    engine.note("fault", { act: "hold", until, ...note });
    if (engine.inFlight.length > 0) {
      engine.note("warning", {
        message: `a call is held while the clock waits for ${engine.inFlight.map(keyOf).join(", ")}; if what answers that delivery awaits the call, neither goes on before the delivery has timed out`,
      });
    }
    const subject = this.#nextSubject();
    this.#waiting.set(subject, {
      goOn: () => {
        engine.note("fault", { act: "let-go", ...note });
        goOn();
      },
      breakOff,
    });
    engine.unit(() => engine.schedule(OWNER, subject, "go-on", until, { type: "go_on" }));
    onHeld(until);
  }

  /** Leaves a call without an answer until its client gives up. */
  keepSilent(signal: AbortSignal, breakOff: (error: Error) => void): void {
    if (signal.aborted) return;
    this.#silent.add(breakOff);
    signal.addEventListener("abort", () => this.#silent.delete(breakOff), { once: true });
  }

  /** Breaks the connection of every call that has no answer, because its world was replaced or its simulator closed. */
  breakOff(): void {
    const breaks = [...[...this.#waiting.values()].map(({ breakOff }) => breakOff), ...this.#silent];
    this.#waiting.clear();
    this.#silent.clear();
    for (const breakOff of breaks) breakOff(connectionReset());
  }

  async #goOn(timer: Timer): Promise<void> {
    const { engine, yieldToEventLoop } = this.#options;
    const held = this.#waiting.get(timer.subject);
    if (held === undefined) {
      engine.note("warning", {
        message: "a call that was held until now is nobody's any more: its world was copied, or its connection closed",
      });
      return;
    }
    this.#waiting.delete(timer.subject);
    // The wait is over: the call may be held again, and a snapshot that is taken while the client acts must not contain its timer.
    engine.inFlightEnds(timer);
    held.goOn();
    await yieldToEventLoop();
  }

  /**
   * Returns the number of the timer for which the call will wait. The world gives each number once, so no two calls share a name, not even
   * in a copy that still has the timers of calls from another process.
   */
  #nextSubject(): string {
    return String(this.#options.engine.timers.sequence + 1);
  }
}
