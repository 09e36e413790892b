import type { AdvanceOptions } from "centavo";
import { grouped } from "./table.ts";

/** What a terminal is, as far as a line that is drawn over again needs it. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Timers that a renewal takes: its boundary and the decision on its payment, and three deliveries where somebody receives them. */
const TIMERS_OF_A_CYCLE = 2;
const TIMERS_OF_A_DELIVERED_CYCLE = 5;

/** Says on the last line of a terminal what is under way; silent where nobody watches. */
export function showProgress(text: string, terminal: Terminal = process.stderr): void {
  if (terminal.isTTY) terminal.write(`\r\u001b[2K${text}`);
}

export function endProgress(): void {
  showProgress("");
}

/**
 * Lets a terminal watch a world of subscriptions live on: its virtual date, the cycles done, and how many in a second. Where nobody
 * watches, the clock is asked for no reports, so that they are no part of what is measured.
 * @param time real time in milliseconds, from any beginning
 */
export function watchCycles(
  { subscriptions, delivered }: { readonly subscriptions: number; readonly delivered: boolean },
  terminal: Terminal = process.stderr,
  time: () => number = () => performance.now(),
): AdvanceOptions {
  if (terminal.isTTY !== true) return {};
  const timersOfACycle = delivered ? TIMERS_OF_A_DELIVERED_CYCLE : TIMERS_OF_A_CYCLE;
  const start = time();
  let timersOfEarlierCalls = 0;
  return {
    onProgress({ now, until, timers }) {
      const cycles = Math.floor((timersOfEarlierCalls + timers) / timersOfACycle);
      const rate = cycles / ((time() - start) / 1000);
      const world = `${grouped(subscriptions)} subscriptions`;
      showProgress(`${world}  ${now.slice(0, 10)}  ${grouped(cycles)} cycles, ${grouped(rate)}/s`, terminal);
      if (now === until) timersOfEarlierCalls += timers;
    },
  };
}
