import type { Point } from "./point.ts";

const ORDINALS = ["", "second ", "third ", "fourth ", "fifth "];

function ordinal(occurrence: number): string {
  return ORDINALS[occurrence - 1] ?? `${occurrence}th `;
}

/** Names a call, such as `the second call payment-intent.confirm`. */
export function callInWords({ subject, occurrence }: Point): string {
  return `the ${ordinal(occurrence)}call ${subject}`;
}

export function eventInWords({ subject, occurrence }: Point): string {
  return `the ${ordinal(occurrence)}event ${subject}`;
}

/** Says when the merchant's program dies. */
export function crashPlace(point: Point): string {
  if (point.kind === "call") return callInWords(point);
  if (point.kind === "event") return `it handles ${eventInWords(point)}`;
  return `its ${ordinal(point.occurrence)}write to the store`;
}
