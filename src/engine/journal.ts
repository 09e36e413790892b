import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { JournalEntry, JournalEntryKind } from "./journal-entries.ts";
import type { UndoLog } from "./undo-log.ts";

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

type Details = Readonly<Record<string, unknown>>;

/** Entries, each a row across these: an object of its own for each would be a third of what a finished payment leaves to the collector. */
interface Columns {
  readonly moments: number[];
  readonly kinds: JournalEntryKind[];
  /** What is costly to write down is written when it is first read. */
  readonly details: (Details | (() => Details))[];
  readonly volatile: (Details | undefined)[];
}

/**
 * What happened in a world, in order; only ever appended to, and taken back only with the unit that wrote it.
 *
 * The digest is a chain over blocks of a fixed number of lines, so that it is the same whether old blocks are kept or not.
 */
export class Journal {
  readonly #log: UndoLog;
  readonly #keep: number;
  readonly #aliases: readonly { readonly pattern: RegExp; readonly name: string }[];
  #columns = columnsOf([]);
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

  /** How many entries there are, without those that are forgotten. */
  get length(): number {
    return this.#columns.details.length;
  }

  /** Every entry, written down anew for each call. */
  get entries(): JournalEntry[] {
    return this.#entriesAfter(this.#forgotten);
  }

  /** The entries after the last whole block, and the digest over all before: enough to go on from here to the same digest. */
  rest(): { readonly journal: readonly JournalEntry[]; readonly forgotten: ForgottenEntries } {
    this.#chain = this.#chainBlocks(this.length).chain;
    return { journal: this.#entriesAfter(this.#chain), forgotten: this.#chain };
  }

  #entriesAfter({ count }: ForgottenEntries): JournalEntry[] {
    const { moments, kinds, details, volatile } = this.#columns;
    const first = this.#forgotten.count + 1;
    const skipped = count - this.#forgotten.count;
    return moments.slice(skipped).map((at, position) => {
      const index = skipped + position;
      const entry = {
        sequence: first + index,
        at,
        kind: kinds[index],
        details: writtenAt(details, index),
      };
      const ofThisRun = volatile[index];
      // The columns no longer know which details are of which kind; `append` was given both together.
      return (ofThisRun === undefined ? entry : Object.assign(entry, { volatile: ofThisRun })) as JournalEntry;
    });
  }

  /** What went before the first of the entries. */
  get forgotten(): ForgottenEntries {
    return this.#forgotten;
  }

  /**
   * Outside a unit an entry is final at once: a request and its refusal are noted although nothing else changed.
   * @param details a function for what is costly to write down; it answers the same whenever it is called, which is once in each copy of
   *   the world
   */
  append(at: number, kind: JournalEntryKind, details: Details | (() => Details), volatile?: Details): void {
    const columns = this.#columns;
    const { length } = columns.details;
    if (this.#log.active && this.#recordedIn !== this.#log.unit) {
      this.#log.record(() => this.#truncate(length));
      this.#recordedIn = this.#log.unit;
    }
    columns.moments.push(at);
    columns.kinds.push(kind);
    columns.details.push(typeof details === "function" ? details : Object.freeze(details));
    columns.volatile.push(volatile);
  }

  /** Lets go of old blocks where the journal is bounded. Between units, because what a unit wrote may have to be taken back. */
  trim(): void {
    const excess = this.length - this.#keep;
    if (excess < MOST_EXCESS) return;
    const { chain } = this.#chainBlocks(excess);
    for (const column of all(this.#columns)) column.splice(0, chain.count - this.#forgotten.count);
    this.#forgotten = chain;
    if (this.#chain.count < chain.count) this.#chain = chain;
  }

  /**
   * A SHA-256 over all entries without their volatile parts: two runs with the same digest did the same things at the same virtual times.
   * Asking again costs only what is new.
   */
  digest(): string {
    const { chain, rest } = this.#chainBlocks(this.length);
    this.#chain = chain;
    return digestOf(chain.digest + rest.join(""));
  }

  /** Returns the function that puts the entries back as they are now, after `replaceAll`. */
  checkpoint(): () => void {
    const columns = this.#columns;
    const forgotten = this.#forgotten;
    return () => this.#become(columns, forgotten);
  }

  replaceAll(entries: readonly JournalEntry[], forgotten: ForgottenEntries = NOTHING_FORGOTTEN): void {
    this.#become(columnsOf(entries), forgotten);
  }

  /** Takes over another world's journal; what its entries say is shared. */
  copyFrom(other: Journal): void {
    const { moments, kinds, details, volatile } = other.#columns;
    this.#become(
      { moments: [...moments], kinds: [...kinds], details: [...details], volatile: [...volatile] },
      other.#forgotten,
    );
    this.#chain = other.#chain;
  }

  #become(columns: Columns, forgotten: ForgottenEntries): void {
    this.#columns = columns;
    this.#forgotten = forgotten;
    this.#chain = forgotten;
  }

  /** The chain over the whole blocks among the first `length` entries, and the lines of the block that is not whole. */
  #chainBlocks(length: number): { readonly chain: ForgottenEntries; readonly rest: readonly string[] } {
    const { moments, kinds, details } = this.#columns;
    const first = this.#forgotten.count;
    let { count, digest } = this.#chain.count <= first + length ? this.#chain : this.#forgotten;
    let lines: string[] = [];
    for (let index = count - first; index < length; index += 1) {
      const own = writtenAt(details, index);
      if (Object.keys(own).length > 0)
        lines.push(`${this.#withAliases(JSON.stringify([moments[index], kinds[index], own]))}\n`);
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
    for (const column of all(this.#columns)) column.length = length;
    // A digest asked for inside the unit has gone too far, and a hash cannot be taken back.
    if (this.#chain.count > this.#forgotten.count + length) this.#chain = this.#forgotten;
  }
}

function writtenAt(details: Columns["details"], index: number): Details {
  const own = details[index] as Columns["details"][number];
  if (typeof own !== "function") return own;
  const written = Object.freeze(own());
  details[index] = written;
  return written;
}

function columnsOf(entries: readonly JournalEntry[]): Columns {
  return {
    moments: entries.map(({ at }) => at),
    kinds: entries.map(({ kind }) => kind),
    details: entries.map(({ details }) => details),
    volatile: entries.map(({ volatile }) => volatile),
  };
}

function all({ moments, kinds, details, volatile }: Columns): readonly unknown[][] {
  return [moments, kinds, details, volatile];
}

function digestOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
