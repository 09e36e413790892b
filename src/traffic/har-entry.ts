import * as z from "zod/mini";
import { readPart } from "../kit/base/errors/english.ts";
import type { Header } from "./exchange.ts";
import { exchangeOf } from "./exchange-parts.ts";
import type { ReadExchange, WrittenExchange } from "./exchange-parts.ts";
import { shownInMessages } from "./shown-in-messages.ts";

const headers = z.nullish(z.array(z.object({ name: z.string(), value: z.string() })));
const text = z.nullish(z.string());
const size = z.nullish(z.number());

const postData = z.object({
  mimeType: text,
  text,
  params: z.nullish(z.array(z.object({ name: z.string(), value: text, fileName: text }))),
  // HAR 1.2 has no binary requests. Some tools mark them as they mark answers.
  encoding: text,
  _encoding: text,
});

const content = z.object({ size, mimeType: text, text, encoding: text, _file: text, _sha1: text });

/** What this reader needs of an entry of HAR 1.2, with the fields that browsers and Playwright add. */
const harEntry = z.object({
  startedDateTime: z.string(),
  request: z.object({ method: z.string(), url: z.string(), headers, bodySize: size, postData: z.nullish(postData) }),
  response: z.nullish(z.object({ status: z.number(), headers, content: z.nullish(content) })),
  _fromCache: z.optional(z.unknown()),
  _webSocketMessages: z.optional(z.unknown()),
  _centavo: z.optional(
    z.object({
      kind: z.optional(z.enum(["call", "delivery"])),
      /** The bodies that were too long for the recorder. */
      omitted: z.optional(z.array(z.enum(["request", "answer"]))),
    }),
  ),
});
type HarEntry = z.output<typeof harEntry>;

const TEXT_TYPE = /^\s*(?:text\/|application\/(?:[\w.+-]{0,100}\b(?:json|xml|javascript|x-www-form-urlencoded)\b))/i;

/** Reads an entry of a HAR file. */
export function exchangeOfHarEntry(entry: unknown, source: string): ReadExchange {
  const { data, complaint } = readPart(harEntry, entry, shownInMessages);
  if (complaint !== undefined) return { why: complaint };
  const why = whyLeftOut(data);
  if (why !== undefined) return { why };
  const body = requestBodyOf(data);
  const answer = answerOf(data);
  if (body === NOT_BASE64 || answer?.body === NOT_BASE64)
    return { why: "one of its bodies is marked as base64, but is not" };
  const { method, url, headers: sent } = data.request;
  const kind = data._centavo?.kind ?? "call";
  const request = { method, url, headers: pairsOf(sent), body: body ?? undefined };
  const written: WrittenExchange = {
    source,
    kind,
    startedAt: data.startedDateTime,
    request,
    answer: answer && { ...answer, body: answer.body ?? undefined },
  };
  return exchangeOf(written, "startedDateTime");
}

/** Says why an entry shows no whole exchange with a service. */
function whyLeftOut({ request, response, _fromCache, _webSocketMessages, _centavo }: HarEntry): string | undefined {
  if (_webSocketMessages !== undefined) return "it is a WebSocket";
  if (_fromCache !== undefined && _fromCache !== null) return "the browser answered it from its cache";
  const [omitted] = _centavo?.omitted ?? [];
  if (omitted !== undefined) return `the body of its ${omitted} was too long for the recorder, which left it out`;
  if (isMissing(request.postData, request.bodySize))
    return `its request had a body of ${request.bodySize} bytes, which the recording does not have`;
  const answered = response?.content;
  if (answered?.text === undefined && (answered?._file ?? answered?._sha1) !== undefined)
    return 'the body of its answer is in another file. Record with content: "embed", which puts bodies into the HAR file';
  if (request.method !== "HEAD" && isMissing(answered, answered?.size))
    return `its answer had a body of ${answered?.size} bytes, which the recording does not have. Save the HAR file with content`;
  return undefined;
}

/** Whether a text was sent that the file does not have. Bodies that are no text are not needed. */
function isMissing(
  body: z.output<typeof content> | z.output<typeof postData> | null | undefined,
  bytes: number | null | undefined,
): boolean {
  if ((bytes ?? 0) <= 0 || typeof body?.text === "string") return false;
  if (body !== null && body !== undefined && "params" in body && (body.params ?? []).length > 0) return false;
  const type = body?.mimeType ?? "";
  return type === "" || TEXT_TYPE.test(type);
}

const NOT_BASE64 = Symbol("not base64");
type Body = string | undefined | typeof NOT_BASE64;

function requestBodyOf({ request: { postData: sent } }: HarEntry): Body {
  if (sent === undefined || sent === null) return undefined;
  if ((sent.text ?? "") !== "") return decoded(sent.text, sent._encoding ?? sent.encoding);
  const params = sent.params ?? [];
  // The content of a file is not in its parameter.
  if (params.length === 0 || params.some(({ fileName }) => (fileName ?? "") !== "")) return undefined;
  return new URLSearchParams(params.map(({ name, value }) => [name, value ?? ""])).toString();
}

/** Browsers write the status 0 for a request that got no answer, and Playwright -1. */
function answerOf({
  response,
}: HarEntry): { readonly status: number; readonly headers: readonly Header[]; readonly body: Body } | undefined {
  if (response === undefined || response === null || response.status <= 0) return undefined;
  const { status, headers: got, content: answered } = response;
  return { status, headers: pairsOf(got), body: decoded(answered?.text, answered?.encoding) };
}

/** Returns the text that a body holds; undefined for one that is no text. */
function decoded(body: string | null | undefined, encoding: string | null | undefined): Body {
  if (body === undefined || body === null) return undefined;
  if ((encoding ?? "").toLowerCase() !== "base64") return body;
  try {
    const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
    return textIn(bytes);
  } catch {
    return NOT_BASE64;
  }
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function pairsOf(list: z.output<typeof headers>): readonly Header[] {
  return (list ?? []).map(({ name, value }) => [name, value]);
}
