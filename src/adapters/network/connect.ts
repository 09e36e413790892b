import net from "node:net";
import type tls from "node:tls";
import { refusal } from "../destinations.ts";
import { refuseFakedMicrotasks } from "./fake-timers.ts";

/** Where a socket is about to connect to. */
export interface ConnectTarget {
  /** A pipe or Unix socket; host and port mean nothing then. */
  readonly path: string | undefined;
  readonly host: string;
  readonly port: number;
}

/**
 * What becomes of a connection: it is made for real; watched, because it may carry HTTP; shared with the other
 * interceptors of this process, who decide; or refused.
 */
export type ConnectDecision = "real" | "watched" | "shared" | { readonly refused: string };

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

/** The library's own way of saying "this connection is none of yours", which it keeps on the global object. */
interface InternalConnections {
  run<T>(callback: () => T): T;
  consume(): boolean;
}

/**
 * Lets the sockets that nobody wants to intercept connect for real, before the interception of sockets sees them. That
 * keeps databases and HTTP/2 clients working, which an intercepted socket would hang, and keeps loopback servers as fast
 * as without interception: passing through later costs three times as much.
 *
 * @param decide called for each connection; `onlyHttp2` says whether the client will speak nothing but HTTP/2.
 * @returns the function that takes the patch off again.
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
    if (decision === "real") return withoutInterception(() => Reflect.apply(next, this, args));
    if (typeof decision === "object") {
      const error = refusal("CONNECT", urlOf(target), decision.refused);
      // Whoever called has things to do with the socket first, and adds its error listener after that.
      process.nextTick(() => this.destroy(error));
      return this;
    }
    if (decision === "watched") refuseFakedMicrotasks(`a request to ${target.host}`);
    return Reflect.apply(next, this, args);
  };
  Object.defineProperty(prototype, "connect", { ...original, value: connect });

  return () => {
    active = false;
    if (Reflect.get(prototype, "connect") !== connect) return;
    Object.defineProperty(prototype, "connect", { ...original, value: next });
  };
}

/** The target as the root of a URL; of HTTPS, since nothing here depends on the scheme. */
export function urlOf(target: ConnectTarget): URL {
  return new URL(`https://${net.isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`);
}

function withoutInterception<T>(connect: () => T): T {
  const context = Reflect.get(globalThis, "__MSW_INTERNAL_CONNECTION_CONTEXT") as InternalConnections | undefined;
  if (context === undefined) return connect();
  return context.run(() => {
    try {
      return connect();
    } finally {
      // Spent here at the latest, or what the socket's listeners connect would not be intercepted either.
      context.consume();
    }
  });
}

/** `connect(options)`, `connect(port, host)` and `connect(path)`, as `node:net` reads them. */
function readTarget([first, second]: unknown[]): ConnectTarget {
  if (typeof first === "object" && first !== null) {
    const { path, host, port } = first as { path?: string | null; host?: string | null; port?: number | string | null };
    return { path: path === null || path === "" ? undefined : path, host: host ?? "localhost", port: Number(port) };
  }
  if (typeof first === "string" && Number.isNaN(Number(first))) return { path: first, host: "localhost", port: 0 };
  return { path: undefined, host: typeof second === "string" ? second : "localhost", port: Number(first) };
}

/**
 * TLS sockets say it in the protocols they offer. A plain one does not, and an HTTP/2 client on a mocked socket waits for
 * ever; who opened it can only be read off the stack.
 */
function speaksOnlyHttp2(options: unknown): boolean {
  const protocols = (options as tls.ConnectionOptions | undefined)?.ALPNProtocols;
  if (Array.isArray(protocols)) return protocols.length === 1 && protocols[0] === "h2";
  return new Error("Who connects?").stack?.includes("node:internal/http2") === true;
}
