/** A request, and the text of its body where the caller gave a text. */
export interface GivenRequest {
  /** A request may bring the class of its answer: whoever writes to a socket needs no stream. */
  readonly request: Request & { readonly Answer?: typeof Response };
  /** When it is there, the request itself has no body. */
  readonly text?: string;
}

/**
 * Builds the request of a call to `fetch`. A text never becomes a stream, because making and reading one costs a fifth of an answer.
 * @param baseUrl is put before a path
 * @throws TypeError whatever `new Request(input, init)` throws
 */
export function requestOf(input: Request | URL | string, init: RequestInit | undefined, baseUrl: string): GivenRequest {
  if (input instanceof Request) {
    if (init === undefined) return { request: input };
    return carriesText(input, init) ? { request: input, text: init.body } : { request: new Request(input, init) };
  }
  const url = typeof input === "string" && input.startsWith("/") ? baseUrl + input : input;
  // An object of a class may inherit its fields, which a copy would lose.
  if (typeof init?.body !== "string" || Object.getPrototypeOf(init) !== Object.prototype)
    return { request: new Request(url, init) };
  const { body: text, ...rest } = init;
  const request = new Request(url, rest);
  // It throws, because such a request has no body.
  if (request.method === "GET" || request.method === "HEAD") return { request: new Request(url, init) };
  if (!request.headers.has("content-type")) request.headers.set("content-type", "text/plain;charset=UTF-8");
  return { request, text };
}

/** Whether this is a request that an earlier call of `requestOf` built, with its text beside it. */
function carriesText(request: Request, init: RequestInit): init is { readonly body: string } {
  const { method, headers } = request;
  return (
    typeof init.body === "string" &&
    Object.keys(init).length === 1 &&
    request.body === null &&
    method !== "GET" &&
    method !== "HEAD" &&
    headers.has("content-type")
  );
}
