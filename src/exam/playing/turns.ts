import { isInterrupting } from "../../kit/base/runtime/loops.ts";
import { aMillisecond, nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import { MOST_TURNS } from "../../merchant/process/merchant-process.ts";
import type { Turns } from "../../merchant/process/merchant-process.ts";

/** Waits for a turn of the event loop. While a loop is being interrupted, the story stands still until it is told of. */
export async function aTurn(): Promise<void> {
  do await nextMacrotask();
  while (isInterrupting());
}

/** Waits for a turn of the event loop that takes a millisecond or more. */
export async function aSlowTurn(): Promise<void> {
  await aMillisecond();
  if (isInterrupting()) await aTurn();
}

/**
 * Lets the program go on while it asks for one turn of the event loop after another.
 * @param turns what the running program has asked for; undefined while none runs
 * @param isOver whether to stop waiting
 * @param worksOutside whether the program waits for work outside, such as of a database
 * @returns what it does that never ends, as a sentence; undefined when it stopped, or may wait for work outside
 */
export async function endlessTurns(
  turns: () => Turns | undefined,
  isOver: () => boolean,
  worksOutside: () => boolean,
): Promise<string | undefined> {
  const before = turns()?.asked ?? 0;
  for (let last = turns(); last !== undefined && !isOver(); last = turns()) {
    await aTurn();
    const { asked, messages, what = "in the background" } = turns() ?? last;
    if (asked === last.asked) return undefined;
    // A message to itself holds a port open, as work of a thread does.
    if (messages === last.messages && worksOutside()) return undefined;
    if (asked - before >= MOST_TURNS)
      return `The merchant's program took ${MOST_TURNS} turns of the event loop one after another, ${what}. A loop in it never ends.`;
  }
  return undefined;
}
