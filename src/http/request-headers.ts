/** What the service reads of a request's headers; the rest is the client's own business. */
export interface RequestHeaders {
  readonly authorization?: string;
  readonly "content-type"?: string;
  readonly "idempotency-key"?: string;
  /** A header that the service names itself. */
  readonly [name: string]: string | undefined;
}

/** The headers that every service reads. */
export const STANDARD_HEADERS = ["authorization", "content-type", "idempotency-key"] as const;

/**
 * Reads a request's headers.
 * @param last those of the request before: most requests bring the same, which need not be kept twice
 */
export function readHeaders(headers: Headers, names: readonly string[], last: RequestHeaders): RequestHeaders {
  const read: Record<string, string> = {};
  let isSame = true;
  for (const name of names) {
    const value = headers.get(name) ?? undefined;
    const before = last[name];
    if (value !== before) isSame = false;
    if (value !== undefined) read[name] = value === before ? before : value;
  }
  return isSame ? last : read;
}
