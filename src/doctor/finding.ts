/** What a check found: a thing that is right, one that is wrong, or one that the check cannot know. */
export interface Finding {
  /** The name of the check, such as `node` or `interceptors`. */
  readonly check: string;
  readonly status: "right" | "wrong" | "unknown";
  /** What is so, in one sentence. */
  readonly text: string;
  /** What follows from it, or what it comes from. Each wrong thing has one. */
  readonly cause?: string;
  /** What to do. Each wrong thing has one. */
  readonly wayOut?: string;
}

export function right(check: string, text: string): Finding {
  return { check, status: "right", text };
}

export function wrong(check: string, text: string, cause: string, wayOut: string): Finding {
  return { check, status: "wrong", text, cause, wayOut };
}

export function unknown(check: string, text: string, wayOut: string): Finding {
  return { check, status: "unknown", text, wayOut };
}
