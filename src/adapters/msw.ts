// A name that an old MSW lacks would fail the import, before any message.
import * as msw from "msw";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { DOCS } from "../kit/base/errors/docs.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { isNetworkError } from "../kit/http/network-errors.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { asError, readyForWire } from "./answer.ts";
import { inOrderOfCalls, keepOrderOfCallsTo } from "./call-order.ts";
import { type Base, basesOf, covers, mergedBases, refuseSharedAddresses } from "./destinations.ts";

/**
 * Creates MSW request handlers that let simulators answer: one for each base URL, for every method and path below it.
 * MSW treats them like any other handler: yours wins if it comes before them or is added by `server.use()`, and a handler after them
 * gets the requests that no simulator answers.
 *
 * A network failure that a fault injects, such as `ECONNRESET`, reaches the clients of a `setupServer` as that error, and MSW also
 * prints it. In a browser it is the plain `TypeError` of `fetch`, like every network failure.
 *
 * Several simulators may share a base URL, as with `intercept`.
 *
 * @param services one simulator, or several
 * @throws {CentavoError} `INVALID_URL` when a base URL is not an absolute http(s) URL, `INTERCEPTION_CONFLICT` for services other than
 *   simulators at one address, `INVALID_STATE` when the installed MSW is too old
 *
 * @example
 * const sim = createSimulator({ baseUrl: "https://api.pay.example" });
 * const server = setupServer(...handlers(sim), http.get("https://shop.example/cart", () => HttpResponse.json([])));
 * server.listen();
 */
export function handlers(services: Service | readonly Service[]): msw.RequestHandler[] {
  const bases = [services].flat().flatMap(basesOf);
  refuseSharedAddresses("handlers()", bases);
  return mergedBases(bases).map(handlerFor);
}

function handlerFor(base: Base): msw.RequestHandler {
  base.service.onClose?.(keepOrderOfCallsTo(base.url, base.path));
  const isBelowBase = ({ request }: { request: Request }) => {
    const url = new URL(request.url);
    return url.origin === base.url.origin && covers(base, url.pathname);
  };
  const handler = handleAll(isBelowBase, async ({ request }) => {
    const send = base.service.beginCall();
    try {
      const response = await inOrderOfCalls(request, async () => {
        await nextMacrotask();
        return send(request);
      });
      return await readyForWire(response, request.method);
    } catch (error) {
      if (request.signal.aborted || inBrowser()) return msw.HttpResponse.error();
      throw networkFailure(asError(error));
    }
  });
  // MSW 2 gives handlers nothing to dispose of, and a server of MSW 3, of which a workspace may have both, disposes of each.
  return "dispose" in handler ? handler : Object.assign(handler as msw.RequestHandler, { dispose: () => undefined });
}

function handleAll(...given: Parameters<typeof msw.http.all>): msw.RequestHandler {
  try {
    return msw.http.all(...given);
  } catch (cause) {
    throw new CentavoError(
      "INVALID_STATE",
      "handlers() needs MSW 2.11 or later, and the installed MSW is older. Update msw, " +
        "or call intercept(sim) from centavo/node before server.listen() instead, which works beside older versions. " +
        `A server with onUnhandledRequest: "error" then has to let calls to the service pass (${DOCS}/guide/ways-in.md#msw).`,
      { cause },
    );
  }
}

/** MSW treats an error with `code` and `errno` as a network failure. Any other error becomes a 500 with a stack in its body. */
function networkFailure(error: Error): Error {
  if (isNetworkError(error)) return error;
  return Object.assign(new Error(error.message, { cause: error }), { code: "ERR_CENTAVO_SERVICE", errno: undefined });
}

function inBrowser(): boolean {
  return "serviceWorker" in (globalThis.navigator ?? {});
}
