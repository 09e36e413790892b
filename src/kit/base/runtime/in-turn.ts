let last: Promise<unknown> = Promise.resolve();

/** Runs work after all that was given before, because each exam changes the time of its process. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn;
}
