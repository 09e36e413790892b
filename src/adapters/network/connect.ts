import net from "node:net";
import type tls from "node:tls";
import { unintercepted } from "../../kit/base/runtime/http.ts";
import { likeOriginal } from "../../kit/base/runtime/replaced-functions.ts";
import { asError } from "../answer.ts";
import { refuseFakedMicrotasks } from "./fake-timers.ts";

/** Where a socket is about to connect to. */
export interface ConnectTarget {
  /** A pipe or Unix socket. If it is set, ignore host and port. */
  readonly path: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Whether another tool simulates the connection. */
  readonly isSimulated?: boolean;
}

/**
 * How to handle a connection. `real`: connect without interception. `intercepted`: because it may carry HTTP. `shared`: leave the decision to
 * the other interceptors of this process. `unknown`: decide again when the interceptors are there.
 */
export type ConnectDecision = "real" | "intercepted" | "shared" | "unknown" | { readonly refused: Error };

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

/** A function in the place of `net.Socket.prototype.connect`. */
export class ConnectPatch {
  readonly #connect: Connect;
  readonly #original = Object.getOwnPropertyDescriptor(net.Socket.prototype, "connect");
  readonly #next = currentConnect();
  #isActive = true;

  /** @param connect gets the arguments of each call; `next` makes the call as if the patch were not there */
  constructor(connect: (socket: net.Socket, args: unknown[], next: () => net.Socket) => net.Socket) {
    const run = (socket: net.Socket, args: unknown[]): net.Socket => {
      const next = (): net.Socket => Reflect.apply(this.#next, socket, args);
      if (this.#isActive) return connect(socket, args, next);
      this.remove();
      return next();
    };
    this.#connect = likeOriginal<Connect>(function (...args) {
      return run(this, args);
    }, this.#next);
    this.#put(this.#connect);
  }

  /** Removes the patch. While a later one covers it, it only passes on, until a call finds it on top. */
  remove(): void {
    this.#isActive = false;
    if (currentConnect() === this.#connect) this.#put(this.#next);
  }

  #put(value: Connect): void {
    Object.defineProperty(net.Socket.prototype, "connect", { ...this.#original, value });
  }
}

function currentConnect(): Connect {
  return Reflect.get(net.Socket.prototype, "connect") as Connect;
}

/**
 * Patches `net.Socket` so that sockets which need no interception connect before the library sees them. Databases and HTTP/2 clients
 * would hang on an intercepted socket. Loopback servers would be slow: passing through the library costs three times as much.
 *
 * @param decide called for each connection; `onlyHttp2` says whether the client speaks only HTTP/2
 * @param listen prepares interception; it returns a promise while that takes time
 */
export function patchConnect(
  decide: (socket: net.Socket, target: ConnectTarget, onlyHttp2: () => boolean) => ConnectDecision,
  listen: () => Promise<void> | undefined,
): ConnectPatch {
  return new ConnectPatch((socket, args, next) => {
    const options = argumentsOf(args);
    const target = readTarget(options);
    const decision = decide(socket, target, () => speaksOnlyHttp2(options[0]));
    if (decision === "real") return unintercepted(next);
    if (decision === "shared") return next();
    if (typeof decision === "object") return refuse(socket, decision.refused);
    if (decision === "intercepted") refuseFakedMicrotasks(`a request to ${target.host}`);
    const listening = listen();
    return listening === undefined ? next() : connectAfter(listening, socket, args);
  });
}

/**
 * Patches `net.Socket` beneath every interceptor: it also sees what an interceptor connects for real.
 * @param refusalOf returns the error of a connection that is not to be made
 */
export function guardConnect(refusalOf: (target: ConnectTarget) => Error | undefined): ConnectPatch {
  return new ConnectPatch((socket, args, next) => {
    const refusal = refusalOf(readTarget(argumentsOf(args)));
    return refusal === undefined ? next() : refuse(socket, refusal);
  });
}

function refuse(socket: net.Socket, refusal: Error): net.Socket {
  // The caller adds its error listener only after this call returns.
  process.nextTick(() => socket.destroy(refusal));
  return socket;
}

function connectAfter(waiting: Promise<void>, socket: net.Socket, args: unknown[]): net.Socket {
  // Then Node keeps what is written and read meanwhile, as on any socket that connects.
  Reflect.set(socket, "connecting", true);
  const connect = async (): Promise<void> => {
    try {
      await waiting;
      if (!socket.destroyed) Reflect.apply(currentConnect(), socket, args);
    } catch (error) {
      socket.destroy(asError(error));
    }
  };
  void connect();
  return socket;
}

/** Returns the target as a URL. Only the port can tell its scheme. */
export function urlOf({ host, port }: ConnectTarget): URL {
  const name = net.isIPv6(host) ? `[${host.replace(/%.*/s, "")}]` : host;
  // A name that no URL can hold, such as one with a space, leads nowhere.
  return URL.parse(`${port === 80 ? "http" : "https"}://${name}:${port}`) ?? new URL("https://invalid");
}

/** Whether a connection to this target reaches the host of a URL. */
export function leadsTo(target: ConnectTarget, url: URL): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return target.port === port && target.host.toLowerCase() === url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Returns the arguments of `connect`, which `net.connect()` and `tls.connect()` hand over as one list. */
function argumentsOf(args: unknown[]): unknown[] {
  return Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
}

/** Reads the arguments of `connect(options)`, `connect(port, host)` and `connect(path)` as `node:net` does. */
function readTarget([first, second]: unknown[]): ConnectTarget {
  if (typeof first === "object" && first !== null) {
    const { path, host, port, lookup } = first as {
      path?: string | null;
      host?: string | null;
      port?: number | string | null;
      lookup?: { readonly name: string };
    };
    return {
      path: path === null || path === "" ? undefined : path,
      host: hostOf(host),
      port: Number(port),
      // The library has no public mark for a connection that it only simulates.
      isSimulated: lookup?.name === "mockLookup",
    };
  }
  if (typeof first === "string" && Number.isNaN(Number(first))) return { path: first, host: "localhost", port: 0 };
  return { path: undefined, host: hostOf(second), port: Number(first) };
}

/** Node takes an empty name for that of this machine. */
function hostOf(given: unknown): string {
  return typeof given === "string" && given !== "" ? given : "localhost";
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
