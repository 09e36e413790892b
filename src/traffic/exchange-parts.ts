import { shownAddress } from "../kit/base/redaction/address.ts";
import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { DEEPEST_BODY, isDeeperThan } from "../kit/base/runtime/nesting.ts";
import type { Exchange, Header } from "./exchange.ts";

/** An exchange as a file has it, before its parts are checked. */
export interface WrittenExchange {
  readonly source: string;
  readonly kind: Exchange["kind"];
  readonly startedAt: string;
  readonly request: { readonly method: string; readonly url: string } & WrittenMessage;
  readonly answer?: ({ readonly status: number } & WrittenMessage) | undefined;
}

interface WrittenMessage {
  readonly headers: readonly Header[];
  readonly body?: string | undefined;
}

/** An exchange, or a sentence without its full stop that says why it is none. */
export type ReadExchange =
  | { readonly exchange: Exchange; readonly why?: undefined }
  | { readonly exchange?: undefined; readonly why: string };

const TIME_WITH_ZONE = /^\d{4}-\d\d-\d\dT[\d:.,]{4,20}(?:Z|[+-]\d\d:?\d\d)$/i;
/** What HTTP allows in the name of a header or a method (RFC 9110 §5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]{1,256}$/;
/** What `Headers` takes. */
const HEADER_VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;
/** `Request` refuses them. */
const UNPLAYABLE_METHODS: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/**
 * Checks the parts of an exchange, and writes each in one way: names of headers in lower case, time in UTC, the URL without its fragment.
 * What it lets pass can be made a `Request` and a `Response`.
 * @param timeField how the file calls `startedAt`
 */
export function exchangeOf(written: WrittenExchange, timeField: string): ReadExchange {
  const { source, kind, request, answer } = written;
  const startedAt = TIME_WITH_ZONE.test(written.startedAt) ? OriginalDate.parse(written.startedAt) : Number.NaN;
  if (Number.isNaN(startedAt))
    return { why: `${timeField} is no time in ISO 8601 with its zone, such as "2026-11-27T09:00:00.000Z"` };
  const url = URL.parse(request.url);
  const wrongUrl = whyNot(request.url, url);
  if (wrongUrl !== undefined || url === null) return { why: wrongUrl ?? "" };
  url.hash = "";
  if (!NAME.test(request.method)) return { why: "the method of its request is none of HTTP" };
  if (UNPLAYABLE_METHODS.has(request.method.toUpperCase()))
    return { why: `it is a ${request.method} request, which is not for a service` };
  const wrong = wrongMessage(request, "request") ?? (answer && wrongMessage(answer, "answer"));
  if (wrong !== undefined) return { why: wrong };
  if (answer !== undefined && !isStatus(answer.status))
    return { why: `the status of its answer is ${answer.status}, and HTTP has 100 to 599` };
  if (answer?.status === 101) return { why: "it is a WebSocket, or another connection that is no longer HTTP" };
  return {
    exchange: {
      source,
      kind,
      startedAt: new OriginalDate(startedAt).toISOString(),
      request: { method: request.method, url: url.href, ...messageOf(request) },
      ...(answer !== undefined && { answer: { status: answer.status, ...messageOf(answer) } }),
    },
  };
}

function whyNot(text: string, url: URL | null): string | undefined {
  if (url === null)
    return `its URL ${shownAddress(text.slice(0, 200))} is not a whole URL, such as "https://api.pay.example/api/checkout"`;
  if (url.protocol === "https:" || url.protocol === "http:") return undefined;
  return /^wss?:$/.test(url.protocol) ? "it is a WebSocket" : `its URL begins with ${url.protocol}, which is not HTTP`;
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599;
}

function wrongMessage({ headers, body }: WrittenMessage, what: string): string | undefined {
  const wrong = headers.find(([name, value]) => !isPseudo(name) && !(NAME.test(name) && isHeaderValue(value)));
  if (wrong !== undefined) {
    const named = NAME.test(wrong[0]) ? `the value of the header ${wrong[0].toLowerCase()}` : "the name of a header";
    return `${named} of its ${what} has characters that HTTP does not allow`;
  }
  return body !== undefined && isTooDeep(body)
    ? `the body of its ${what} has more than ${DEEPEST_BODY} levels of objects and lists`
    : undefined;
}

/** HTTP/2 has the method, the path and the status as headers, whose names begin with a colon. */
function isPseudo(name: string): boolean {
  return name.startsWith(":");
}

/** Developer tools join the values of a header that came several times with line breaks. */
function isHeaderValue(value: string): boolean {
  return value.split("\n").every((line) => HEADER_VALUE.test(line));
}

function isTooDeep(body: string): boolean {
  if (!/^\s*[[{]/.test(body)) return false;
  let opened = 0;
  for (const character of body) if (character === "[" || character === "{") opened += 1;
  if (opened <= DEEPEST_BODY) return false;
  try {
    return isDeeperThan(DEEPEST_BODY, JSON.parse(body));
  } catch {
    return false;
  }
}

function messageOf({ headers, body }: WrittenMessage): { readonly headers: readonly Header[]; readonly body?: string } {
  return {
    headers: headers
      .filter(([name]) => !isPseudo(name))
      .flatMap(([name, value]) => value.split("\n").map((line): Header => [name.toLowerCase(), line])),
    // A zero is in no text.
    ...(body !== undefined && body !== "" && !body.includes("\0") && { body }),
  };
}
