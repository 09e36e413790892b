import { toTimestamp } from "../../kit/engine/timestamp.ts";

/** The longest quote of foreign text, such as an error message, in characters. */
const LONGEST_QUOTE = 100;
/** Secrets are removed before a quote is cut, because half a secret no longer looks like one. */
const MOST_BEFORE_REDACTION = 20 * LONGEST_QUOTE;
const OPEN = "\uE000";
const CLOSE = "\uE001";
const QUOTE = /\uE000([^\uE000\uE001]*)\uE001(\.?)/g;

/** Quotes foreign text on one line, without secrets and cut to fit. */
export function quoted(text: string): string {
  return `${OPEN}${text
    .slice(0, MOST_BEFORE_REDACTION)
    .replaceAll(/[\uE000\uE001\s]+/g, " ")
    .trim()}${CLOSE}`;
}

/** Cuts the quotes of a sentence after secrets were removed. A quote at the end of a sentence keeps its own full stop. */
export function withQuotesCut(sentence: string): string {
  return sentence.replaceAll(QUOTE, (_, text: string, stop: string) => {
    if (text.length > LONGEST_QUOTE) return `${text.slice(0, LONGEST_QUOTE - 1)}…`;
    return /[.!?…]$/.test(text) ? text : text + stop;
  });
}

/** Returns a count with its noun: `1 webhook`, `2 webhooks`, `3 deliveries`. */
export function counted(count: number, noun: string): string {
  const several = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : several}`;
}

export function was(count: number): string {
  return count === 1 ? "was" : "were";
}

export function timeOf(milliseconds: number): string {
  return toTimestamp(milliseconds).replace("T", " ").replace(".000Z", "Z");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Returns the text that the body of an HTML page shows, without tags and with entities decoded. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<title>[^<]{0,200}<\/title>/gi, "")
    .replaceAll(/<br ?\/?>/gi, "\n")
    .replaceAll(/<[^>]{0,200}>/g, " ")
    .replaceAll(/&(?:#(x[\da-f]{1,6}|\d{1,7})|([a-z]{2,4}));/gi, (entity: string, code?: string, name?: string) => {
      if (code === undefined) return ENTITIES[name ?? ""] ?? entity;
      const point = Number(code.replace(/^x/i, "0x"));
      return point <= 0x10_ffff ? String.fromCodePoint(point) : entity;
    })
    .trim();
}
