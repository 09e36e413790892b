import { decompressed } from "../base/runtime/decompression.ts";
import { DEEPEST_BODY } from "../base/runtime/nesting.ts";
import { fieldProblems, Problem } from "./problem.ts";

/** The largest body that any service takes, in bytes. */
export const LARGEST_BODY = 1024 * 1024;
/** A body has room for a hundred times as many, and reading that many would take too long. */
export const MOST_FIELDS = 10_000;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The format of a body. */
export type BodyFormat = "json" | "form";

/** What a query or a body says. */
export interface Given {
  readonly value: unknown;
  /** The parameters that it gives more than once: any of their values could be the one that was meant. */
  readonly repeated: readonly string[];
}

/**
 * Reads a request's body, and no more of it than the service takes, because a stream need not end.
 * @param yieldToEventLoop lets the event loop turn once
 * @param largest the largest body that the service takes, in bytes
 * @returns the text, or the problem with it, which is answered once the caller is known
 * @throws the error that broke off the body: then there is no client left to answer
 */
export async function readBody(
  request: Request,
  yieldToEventLoop: () => Promise<void>,
  largest = LARGEST_BODY,
): Promise<string | Problem> {
  const { method, body } = request;
  if (method === "GET" || method === "HEAD" || body === null) return "";
  const received = await readBytes(request, yieldToEventLoop, largest);
  if (received === undefined) return tooLarge(largest);
  const bytes = await decoded(received, request.headers.get("content-encoding") ?? "", largest);
  if (bytes instanceof Problem) return bytes;
  try {
    return utf8.decode(bytes);
  } catch {
    return new Problem("malformed-body", { detail: "The body is not valid UTF-8" });
  }
}

function tooLarge(largest: number): Problem {
  return new Problem(
    "body-too-large",
    largest === LARGEST_BODY ? {} : { detail: `The body is larger than ${largest} bytes` },
  );
}

/** Undoes the coding of a body. One body may have several, which the service does not take: each could be a hundred times as large as the one before. */
async function decoded(
  bytes: Uint8Array<ArrayBuffer>,
  contentEncoding: string,
  largest: number,
): Promise<Uint8Array | Problem> {
  const coding = contentEncoding.trim().toLowerCase();
  if (coding === "" || coding === "identity" || bytes.byteLength === 0) return bytes;
  const content = await decompressed(bytes, coding, largest);
  if (content === "too-large") return tooLarge(largest);
  if (content === "malformed")
    return new Problem("malformed-body", { detail: `The body is not ${coding}, which its Content-Encoding names` });
  if (content === "unsupported") {
    return new Problem("unsupported-media-type", {
      detail: `The Content-Encoding must be one of gzip, deflate, br and zstd, not ${JSON.stringify(coding.slice(0, 100))}`,
      headers: { "accept-encoding": "gzip, deflate, br, zstd" },
    });
  }
  return content;
}

/** Returns undefined when the body is larger than the service takes. */
async function readBytes(
  request: Request,
  yieldToEventLoop: () => Promise<void>,
  largest: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Some browsers do not show a request's body as a stream.
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let brokenOff = false;
  const { signal } = request;
  // In memory, nothing else ends the body when its client has left.
  signal.addEventListener("abort", () => {
    const stop = (): Promise<void> => {
      brokenOff = true;
      return reader.cancel();
    };
    yieldToEventLoop()
      .then(stop)
      .catch(() => undefined);
  });
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    length += chunk.value.byteLength;
    if (length > largest) {
      // The last read makes a Node stream flow again from the next tick on. Cancelled before that, it would write to a closed reader and
      // end the process. One turn later it is either paused or empty.
      await yieldToEventLoop();
      // Not awaited: a request that was cloned, as MSW does, is canceled only with its clone.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(chunk.value);
  }
  if (brokenOff) throw signal.reason;
  return chunks.length === 1 ? chunks[0] : joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/**
 * Parses a body by its content type. An empty body counts as an empty object, so a call without required fields may leave it out.
 * @throws {Problem} `unsupported-media-type` or `malformed-body`
 */
export function parseBody(body: string, contentType: string | undefined, accepts: readonly BodyFormat[]): Given {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (body === "" && mediaType === "") return { value: {}, repeated: [] };
  if (
    accepts.includes("json") &&
    (mediaType === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(mediaType))
  ) {
    return { value: body.trim() === "" ? {} : parseJson(body), repeated: [] };
  }
  if (accepts.includes("form") && mediaType === "application/x-www-form-urlencoded") return parseParameters(body);
  const expected = accepts
    .map((format) => (format === "json" ? "application/json" : "application/x-www-form-urlencoded"))
    .join(" or ");
  throw new Problem("unsupported-media-type", {
    detail: `The content type must be ${expected}, not ${mediaType === "" ? "missing" : `"${mediaType}"`}`,
  });
}

/**
 * Parses query or form parameters.
 * @throws {Problem} `invalid` for more parameters than the service takes
 */
export function parseParameters(text: string): Given & { readonly value: Readonly<Record<string, string>> } {
  const value: Record<string, string> = Object.create(null) as Record<string, string>;
  if (text === "") return { value, repeated: [] };
  if (hasMore(text, "&", MOST_FIELDS - 1))
    throw new Problem("invalid", { errors: fieldProblems([""], `must have at most ${MOST_FIELDS} parameters`) });
  const repeated = new Set<string>();
  for (const [name, content] of new URLSearchParams(text)) {
    if (name in value) repeated.add(name);
    value[name] = content;
  }
  return { value, repeated: [...repeated] };
}

/** @throws {Problem} `malformed-body`, also for a body that is nested deeper or has more fields than the service takes */
export function parseJson(body: string): unknown {
  const excess = excessOf(body);
  if (excess !== undefined) throw new Problem("malformed-body", { detail: `The body ${excess}` });
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new Problem("malformed-body", { detail: `The body is not valid JSON: ${withoutContent(error)}` });
  }
}

/** V8 quotes the text around a syntax error, which may be a secret. */
function withoutContent(error: unknown): string {
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error))?.[0];
  return position ?? "it ends too early or is not JSON at all";
}

/**
 * Returns what a JSON text has too much of, if anything, before it is parsed: JSON.parse takes a hundred milliseconds for a body full of
 * tiny fields.
 */
function excessOf(json: string): string | undefined {
  // A short text has too many fields or levels only if it has many brackets.
  if (json.length <= MOST_FIELDS && !hasMore(json, "{", DEEPEST_BODY / 2) && !hasMore(json, "[", DEEPEST_BODY / 2))
    return undefined;
  let depth = 0;
  let parts = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (inText) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      parts += 1;
      if (depth > DEEPEST_BODY) return `is nested deeper than ${DEEPEST_BODY} levels`;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x3a) parts += 1;
    if (parts > MOST_FIELDS) return `has more than ${MOST_FIELDS} fields, objects and lists`;
  }
  return undefined;
}

/** Whether a mark occurs more often than this in a text. */
function hasMore(text: string, mark: string, most: number): boolean {
  let count = 0;
  for (let index = text.indexOf(mark); index !== -1; index = text.indexOf(mark, index + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}
