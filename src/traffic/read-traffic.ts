import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { paymentService } from "../service/service.ts";
import { decodeTraffic, invalidTraffic } from "./decode-traffic.ts";
import type { Exchange } from "./exchange.ts";
import { exchangeOfHarEntry } from "./har-entry.ts";
import { exchangeOfPlainEntry } from "./plain-entry.ts";

/** What a file of recorded traffic holds. */
export interface Traffic {
  /** In the order of their beginning. */
  readonly exchanges: readonly Exchange[];
  /** The entries that could not be taken, each with the reason as a sentence. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  /** Where it is written, such as `shop.har, entry 3`. */
  readonly source: string;
  readonly why: string;
}

/**
 * Reads recorded traffic: HAR 1.2, as Centavo's recorder, the developer tools of browsers and Playwright's `recordHar` write it, or a plain
 * JSON list of exchanges. An entry of a HAR file that shows no whole exchange is left out, with the reason; a plain list is written by hand,
 * so its first wrong entry is an error. Neither shows a secret.
 *
 * @param content the text, or its bytes
 * @param name how messages call the file, such as its path
 * @throws {CentavoError} `INVALID_TRAFFIC` when the file is neither, naming what to do, and for a wrong entry of a plain list
 *
 * @example
 * const { exchanges, leftOut } = readTraffic(readFileSync("shop.har"), "shop.har");
 * for (const { source, why } of leftOut) console.log(`${source}: ${why}`);
 */
export function readTraffic(content: string | Uint8Array, name: string): Traffic {
  const file = parsed(decodeTraffic(content, name), name);
  const exchanges: Exchange[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Map<string, string>();
  const take = (exchange: Exchange, duration: unknown): void => {
    const { source, ...facts } = exchange;
    const key = JSON.stringify([facts, typeof duration === "number" ? duration : 0]);
    const first = seen.get(key);
    seen.set(key, first ?? source);
    if (first === undefined) exchanges.push(exchange);
    else leftOut.push({ source, why: `It is the same as ${first.slice(name.length + 2)}.` });
  };
  for (const [index, entry] of entriesOf(file, name).entries()) {
    const source = `${name}, entry ${index + 1}`;
    if (Array.isArray(file)) {
      take(exchangeOfPlainEntry(entry, source), 0);
      continue;
    }
    const { exchange, why } = exchangeOfHarEntry(entry, source);
    if (exchange === undefined) leftOut.push({ source, why: asSentence(why) });
    else take(exchange, fieldOf(entry, "time"));
  }
  return { exchanges: inOrder(exchanges), leftOut };
}

function parsed(text: string, name: string): unknown {
  if (text.trim() === "")
    throw invalidTraffic(`${name} is empty. calibrate takes HAR 1.2, or a JSON list of exchanges`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidTraffic(
      /[\]}]\s*$/.test(text.slice(-100))
        ? `${name} is not JSON. calibrate takes HAR 1.2, or a JSON list of exchanges`
        : `${name} ends in the middle of its JSON: what wrote it was stopped, or it was copied in part. Record it again`,
    );
  }
}

function entriesOf(file: unknown, name: string): readonly unknown[] {
  if (Array.isArray(file)) return file;
  const log = fieldOf(file, "log");
  const entries = fieldOf(log, "entries");
  if (Array.isArray(entries)) return entries;
  throw invalidTraffic(
    log === undefined
      ? `${name} is neither HAR 1.2, which is { "log": { "entries": [ … ] } }, nor a JSON list of exchanges`
      : `${name} has no list at log.entries, where HAR 1.2 has what was recorded. Save it from the developer tools again`,
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (Reflect.get(value, name) as unknown)
    : undefined;
}

/** The name of a field stays as it is written. */
function asSentence(why: string): string {
  const text = paymentService.redaction.text(why);
  return `${text.replace(/^(?:its?|the|one)\b/, (word) => word.charAt(0).toUpperCase() + word.slice(1))}.`;
}

/** Exchanges that began at the same moment stay in the order of the file. */
function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const began = new Map(exchanges.map((exchange) => [exchange, OriginalDate.parse(exchange.startedAt)]));
  return exchanges.toSorted((left, right) => (began.get(left) ?? 0) - (began.get(right) ?? 0));
}
