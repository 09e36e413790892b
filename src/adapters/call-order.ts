import { CallQueue, type PlaceInQueue } from "../kit/http/call-queue.ts";
import { contextOfNow } from "../kit/base/runtime/async-context.ts";
import { listenToChannel } from "../kit/base/runtime/diagnostics.ts";
import { isLoopback } from "../kit/base/runtime/loopback.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { covers } from "./destinations.ts";

/** An address at which a service is reached. */
interface Address {
  readonly origin: string;
  readonly path: string;
}

/** What every version of undici, including the copy inside Node, publishes about a request that it begins. */
interface BegunRequest {
  readonly origin: string | URL;
  readonly path: string;
  addHeader(name: string, value: string): unknown;
}

/** A call in transit. */
interface BegunCall {
  readonly place: PlaceInQueue;
  /** Runs work in the context of the caller. On a shared connection, a call would otherwise arrive in another caller's context. */
  readonly inContext: <Result>(work: () => Result) => Result;
}

/** The header that identifies a call of this process. Services never see it. */
const MARK = "x-centavo-call";

const addresses = new Set<Address>();
/** The calls of this process in transit to services, in the order in which they began. */
const order = new CallQueue(nextMacrotask, () => undefined);
const onTheWay = new Map<string, BegunCall>();
const ids = new WeakMap<object, string>();
let stopListening: (() => void) | undefined;

/**
 * Keeps calls to an address in order. undici may change it: its `fetch` writes the head of a request together with the first piece of the
 * body, so a later call without a body can overtake.
 * @param path the path of the address, without a trailing slash
 * @returns a function that stops it
 */
export function keepOrderOfCallsTo(url: URL, path: string): () => void {
  const address = { origin: originOf(url), path };
  addresses.add(address);
  stopListening ??= listen();
  return () => {
    addresses.delete(address);
    if (addresses.size > 0) return;
    stopListening?.();
    stopListening = undefined;
    // Nothing reports the end of these calls any more.
    for (const { place } of onTheWay.values()) order.leave(place);
    onTheWay.clear();
  };
}

/**
 * Makes the call of a request that has arrived once all earlier calls were made, or once it has waited as long as a service waits for a
 * body.
 * @param call sends the request on; only the start of calls is ordered
 * @throws the reason of the request's signal if the client gives up first
 */
export async function inOrderOfCalls<Answer>(request: Request, call: () => Promise<Answer>): Promise<Answer> {
  const id = markIn(request);
  const begun = id === undefined ? undefined : onTheWay.get(id);
  if (id !== undefined) {
    request.headers.delete(MARK);
    onTheWay.delete(id);
  }
  // Leaving the queue wakes the next call, which must run in the context of its own caller.
  const inContext = begun?.inContext ?? contextOfNow();
  return order.inTurn(begun?.place ?? order.enter(), request.signal, () => inContext(call));
}

/** Returns the mark of a request that undici begins; undefined if it leads to no service. */
export function markOf(request: object): string | undefined {
  return ids.get(request);
}

/** Returns the mark of a request that has arrived. */
export function markIn({ headers }: Request): string | undefined {
  return headers.get(MARK) ?? undefined;
}

function listen(): () => void {
  const on = (event: string, listener: (request: BegunRequest) => void) =>
    listenToChannel(`undici:request:${event}`, (message) => listener((message as { request: BegunRequest }).request));
  const stops = [
    on("create", mark),
    // These calls never arrive, because something else answered them or they failed in transit.
    on("headers", forget),
    on("error", forget),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function mark(request: BegunRequest): void {
  const url = URL.parse(`${URL.parse(request.origin)?.origin}${request.path}`);
  if (url === null || !leadsToService(url)) return;
  const id = crypto.randomUUID();
  ids.set(request, id);
  onTheWay.set(id, { place: order.enter(), inContext: contextOfNow() });
  request.addHeader(MARK, id);
}

function forget(request: object): void {
  const id = ids.get(request) ?? "";
  const begun = onTheWay.get(id);
  if (begun === undefined) return;
  onTheWay.delete(id);
  order.leave(begun.place);
}

function leadsToService(url: URL): boolean {
  const origin = originOf(url);
  for (const address of addresses) if (address.origin === origin && covers(address, url.pathname)) return true;
  return false;
}

/** Returns the origin, with a single name for this machine, because all of its names lead to the same server. */
function originOf(url: URL): string {
  return isLoopback(url.hostname) ? `${url.protocol}//localhost:${url.port}` : url.origin;
}
