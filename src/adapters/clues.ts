import { readBasic } from "../kit/http/basic.ts";

/** How much of a body is read to find out which world it is for, in bytes. A token request takes less than one of them. */
const LONGEST_HEAD = 64 * 1024;
/** Every id that a world draws is longer. Credentials that a test chose may be as short as a word of a path. */
const SHORTEST_ID = 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads the credentials of requests. */
export class Credentials {
  readonly #own: readonly string[];
  /** The latest `Authorization` and its texts. Most clients repeat it, and a new text of a token would have to be hashed again. */
  #latest: { readonly header: string | undefined; readonly texts: readonly string[] } = {
    header: undefined,
    texts: [],
  };

  /** @param own the headers that carry credentials of the service, besides `Authorization` */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  /** Returns an access token or client key, the id of an HTTP Basic client, and what the service's own headers carry. */
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

/** Returns the values of all headers, and what `Authorization` carries. */
export function textsInHeaders(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => (name === "authorization" ? textsOf(value) : value));
}

/** Returns what may be ids in an address: segments of its path and values of its query, decoded. */
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

/**
 * Returns the values of a form, or the texts of JSON, that the beginning of a request's body has. The request itself keeps its body.
 */
export async function textsInBody(request: Request): Promise<string[]> {
  return textsIn(await headOf(request), request.headers);
}

/** Returns the values of a form, or the texts of JSON. Either may be cut short. */
export function textsIn(body: string, headers: Headers): string[] {
  const head = body.slice(0, LONGEST_HEAD);
  if (/^application\/x-www-form-urlencoded\b/i.test(headers.get("content-type") ?? ""))
    return [...new URLSearchParams(head).values()];
  return quotedIn(head);
}

/** Returns the texts between quotes. Names of fields are among them, because telling them apart would take a whole parser. */
function quotedIn(json: string): string[] {
  const texts: string[] = [];
  let start = -1;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) {
      if (start === -1) start = index;
      else {
        texts.push(unquoted(json.slice(start, index + 1)));
        start = -1;
      }
    }
  }
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
  const reader = request.clone().body?.getReader();
  if (reader === undefined) return "";
  // Not awaited: the stream of a copy is canceled only once the request's own is.
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
