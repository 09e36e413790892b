/** How the remote simulator calls a route of the control API. */
export interface ControlOperation {
  readonly method: string;
  /** Below the control API of the world. */
  readonly path: string;
  /** The fields that the member takes one by one. */
  readonly takes?: readonly string[];
  /** The field of the answer that it returns; the whole answer by default. */
  readonly gives?: string;
  /** Whether the member is a property instead of a function. */
  readonly isProperty?: true;
  /** Where the fields go that are not in the path. */
  readonly sends?: "query" | "body";
  /** Whether the answer is text instead of JSON. */
  readonly isText?: true;
}
