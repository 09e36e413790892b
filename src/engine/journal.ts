import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { UndoLog } from "./undo-log.ts";

/**
 * One thing that happened. What stands in `volatile` is true of this run only (a signature's stamp, a receiver's answer):
 * it is kept for people and left out of the digest.
 */
export interface JournalEntry {
  readonly sequence: number;
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly volatile?: Readonly<Record<string, unknown>>;
}

/** What happened in a world, in order; only ever appended to, and taken back only with the unit that wrote it. */
export class Journal {
  readonly #log: UndoLog;
  #entries: JournalEntry[] = [];
  #digest = "";
  #digested = 0;

  constructor(log: UndoLog) {
    this.#log = log;
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  append(at: number, kind: string, details: Record<string, unknown>, volatile?: Record<string, unknown>): void {
    const entries = this.#entries;
    const { length } = entries;
    if (this.#log.active) this.#log.record(() => entries.splice(length));
    const sequence = length + 1;
    entries.push(volatile === undefined ? { sequence, at, kind, details } : { sequence, at, kind, details, volatile });
  }

  /**
   * A SHA-256 over all entries without their volatile parts: two runs with the same digest did the same things at the same virtual times.
   * Each entry is chained onto the digest of those before it, so that asking again costs only what is new.
   */
  digest(): string {
    for (; this.#digested < this.#entries.length; this.#digested += 1) {
      const { sequence, at, kind, details } = this.#entries[this.#digested] as JournalEntry;
      this.#digest = bytesToHex(sha256(utf8ToBytes(this.#digest + JSON.stringify([sequence, at, kind, details]))));
    }
    return this.#digest;
  }

  replaceAll(entries: readonly JournalEntry[]): void {
    this.#entries = [...entries];
    this.#digest = "";
    this.#digested = 0;
  }
}
