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

/** What undici publishes of each request that it begins, by any of its versions, the one inside Node among them. */
interface BegunRequest {
  readonly origin: string | URL;
  readonly path: string;
  addHeader(name: string, value: string): unknown;
}

/** A call on its way. */
interface BegunCall {
  readonly place: PlaceInQueue;
  /** Runs work in the context of the call's maker. On a shared connection, a call arrives in the context of another one. */
  readonly inContext: <Result>(work: () => Result) => Result;
}

/** The header that tells which call of this process a request is. Services never see it. */
const MARK = "x-centavo-call";

const addresses = new Set<Address>();
/** The calls of this process on their way to services, in the order in which they began. */
const order = new CallQueue(nextMacrotask, () => undefined);
const onTheWay = new Map<string, BegunCall>();
const ids = new WeakMap<object, string>();
let stopListening: (() => void) | undefined;

/**
 * Keeps the order of calls to an address. undici may change it: its `fetch` writes the head of a request together with the first piece of
 * the body, so a later call without a body overtakes one that has a body.
 *
 * @param path the path of the address, without a trailing slash
 * @returns a function that ends it
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
    // Their end is no longer published here.
    for (const { place } of onTheWay.values()) order.leave(place);
    onTheWay.clear();
  };
}

/**
 * Makes the call of a request that has arrived, in its turn: after all calls that began earlier. It waits for them no longer than a service
 * waits for a body.
 *
 * @param call sends the request on; the calls are made in order, whatever each then awaits
 * @throws the reason of the request's signal when the client gives up before
 */
export async function inOrderOfCalls<Answer>(request: Request, call: () => Promise<Answer>): Promise<Answer> {
  const id = markIn(request);
  const begun = id === undefined ? undefined : onTheWay.get(id);
  if (id !== undefined) {
    request.headers.delete(MARK);
    onTheWay.delete(id);
  }
  if (begun !== undefined) return order.inTurn(begun.place, request.signal, () => begun.inContext(call));
  let inContext: BegunCall["inContext"] | undefined;
  let isMade = false;
  const answer = order.inTurn(order.enter(), request.signal, () => {
    isMade = true;
    return inContext === undefined ? call() : inContext(call);
  });
  // A call that leaves the queue wakes the next one in its own context.
  if (!isMade) inContext = contextOfNow();
  return answer;
}

/** Returns the mark of a request that undici begins; undefined when it leads to no service. */
export function markOf(request: object): string | undefined {
  return ids.get(request);
}

/** Returns the mark that a request carries when it arrives. */
export function markIn({ headers }: Request): string | undefined {
  return headers.get(MARK) ?? undefined;
}

function listen(): () => void {
  const on = (event: string, listener: (request: BegunRequest) => void) =>
    listenToChannel(`undici:request:${event}`, (message) => listener((message as { request: BegunRequest }).request));
  const stops = [
    on("create", mark),
    // A call that somebody else answered, or that failed on its way, never arrives.
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

/** Returns the origin, with one name for this machine, because a server that listens on one of its names has them all. */
function originOf(url: URL): string {
  return isLoopback(url.hostname) ? `${url.protocol}//localhost:${url.port}` : url.origin;
}
