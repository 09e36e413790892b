const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const bodyHeaders = ["content-encoding", "content-language", "content-location", "content-type", "content-length"];
const credentialHeaders = ["authorization", "proxy-authorization", "cookie", "host"];

/** The request that follows a redirect, with the body that it was made from, should it be needed once more. */
export interface Hop {
  readonly request: Request;
  readonly body: BodyInit | null | undefined;
}

/**
 * The next request after this answer, as the Fetch standard's "HTTP-redirect fetch" builds it.
 *
 * @param body what the request's body was made from: the request itself has been read by now.
 * @param hops how many redirects have been followed already.
 * @returns undefined where the answer is final, an error where the standard ends in a network error.
 */
export function nextHop(
  request: Request,
  response: Response,
  body: BodyInit | null | undefined,
  hops: number,
): Hop | Error | undefined {
  const location = response.headers.get("location");
  if (!redirectStatuses.has(response.status) || location === null || request.redirect === "manual") return undefined;
  if (request.redirect === "error") return new Error("unexpected redirect");
  if (hops >= 20) return new Error("redirect count exceeded");
  const url = URL.parse(location, request.url);
  if (url === null || !/^https?:$/.test(url.protocol)) return new Error("URL scheme must be a HTTP(S) scheme");

  const { status } = response;
  const becomesGet =
    (request.method === "POST" && (status === 301 || status === 302)) ||
    (status === 303 && request.method !== "GET" && request.method !== "HEAD");
  const headers = new Headers(request.headers);
  if (becomesGet) for (const name of bodyHeaders) headers.delete(name);
  if (url.origin !== new URL(request.url).origin) for (const name of credentialHeaders) headers.delete(name);

  const nextBody = becomesGet || request.body === null ? undefined : body;
  const cannotRepeat = request.body !== null && (body === undefined || body instanceof ReadableStream);
  if (status !== 303 && cannotRepeat)
    return new Error("the redirect needs the request's body again, and it was a stream");
  const init: RequestInit = { method: becomesGet ? "GET" : request.method, headers, signal: request.signal };
  if (nextBody !== undefined) init.body = nextBody;
  return { request: new Request(url, init), body: nextBody };
}
