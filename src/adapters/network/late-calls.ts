import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isLoopback } from "../../kit/base/runtime/loopback.ts";
import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import type { CallsOfInterception } from "./calls.ts";
import { type ConnectTarget, leadsTo } from "./connect.ts";

/**
 * The calls of ended interceptions that may still leave: calls on their way, calls that clients repeat, and calls that clients such as got
 * begin within a turn of the event loop after they were asked to.
 */
export class LateCalls {
  readonly #onTheWay = new Set<CallsOfInterception>();
  /** Those to which calls may still be added in this turn of the event loop. */
  #recent: readonly CallsOfInterception[] = [];
  /**
   * The addresses at which a client may call again. They stay for the rest of the process, because nothing tells when a client gives up.
   */
  readonly #urls = new Map<string, URL>();
  readonly #onTurn: () => void;

  /** @param onTurn is called when a turn of the event loop has passed in which calls were late */
  constructor(onTurn: () => void) {
    this.#onTurn = onTurn;
  }

  add(calls: CallsOfInterception): void {
    this.#onTheWay.add(calls);
    this.#recent = [...this.#recent, calls];
    void this.#endTurn();
  }

  async #endTurn(): Promise<void> {
    await nextMacrotask();
    this.#recent = this.#recent.slice(1);
    this.#onTurn();
  }

  /** Whether a connection may carry one of the calls. A pool that was refused tries its next call soon. */
  mayLeaveBy(target: ConnectTarget): boolean {
    const found = [...this.#remaining()].find(([url]) => leadsTo(target, url));
    if (found?.[1] !== undefined) this.add(found[1]);
    return found !== undefined;
  }

  /** Whether a call that has not reached its service leads there. */
  areAwaitedAt(target: ConnectTarget): boolean {
    return [...this.#onTheWay].some(({ onTheWay }) =>
      [...onTheWay].some((call) => !call.hasArrived && leadsTo(target, call.url)),
    );
  }

  get mayLeave(): boolean {
    return this.#remaining().next().done !== true;
  }

  /** Closes addresses for good, except those of this machine, because a server of a later test may get the same port. */
  #close(urls: readonly URL[]): void {
    for (const url of urls) if (!isLoopback(url.hostname)) this.#urls.set(url.origin, url);
  }

  *#remaining(): Generator<readonly [url: URL, calls?: CallsOfInterception]> {
    for (const calls of this.#onTheWay) {
      if (calls.mayComeAgain) this.#close(calls.urls);
      if (calls.onTheWay.size === 0 && !this.#recent.includes(calls)) this.#onTheWay.delete(calls);
      else {
        for (const url of calls.urls) yield [url, calls];
        for (const { url } of calls.onTheWay) yield [url, calls];
      }
    }
    for (const url of this.#urls.values()) yield [url];
  }
}

/** The error of a connection that may carry a late call. */
export function lateConnection({ host, port }: ConnectTarget): CentavoError {
  return new CentavoError(
    "WORLD_ENDED",
    `Centavo refused a connection to ${host}:${port}: an interception there has ended, and a call that began under it may still be sent, or sent again. ` +
      "Await every call of a test, or abort it, before its interception ends. To reach the real host, name it in the option allow of a further intercept(), or use a process of its own.",
  );
}

/** The error of a connection that code of an ended test opens to the service of that test. */
export function strayConnection({ host, port }: ConnectTarget, test: string): CentavoError {
  return new CentavoError(
    "WORLD_ENDED",
    `Centavo refused a connection to ${host}:${port}: it comes from code that the test ${JSON.stringify(test)} left running, and its simulator has ended. ` +
      "Stop the timers of a test, and await its calls, before it ends.",
  );
}
