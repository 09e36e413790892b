/**
 * Builds the request of a call to `fetch`.
 * @param baseUrl is put before a path
 * @throws TypeError whatever `new Request(input, init)` throws
 */
export function requestOf(input: Request | URL | string, init: RequestInit | undefined, baseUrl: string): Request {
  if (input instanceof Request && init === undefined) return input;
  return new Request(typeof input === "string" && input.startsWith("/") ? baseUrl + input : input, init);
}
