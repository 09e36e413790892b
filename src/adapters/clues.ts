import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { readBasic } from "../kit/http/basic.ts";
import { readBody } from "../kit/http/body.ts";
import { Problem } from "../kit/http/problem.ts";

/** How much of a body is searched for what identifies its world, in bytes. A token request is much smaller. */
const LONGEST_HEAD = 64 * 1024;
/** Shorter texts are not searched for. Every generated id is longer, but a test's own credentials may be as short as a word in a path. */
const SHORTEST_ID = 16;
/** A text in quotes. One that is cut short matches to the end, because the search would otherwise go on inside it. */
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*("|\\?$)/gs;

export class Credentials {
  readonly #own: readonly string[];
  /** The last `Authorization` and its texts. Most clients repeat the header, and parsing it anew would mean hashing a new string. */
  #latest: { readonly header: string | undefined; readonly texts: readonly string[] } = {
    header: undefined,
    texts: [],
  };

  /** @param own the headers besides `Authorization` that carry the service's credentials */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  /** Returns access tokens, client keys, client ids of HTTP Basic, and the values of the service's own headers. */
  in(headers: Headers): readonly string[] {
    const header = headers.get("authorization") ?? undefined;
    if (header !== this.#latest.header) this.#latest = { header, texts: header === undefined ? [] : textsOf(header) };
    const own = this.#own.flatMap((name) => headers.get(name) ?? []);
    return own.length === 0 ? this.#latest.texts : [...this.#latest.texts, ...own];
  }
}

function textsOf(authorization: string): string[] {
  const clients = readBasic(authorization);
  return clients.length > 0 ? clients.map(({ id }) => id) : [authorization.replace(/^Bearer /i, "").trim()];
}

/** Returns the values of all headers, and the contents of `Authorization`. */
export function textsInHeaders(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => (name === "authorization" ? textsOf(value) : value));
}

/** Returns the parts of an address that may be ids: decoded path segments and query values. */
export function idsInAddress({ pathname, search }: URL): string[] {
  const segments = pathname.split("/").map((segment) => (segment.includes("%") ? decoded(segment) : segment));
  const values = search === "" ? [] : new URLSearchParams(search).values();
  return [...segments, ...values].filter(({ length }) => length >= SHORTEST_ID);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the values of a form, or the texts of JSON, in the beginning of a request's body. The request keeps its body. */
export async function textsInBody(request: Request): Promise<string[]> {
  return textsIn(await headOf(request), request.headers);
}

/** Returns the values of a form, or the texts of JSON. Both may be incomplete. */
export function textsIn(body: string, headers: Headers): string[] {
  const head = body.slice(0, LONGEST_HEAD);
  if (/^application\/x-www-form-urlencoded\b/i.test(headers.get("content-type") ?? ""))
    return [...new URLSearchParams(head).values()];
  return quotedIn(head);
}

/** Returns the texts between quotes. Field names are included, because only a full parser could tell them apart. */
function quotedIn(json: string): string[] {
  const texts: string[] = [];
  for (const [quoted, end] of json.matchAll(QUOTED)) if (end === '"') texts.push(unquoted(quoted));
  return texts;
}

function unquoted(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

async function headOf(request: Request): Promise<string> {
  if (request.method === "GET" || request.method === "HEAD") return "";
  if (request.headers.has("content-encoding")) {
    const body = await readBody(request.clone(), nextMacrotask);
    return body instanceof Problem ? "" : body;
  }
  const reader = request.clone().body?.getReader();
  if (reader === undefined) return "";
  // Not awaited, because the stream of a copy is only canceled together with the request's own.
  const stop = (): void => void reader.cancel().catch(() => undefined);
  request.signal.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let length = 0; length < LONGEST_HEAD;) {
      const chunk = await reader.read();
      if (chunk.done) break;
      length += chunk.value.byteLength;
      text += decoder.decode(chunk.value, { stream: true });
    }
  } finally {
    request.signal.removeEventListener("abort", stop);
    stop();
  }
  return text;
}
