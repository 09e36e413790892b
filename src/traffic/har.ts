import { version } from "../kit/base/runtime/version.ts";
import type { Exchange, Header } from "./exchange.ts";
import type { KeptBody } from "./recorded-body.ts";

/** An exchange without its secrets, with what HAR says of it besides. */
export interface RecordedExchange {
  readonly exchange: Exchange;
  /** How long it took, in milliseconds. */
  readonly duration: number;
  readonly statusText: string;
  readonly requestBody: Pick<KeptBody, "size" | "omitted">;
  readonly answerBody: Pick<KeptBody, "size" | "omitted">;
  /** Why there is no answer. */
  readonly failure?: string;
}

const HTTP = "HTTP/1.1";

/** Writes exchanges as HAR 1.2, each on a line of its own. */
export function harOf(entries: readonly string[]): string {
  const creator = JSON.stringify({ name: "Centavo", version: version() });
  const list = entries.length === 0 ? "" : `\n${entries.join(",\n")}\n`;
  return `{"log":{"version":"1.2","creator":${creator},"entries":[${list}]}}\n`;
}

/** Writes an exchange as an entry of HAR 1.2. What HAR has no field for begins with an underscore, as it allows. */
export function harEntryOf(recorded: RecordedExchange): string {
  const { exchange, duration, failure, requestBody, answerBody } = recorded;
  const omitted = [
    ...(requestBody.omitted === "too long" ? ["request"] : []),
    ...(answerBody.omitted === "too long" ? ["answer"] : []),
  ];
  return JSON.stringify({
    startedDateTime: exchange.startedAt,
    time: duration,
    request: requestOf(recorded),
    response: responseOf(recorded),
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    ...(commentOf(recorded) !== "" && { comment: commentOf(recorded) }),
    ...(failure !== undefined && { _error: failure }),
    _centavo: { kind: exchange.kind, ...(omitted.length > 0 && { omitted }) },
  });
}

function requestOf({ exchange: { request }, requestBody: { size } }: RecordedExchange): object {
  const { method, url, headers, body } = request;
  const mimeType = typeOf(headers);
  return {
    method,
    url,
    httpVersion: HTTP,
    // They stand in the headers, without their values.
    cookies: [],
    headers: headers.map(([name, value]) => ({ name, value })),
    queryString: queryOf(url),
    ...((size > 0 || body !== undefined) && { postData: { mimeType, params: [], text: body ?? "" } }),
    headersSize: -1,
    bodySize: size,
  };
}

/** HAR has no entry without a response. One with the status 0 is how browsers write a request that got no answer. */
function responseOf({ exchange: { answer }, answerBody: { size }, statusText }: RecordedExchange): object {
  const { status = 0, headers = [], body } = answer ?? {};
  return {
    status,
    statusText,
    httpVersion: answer === undefined ? "" : HTTP,
    cookies: [],
    headers: headers.map(([name, value]) => ({ name, value })),
    content: { size, mimeType: typeOf(headers), ...(body !== undefined && { text: body }) },
    redirectURL: headers.find(([name]) => name === "location")?.[1] ?? "",
    headersSize: -1,
    bodySize: size,
  };
}

function commentOf({ requestBody, answerBody }: RecordedExchange): string {
  const parts = [
    ["request", requestBody],
    ["answer", answerBody],
  ] as const;
  return parts
    .flatMap(([what, { size, omitted }]) =>
      omitted === undefined
        ? []
        : [`The body of the ${what} is left out: its ${size} bytes are ${omitted === "binary" ? "no text" : omitted}.`],
    )
    .join(" ");
}

function typeOf(headers: readonly Header[]): string {
  return headers.find(([name]) => name === "content-type")?.[1] ?? "";
}

function queryOf(url: string): readonly object[] {
  return Array.from(URL.parse(url)?.searchParams ?? [], ([name, value]) => ({ name, value }));
}
