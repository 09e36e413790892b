import type net from "node:net";
import { isLoopback } from "../../kit/base/runtime/loopback.ts";
import { asError } from "../answer.ts";
import { markIn } from "../call-order.ts";
import { type Destination, notSimulated, outside } from "../destinations.ts";
import { isDropped, isMatched } from "../host-rules.ts";
import { refusal, refuse, refuseRequest } from "../refusals.ts";
import { answering, requestThatConnects } from "./call-context.ts";
import { type ConnectDecision, type ConnectTarget, leadsTo, patchConnect, urlOf } from "./connect.ts";
import { awaitRequest, callOf } from "./follow-calls.ts";
import { exchange } from "./exchange.ts";
import { conflictWithOtherCopy, shareSockets } from "./interceptors.ts";
import type { Exchange, SharedSockets } from "./interceptors.ts";
import { loadLibrary } from "./library.ts";
import type { Library } from "./library.ts";
import { isLibraryLoaded, onLibraryLoaded } from "./other-interceptors.ts";
import { urlOf as urlOfRequest } from "./requests.ts";
import { running } from "./running.ts";

/** The library, once something has loaded it. */
let library: Library | undefined;

/** The sockets that were opened under any interception, except connections to a host that is not intercepted. */
const everIntercepted = new WeakSet<net.Socket>();

/** Whether a call on this socket arrives at the interception. True for a Unix socket too, because it leads to no network. */
export function wasIntercepted(socket: net.Socket): boolean {
  return everIntercepted.has(socket);
}

/** The sockets of this process while they are intercepted. */
export interface InterceptedSockets {
  /** Whether a connection was opened since. */
  has(socket: net.Socket): boolean;
  /** The next connection is sure to carry HTTP. */
  expectHttp(): void;
  /** Whoever connects to this origin uses it as a proxy. */
  expectProxied(origin: URL): void;
  /** Whether another tool listens too. */
  hasOthers(): boolean;
  /** Calls back each time another tool has stopped listening. */
  onOtherGone(callback: () => void): void;
  release(): void;
}

/**
 * Intercepts sockets. Each is judged when it connects. The library that plays the other end is loaded for the first that needs it, because
 * it takes longer to load than most tests run.
 */
