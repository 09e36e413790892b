import net from "node:net";
import { setImmediate } from "node:timers";

/** The part of a socket's handle with which Node starts a connection. */
interface Handle {
  connect: (...args: unknown[]) => unknown;
  connect6: (...args: unknown[]) => unknown;
  hasRef?: () => boolean;
}

/** What Node keeps on a socket: its handle, and the request of `node:http` that it carries. */
type Inside = net.Socket & { readonly _handle: Handle | null; readonly _httpMessage?: object | null };

/**
 * Makes an intercepted socket fail as it would without interception when nobody listens where it leads.
 *
 * The library tells a socket that waits for its connection that it is connected, to see whether it writes HTTP then. So a closed port
 * would look open to whoever asks whether a database is up. This holds the library back for one macrotask, in which an HTTP client
 * writes. When nothing was written, another socket connects for real first. An HTTP request is refused without touching the network.
 *
 * @param connect connects a socket to the same place, without interception
 */
export function connectOnlyIfReachable(socket: net.Socket, connect: (probe: net.Socket) => void): void {
  const { _handle: early } = socket as Inside;
  socket.once("connectionAttempt", () => {
    const handle = (socket as Inside)._handle ?? early;
    if (handle === null) return;
    // The library has put its own function here, which never connects.
    const pretend = handle.connect;
    handle.connect = handle.connect6 = (...args) => {
      setImmediate(() => {
        const goOn = (): void => void (socket.destroyed || Reflect.apply(pretend, handle, args));
        if (socket.destroyed || hasWritten(socket)) goOn();
        else probe(socket, connect, goOn);
      });
    };
  });
}

/** Whether a request stands on the socket already. `node:http` writes before the connection is there, others after it. */
function hasWritten(socket: net.Socket): boolean {
  return socket.bytesWritten > 0 || socket.writableLength > 0 || ((socket as Inside)._httpMessage ?? null) !== null;
}

function probe(socket: net.Socket, connect: (probe: net.Socket) => void, goOn: () => void): void {
  const attempt = new net.Socket();
  const giveUp = (): void => void attempt.destroy();
  socket.once("close", giveUp);
  attempt.once("connect", () => {
    attempt.destroy();
    socket.off("close", giveUp);
    goOn();
  });
  attempt.once("error", (error) => {
    socket.off("close", giveUp);
    socket.destroy(error);
  });
  connect(attempt);
  if ((socket as Inside)._handle?.hasRef?.() === false) attempt.unref();
}
