/**
 * Runs work that makes errors which nobody reads, without the frames of their stacks. Frames take longer to collect than the rest of such
 * work, and as long as an error is kept, V8 keeps by its frames every function that was running, with all that it can reach.
 */
export function withoutFrames<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
