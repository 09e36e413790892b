/**
 * Runs work whose errors are never read, without the frames of their stacks. Frames take longer to collect than the rest of such work, and
 * an error that is kept also keeps, through its frames, every function that was running and all that it reaches.
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
