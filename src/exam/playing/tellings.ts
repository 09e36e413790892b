/** What an answer of the merchant tells a customer about the status of an order. */
export interface Telling {
  /** The id of the order or membership. */
  readonly id: string;
  /** When the answer came, in milliseconds since 1970. */
  readonly at: number;
  /** How many readings of the books came before the request, and before the answer. */
  readonly readingsBefore: number;
  readonly readingsUntil: number;
  /** The status of the answer. */
  readonly status: number;
  /** Whether it has an address of the service, as a challenge does. */
  readonly leads: boolean;
  /** The word for the status of the order; undefined when the answer names none. */
  readonly word: string | undefined;
}

/** How deep a status may be inside the JSON of an answer. */
const DEEPEST = 4;
/** What stands between an id and the word for its status, as in `order-1: paid` and `order-1 is paid`. */
const STATUS_AFTER = /^[\s:,.–—-]*(?:is\s+)?(\p{L}[\p{L}_]*)/u;

/**
 * Finds the words for the status of orders in the text of an answer: the `status` or `state` beside an `id` in JSON, and the word that follows
 * an id on a page. A page that is one word alone is about the order that its address names.
 * @param ids the ids that customers have used
 */
export function wordsIn(text: string, ids: readonly string[], url: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const json = parsed(text);
  if (json !== undefined) {
    readJson(json, ids, words, DEEPEST);
    return words;
  }
  const plain = text.replaceAll(/<[^<>]{0,1000}>/g, " ").trim();
  const [named, ...others] = ids.filter((id) => url.includes(id));
  if (named !== undefined && others.length === 0 && /^\p{L}+$/u.test(plain)) words.set(named, plain);
  for (const id of ids) {
    const place = plain.indexOf(id);
    const word = place === -1 ? undefined : STATUS_AFTER.exec(plain.slice(place + id.length))?.[1];
    if (word !== undefined) words.set(id, word);
  }
  return words;
}

function readJson(value: unknown, ids: readonly string[], words: Map<string, string>, deep: number): void {
  if (typeof value !== "object" || value === null || deep === 0) return;
  const { id, status, state } = value as Readonly<Record<string, unknown>>;
  const word = status ?? state;
  if (typeof id === "string" && ids.includes(id) && typeof word === "string" && !words.has(id)) words.set(id, word);
  for (const inner of Object.values(value)) readJson(inner, ids, words, deep - 1);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
