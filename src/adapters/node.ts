import { CentavoError } from "../errors/centavo-error.ts";
import type { Service } from "../http/service.ts";
import type { AllowedHost } from "./destinations.ts";
import { fakeDate } from "./fake-date.ts";
import type { FollowedClock } from "./fake-date.ts";
import { startInterception } from "./network/interception.ts";

export interface InterceptOptions {
  /**
   * Hosts that may be reached for real, beside loopback addresses and Unix sockets: a URL (`"https://other.example"`,
   * which covers its path and what is below) or an expression that is tested against the whole URL of a request.
   */
  readonly allow?: readonly AllowedHost[];
  /** Intercept although `NODE_ENV` is `"production"`. */
  readonly force?: boolean;
  /** Let the process's own `Date` follow the simulator's clock meanwhile, as `fakeDate(sim)` does; for one simulator. */
  readonly fakeDate?: boolean;
}

/** An interception that is going on. `using network = intercept(sim)` ends it with its block. */
export interface Network extends Disposable, AsyncDisposable {
  /** Stops answering. With the last one, nothing of the process stays patched. May be called twice. */
  close(): void;
}

/**
 * Answers, from now on, every HTTP request of this process to a service's `baseUrl` or `authUrl`, whichever client makes
 * it: `fetch`, `undici`, axios, got, ky, superagent, `node:http` and `node:https`. Only requests below the path of a base
 * URL are the service's.
 *
 * Loopback addresses and Unix sockets are reached for real. Any other host is refused with a network error, whose
 * message (or `cause.message`) names the URL and the option `allow`; sockets that do not speak HTTP, such as a
 * database's, are left alone. Beside a `setupServer` of your own, whichever starts first, requests to the services come
 * here and all others go to your server, whose `onUnhandledFrame` decides about them.
 *
 * @param services one simulator, or several with different base URLs.
 * @throws CentavoError `INTERCEPTION_CONFLICT` where a base URL is answered already, or another copy of the interception
 * library is active; `INTERCEPTION_REFUSED` in production; `INVALID_OPTION` for an entry of `allow` that is not a URL, and for `fakeDate` with several services.
 *
 * @example
 * const sim = createSimulator({ baseUrl: "https://api.pay.example" });
 * const network = intercept(sim);
 * await fetch("https://api.pay.example/api/transactions"); // answered by the simulator
 * network.close();
 */
export function intercept(services: Service | readonly Service[], options: InterceptOptions = {}): Network {
  if (process.env["NODE_ENV"] === "production" && options.force !== true) {
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      'intercept() was called with NODE_ENV "production", where it would take real payments off the network. ' +
        'Call it from tests only; if this is one, set NODE_ENV to "test" or pass { force: true }.',
    );
  }
  const list = [services].flat();
  const date = options.fakeDate === true ? fakeDate(clockOf(list)) : undefined;
  let stopInterception: () => void;
  try {
    stopInterception = startInterception(list, options.allow ?? []);
  } catch (error) {
    date?.close();
    throw error;
  }
  const stop = () => {
    stopInterception();
    date?.close();
  };
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
    "intercept(): with fakeDate the process's Date follows the clock of one simulator; pass one, or call fakeDate(sim) for the one to follow.",
  );
}
