import { setImmediate } from "node:timers";
import type { Service } from "../../http/service.ts";

/**
 * Hands one request to a service and makes its answer fit for the wire.
 *
 * Waits for one real macrotask first, as a network does: a loop of awaited calls would otherwise never let a timer fire,
 * and would keep every response alive until it ends. `setImmediate` comes from its module, which fake timers leave alone.
 *
 * @throws what the service rejects with; to the client that is a network error, such as `ECONNRESET`.
 */
export async function exchange(service: Service, request: Request): Promise<Response> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  request.signal.throwIfAborted();
  return withContentLength(await service.fetch(request), request.method);
}

/** Without `content-length` a mocked socket has to be closed to end the answer, and the client loses its kept-alive connection. */
async function withContentLength(response: Response, method: string): Promise<Response> {
  if (response.type === "error") throw new Error("The service answered with Response.error().");
  if (method === "HEAD" || response.status === 204 || response.status === 304) {
    return response.body === null ? response : new Response(null, response);
  }
  if (response.headers.has("content-length") || response.headers.has("transfer-encoding")) return response;
  const body = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set("content-length", String(body.byteLength));
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** Anything that was thrown, as an Error: a client can only be told of one of those. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
