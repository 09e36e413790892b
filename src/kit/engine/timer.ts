/** A timer is plain data on the clock, never a running `setTimeout`. */
export interface Timer {
  /** When it is due, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The order of scheduling. It decides between timers of the same moment. */
  readonly sequence: number;
  /** How many timers of the same moment led to it, one after another; 0 when time led to it. It reveals a loop that never lets time move on. */
  readonly depth: number;
  /** The name of the lifecycle, or of another part with a handler, that runs it. */
  readonly owner: string;
  /** What it concerns, usually a row's id. */
  readonly subject: string;
  /** Distinguishes it from others of the same owner and subject. Scheduling the same three again replaces it. */
  readonly name: string;
  readonly input: Readonly<{ type: string }>;
}

/** Returns the name of a timer for people: owner, subject and name. */
export function keyOf({ owner, subject, name }: Pick<Timer, "owner" | "subject" | "name">): string {
  return `${owner}/${subject}/${name}`;
}
