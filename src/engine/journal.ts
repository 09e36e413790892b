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

/** What happened in a world, in order; only ever appended to, and taken back only with the unit that wrote it. */
export class Journal {
  readonly #log: UndoLog;
  readonly #aliases: readonly { readonly pattern: RegExp; readonly name: string }[];
  #entries: JournalEntry[] = [];
  #recordedIn = 0;
  #hash = sha256.create();
  #hashed = 0;

  /** @param aliases the longer texts come first, whatever their order, because one may begin with another */
  constructor(log: UndoLog, aliases: readonly Alias[] = []) {
    this.#log = log;
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

  /** Outside a unit an entry is final at once: a request and its refusal are noted although nothing else changed. */
  append(at: number, kind: string, details: Record<string, unknown>, volatile?: Record<string, unknown>): void {
    const { length } = this.#entries;
    if (this.#log.active && this.#recordedIn !== this.#log.unit) {
      this.#log.record(() => this.#truncate(length));
      this.#recordedIn = this.#log.unit;
    }
    const entry = { sequence: length + 1, at, kind, details: Object.freeze(details) };
    this.#entries.push(volatile === undefined ? entry : { ...entry, volatile });
  }

  /**
   * A SHA-256 over all entries without their volatile parts: two runs with the same digest did the same things at the same virtual times.
   * Asking again costs only what is new.
   */
  digest(): string {
    const lines = this.#entries
      .slice(this.#hashed)
      .filter(({ details }) => Object.keys(details).length > 0)
      .map(({ at, kind, details }) => `${this.#withAliases(JSON.stringify([at, kind, details]))}\n`);
    this.#hash.update(utf8ToBytes(lines.join("")));
    this.#hashed = this.#entries.length;
    return bytesToHex(this.#hash.clone().digest());
  }

  /** The function that puts the entries back as they are now, after `replaceAll`. */
  hold(): () => void {
    const entries = this.#entries;
    return () => {
      this.#entries = entries;
      this.#forgetHash();
    };
  }

  #withAliases(line: string): string {
    return this.#aliases.reduce((text, { pattern, name }) => text.replace(pattern, name), line);
  }

  replaceAll(entries: readonly JournalEntry[]): void {
    this.#entries = [...entries];
    this.#forgetHash();
  }

  /** Takes over another world's journal; the entries themselves are shared. */
  copyFrom(other: Journal): void {
    this.#entries = [...other.#entries];
    this.#hash = other.#hash.clone();
    this.#hashed = other.#hashed;
  }

  #truncate(length: number): void {
    this.#entries.length = length;
    // A digest asked for inside the unit has gone too far, and a hash cannot be taken back.
    if (this.#hashed > length) this.#forgetHash();
  }

  #forgetHash(): void {
    this.#hash = sha256.create();
    this.#hashed = 0;
  }
}
