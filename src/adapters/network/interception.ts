import { type HttpRequestEvent, RequestController } from "@mswjs/interceptors";
import { CentavoError } from "../../errors/centavo-error.ts";
import type { Service } from "../../http/service.ts";
import { type ConnectDecision, type ConnectTarget, patchConnect, urlOf } from "./connect.ts";
import {
  type AllowedHost,
  type Base,
  basesOf,
  checkAllowed,
  type Destination,
  destinationOf,
  isAllowed,
  isLoopback,
  notSimulated,
  outside,
  refusal,
} from "../destinations.ts";
import { asError } from "../answer.ts";
import { exchange } from "./exchange.ts";
import { patchFetch } from "./global-fetch.ts";
import { shareSockets } from "./interceptors.ts";

/** What one call of `intercept()` added. */
interface Interception {
  readonly bases: readonly Base[];
  readonly allowed: readonly (URL | RegExp)[];
}

/** All that is intercepted in this process: the patches are put on with the first, and taken off with the last. */
const interceptions = new Set<Interception>();
let bases: readonly Base[] = [];
let allowed: readonly (URL | RegExp)[] = [];
let removePatches: (() => void) | undefined;

/**
 * Starts answering for these services.
 *
 * @returns the function that stops it.
 * @throws CentavoError `INTERCEPTION_CONFLICT` for a base URL that is answered already.
 */
export function startInterception(services: readonly Service[], allow: readonly AllowedHost[]): () => void {
  const interception = { bases: services.flatMap(basesOf), allowed: checkAllowed(allow) };
  refuseTakenAddresses(interception.bases);
  removePatches ??= putOnPatches();
  interceptions.add(interception);
  refresh();
  return () => {
    if (!interceptions.delete(interception)) return;
    refresh();
    if (interceptions.size > 0) return;
    removePatches?.();
    removePatches = undefined;
  };
}

function refresh(): void {
  bases = [...interceptions].flatMap((interception) => interception.bases);
  allowed = [...interceptions].flatMap((interception) => interception.allowed);
}

function refuseTakenAddresses(wanted: readonly Base[]): void {
  const taken = new Set(bases.map((base) => base.address));
  for (const { address } of wanted) {
    if (taken.has(address)) {
      throw new CentavoError(
        "INTERCEPTION_CONFLICT",
        `intercept(): ${address} is answered by a simulator already. ` +
          "Close the network that the other intercept() call returned, or give this simulator a baseUrl (and authUrl) of its own.",
      );
    }
    taken.add(address);
  }
}

function putOnPatches(): () => void {
  const restoreGlobals = rememberGlobals(["Headers", "Request", "Response"]);
  const sockets = shareSockets(answerOnSocket);
  const removeConnect = patchConnect(decideConnection);
  const removeFetch = patchFetch(findDestination);
  return () => {
    if (!removeFetch()) sockets.onListenerGone(removeFetch);
    removeConnect();
    sockets.release();
    restoreGlobals();
  };

  // Beside a user's own interceptor, that one decides about whatever is not a service's: it may have a handler for it.
  function findDestination(url: URL): Destination {
    const destination = destinationOf(url, bases, allowed);
    return destination.kind === "refused" && sockets.hasOtherListeners() ? outside : destination;
  }

  async function answerOnSocket(event: HttpRequestEvent): Promise<void> {
    const { request, controller } = event;
    const isTunnel = request.method === "CONNECT";
    const url = new URL(isTunnel ? `https://${request.url}` : request.url);
    const destination = isTunnel ? throughProxy(url) : findDestination(url);
    if (destination.kind === "outside") return;
    event.stopImmediatePropagation();
    try {
      if (destination.kind === "refused") throw refusal(request.method, url, destination.reason);
      const response = await exchange(destination.service, request);
      if (controller.readyState === RequestController.PENDING) controller.respondWith(response);
    } catch (error) {
      if (controller.readyState === RequestController.PENDING) controller.errorWith(asError(error));
    }
  }

  // A proxy's client asks for a tunnel before it says what it wants, and the library cannot play the tunnel's far end.
  function throughProxy(url: URL): Destination {
    const ours = bases.find((base) => base.url.host === url.host);
    if (ours === undefined) return findDestination(url);
    return {
      kind: "refused",
      reason: `${ours.address} is simulated, but not through a proxy: put its host into NO_PROXY`,
    };
  }

  function decideConnection(target: ConnectTarget, onlyHttp2: () => boolean): ConnectDecision {
    if (sockets.hasOtherListeners()) return "shared";
    if (target.path !== undefined) return "real";
    const ours = bases.some((base) => leadsTo(target, base.url));
    if (!ours) {
      const isOpen = allowed.some((entry) => entry instanceof URL && entry.pathname === "/" && leadsTo(target, entry));
      if (isOpen || isLoopback(target.host)) return "real";
    }
    if (!onlyHttp2()) return "watched";
    if (ours) return { refused: "the simulator speaks HTTP/1.1, and this client only HTTP/2" };
    const url = urlOf(target);
    return isAllowed(url, allowed) ? "real" : { refused: notSimulated(url, bases) };
  }
}

function leadsTo(target: ConnectTarget, url: URL): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return target.port === port && target.host.toLowerCase() === url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The library puts the values back that it replaces, but leaves them enumerable, which leak detectors take for new globals. */
function rememberGlobals(names: readonly string[]): () => void {
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor !== undefined && Reflect.get(globalThis, name) === descriptor.value) {
        Object.defineProperty(globalThis, name, descriptor);
      }
    }
  };
}
