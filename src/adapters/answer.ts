import { networkErrorIn } from "../http/network-errors.ts";

/**
 * The answer as it may go onto a wire: without a body where HTTP has none, and with `content-length`, without which a
 * mocked socket has to be closed to end the answer and the client loses its kept-alive connection.
 *
 * @throws the error of a body that breaks off.
 */
export async function readyForWire(response: Response, method: string): Promise<Response> {
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

/** Anything that was thrown, as an Error: a client can only be told of one of those. A failure of the network is told as Node tells it. */
export function asError(thrown: unknown): Error {
  const error = networkErrorIn(thrown);
  return error instanceof Error ? error : new Error(String(error));
}
