/** A timer is plain data, never a running `setTimeout`. */
export interface Timer {
  /** When it is due, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The order of scheduling, which decides between timers of the same moment. */
  readonly sequence: number;
  /**
   * The length of the chain of timers of the same moment that led to it; 0 when time led to it. It reveals a loop that never lets time move
   * on.
   */
  readonly depth: number;
  /** The part that runs it: a lifecycle, or another owner with a handler. */
  readonly owner: string;
  /** What it concerns, usually a row's id. */
  readonly subject: string;
  /** Distinguishes it from other timers of the same owner and subject. Scheduling the same three again replaces the timer. */
  readonly name: string;
  readonly input: Readonly<{ type: string }>;
}

/** Returns the key of a timer, for people to read. */
export function keyOf({ owner, subject, name }: Pick<Timer, "owner" | "subject" | "name">): string {
  return `${owner}/${subject}/${name}`;
}
