import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { UndoLog } from "./undo-log.ts";

/**
 * One thing that happened. What stands in `volatile` is true of this run only (a signature's stamp, a receiver's answer):
 * it is kept for people and left out of the digest. So is the whole of an entry without details.
 */
export interface JournalEntry {
  readonly sequence: number;
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly volatile?: Readonly<Record<string, unknown>>;
}

/** A text that differs between runs that did the same things, such as an address, and what the digest reads in its place. */
export interface Alias {
  readonly text: string;
  readonly name: string;
}

/** How a journal is kept. */
export interface JournalOptions {
  readonly aliases?: readonly Alias[];
  readonly keep?: number;
}

/** What a journal no longer keeps: how many entries went before, and the digest over them. */
export interface ForgottenEntries {
  readonly count: number;
  readonly digest: string;
}

const LINES_IN_A_BLOCK = 1024;
/** How far a bounded journal may grow beyond its bound before it is trimmed: often enough for memory, rarely enough for speed. */
const MOST_EXCESS = 4 * LINES_IN_A_BLOCK;
const NOTHING_FORGOTTEN: ForgottenEntries = { count: 0, digest: "" };

/**
 * What happened in a world, in order; only ever appended to, and taken back only with the unit that wrote it.
 *
 * The digest is a chain over blocks of a fixed number of lines, so that it is the same whether old blocks are kept or not.
 */
export class Journal {
  readonly #log: UndoLog;
  readonly #keep: number;
  readonly #aliases: readonly { readonly pattern: RegExp; readonly name: string }[];
  #entries: JournalEntry[] = [];
  #forgotten = NOTHING_FORGOTTEN;
  #recordedIn = 0;
  /** The digest over whole blocks, and how many entries they hold, those forgotten included. */
  #chain = NOTHING_FORGOTTEN;

  /**
   * @param options.aliases the longer texts come first, whatever their order, because one may begin with another
   * @param options.keep how many entries to keep at least; all by default
   */
  constructor(log: UndoLog, { aliases = [], keep = Infinity }: JournalOptions = {}) {
    this.#log = log;
    this.#keep = keep;
    this.#aliases = aliases
      .toSorted((left, right) => right.text.length - left.text.length)
      .map(({ text, name }) => ({
        pattern: new RegExp(String.raw`${text.replaceAll(/\W/g, String.raw`\$&`)}(?![\w.:@-])`, "g"),
        name,
      }));
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** What went before the first of the entries. */
  get forgotten(): ForgottenEntries {
    return this.#forgotten;
  }

  /** Outside a unit an entry is final at once: a request and its refusal are noted although nothing else changed. */
  append(at: number, kind: string, details: Record<string, unknown>, volatile?: Record<string, unknown>): void {
    const { length } = this.#entries;
    if (this.#log.active && this.#recordedIn !== this.#log.unit) {
      this.#log.record(() => this.#truncate(length));
      this.#recordedIn = this.#log.unit;
    }
    const entry = { sequence: this.#forgotten.count + length + 1, at, kind, details: Object.freeze(details) };
    this.#entries.push(volatile === undefined ? entry : { ...entry, volatile });
  }

  /** Lets go of old blocks where the journal is bounded. Between units, because what a unit wrote may have to be taken back. */
  trim(): void {
    const excess = this.#entries.length - this.#keep;
    if (excess < MOST_EXCESS) return;
    const { chain } = this.#chainBlocks(excess);
    this.#entries.splice(0, chain.count - this.#forgotten.count);
    this.#forgotten = chain;
    if (this.#chain.count < chain.count) this.#chain = chain;
  }

  /**
   * A SHA-256 over all entries without their volatile parts: two runs with the same digest did the same things at the same virtual times.
   * Asking again costs only what is new.
   */
  digest(): string {
    const { chain, rest } = this.#chainBlocks(this.#entries.length);
    this.#chain = chain;
    return digestOf(chain.digest + rest.join(""));
  }

  /** The function that puts the entries back as they are now, after `replaceAll`. */
  hold(): () => void {
    const entries = this.#entries;
    const forgotten = this.#forgotten;
    return () => this.#become(entries, forgotten);
  }

  replaceAll(entries: readonly JournalEntry[], forgotten: ForgottenEntries = NOTHING_FORGOTTEN): void {
    this.#become([...entries], forgotten);
  }

  /** Takes over another world's journal; the entries themselves are shared. */
  copyFrom(other: Journal): void {
    this.#become([...other.#entries], other.#forgotten);
    this.#chain = other.#chain;
  }

  #become(entries: JournalEntry[], forgotten: ForgottenEntries): void {
    this.#entries = entries;
    this.#forgotten = forgotten;
    this.#chain = forgotten;
  }

  /** The chain over the whole blocks among the first `length` entries, and the lines of the block that is not whole. */
  #chainBlocks(length: number): { readonly chain: ForgottenEntries; readonly rest: readonly string[] } {
    const first = this.#forgotten.count;
    let { count, digest } = this.#chain.count <= first + length ? this.#chain : this.#forgotten;
    let lines: string[] = [];
    for (let index = count - first; index < length; index += 1) {
      const { at, kind, details } = this.#entries[index] as JournalEntry;
      if (Object.keys(details).length > 0) lines.push(`${this.#withAliases(JSON.stringify([at, kind, details]))}\n`);
      if (lines.length < LINES_IN_A_BLOCK) continue;
      digest = digestOf(digest + lines.join(""));
      count = first + index + 1;
      lines = [];
    }
    return { chain: { count, digest }, rest: lines };
  }

  #withAliases(line: string): string {
    return this.#aliases.reduce((text, { pattern, name }) => text.replace(pattern, name), line);
  }

  #truncate(length: number): void {
    this.#entries.length = length;
    // A digest asked for inside the unit has gone too far, and a hash cannot be taken back.
    if (this.#chain.count > this.#forgotten.count + length) this.#chain = this.#forgotten;
  }
}

function digestOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
