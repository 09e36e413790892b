import { isThrown, textOf } from "../kit/base/errors/thrown-values.ts";
import { responseOf } from "../kit/http/answers.ts";
import { networkErrorIn } from "../kit/http/network-errors.ts";
import type { RawAnswer } from "../kit/http/route.ts";

/**
 * Prepares an answer for a socket: removes the body if HTTP allows none, and adds `content-length`. Without a length, only closing the
 * socket would end the answer, and the client would lose its keep-alive connection.
 * @throws the error of a body that fails while it is read
 */
export async function readyForWire(answer: RawAnswer | Response, method: string): Promise<Response> {
  const response = answer instanceof Response ? answer : responseOf(answer);
  if (response.type === "error") throw new Error("The service answered with Response.error().");
  if (method === "HEAD" || response.status === 204 || response.status === 304) {
    if (response.body === null) return response;
    await response.body.cancel();
    return new Response(null, response);
  }
  if (response.headers.has("content-length") || response.headers.has("transfer-encoding")) return response;
  const body = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set("content-length", String(body.byteLength));
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** Converts a thrown value to an Error, because clients can be given nothing else. A network failure gets the same form as Node's. */
export function asError(thrown: unknown): Error {
  const error = networkErrorIn(thrown);
  return isThrown(error, Error) ? error : new Error(textOf(error));
}
