import type { ClientRequest } from "node:http";
import { momentOfResource, resourceOfNow } from "../../kit/base/runtime/async-context.ts";

/** What undici publishes of each request that it begins, by any of its versions, the one inside Node among them. */
export interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
}

export interface UndiciMessage {
  readonly request: UndiciRequest;
  readonly response: { readonly statusCode: number; readonly headers: unknown };
}

/**
 * Returns when a call was made that comes out of a queue of undici's pools now. Version 8 makes an async resource of each that enters, with
 * the call's options and handler; earlier versions begin it in the context of the call that went before.
 */
export function momentOfQueueing(): number | undefined {
  const resource = resourceOfNow();
  return resource !== undefined && "opts" in resource && "handler" in resource ? momentOfResource() : undefined;
}

/** Whether a call comes out of a queue of undici's pools now, in a version before 8. Only the stack tells. */
export function comesOutOfOlderQueue(): boolean {
  if (momentOfQueueing() !== undefined) return false;
  const { stackTraceLimit } = Error;
  // Interceptors lie between the pool and the connection.
  Error.stackTraceLimit = 50;
  const { stack } = new Error("Who calls?");
  Error.stackTraceLimit = stackTraceLimit;
  return stack?.includes("onDrain") === true;
}

/** Returns where a request leads. Its port stands in the `Host` header alone. */
export function urlOf(request: ClientRequest): URL | null {
  const { protocol, host } = request;
  const plain = urlAt(`${protocol}//${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`, request);
  const withPort = urlAt(`${protocol}//${String(request.getHeader("host") ?? host)}`, request);
  return withPort?.hostname === plain?.hostname ? withPort : plain;
}

/**
 * Returns where a request leads that is sent to an origin. A client asks a proxy for a whole URL, or for a tunnel to a host. A path may begin
 * with two slashes, which a URL takes for a host.
 */
export function urlAt(
  origin: string,
  { method, path }: { readonly method: string; readonly path: string },
): URL | null {
  if (method === "CONNECT") return URL.parse(`https://${path}`);
  return path.startsWith("/") ? URL.parse(URL.parse(origin)?.origin + path) : URL.parse(path, origin);
}
