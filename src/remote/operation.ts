/** How the remote simulator calls a route of the control API. */
export interface ControlOperation {
  readonly method: string;
  /** Below the control API of the world. */
  readonly path: string;
  /** The fields that the member takes one by one. */
  readonly takes: readonly string[];
  /** The field of the answer that it returns; the whole answer by default. */
  readonly gives?: string;
  /** Where the fields go that are not in the path. */
  readonly sends?: "query" | "body";
}
