const HTML = "text/html";

/** The headers of a request that the service reads. */
export interface RequestHeaders {
  readonly authorization?: string;
  readonly "content-type"?: string;
  readonly "idempotency-key"?: string;
  /** `text/html` from a browser that opens a page; absent from any other caller. */
  readonly accept?: typeof HTML;
  /** A header that the service names itself. */
  readonly [name: string]: string | undefined;
}

/** The headers that every service reads. */
export const STANDARD_HEADERS = ["authorization", "content-type", "idempotency-key"] as const;

/** Reads a request's headers. */
export function readHeaders(headers: Headers, names: readonly string[]): RequestHeaders {
  const read: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null && value !== undefined) read[name] = value;
  }
  return /text\/html/i.test(headers.get("accept") ?? "") ? { ...read, accept: HTML } : read;
}
