const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const bodyHeaders = ["content-encoding", "content-language", "content-location", "content-type", "content-length"];
const credentialHeaders = ["authorization", "proxy-authorization", "cookie", "host"];

/** The request that follows a redirect, with its original body, which a further redirect may need again. */
export interface Hop {
  readonly request: Request;
  readonly body: BodyInit | null | undefined;
}

/**
 * Builds the next request after this answer, as the "HTTP-redirect fetch" of the Fetch standard does.
 *
 * @param body the original body of the request, because the request itself is already read, or never had it
 * @param hops how many redirects were followed so far
 * @returns undefined when the answer is final, and an error when the standard demands a network error
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
  const hasBody = request.body !== null;
  const headers = new Headers(request.headers);
  if (becomesGet) for (const name of bodyHeaders) headers.delete(name);
  if (url.origin !== new URL(request.url).origin) for (const name of credentialHeaders) headers.delete(name);

  const nextBody = becomesGet || !hasBody ? undefined : body;
  const cannotRepeat = hasBody && (body === undefined || body instanceof ReadableStream);
  if (status !== 303 && cannotRepeat)
    return new Error("the redirect must send the request's body again, but the body was a stream");
  const init: RequestInit = { method: becomesGet ? "GET" : request.method, headers, signal: request.signal };
  if (nextBody !== undefined) init.body = nextBody;
  return { request: new Request(url, init), body: nextBody };
}
