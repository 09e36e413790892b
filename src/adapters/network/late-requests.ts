import type net from "node:net";
import type { SocketInterceptor } from "@mswjs/interceptors/net";

/** Set on a socket whose client is sure to send a request; the library's own view of the socket shows it too. */
const awaitsRequest = Symbol("awaitsRequest");

/** What Node keeps on a socket: the request of `node:http` that it carries. */
type Inside = net.Socket & { readonly _httpMessage?: object | null; [awaitsRequest]?: boolean };

/** Keeps a socket for its first request, however late its client writes it. */
export function awaitRequest(socket: net.Socket): void {
  (socket as Inside)[awaitsRequest] = true;
}

/**
 * Keeps connections until their first request. The library connects a socket to the real network when the client reads for one turn of
 * the event loop and writes nothing, because it may be a database's. But a client of HTTP reads early too, and writes as late as the
 * first piece of a streamed body, or as the first request on a connection that it opened ahead.
 *
 * @returns a function that ends it
 */
export function keepForLateRequests(sockets: SocketInterceptor): () => void {
  const ended = new AbortController();
  sockets.on(
    "connection",
    ({ socket, controller }) => {
      // The first bytes may have come before this event.
      let hasWritten = socket.bytesWritten > 0;
      socket.prependOnceListener("data", () => (hasWritten = true));
      const connectForReal = controller.passthrough.bind(controller) as (...args: unknown[]) => net.Socket;
      // Before the first byte, the library makes no use of what this returns.
      const connectIfWritten = (...args: unknown[]): net.Socket => {
        const { [awaitsRequest]: isAwaited, _httpMessage: message } = socket as Inside;
        const isHttp = isAwaited === true || (message ?? null) !== null;
        return isHttp && !hasWritten && !ended.signal.aborted ? socket : connectForReal(...args);
      };
      controller.passthrough = connectIfWritten;
    },
    { signal: ended.signal },
  );
  // A reason of its own, because to make an error for each interception takes longer than the rest of its end.
  return () => ended.abort("the interception has ended");
}
