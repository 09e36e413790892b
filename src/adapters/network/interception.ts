import { type HttpRequestEvent, RequestController } from "@mswjs/interceptors";
import type { Service } from "../../kit/http/service.ts";
import { type ConnectDecision, type ConnectTarget, patchConnect, urlOf } from "./connect.ts";
import {
  type AllowedHost,
  type Base,
  type BaseOfService,
  basesOf,
  checkAllowed,
  type Destination,
  destinationOf,
  isAllowed,
  mergedBases,
  notSimulated,
  outside,
  refuseSharedAddresses,
} from "../destinations.ts";
import { isLoopback } from "../../kit/base/runtime/loopback.ts";
import type { Candidate } from "../candidates.ts";
import { refusal, refuse, refuseRequest } from "../refusals.ts";
import { asError } from "../answer.ts";
import { keepOrderOfCallsTo } from "../call-order.ts";
import { exchange } from "./exchange.ts";
import { patchFetch } from "./global-fetch.ts";
import { shareSockets } from "./interceptors.ts";

/** What the interception of one service added. */
interface Interception {
  readonly service: Service;
  readonly bases: readonly BaseOfService[];
  readonly allowed: readonly (URL | RegExp)[];
}

/** The running interceptions of this process. The first one applies the patches, and the last one removes them. */
const interceptions = new Set<Interception>();
let services: readonly Service[] = [];
let bases: readonly Base[] = [];
let allowed: readonly (URL | RegExp)[] = [];
let removePatches: (() => void) | undefined;

/**
 * Starts answering for a service, and for the apps that are connected to it.
 *
 * @returns a function that stops it
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` for a base URL at which a service answers that cannot share it
 */
export function startInterception(service: Service, allow: readonly AllowedHost[]): () => void {
  const interception = { service, bases: basesOf(service), allowed: checkAllowed(allow) };
  const others = [...interceptions].flatMap((other) => other.bases);
  refuseSharedAddresses("intercept()", [...others, ...interception.bases]);
  removePatches ??= applyPatches();
  interceptions.add(interception);
  service.onIntercepted?.();
  refresh();
  const forgetOrder = interception.bases.map(({ url, path }) => keepOrderOfCallsTo(url, path));
  return () => {
    if (!interceptions.delete(interception)) return;
    for (const forget of forgetOrder) forget();
    refresh();
    if (interceptions.size > 0) return;
    removePatches?.();
    removePatches = undefined;
  };
}

function refresh(): void {
  services = [...new Set([...interceptions].map(({ service }) => service))];
  bases = mergedBases([...interceptions].flatMap((interception) => interception.bases));
  allowed = [...interceptions].flatMap((interception) => interception.allowed);
}

function applyPatches(): () => void {
  const restoreGlobals = rememberGlobals(["Headers", "Request", "Response"]);
  const sockets = shareSockets(answerOnSocket);
  restoreGlobals();
  const removeConnect = patchConnect(decideConnection);
  const removeFetch = patchFetch(findDestination, (request, url, reason) =>
    refuseRequest(request, url, candidates(), reason),
  );
  return () => {
    if (!removeFetch()) sockets.onListenerGone(removeFetch);
    removeConnect();
    sockets.release();
    restoreGlobals();
  };

  // A user's own interceptor may have a handler for a request that is not to a service, so it decides about those.
  function findDestination(url: URL): Destination {
    const destination = destinationOf(url, bases, services, allowed);
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
      if (destination.kind === "refused") throw await refuseRequest(request, url, candidates(), destination);
      const response = await exchange(destination.service, request);
      if (controller.readyState === RequestController.PENDING) controller.respondWith(response);
    } catch (error) {
      if (controller.readyState === RequestController.PENDING) controller.errorWith(asError(error));
    }
  }

  // A client asks its proxy for a tunnel before it sends the request, and the library cannot play the far end of the tunnel.
  function throughProxy(url: URL): Destination {
    const ours = bases.find((base) => base.url.host === url.host);
    if (ours === undefined) return findDestination(url);
    return {
      kind: "refused",
      reason: `${ours.address} cannot be simulated behind a proxy: add its host to NO_PROXY`,
    };
  }

  function decideConnection(target: ConnectTarget, onlyHttp2: () => boolean): ConnectDecision {
    if (sockets.hasOtherListeners()) return "shared";
    if (target.path !== undefined) return "real";
    const ours =
      bases.some((base) => leadsTo(target, base.url)) ||
      services.some(({ origins = [] }) => origins.some((origin) => leadsTo(target, new URL(origin))));
    if (!ours) {
      const isOpen = allowed.some((entry) => entry instanceof URL && entry.pathname === "/" && leadsTo(target, entry));
      if (isOpen || isLoopback(target.host)) return "real";
    }
    if (!onlyHttp2()) return ours ? "ours" : "watched";
    const url = urlOf(target);
    if (ours) {
      const reason = "the simulator speaks HTTP/1.1, but this client speaks only HTTP/2. Let it offer HTTP/1.1, too";
      return { refused: refusal("CONNECT", url, reason) };
    }
    return isAllowed(url, allowed) ? "real" : { refused: refuse("CONNECT", url, candidates(), notSimulated(bases)) };
  }
}

function candidates(): readonly Candidate[] {
  return services.map((service) => ({ service }));
}

function leadsTo(target: ConnectTarget, url: URL): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return target.port === port && target.host.toLowerCase() === url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The library restores the globals that it replaces, but leaves them enumerable, and leak detectors take them for new globals. */
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
