/** Headers that would ask for a version, if the service had any. */
export const VERSION_HEADERS = ["accept-version", "api-version", "stripe-version", "x-api-version"] as const;

const NAMES = ["authorization", "content-type", "idempotency-key", "x-admin-key", ...VERSION_HEADERS] as const;

/** What the service reads of a request's headers; the rest is the client's own business. */
export type RequestHeaders = { readonly [Name in (typeof NAMES)[number]]?: string };

/**
 * Reads a request's headers.
 * @param last those of the request before: most requests bring the same, which need not be kept twice
 */
export function readHeaders(headers: Headers, last: RequestHeaders): RequestHeaders {
  const read: { -readonly [Name in keyof RequestHeaders]: string } = {};
  let isSame = true;
  for (const name of NAMES) {
    const value = headers.get(name) ?? undefined;
    const before = last[name];
    if (value !== before) isSame = false;
    if (value !== undefined) read[name] = value === before ? before : value;
  }
  return isSame ? last : read;
}
