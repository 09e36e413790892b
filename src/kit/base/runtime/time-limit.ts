import { CentavoError } from "../errors/centavo-error.ts";
import { warnProcess } from "./process-warning.ts";
import { startTimer } from "./real-time.ts";

/** How many milliseconds before the runner's limit the test has to end: long enough to write the recording. */
const MARGIN = 250;
/** At most this part of a short limit. */
const LARGEST_SHARE = 0.1;
/** A longer limit means none, and overflows timers. */
const LONGEST = 2 ** 31 - 1;

/**
 * Calls back when half of a test's time has passed. Returns a function that calls it off.
 * @param timeout the runner's limit, in milliseconds of real time; 0 and undefined mean none
 */
export function atHalfTime(timeout: number | undefined, callback: () => void): () => void {
  return isLimit(timeout) ? startTimer(timeout / 2, callback) : () => undefined;
}

function isLimit(timeout: number | undefined): timeout is number {
  return timeout !== undefined && timeout > 0 && timeout <= LONGEST;
}

/**
 * Waits for a test, and fails it just before its runner would, which says only that it took too long.
 * @param timeout the runner's limit, in milliseconds of real time; 0 and undefined mean none
 * @param prepare called when half of the time has passed, to load what a failure needs
 * @throws {CentavoError} `TEST_TIMED_OUT`
 */
export async function withinTime(
  work: Promise<unknown>,
  timeout: number | undefined,
  prepare: () => void,
): Promise<void> {
  if (!isLimit(timeout)) {
    await work;
    return;
  }
  const tooLate = Promise.withResolvers<never>();
  const callOffPreparation = atHalfTime(timeout, prepare);
  const callOff = startTimer(timeout - Math.min(MARGIN, timeout * LARGEST_SHARE), () => {
    tooLate.reject(
      new CentavoError(
        "TEST_TIMED_OUT",
        `The test did not end within ${timeout} ms. It may await something that never happens. If it is only slow, give it a longer timeout.`,
      ),
    );
  });
  try {
    await Promise.race([work, tooLate.promise]);
  } finally {
    callOffPreparation();
    callOff();
  }
}

/** Waits for work, but no longer than this, in milliseconds of real time. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const callOff = startTimer(milliseconds, enough.resolve);
  try {
    await Promise.race([work, enough.promise]);
  } finally {
    callOff();
  }
}

/** Returns how long the runner lets the running test last, in milliseconds, if it tells. */
let limitOfTheRunningTest: () => number | undefined = () => undefined;

/** Lets a runner's entry say how to read the limit of the running test. */
export function takeLimitFrom(runner: () => number | undefined): void {
  limitOfTheRunningTest = runner;
}

/** Warns that the runner will end the running test before a call may return, since it then says only that the test took too long. */
export function warnOfShortLimit(call: string, milliseconds: number): void {
  const limit = limitOfTheRunningTest();
  if (!isLimit(limit) || milliseconds < limit || !Number.isFinite(milliseconds)) return;
  const needed = Math.ceil((milliseconds * 3) / 10_000) * 10_000;
  warnProcess(
    `${call} may take ${milliseconds / 1000} seconds, and this test ends after ${limit / 1000}. Give the test more time: test("…", { timeout: ${needed.toLocaleString("en").replaceAll(",", "_")} }, …).`,
  );
}
