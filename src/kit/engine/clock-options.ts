import { CentavoError } from "../base/errors/centavo-error.ts";
import { inWords } from "../base/errors/in-words.ts";
import { refuseUnknownOptions } from "../base/errors/unknown-options.ts";
import type { DurationLike } from "./duration.ts";
import type { PendingTimer } from "./pending.ts";
import type { Progress } from "./timer-runner.ts";

/** Options of the calls that move the clock. */
export interface AdvanceOptions {
  /** Called with the progress every 1000 timers and at the end. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Options of `settle`. */
export interface SettleOptions {
  /** Rejects with `NOT_SETTLED` if anything was refused or is still pending; false by default. */
  readonly strict?: boolean;
}

/** What a clock needs to know from outside. */
export interface Surroundings {
  /** Whether the running code belongs to an app whose answer the clock awaits. */
  readonly isAppRunning: () => boolean;
  /** The names of hanging calls, such as `POST /v1/charges`. */
  readonly hangingCalls: () => readonly string[];
  /** Lists what was refused and what is still pending, one line each. */
  readonly unsettled: () => readonly string[];
  /**
   * Lets a timer of the process call back, and waits for the work that it begins.
   * @param timer names it in messages, such as `a timer of 1000 ms`
   */
  readonly awaitWork: (timer: string, ring: () => void) => Promise<void>;
  /** Lets the code that a sleep woke act before time goes on. */
  readonly untilCallsRest: () => Promise<void>;
}

/** The surroundings of a clock without an app or calls. */
export const alone = {
  isAppRunning: () => false,
  hangingCalls: () => [],
  unsettled: () => [],
  awaitWork: async (_: string, ring: () => void) => ring(),
} as const;

/** How many pending timers a message names. */
const MOST_NAMED = 5;
/** How many lines a message lists. */
const MOST_LISTED = 20;

/** Refuses options that would silently do nothing, or would fail only after time has moved. */
export function checkAdvance(call: string, options: unknown, own: readonly string[] = []): void {
  refuseUnknownOptions(`clock.${call}`, options, ["onProgress", ...own]);
  const { onProgress } = options as { readonly onProgress?: unknown };
  if (onProgress === undefined || typeof onProgress === "function") return;
  throw new CentavoError(
    "INVALID_OPTION",
    `clock.${call}: the option onProgress is ${inWords(onProgress)}. It takes a function that gets the progress of the call.`,
  );
}

/** Checks the options of `settle`. */
export function checkStrict(options: unknown): { readonly strict: boolean } {
  refuseUnknownOptions("clock.settle", options, ["strict"]);
  const { strict = false } = options as { readonly strict?: unknown };
  if (typeof strict === "boolean") return { strict };
  throw new CentavoError(
    "INVALID_OPTION",
    `clock.settle: the option strict is ${inWords(strict)}. It takes true or false.`,
  );
}

/** @throws {CentavoError} `NOT_SETTLED` if there are any lines */
export function refuseUnsettled(now: string, lines: readonly string[], pending: readonly PendingTimer[]): void {
  if (lines.length === 0) return;
  const due = pending.map(({ at, what }) => (at === undefined ? what : `${at} ${what}`));
  const onTheClock = due.length === 0 ? [] : ["On the clock:", ...listed(due, MOST_NAMED, ": sim.clock.pending()")];
  throw new CentavoError(
    "NOT_SETTLED",
    [
      `clock.settle({ strict: true }) at ${now}: ${lines.length === 1 ? "one thing was refused or is left" : `${lines.length} things were refused or are left`}.`,
      ...listed(lines, MOST_LISTED),
      ...onTheClock,
      "Correct the cause, or move the clock on. If the test expects this, call settle() without strict.",
    ].join("\n"),
  );
}

function listed(lines: readonly string[], most: number, where = ""): string[] {
  const more = lines.length > most ? [`and ${lines.length - most} more${where}`] : [];
  return [...lines.slice(0, most), ...more].map((line) => `- ${line}`);
}

/**
 * Checks the condition of `advanceUntil`.
 * @throws {CentavoError} `INVALID_OPTION` for anything but a function
 */
export function conditionOf<Answer>(condition: () => Answer): () => Answer {
  if (typeof condition === "function") return condition;
  throw refused("advanceUntil", 'a condition such as () => sim.intents.last()?.status === "succeeded"', condition);
}

/** The error for an `advanceUntil` that reached its limit with its condition still false. */
export function limitReached(
  limit: DurationLike,
  now: string,
  condition: () => unknown,
  pending: readonly PendingTimer[],
): CentavoError {
  const next = pending.find(({ at }) => at !== undefined);
  const advice =
    next === undefined
      ? "No timer is left that could make it true; sim.journal shows what happened."
      : `Next on the clock is ${next.key}, due ${next.at}; give a longer limit if that is what you wait for.`;
  return new CentavoError(
    "CLOCK_LIMIT",
    `clock.advanceUntil reached its limit of ${inWords(limit)} at ${now}, and the condition is still not true: ${condition.toString()}. ${advice}`,
  );
}

/** Reads a duration or a moment, and adds the call's name to the error if that fails. */
export function naming<Value>(call: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CentavoError) || error.message.startsWith("clock.")) throw error;
    const [name] = call.split("(");
    const message = error.message.replace(/^The /, "the ");
    throw new CentavoError(error.code, `clock.${name}: ${message}`, { cause: error.cause });
  }
}

export function refused(call: string, takes: string, given: unknown): CentavoError {
  return new CentavoError("INVALID_OPTION", `clock.${call} takes ${takes}, not ${inWords(given)}.`);
}

/** @throws {CentavoError} `INVALID_OPTION` for a condition that returns a promise */
export function truthOf(condition: () => boolean): boolean {
  const answer: unknown = condition();
  if (typeof answer === "object" && answer !== null && "then" in answer) {
    throw new CentavoError(
      "INVALID_OPTION",
      `The condition of clock.advanceUntil returned a promise, which always counts as true: ${condition.toString()}. Make it return a value at once, as sim's readers do, such as sim.intents.get(id).`,
    );
  }
  return Boolean(answer);
}

/** What a driver's move of the clock is called. */
export const DRIVE = "driveTo()";

/** Says what keeps a call from moving the clock: a driver, another call, or a command. */
export function obstacle(call: string | undefined, driver = "auto"): string {
  if (call === DRIVE) return `the ${driver} clock was moving time`;
  return `${call === undefined ? "a command" : `clock.${call}`} was still running`;
}

export function never(): boolean {
  return false;
}
