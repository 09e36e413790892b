import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { HostRules } from "./host-rules.ts";
import { everyStep } from "../kit/base/errors/every-step.ts";
import { fakeDate } from "./fake-date.ts";
import type { FollowedClock } from "./fake-date.ts";
import { startInterception } from "./network/interception.ts";

export interface InterceptOptions extends HostRules {
  /** Intercepts even if `NODE_ENV` is `"production"`. */
  readonly force?: boolean;
  /** Makes the process's own `Date` follow the simulator's clock until `close`, as `fakeDate(sim)` does. Takes a single simulator. */
  readonly fakeDate?: boolean;
}

/** A running interception. `using network = intercept(sim)` ends it at the end of the block. */
export interface Network extends Disposable, AsyncDisposable {
  /**
   * Stops answering. Does nothing when called again.
   *
   * Calls that have not reached the service by then fail with `WORLD_ENDED`. None of them leaves the process or reaches a later interception.
   * Closing the last interception removes every patch but one, which refuses connections to its addresses, unless a later one answers or allows
   * them: for one more turn of the event loop when every call was answered, and for the rest of the process when a call was on its way, broke
   * off, or had an answer after which clients call again.
   */
  close(): void;
}

/**
 * Answers every HTTP request of this process to a service's `baseUrl` or `authUrl`, whichever client makes it: `fetch`, `undici`, axios,
 * got, ky, superagent, `node:http` and `node:https`. Only requests below the path of a base URL belong to the service.
 *
 * Loopback addresses and Unix sockets stay reachable. Any other host is refused with a network error, whose message (or
 * `cause.message`) names the URL and the option `allow`. Sockets that do not speak HTTP, such as a database's, are left alone. It also works
 * beside a `setupServer` of your own, whichever starts first: your server then gets all requests that are not to the services, and its
 * `onUnhandledFrame` decides about them.
 *
 * Several simulators may share a base URL. The credentials, ids and body of a request then tell which of them it is for, and a request
 * that could be for more than one is refused.
 *
 * @param services one simulator, or several
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` when another copy of Centavo intercepts, or a service that is no simulator would share a
 *   base URL; `INTERCEPTION_REFUSED` in production; `INVALID_OPTION` for an entry of `allow` or `drop` that is not a URL, for a base URL in `drop`, and for `fakeDate` with
 *   several services
 *
 * @example
 * const sim = createSimulator({ baseUrl: "https://api.pay.example" });
 * const network = intercept(sim);
 * await fetch("https://api.pay.example/api/transactions"); // answered by the simulator
 * network.close();
 */
export function intercept(services: Service | readonly Service[], options: InterceptOptions = {}): Network {
  refuseUnknownOptions("intercept", options, ["allow", "drop", "force", "fakeDate"]);
  if (process.env["NODE_ENV"] === "production" && options.force !== true) {
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      'intercept() was called with NODE_ENV "production", where it would keep real payments from the network. ' +
        'Call it only in tests. If this is a test, set NODE_ENV to "test" or pass { force: true }.',
    );
  }
  const list = [services].flat();
  const date = options.fakeDate === true ? fakeDate(clockOf(list)) : undefined;
  const stops: (() => void)[] = date === undefined ? [] : [() => date.close()];
  const stop = () => everyStep(...stops);
  try {
    for (const service of list) {
      const stopService = startInterception(service, options);
      const forget = service.onClose?.(stopService);
      stops.push(stopService, () => forget?.());
    }
  } catch (error) {
    stop();
    throw error;
  }
  return {
    close: stop,
    [Symbol.dispose]: stop,
    [Symbol.asyncDispose]: () => Promise.resolve(stop()),
  };
}

function clockOf(services: readonly Service[]): { readonly clock: FollowedClock } {
  const [only] = services;
  if (services.length === 1 && only !== undefined && "clock" in only)
    return only as Service & { readonly clock: FollowedClock };
  throw new CentavoError(
    "INVALID_OPTION",
    "intercept(): the option fakeDate takes a single simulator, because Date can follow only one clock. Pass one, or call fakeDate(sim) yourself.",
  );
}
