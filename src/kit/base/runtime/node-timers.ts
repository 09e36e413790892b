/** What Node keeps in a timer, which async hooks show. Node documents no way to see a timer of other code. */
interface NodeTimer {
  readonly _idleTimeout?: number;
  readonly _repeat?: unknown;
  readonly _destroyed?: boolean;
}

/** Returns how long a timer takes, in milliseconds; 0 for what is no timer. */
export function delayOf(resource: object): number {
  const { _idleTimeout = 0 }: NodeTimer = resource;
  return _idleTimeout;
}

/** Whether it is an interval. */
export function repeats(resource: object): boolean {
  const { _repeat }: NodeTimer = resource;
  return (_repeat ?? null) !== null;
}

/** Whether it is a timer that was cleared or has rung. Async hooks hear of it only in a later turn. */
export function isOver(resource: object): boolean {
  const { _destroyed = false }: NodeTimer = resource;
  return _destroyed;
}