export function interceptSockets(): InterceptedSockets {
  const opened = new WeakSet<net.Socket>();
  const proxies = new Map<string, URL>();
  const expected = new WeakSet<net.Socket>();
  let isReleased = false;
  let isHttpExpected = false;
  let shared: SharedSockets | undefined;
  let loading: Promise<void> | undefined;
  const first = patchConnect(decide, listen);
  let connect = first;
  const listenEarly = (): void => void listen()?.catch(() => undefined);
  let stopWaiting = (): void => undefined;
  // Another tool that has loaded the library may already listen, and may stop at any time. One that loads it later patches sockets above this
  // patch, and would let the first calls through to the network.
  if (isLibraryLoaded()) listenEarly();
  else stopWaiting = onLibraryLoaded(listenEarly);

  return {
    has: (socket) => opened.has(socket),
    expectHttp() {
      isHttpExpected = true;
      // undici connects at once.
      void Promise.resolve().then(() => (isHttpExpected = false));
    },
    expectProxied: (origin) => void proxies.set(origin.origin, origin),
    hasOthers,
    onOtherGone: (callback) => shared?.onListenerGone(callback),
    release() {
      isReleased = true;
      stopWaiting();
      connect.remove();
      shared?.release();
      first.remove();
    },
  };

  function hasOthers(): boolean {
    return shared?.hasOtherListeners() === true;
  }

  /** Begins to listen. Returns a promise while the library is loaded, and one that rejects when others keep it from listening. */
  function listen(): Promise<void> | undefined {
    if (shared !== undefined) return undefined;
    if (library === undefined) return (loading ??= load());
    try {
      share(library);
      return undefined;
    } catch (error) {
      return Promise.reject(asError(error));
    }
  }

  async function load(): Promise<void> {
    library = await loadLibrary();
    share(library);
  }

  function share(loaded: Library): void {
    if (isReleased || shared !== undefined) return;
    // Another copy may have applied its patch since, above this one.
    const conflict = conflictWithOtherCopy(loaded);
    if (conflict !== undefined) throw conflict;
    // The library's patch has to lie beneath this one, which decides what the library gets to see.
    connect.remove();
    try {
      shared = shareSockets(loaded, take);
    } finally {
      connect = patchConnect(decide, listen);
    }
  }

  function decide(socket: net.Socket, target: ConnectTarget, onlyHttp2: () => boolean): ConnectDecision {
    opened.add(socket);
    const { isSimulated = false } = target;
    const decision = isSimulated ? "real" : decisionOn(socket, target, onlyHttp2);
    if (decision === "real" && target.path === undefined && !isSimulated) everIntercepted.delete(socket);
    else everIntercepted.add(socket);
    if (decision === "intercepted" || decision === "shared") closeHandleOf(socket);
    return decision;
  }

  function decisionOn(socket: net.Socket, target: ConnectTarget, onlyHttp2: () => boolean): ConnectDecision {
    if (isHttpExpected) awaitRequest(socket);
    if (shared === undefined && isLibraryLoaded()) return "unknown";
    if (hasOthers()) return "shared";
    if (target.path !== undefined || running.size === 0) return "real";
    // A socket that waited for the library is judged again.
    const ours = running.answersAt(target) || expected.has(socket) || isProxy(target);
    if (!ours && (running.allows(target) || isLoopback(target.host))) return "real";
    if (ours) {
      awaitRequest(socket);
      expected.add(socket);
    }
    if (!onlyHttp2()) {
      const conflict = library && conflictWithOtherCopy(library);
      return conflict === undefined ? "intercepted" : { refused: conflict };
    }
    const url = urlOf(target);
    if (ours) {
      const reason = "it is answered in HTTP/1.1, but this client speaks only HTTP/2. Let it offer HTTP/1.1, too";
      return { refused: refusal("CONNECT", url, reason) };
    }
    return isMatched(url, running.rules.allowed)
      ? "real"
      : { refused: refuse("CONNECT", url, running.candidates, notSimulated(running.bases)) };
  }

  /** Whether a connection leads to a proxy that gets calls to other hosts, of which some may be intercepted. */
  function isProxy(target: ConnectTarget): boolean {
    if ([...proxies.values()].some((origin) => leadsTo(target, origin))) return true;
    const request = requestThatConnects();
    const url = request === undefined ? null : urlOfRequest(request);
    if (url === null || leadsTo(target, url)) return false;
    // A tunnel carries nothing else.
    return url.protocol === "http:" || find(url).kind !== "outside";
  }

  function take(request: Request, initiator: unknown): Exchange | undefined {
    const call = callOf(markIn(request), initiator);
    const deliver = (send: () => void): void => answering(call, send);
    if (call?.isLate === true) return { respond: () => Promise.reject(call.endLate()), deliver };
    const isTunnel = request.method === "CONNECT";
    const url = new URL(isTunnel ? `https://${request.url}` : request.url);
    const destination = isTunnel ? throughProxy(url) : find(url);
    if (destination.kind === "outside") return undefined;
    const respond = async (): Promise<Response> => {
      call?.arrive();
      if (destination.kind === "refused") throw await refuseRequest(request, url, running.candidates, destination);
      const response = await exchange(destination.service, request);
      call?.answer(response.status, response.headers.get("location"));
      return response;
    };
    return { respond, deliver };
  }

  // A user's own interceptor may have a handler for a request that is not to a service, so it decides about those.
  function find(url: URL): Destination {
    const destination = running.find(url);
    return destination.kind === "refused" && hasOthers() ? outside : destination;
  }

  // A client asks its proxy for a tunnel before it sends the request, and the library cannot play the far end of the tunnel.
  function throughProxy(url: URL): Destination {
    const target = { path: undefined, host: url.hostname, port: Number(url.port === "" ? 443 : url.port) };
    const ours = running.bases.find((base) => leadsTo(target, base.url));
    if (ours === undefined && !isDropped(url, running.rules)) return find(url);
    const what = ours === undefined ? `${url.origin} cannot be dropped` : `${ours.address} cannot be simulated`;
    return { kind: "refused", reason: `${what} behind a proxy: add its host to NO_PROXY` };
  }
}

/**
 * Closes the handle of a socket once the socket has closed. The library leaves it open, and it would keep the socket, and the world that
 * answered there, for the rest of the process.
 */
function closeHandleOf(socket: net.Socket): void {
  // A socket that waits for the library is judged more than once.
  if (socket.listenerCount("close", closeHandle) === 0) socket.once("close", closeHandle);
}

function closeHandle(this: net.Socket): void {
  // Node has no public name for it.
  const handle = Reflect.get(this, "_handle") as { readonly close?: () => void } | null | undefined;
  handle?.close?.();
}
