import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { listenToChannel } from "../../kit/base/runtime/diagnostics.ts";
import { markOf } from "../call-order.ts";
import type { Call } from "./calls.ts";
import { type UndiciMessage, type UndiciRequest, urlAt, urlOf } from "./requests.ts";
import { beginCall, recentAnswers } from "./whose-call.ts";

/**
 * On a socket: the call that it carries; null when the call belongs to no interception. The library's own view of a socket shows it too.
 */
const carried = Symbol("carried");

type CarryingSocket = Socket & { [carried]?: Call | null };

/** Whether a socket is sure to carry a request of HTTP, which may come late. */
export function awaitsRequest(socket: Socket): boolean {
  return (socket as CarryingSocket)[carried] !== undefined;
}

/** Keeps a socket for a request, however late its client writes it. */
export function awaitRequest(socket: Socket): void {
  (socket as CarryingSocket)[carried] ??= null;
}

const byRequest = new WeakMap<object, Call>();
/** Those of undici to a service. A connection may carry several at once. */
const byMark = new Map<string, Call>();

/** Returns the call of a request that has arrived on a socket. @param initiator the socket, or the `ClientRequest` where a tool knows it */
export function callOf(mark: string | undefined, initiator: unknown): Call | undefined {
  if (mark !== undefined) return byMark.get(mark);
  const source = initiator as CarryingSocket;
  return byRequest.get(source) ?? source[carried] ?? undefined;
}

/** Returns the call of a request that its client has made. */
export function callOfRequest(request: ClientRequest): Call | undefined {
  return byRequest.get(request);
}

/** Learns of calls from Node and undici. */
export interface CallListener {
  /** A call is about to be written to a connection. */
  readonly send: (call: Call, socket: Socket) => void;
  /** undici asks for this URL, by a connection to that origin. */
  readonly ask: (url: URL, origin: URL) => void;
  /** undici connects now. */
  readonly connect: () => void;
}

/**
 * Follows the calls of `node:http` and undici from when they are made, on the channels that both publish for it: a call may wait in an
 * agent's queue or in a pool long before there is a connection.
 * @returns a function that ends it
 */
export function followCalls({ send, ask, connect }: CallListener): () => void {
  const onUndici = (event: string, listener: (call: Call, message: UndiciMessage) => void) =>
    listenToChannel(`undici:request:${event}`, (message) => {
      const call = byRequest.get((message as UndiciMessage).request);
      if (call !== undefined) listener(call, message as UndiciMessage);
    });
  const end = (call: Call, request: UndiciRequest): void => {
    const mark = markOf(request);
    if (mark !== undefined) byMark.delete(mark);
    call.end();
  };
  const stops = [
    listenToChannel("http.client.request.created", (message) => {
      const { request } = message as { readonly request: ClientRequest };
      const url = urlOf(request);
      const breakOff = (error: Error): void => failIfConnected(request, error);
      const call = url === null ? undefined : beginCall(request.method, url, breakOff);
      request.once("socket", (socket: CarryingSocket) => {
        socket[carried] = call ?? null;
        // A tool may have made up a socket, which has no address.
        if (call !== undefined && socket.remoteAddress !== undefined) send(call, socket);
      });
      if (call === undefined) return;
      byRequest.set(request, call);
      request.once("socket", () => continueIfExpected(request));
      request.once("close", () => call.end());
    }),
    listenToChannel("undici:request:create", (message) => {
      const { request } = message as { readonly request: UndiciRequest };
      const origin = URL.parse(String(request.origin));
      const url = origin && urlAt(origin.origin, request);
      if (url === null) return;
      ask(url, origin as URL);
      const call = beginCall(request.method, url);
      if (call !== undefined) byRequest.set(request, call);
    }),
    listenToChannel("undici:client:beforeConnect", connect),
    listenToChannel("undici:client:sendHeaders", (message) => {
      const { request, socket } = message as { readonly request: UndiciRequest; readonly socket: CarryingSocket };
      const call = byRequest.get(request);
      socket[carried] = call ?? null;
      if (call === undefined) return;
      const mark = markOf(request);
      if (mark !== undefined) byMark.set(mark, call);
      send(call, socket);
    }),
    // Another tool may have answered it.
    onUndici("headers", (call, { response }) => {
      call.answer(response.statusCode, locationIn(response.headers));
      recentAnswers.note(call);
    }),
    onUndici("trailers", (call, { request }) => end(call, request)),
    onUndici("error", (call, { request }) => end(call, request)),
  ];
  return () => {
    for (const stop of stops) stop();
    byMark.clear();
  };
}

/** Lets a request send its body. The library never sends 100, for which the request would wait. */
function continueIfExpected(request: ClientRequest): void {
  if (/^100-continue$/i.test(String(request.getHeader("expect")))) request.emit("continue");
}

/** Fails a request that has a socket. Any other request is refused when it gets one, because Node drops an error that comes earlier. */
function failIfConnected(request: ClientRequest, error: Error): void {
  // In a microtask the library's sockets tell of an error before they tell that they have closed.
  if (request.socket !== null) void Promise.resolve().then(() => request.destroy(error));
}

/** @param headers names and values in turn */
function locationIn(headers: unknown): string | undefined {
  if (!Array.isArray(headers)) return undefined;
  const at = headers.findIndex((text, index) => index % 2 === 0 && String(text).toLowerCase() === "location");
  return at === -1 ? undefined : String(headers[at + 1]);
}
