/** The headers of a request, asked for by their names in lower case. */
export interface GivenHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null | undefined;
  has(name: string): boolean;
  delete(name: string): unknown;
}

/** As much of a request as a service reads. A `Request` is one; whoever needs no more makes none, because it costs a tenth of an answer. */
export interface GivenRequest extends Partial<Pick<Request, "arrayBuffer" | "clone" | "redirect">> {
  readonly method: string;
  /** Absolute and normalised. */
  readonly url: string;
  readonly headers: GivenHeaders;
  readonly signal: AbortSignal;
  readonly body: { getReader(): Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel"> } | null;
  /** The body, if the caller gave a text: then `body` is null, because making and reading a stream costs a fifth of an answer. */
  readonly bodyText?: string;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const TEXT = "text/plain;charset=UTF-8";

/**
 * Builds the request of a call to `fetch`.
 * @param baseUrl is put before a path
 * @throws TypeError whatever `new Request(input, init)` throws
 */
export function requestOf(input: Request | URL | string, init: RequestInit | undefined, baseUrl: string): GivenRequest {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init);
  const url = typeof input === "string" && input.startsWith("/") ? baseUrl + input : input;
  // An object of a class may inherit its fields, which a copy would lose.
  if (init !== undefined && Object.getPrototypeOf(init) !== Object.prototype) return new Request(url, init);
  const { body, ...rest } = init ?? {};
  const text = body ?? undefined;
  if (text !== undefined && typeof text !== "string") return new Request(url, init);
  const plain = plainRequest(url, rest, text);
  if (plain !== undefined) return plain;
  const request = new Request(url, rest);
  if (text === undefined) return request;
  // It throws, because such a request has no body.
  if (request.method === "GET" || request.method === "HEAD") return new Request(url, init);
  if (!request.headers.has("content-type")) request.headers.set("content-type", TEXT);
  return Object.assign(request, { bodyText: text });
}

/** Returns the whole request, for whoever knows only those. */
export function wholeRequest(given: GivenRequest): Request {
  const { url, method, headers, signal, bodyText } = given;
  const body = bodyText === undefined ? {} : { body: bodyText };
  if (!(given instanceof Request)) return new Request(url, { method, headers: [...headers], signal, ...body });
  return bodyText === undefined ? given : new Request(given, body);
}

/** Returns undefined for all but the calls that most clients make: an address, and no options but a method, headers and a text. */
function plainRequest(
  input: URL | string,
  { method = "GET", headers = {}, ...others }: RequestInit,
  bodyText: string | undefined,
): GivenRequest | undefined {
  const mayHaveBody = method !== "GET" && method !== "HEAD";
  if (!METHODS.has(method) || (bodyText !== undefined && !mayHaveBody) || Object.keys(others).length > 0)
    return undefined;
  const url = plainAddress(input);
  const given = plainHeaders(headers);
  if (url === undefined || given === undefined) return undefined;
  const { signal } = new AbortController();
  if (bodyText === undefined) return { method, url, headers: given, signal, body: null };
  const typed = given.has("content-type") ? given : new Map(given).set("content-type", TEXT);
  return { method, url, headers: typed, signal, body: null, bodyText };
}

function plainAddress(input: URL | string): string | undefined {
  try {
    const { href, username, password } = new URL(input);
    return username === "" && password === "" ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The headers of the latest call. Most calls repeat them, and to compare them takes a tenth of the time that their check takes. */
let latest: {
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly headers: Map<string, string>;
} = {
  names: [],
  values: [],
  headers: new Map(),
};

/** @throws TypeError for a header that HTTP does not allow */
function plainHeaders(given: HeadersInit): Map<string, string> | undefined {
  if (Object.getPrototypeOf(given) !== Object.prototype) return undefined;
  const names = Object.keys(given);
  const values = Object.values(given) as string[];
  if (values.some((value) => typeof value !== "string")) return undefined;
  const isSame = (text: string, index: number) => text === latest.names[index];
  if (
    names.length === latest.names.length &&
    names.every(isSame) &&
    values.every((value, index) => value === latest.values[index])
  )
    return latest.headers;
  const headers = new Map(new Headers(given));
  latest = { names, values, headers };
  return headers;
}
