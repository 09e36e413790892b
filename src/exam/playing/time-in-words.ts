import { beginsWithName } from "./names.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From how long on a story says how much time has passed, in milliseconds. */
const WORTH_TELLING = 30 * MINUTE;

/**
 * Returns a sentence with the time that has passed before, if it is worth telling: `36 days later, Ana leaves.`
 * @param passed in milliseconds
 */
export function later(passed: number, sentence: string): string {
  if (passed < WORTH_TELLING) return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  const continued = beginsWithName(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
  return `${spanOf(passed)} later, ${continued}`;
}

/**
 * Returns the sentence for time in which nothing else happened: `3 days pass.`; undefined if it is not worth telling.
 * @param passed in milliseconds
 */
export function passing(passed: number): string | undefined {
  if (passed < WORTH_TELLING) return undefined;
  const span = spanOf(passed);
  return `${span} ${/^\d/.test(span) ? "pass" : "passes"}.`;
}

function spanOf(milliseconds: number): string {
  if (milliseconds >= DAY) return counted(milliseconds / DAY, "A day", "days");
  if (milliseconds >= HOUR) return counted(milliseconds / HOUR, "An hour", "hours");
  return `${Math.round(milliseconds / MINUTE)} minutes`;
}

/** Counts whole units only: who says 36 days does not mean their hours. */
function counted(count: number, one: string, several: string): string {
  return count < 2 ? one : `${Math.floor(count)} ${several}`;
}
