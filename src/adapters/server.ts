import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { listen } from "./listen.ts";
import type { Answering, Listening, ListenOptions } from "./listen.ts";
import { SharedAddress } from "./shared-address.ts";

/** A service at a socket of its own. */
export interface ServedService extends Listening, AsyncDisposable {}

/**
 * Serves a service over HTTP. It answers all paths under the server's own address, whatever its `baseUrl` is.
 * @throws {CentavoError} `INVALID_OPTION` for an unknown option; Node's own error when the port is taken (`EADDRINUSE`)
 */
export async function serveAlone(service: Service, options: ListenOptions = {}): Promise<ServedService> {
  refuseUnknownOptions("serve", options, ["port", "hostname"]);
  return closedWith(service, await listen(answeringFor(service), options));
}

/** Returns what answers for a service at an address of its own. */
export function answeringFor(service: Service): Answering {
  const address = new SharedAddress(service.baseUrl, [service]);
  return { answer: (request) => address.beginCall()(request), refuse: service.refuse?.bind(service) };
}

/** Closes a socket when its service ends. */
function closedWith(service: Service, listening: Listening): ServedService {
  const { url, drain } = listening;
  const close = (): Promise<void> => {
    forget?.();
    return listening.close();
  };
  const forget = service.onClose?.(async () => {
    // First, calls without an answer are ended, each with the error that explains why.
    await nextMacrotask();
    await close();
  });
  return { url, drain, close, [Symbol.asyncDispose]: close };
}
