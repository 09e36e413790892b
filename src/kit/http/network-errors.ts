import { CentavoError } from "../base/errors/centavo-error.ts";

/** A network failure as Node reports it: retry libraries read `code`, and recognise it by `errno`. */
export interface NetworkError extends Error {
  readonly code: string;
  readonly errno: number;
  readonly syscall: string;
}

/** Returns true when something thrown is a failure of the network. */
export function isNetworkError(thrown: unknown): thrown is NetworkError {
  return thrown instanceof Error && "code" in thrown && "errno" in thrown;
}

/** Makes the error of a call to a world that ended before its answer. Retry code does not mistake it for a network failure. */
export function worldEnded(call: string, endedBy: string): CentavoError {
  return new CentavoError(
    "WORLD_ENDED",
    `${call} began before ${endedBy}, which ended its world, so it gets no answer and no later world gets the call. Await every call of a test, or abort it, before the test ends.`,
  );
}

/** Returns true when something thrown breaks off a call: a failure of the network, or the end of its world. */
export function isBrokenOff(thrown: unknown): thrown is Error {
  return isNetworkError(thrown) || (thrown instanceof CentavoError && thrown.code === "WORLD_ENDED");
}

/** Returns what broke off a call, which `fetch` wrapped into its own error, or else the error itself. */
export function networkErrorIn(thrown: unknown): unknown {
  return thrown instanceof TypeError && isBrokenOff(thrown.cause) ? thrown.cause : thrown;
}

/** Makes the error of a connection that the service's address refuses. */
export function connectionRefused(url: string): NetworkError {
  const { hostname, port, protocol } = new URL(url);
  const address = { address: hostname, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
  return Object.assign(new Error(`connect ECONNREFUSED ${address.address}:${address.port}`), {
    code: "ECONNREFUSED",
    errno: -111,
    syscall: "connect",
    ...address,
  });
}

/** Makes the error of a connection that broke before the answer came. */
export function connectionReset(): NetworkError {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", errno: -104, syscall: "read" });
}
