import { ApiError } from "./errors.ts";

const LARGEST_BODY = 1024 * 1024;
const DEEPEST_JSON = 32;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Reads a request's body as text, and no more of it than the service takes. */
export async function readBody(request: Request): Promise<string> {
  if (request.method === "GET" || request.method === "HEAD") return "";
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > LARGEST_BODY) {
    await request.body?.cancel();
    throw new ApiError("BODY_TOO_LARGE");
  }
  // Only a body of undeclared length that comes over a socket can be endless; any other is in memory already.
  const bytes = request.headers.has("transfer-encoding") ? await readChunks(request) : new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > LARGEST_BODY) throw new ApiError("BODY_TOO_LARGE");
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError("MALFORMED_JSON", { message: "The body is not valid UTF-8" });
  }
}

async function readChunks(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader?.read()) {
    length += chunk.value.byteLength;
    if (length > LARGEST_BODY) {
      await reader?.cancel();
      throw new ApiError("BODY_TOO_LARGE");
    }
    chunks.push(chunk.value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/**
 * Parses a body by its content type. An empty body counts as an empty object, so that a call without any required field may leave it out.
 * @throws {ApiError} `UNSUPPORTED_MEDIA_TYPE`, `MALFORMED_JSON`, or a validation error for a form field given twice
 */
export function parseBody(body: string, contentType: string | null, accepts: readonly ("json" | "form")[]): unknown {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (body === "" && mediaType === "") return {};
  if (accepts.includes("json") && (mediaType === "application/json" || /^application\/[a-z0-9.-]+\+json$/.test(mediaType))) {
    return body.trim() === "" ? {} : parseJson(body);
  }
  if (accepts.includes("form") && mediaType === "application/x-www-form-urlencoded") return parseParameters(new URLSearchParams(body));
  const expected = accepts.map((format) => (format === "json" ? "application/json" : "application/x-www-form-urlencoded")).join(" or ");
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message: `The content type must be ${expected}, not ${mediaType === "" ? "missing" : `"${mediaType}"`}` });
}

/** Query or form parameters as an object. A parameter given twice is refused: which of the two would count is anybody's guess. */
export function parseParameters(parameters: URLSearchParams): Record<string, string> {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of parameters) {
    if (name in values) throw new ApiError("VALIDATION_ERROR", { errors: [{ path: name, message: "is given more than once", code: "validation_error" }] });
    values[name] = value;
  }
  return values;
}

function parseJson(body: string): unknown {
  if (nestingOf(body) > DEEPEST_JSON) throw new ApiError("MALFORMED_JSON", { message: `The body is nested deeper than ${DEEPEST_JSON} levels` });
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new ApiError("MALFORMED_JSON", { message: `The body is not valid JSON: ${withoutContent(error)}` });
  }
}

/** V8 quotes the text around a syntax error, which may be a secret. */
function withoutContent(error: unknown): string {
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error))?.[0];
  return position ?? "it ends too early or holds something else";
}

/** JSON.parse takes nesting that JSON.stringify and structuredClone cannot, so it is counted before anything is parsed. */
function nestingOf(json: string): number {
  let deepest = 0;
  let depth = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (inText) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}
