import net from "node:net";
import type tls from "node:tls";
import { unintercepted } from "../../kit/base/runtime/http.ts";
import { refuseFakedMicrotasks } from "./fake-timers.ts";
import { awaitRequest } from "./late-requests.ts";
import { connectOnlyIfReachable } from "./reachable.ts";

/** Where a socket is about to connect to. */
export interface ConnectTarget {
  /** A pipe or Unix socket. If it is set, ignore host and port. */
  readonly path: string | undefined;
  readonly host: string;
  readonly port: number;
}

/**
 * How to handle a connection. `real`: connect without interception. `ours`: intercept, because it leads to a service. `watched`: intercept,
 * because it may carry HTTP to somewhere else. `shared`: leave the decision to the other interceptors of this process.
 */
export type ConnectDecision = "real" | "ours" | "watched" | "shared" | { readonly refused: Error };

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

/**
 * Patches `net.Socket` so that sockets which need no interception connect before the library sees them. Databases and HTTP/2 clients
 * would hang on an intercepted socket. Loopback servers would be slow: passing through the library costs three times as much.
 *
 * @param decide called for each connection; `onlyHttp2` says whether the client speaks only HTTP/2
 * @returns a function that removes the patch
 */
export function patchConnect(decide: (target: ConnectTarget, onlyHttp2: () => boolean) => ConnectDecision): () => void {
  const prototype = net.Socket.prototype;
  const original = Object.getOwnPropertyDescriptor(prototype, "connect");
  const next = Reflect.get(prototype, "connect") as Connect;
  let active = true;

  const connect: Connect = function (...args) {
    if (!active) return Reflect.apply(next, this, args);
    const options = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
    const target = readTarget(options);
    const decision = decide(target, () => speaksOnlyHttp2(options[0]));
    if (decision === "real") return unintercepted(() => Reflect.apply(next, this, args));
    if (typeof decision === "object") {
      // The caller adds its error listener only after this call returns.
      process.nextTick(() => this.destroy(decision.refused));
      return this;
    }
    if (decision !== "shared") refuseFakedMicrotasks(`a request to ${target.host}`);
    if (decision === "ours" || isHttpClient(options[0])) awaitRequest(this);
    else if (decision === "watched")
      connectOnlyIfReachable(this, (probe) => {
        unintercepted(() =>
          Reflect.apply(next, probe, [{ ...asOptions(options[0]), ...target, localPort: undefined }]),
        );
      });
    return Reflect.apply(next, this, args);
  };
  Object.defineProperty(prototype, "connect", { ...original, value: connect });

  return () => {
    active = false;
    if (Reflect.get(prototype, "connect") !== connect) return;
    Object.defineProperty(prototype, "connect", { ...original, value: next });
  };
}

/** Returns the target as a URL. The scheme is always HTTPS, because nothing here depends on it. */
export function urlOf(target: ConnectTarget): URL {
  return new URL(`https://${net.isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`);
}

/** Reads the arguments of `connect(options)`, `connect(port, host)` and `connect(path)` as `node:net` does. */
function readTarget([first, second]: unknown[]): ConnectTarget {
  if (typeof first === "object" && first !== null) {
    const { path, host, port } = first as { path?: string | null; host?: string | null; port?: number | string | null };
    return { path: path === null || path === "" ? undefined : path, host: host ?? "localhost", port: Number(port) };
  }
  if (typeof first === "string" && Number.isNaN(Number(first))) return { path: first, host: "localhost", port: 0 };
  return { path: undefined, host: typeof second === "string" ? second : "localhost", port: Number(first) };
}

function asOptions(first: unknown): object {
  return typeof first === "object" && first !== null ? first : {};
}

/**
 * Whether the client is sure to speak HTTP before it has written anything. Undici waits for the connection, unlike `node:http`, and tells
 * itself by its name in the stack, or by what it offers on a TLS socket.
 */
function isHttpClient(options: unknown): boolean {
  const { ALPNProtocols: offered } = asOptions(options) as tls.ConnectionOptions;
  if (Array.isArray(offered) && offered.some((protocol) => protocol === "http/1.1" || protocol === "h2")) return true;
  return new Error("Who connects?").stack?.includes("undici") === true;
}

/**
 * A TLS socket offers its protocols. A plain socket does not, and an HTTP/2 client on a mocked socket waits for ever, so the stack has to
 * tell who opened it.
 */
function speaksOnlyHttp2(options: unknown): boolean {
  const protocols = (options as tls.ConnectionOptions | undefined)?.ALPNProtocols;
  if (Array.isArray(protocols)) return protocols.length === 1 && protocols[0] === "h2";
  return new Error("Who connects?").stack?.includes("node:internal/http2") === true;
}
