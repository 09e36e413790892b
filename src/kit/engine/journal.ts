import { Redaction } from "../base/redaction/redaction.ts";
import type { StoredEntry, JournalEntryKind } from "./journal-entries.ts";
import { BlockList } from "./block-list.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { once } from "../base/runtime/once.ts";
import { sha256Of } from "../base/runtime/sha256.ts";
import type { UndoLog } from "./undo-log.ts";

/** A text that differs between equal runs, such as an address, and the name that the digest reads in its place. */
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

/** What a journal no longer keeps: the number of older entries, and the digest over them. */
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
/** How far a bounded journal may outgrow its bound before it is trimmed. A smaller excess would cost time, a larger one memory. */
const MOST_EXCESS = 4 * LINES_IN_A_BLOCK;
const NOTHING_FORGOTTEN: ForgottenEntries = { count: 0, digest: "" };

type Details = Readonly<Record<string, unknown>>;

/** Details that are costly to write. They are written when they are first read, and always the same. An object takes half the memory of a closure. */
export abstract class LateDetails {
  abstract write(redaction: Redaction): Details;
}

interface KindAndVolatile {
  readonly kind: JournalEntryKind;
  readonly volatile: Details;
}

/** Entries by column. One object per entry would be a third of the garbage that a finished payment leaves. */
interface Columns {
  readonly moments: BlockList<number>;
  /** The kind, alone or with the volatile part, which few entries have. */
  readonly kinds: BlockList<JournalEntryKind | KindAndVolatile>;
  readonly details: BlockList<Details | LateDetails>;
}

/**
 * What happened in a world, in order. Entries are only appended, and undone only with the unit that wrote them.
 *
 * The digest is a chain over blocks of a fixed number of lines, so that it does not depend on which old blocks are kept.
 */
export class Journal {
  /** Takes the secrets of the service out of what is written. Whoever appends an entry uses it. */
  readonly redaction: Redaction;
  readonly #log: UndoLog;
  readonly #keep: number;
  readonly #aliases: () => readonly { readonly pattern: RegExp; readonly name: string }[];
  #columns = columnsOf([]);
  #forgotten = NOTHING_FORGOTTEN;
  #recordedIn = 0;
  /** What `frozenAfter` returned last, as long as someone has it. */
  #frozen: WeakRef<readonly StoredEntry[]> | undefined;
  /** How many entries were taken as news, including forgotten ones. */
  #taken = 0;
  /** The digest over whole blocks, and how many entries they have, including forgotten ones. */
  #chain = NOTHING_FORGOTTEN;

  /**
   * @param options.aliases in any order; longer texts are replaced first, because one may begin with another
   * @param options.keep how many entries to keep at least; all by default
   * @param options.redaction by default it knows only what is secret in every service
   */
  constructor(log: UndoLog, { aliases = [], keep = Infinity, redaction = new Redaction() }: JournalOptions = {}) {
    this.redaction = redaction;
    this.#log = log;
    this.#keep = keep;
    // Few tests read a digest.
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
    return this.#columns.details.length;
  }

  /** Every entry. Each call makes new objects. */
  get entries(): StoredEntry[] {
    return this.#entriesAfter(0);
  }

  /** Returns the entries since the last call of this, but for those that came with another world. Call it between units. */
  takeNew(): StoredEntry[] {
    const taken = this.#taken;
    this.#taken = this.#forgotten.count + this.length;
    return this.#entriesAfter(taken);
  }

  /** The entries after the last whole block, and the digest over all before: enough to go on from here to the same digest. */
  rest(): JournalSnapshot {
    this.#chain = this.#chainBlocks(this.length).chain;
    return this.#frozenAfter(this.#chain);
  }

  /** Returns every entry, as data that nobody can change. It shares the entries that the last call returned. Call it between units. */
  snapshot(): JournalSnapshot {
    return this.#frozenAfter(this.#forgotten);
  }

