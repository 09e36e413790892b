import { Redaction } from "../base/redaction/redaction.ts";
import { once } from "../base/runtime/once.ts";
import { sha256Of } from "../base/runtime/sha256.ts";
import { deepFreeze } from "./deep-freeze.ts";
import type { DetailsOf, JournalEntryKind, StoredEntry, VolatileOf } from "./journal-entries.ts";
import type { UndoLog } from "./undo-log.ts";

/** A text that differs between equal runs, such as an address, and the name that stands for it in the digest. */
export interface Alias {
  readonly text: string;
  readonly name: string;
}

/** Options of a journal. */
export interface JournalOptions {
  readonly aliases?: readonly Alias[];
  readonly keep?: number;
  readonly redaction?: Redaction;
}

/** What a journal has dropped: the number of older entries, and the digest over them. */
export interface ForgottenEntries {
  readonly count: number;
  readonly digest: string;
}

/** A journal in a snapshot. */
export interface JournalSnapshot {
  readonly journal: readonly StoredEntry[];
  readonly forgotten: ForgottenEntries;
}

const LINES_IN_A_BLOCK = 1024;
/** How far a bounded journal may exceed its bound before it is trimmed. Less would cost time, more would cost memory. */
const MOST_EXCESS = 4 * LINES_IN_A_BLOCK;
const NOTHING_FORGOTTEN: ForgottenEntries = Object.freeze({ count: 0, digest: "" });

/**
 * What happened in a world, in order. Entries are only appended; nothing but undoing a whole unit removes them. The digest is a chain over
 * blocks of a fixed number of lines, so it does not depend on which old blocks are kept.
 */
export class Journal {
  /** Removes the service's secrets from text. Whoever appends an entry must use it. */
  readonly redaction: Redaction;
  readonly #log: UndoLog;
  readonly #keep: number;
  readonly #aliases: () => readonly { readonly pattern: RegExp; readonly name: string }[];
  #entries: StoredEntry[] = [];
  #forgotten = NOTHING_FORGOTTEN;
  #recordedIn = 0;
  /** How many entries `takeNew` has returned, including forgotten ones. */
  #taken = 0;
  /** The digest over whole blocks, and how many entries they hold, including forgotten ones. */
  #chain = NOTHING_FORGOTTEN;

  /**
   * @param options.aliases in any order; longer texts are replaced first, because one may begin with another
   * @param options.keep the minimum number of entries to keep; all by default
   * @param options.redaction by default it knows only what is secret in every service
   */
  constructor(log: UndoLog, { aliases = [], keep = Infinity, redaction = new Redaction() }: JournalOptions = {}) {
    this.redaction = redaction;
    this.#log = log;
    this.#keep = keep;
    // Made on demand, because few tests read a digest.
    this.#aliases = once(() =>
      aliases
        .toSorted((left, right) => right.text.length - left.text.length)
        .map(({ text, name }) => ({
          pattern: new RegExp(String.raw`${text.replaceAll(/\W/g, String.raw`\$&`)}(?![\w.:@-])`, "g"),
          name,
        })),
    );
  }

  /** The number of entries, without the forgotten ones. */
  get length(): number {
    return this.#entries.length;
  }

  get entries(): readonly StoredEntry[] {
    return this.#entries;
  }

  /** Returns the entries since the last call, except those that came with another world. Call this between units. */
  takeNew(): StoredEntry[] {
    const taken = Math.max(0, this.#taken - this.#forgotten.count);
    this.#taken = this.#forgotten.count + this.length;
    return this.#entries.slice(taken);
  }

  /** The entries after the last whole block, and the digest over everything before: enough to continue to the same digest. */
  rest(): JournalSnapshot {
    this.#chain = this.#chainBlocks(this.length).chain;
    return this.#frozenAfter(this.#chain);
  }

  /** Returns every entry as frozen data. Call this between units. */
  snapshot(): JournalSnapshot {
    return this.#frozenAfter(this.#forgotten);
  }

  #frozenAfter(forgotten: ForgottenEntries): JournalSnapshot {
    return { journal: deepFreeze(this.#entries.slice(forgotten.count - this.#forgotten.count)), forgotten };
  }

  /** What came before the first entry. */
  get forgotten(): ForgottenEntries {
    return this.#forgotten;
  }

  /** Appends an entry. Outside a unit it is final at once; a refused request, for example, changes nothing else. */
  append<Kind extends JournalEntryKind>(
    at: number,
    kind: Kind,
    details: DetailsOf<Kind>,
    volatile?: VolatileOf<Kind>,
  ): void {
    const { length } = this;
    if (this.#log.active && this.#recordedIn !== this.#log.unit) {
      this.#log.record(() => this.#truncate(length));
      this.#recordedIn = this.#log.unit;
    }
    const entry = { sequence: this.#forgotten.count + length + 1, at, kind, details: Object.freeze(details) };
    // TypeScript cannot match a generic kind with its details.
    this.#entries.push(Object.freeze(volatile === undefined ? entry : { ...entry, volatile }) as StoredEntry);
  }

  /** Drops old blocks of a bounded journal. Call this between units, because a unit may still undo what it wrote. */
  trim(): void {
    const excess = this.length - this.#keep;
    if (excess < MOST_EXCESS) return;
    const { chain } = this.#chainBlocks(excess);
    this.#entries = this.#entries.slice(chain.count - this.#forgotten.count);
    this.#forgotten = chain;
    if (this.#chain.count < chain.count) this.#chain = chain;
  }

  /**
   * Returns a SHA-256 over all entries without their volatile parts. Two runs with the same digest did the same things at the same virtual
   * times. Later calls hash only the new entries.
   */
  digest(): string {
    const { chain, rest } = this.#chainBlocks(this.length);
    this.#chain = chain;
    return sha256Of(chain.digest + rest.join(""));
  }

  /** Replaces the journal with the journal of a snapshot. */
  replaceAll({ journal, forgotten }: JournalSnapshot): void {
    this.#entries = [...journal];
    this.#forgotten = forgotten;
    this.#chain = forgotten;
    this.#taken = forgotten.count + this.length;
  }

  /** Copies another world's journal. Both share the entries, which are immutable. */
  copyFrom(other: Journal): void {
    this.replaceAll({ journal: other.#entries, forgotten: other.#forgotten });
    this.#chain = other.#chain;
  }

  /** Returns the chain over the whole blocks among the first `length` entries, and the lines after the last whole block. */
  #chainBlocks(length: number): { readonly chain: ForgottenEntries; readonly rest: readonly string[] } {
    const first = this.#forgotten.count;
    let { count, digest } = this.#chain.count <= first + length ? this.#chain : this.#forgotten;
    let lines: string[] = [];
    const covered = count - first;
    for (const [index, { at, kind, details }] of this.#entries.slice(covered, length).entries()) {
      if (Object.keys(details).length > 0) lines.push(`${this.#withAliases(JSON.stringify([at, kind, details]))}\n`);
      if (lines.length < LINES_IN_A_BLOCK) continue;
      digest = sha256Of(digest + lines.join(""));
      count = first + covered + index + 1;
      lines = [];
    }
    return { chain: Object.freeze({ count, digest }), rest: lines };
  }

  #withAliases(line: string): string {
    return this.#aliases().reduce((text, { pattern, name }) => text.replace(pattern, name), line);
  }

  #truncate(length: number): void {
    this.#entries.length = length;
    // A digest taken inside the undone unit covers too much, and a hash cannot be undone.
    if (this.#chain.count > this.#forgotten.count + length) this.#chain = this.#forgotten;
  }
}
