import type { AdvanceOptions } from "centavo";
import { grouped } from "./table.ts";

/** The parts of a terminal that a redrawn line uses. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The timers of a renewal: the period's end, the decision on its payment, and three deliveries if there is a receiver. */
const TIMERS_OF_A_CYCLE = 2;
const TIMERS_OF_A_DELIVERED_CYCLE = 5;

/** Shows on the last line of a terminal what runs now. Does nothing without a terminal. */
export function showProgress(text: string, terminal: Terminal = process.stderr): void {
  if (terminal.isTTY) terminal.write(`\r\u001b[2K${text}`);
}

export function endProgress(): void {
  showProgress("");
}

/**
 * Shows the progress of a world of subscriptions on a terminal: its virtual date, the finished cycles, and the cycles per second. Without
 * a terminal it does not ask the clock for reports, so that they do not affect the figures.
 * @param time returns real time in milliseconds, from any origin
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