  #frozenAfter(forgotten: ForgottenEntries): JournalSnapshot {
    const { count } = Object.freeze(forgotten);
    const before = this.#frozen?.deref() ?? [];
    const old = before.slice(Math.max(0, count + 1 - (before[0]?.sequence ?? 0)));
    const journal = Object.freeze([...old, ...deepFreeze(this.#entriesAfter(old.at(-1)?.sequence ?? count))]);
    this.#frozen = new WeakRef(journal);
    return { journal, forgotten };
  }

  #entriesAfter(count: number): StoredEntry[] {
    const { moments, kinds } = this.#columns;
    const first = this.#forgotten.count + 1;
    const skipped = Math.max(0, count - this.#forgotten.count);
    return moments.from(skipped).map((at, position) => {
      const index = skipped + position;
      const sequence = first + index;
      const kind = kinds.at(index);
      const own = this.#writtenAt(index);
      // The columns no longer know which details are of which kind; `append` was given both together.
      return (
        typeof kind === "string"
          ? { sequence, at, kind, details: own }
          : { sequence, at, kind: kind.kind, details: own, volatile: kind.volatile }
      ) as StoredEntry;
    });
  }

  /** What came before the first entry. */
  get forgotten(): ForgottenEntries {
    return this.#forgotten;
  }

  /**
   * Appends an entry. Outside a unit it is final at once, as for a refused request, which changes nothing else.
   * @param details the details, or what writes them when they are costly; it must always write the same
   */
  append(at: number, kind: JournalEntryKind, details: Details | LateDetails, volatile?: Details): void {
    const columns = this.#columns;
    const { length } = columns.details;
    if (this.#log.active && this.#recordedIn !== this.#log.unit) {
      this.#log.record(() => this.#truncate(length));
      this.#recordedIn = this.#log.unit;
    }
    columns.moments.push(at);
    columns.kinds.push(volatile === undefined ? kind : { kind, volatile });
    columns.details.push(details instanceof LateDetails ? details : Object.freeze(details));
  }

  /** Drops old blocks of a bounded journal. Call it between units, because a unit may still undo what it wrote. */
  trim(): void {
    const excess = this.length - this.#keep;
    if (excess < MOST_EXCESS) return;
    const { chain } = this.#chainBlocks(excess);
    this.#columns = mapColumns(
      this.#columns,
      (column) => new BlockList(column.from(chain.count - this.#forgotten.count)),
    );
    this.#forgotten = chain;
    if (this.#chain.count < chain.count) this.#chain = chain;
  }

  /**
   * Returns a SHA-256 over all entries without their volatile parts. Two runs with the same digest did the same things at the same
   * virtual times. Asking again costs only what is new.
   */
  digest(): string {
    const { chain, rest } = this.#chainBlocks(this.length);
    this.#chain = chain;
    return sha256Of(chain.digest + rest.join(""));
  }

  /** Returns the function that restores the present entries after `replaceAll`. */
  checkpoint(): () => void {
    const columns = this.#columns;
    const forgotten = this.#forgotten;
    return () => this.#become(columns, forgotten);
  }

  replaceAll(entries: readonly StoredEntry[], forgotten: ForgottenEntries = NOTHING_FORGOTTEN): void {
    this.#become(columnsOf(entries), forgotten);
  }

  /** Copies another world's journal, and shares the details of its entries. */
  copyFrom(other: Journal): void {
    this.#become(
      mapColumns(other.#columns, (column) => column.fork()),
      other.#forgotten,
    );
    this.#chain = other.#chain;
    this.#frozen = other.#frozen;
  }

  #become(columns: Columns, forgotten: ForgottenEntries): void {
    this.#columns = columns;
    this.#forgotten = forgotten;
    this.#chain = forgotten;
    this.#taken = forgotten.count + this.length;
    this.#frozen = undefined;
  }

  /** The chain over the whole blocks among the first `length` entries, and the lines of the block that is not whole. */
  #chainBlocks(length: number): { readonly chain: ForgottenEntries; readonly rest: readonly string[] } {
    const { moments, kinds } = this.#columns;
    const first = this.#forgotten.count;
    let { count, digest } = this.#chain.count <= first + length ? this.#chain : this.#forgotten;
    let lines: string[] = [];
    for (let index = count - first; index < length; index += 1) {
      const own = this.#writtenAt(index);
      if (Object.keys(own).length > 0)
        lines.push(`${this.#withAliases(JSON.stringify([moments.at(index), nameOf(kinds.at(index)), own]))}\n`);
      if (lines.length < LINES_IN_A_BLOCK) continue;
      digest = sha256Of(digest + lines.join(""));
      count = first + index + 1;
      lines = [];
    }
    return { chain: { count, digest }, rest: lines };
  }

  #writtenAt(index: number): Details {
    const { details } = this.#columns;
    const own = details.at(index);
    if (!(own instanceof LateDetails)) return own;
    const written = Object.freeze(own.write(this.redaction));
    details.rewrite(index, written);
    return written;
  }

  #withAliases(line: string): string {
    return this.#aliases().reduce((text, { pattern, name }) => text.replace(pattern, name), line);
  }

  #truncate(length: number): void {
    for (const column of Object.values(this.#columns) as BlockList<unknown>[]) column.truncate(length);
    // A digest taken inside the unit covers too much, and a hash cannot be undone.
    if (this.#chain.count > this.#forgotten.count + length) this.#chain = this.#forgotten;
  }
}

function nameOf(kind: JournalEntryKind | KindAndVolatile): JournalEntryKind {
  return typeof kind === "string" ? kind : kind.kind;
}

function columnsOf(entries: readonly StoredEntry[]): Columns {
  return {
    moments: new BlockList(entries.map(({ at }) => at)),
    kinds: new BlockList(entries.map(({ kind, volatile }) => (volatile === undefined ? kind : { kind, volatile }))),
    details: new BlockList(entries.map(({ details }) => details)),
  };
}

function mapColumns(columns: Columns, change: <Member>(column: BlockList<Member>) => BlockList<Member>): Columns {
  const { moments, kinds, details } = columns;
  return { moments: change(moments), kinds: change(kinds), details: change(details) };
}
