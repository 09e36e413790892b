import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { urlAt, urlOf } from "../adapters/network/requests.ts";
import type { UndiciRequest } from "../adapters/network/requests.ts";
import { listenToChannel } from "../kit/base/runtime/diagnostics.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Recorder } from "./recorder.ts";
import { WatchedSocket } from "./watched-socket.ts";

/**
 * Records the calls of this process to some origins, whichever client makes them: on the channels that Node and undici publish for it, it
 * learns of each call before its first byte is written, and then reads along on its connection. That changes nothing of the call.
 * @returns a function that ends it
 */
export function watchCalls(origins: ReadonlySet<string>, recorder: Recorder): () => void {
  const watched = new Map<Socket, WatchedSocket>();
  const written = new WeakSet<object>();
  const isRecorded = (url: URL): boolean => origins.has(url.origin);

  const watch = (url: URL, socket: Socket): void => {
    const known = watched.get(socket);
    if (known !== undefined) {
      known.expect(url.origin);
      return;
    }
    watched.set(socket, new WatchedSocket(socket, url.origin, recorder, isRecorded));
    socket.once("close", () => watched.delete(socket));
  };

  const stops = [
    listenToChannel("http.client.request.created", (message) => {
      const { request } = message as { readonly request: ClientRequest };
      const url = urlOf(request);
      if (url !== null && isRecorded(url)) request.once("socket", (socket) => watch(url, socket));
    }),
    listenToChannel("undici:client:sendHeaders", (message) => {
      const { request, socket } = message as { readonly request: UndiciRequest; readonly socket: Socket };
      const url = urlOfUndici(request);
      if (url === null || !isRecorded(url)) return;
      written.add(request);
      watch(url, socket);
    }),
    // Such as one for which there is no connection.
    listenToChannel("undici:request:error", (message) => {
      const { request, error } = message as { readonly request: UndiciRequest; readonly error: unknown };
      const url = urlOfUndici(request);
      if (url === null || !isRecorded(url) || written.has(request)) return;
      recorder
        .begin({ kind: "call", method: request.method, url: url.href, headers: [] })
        .end(`${messageOf(error).replace(/\.$/, "")}.`);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    for (const socket of watched.values()) socket.release();
  };
}

function urlOfUndici(request: UndiciRequest): URL | null {
  const origin = URL.parse(String(request.origin));
  return origin && urlAt(origin.origin, request);
}
