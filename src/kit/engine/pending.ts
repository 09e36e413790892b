import type { Alarm } from "./alarms.ts";
import type { Engine } from "./engine.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";
import { toTimestamp } from "./timestamp.ts";

/** Something that waits for the clock: a timer, of the service or of the process, a sleep, a timeout, or a call that hangs. */
export interface PendingTimer {
  /** When it is due: ISO 8601, UTC. Absent for a call that hangs, which ends only with its client or its world. */
  readonly at?: string;
  /** What happens then, in words: `charge ch_…: it settles`. */
  readonly what: string;
  /**
   * Of a timer its owner, subject and name, such as `charge/ch_…/settle`; of a call that hangs `hanging-call/` and the call, such as
   * `hanging-call/POST /v1/charges`; of a sleep, timeout or timer of the process `sleep/`, `timeout/` or `timer/` and its number among those that wait.
   */
  readonly key: string;
  /** The input that its subject will get. */
  readonly input: Readonly<{ type: string }>;
}

/** Returns the input without the time of scheduling that the engine added. */
function inputOf({ input }: Timer): PendingTimer["input"] {
  const { at: _, ...rest } = structuredClone(input) as { readonly type: string; readonly at?: number };
  return rest;
}

/** Returns everything that waits for the clock, soonest first, and then every call that hangs. */
export function pendingOn(engine: Engine, alarms: readonly Alarm[], hangingCalls: readonly string[]): PendingTimer[] {
  const timers = engine.timers.pending().map((timer) => ({
    due: timer.at,
    place: timer.sequence,
    shown: {
      at: toTimestamp(timer.at),
      what: engine.timerHandlers.inWords(timer),
      key: keyOf(timer),
      input: inputOf(timer),
    },
  }));
  const ends = { sleep: "the sleep is over", timeout: "its signal aborts", timer: "it calls back" };
  const waits = alarms.map(({ at, after, kind, call }, index) => ({
    due: at,
    // Sorts it between the timer scheduled just before it and the next one.
    place: after + 0.5,
    shown: {
      at: toTimestamp(at),
      what: `${call}: ${ends[kind]}`,
      key: `${kind}/${index + 1}`,
      input: { type: { sleep: "wake", timeout: "abort", timer: "ring" }[kind] },
    },
  }));
  const due = [...timers, ...waits].toSorted((left, right) => left.due - right.due || left.place - right.place);
  const hanging = hangingCalls.map((call) => ({
    what: `${call} hangs until its client gives up`,
    key: `hanging-call/${call}`,
    input: { type: "give_up" },
  }));
  return [...due.map(({ shown }) => shown), ...hanging];
}
