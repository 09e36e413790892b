import { MOST_FIELDS } from "../kit/http/body.ts";
import type { Report } from "./reports.ts";

export type RecordedRequest = Extract<Report, { kind: "request" }>;

const utf8 = new TextEncoder();
/** Bodies with a defect. A recording stores only the defect's name. */
const UNREADABLE: Readonly<
  Record<NonNullable<RecordedRequest["unreadable"]>, (headers: RecordedRequest["headers"]) => Uint8Array<ArrayBuffer>>
> = {
  BODY_TOO_LARGE: () => new Uint8Array(1024 * 1024 + 1),
  MALFORMED_JSON: () => new Uint8Array([0xff]),
  UNSUPPORTED_MEDIA_TYPE: () => utf8.encode("-"),
  // A form with too many fields, or JSON that is not an object.
  VALIDATION_ERROR: (headers) =>
    utf8.encode(/^application\/x-www-form/i.test(headers["content-type"] ?? "") ? "&".repeat(MOST_FIELDS) : "[]"),
};

/** Builds a `Request` from a recorded one. */
export function requestOf(
  { method, target, headers, body, unreadable }: RecordedRequest,
  { baseUrl }: { readonly baseUrl: string },
): Request {
  const url = target.startsWith("/") ? baseUrl + target : target;
  const content = unreadable === undefined ? bytesOf(body) : UNREADABLE[unreadable](headers);
  // A coding that does not exist is refused whatever the content type is.
  const coding = unreadable === "UNSUPPORTED_MEDIA_TYPE" ? { "content-encoding": "-" } : {};
  return new Request(url, {
    method,
    headers: { ...headers, ...coding },
    ...(content === undefined ? {} : { body: content }),
  });
}

/** Encodes a body, because a text would set a content type. Doubles a byte order mark, because reading strips one. */
function bytesOf(body: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  return body === undefined ? undefined : utf8.encode(body.startsWith("\uFEFF") ? `\uFEFF${body}` : body);
}
