/** Every kind of place at which something can go wrong, in words. */
export const pointKinds = {
  call: "calls of the merchant",
  event: "events to the merchant",
  write: "writes to its store",
  act: "acts of customers",
  story: "the story as a whole",
} as const;

export type PointKind = keyof typeof pointKinds;

/**
 * A place in a story or a test at which something can go wrong, such as the second call of a route. Its name does not
 * change when the merchant's code changes elsewhere.
 */
export interface Point {
  readonly kind: PointKind;
  /** The route, the type of event, or the act; empty for others. */
  readonly subject: string;
  /** Counts the points of the same kind and subject in a story, from 1. */
  readonly occurrence: number;
}

/** Returns a name that is unique among the points of a story. */
export function nameOfPoint({ kind, subject, occurrence }: Point): string {
  return `${kind} ${subject}${subject === "" ? "" : " "}${occurrence}`;
}
