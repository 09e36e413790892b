/** A timer is plain data on the clock, never a running `setTimeout`. */
export interface Timer {
  /** When it is due, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The order of scheduling. It decides between timers of the same moment. */
  readonly sequence: number;
  /** How many timers of its own moment led to it; 0 for one that time brought. It gives away a loop that never lets time move on. */
  readonly depth: number;
  /** Who runs it: the name of a lifecycle, or of another part that has registered a handler. */
  readonly owner: string;
  /** What it concerns, usually a row's id. */
  readonly subject: string;
  /** Tells it from others of the same owner and subject. Scheduling the same three again replaces it. */
  readonly name: string;
  readonly input: Readonly<{ type: string }>;
}

/** Returns the name of a timer for people: owner, subject and name. */
export function keyOf({ owner, subject, name }: Pick<Timer, "owner" | "subject" | "name">): string {
  return `${owner}/${subject}/${name}`;
}
