/** Who moves the clock between calls. */
export interface Pace {
  /** Resolves when the clock may have come to rest; undefined while it rests. */
  untilRest(): Promise<void> | undefined;
  /** Called as a call is answered, before time goes on. */
  callAnswered(): void;
  /** Called with the moment that a held call waits for, in milliseconds since 1970, and the signal of its client. */
  waitFor(moment: number, client: AbortSignal): void;
}

/** The pace of a clock that the test alone moves: calls are answered as they come. */
export const unpaced: Pace = {
  untilRest: () => undefined,
  callAnswered: () => undefined,
  waitFor: () => undefined,
};
