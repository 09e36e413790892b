import { CentavoError } from "../errors/centavo-error.ts";
import { Facts } from "./facts.ts";
import type { Fact } from "./facts.ts";
import { History } from "./history.ts";
import { InputLog } from "./inputs.ts";
import { Journal } from "./journal.ts";
import type { JournalOptions } from "./journal.ts";
import { RandomStreams } from "./random.ts";
import { Table } from "./table.ts";
import type { TableOptions } from "./table.ts";
import { keyOf, Timers } from "./timers.ts";
import type { Timer } from "./timers.ts";
import { UndoLog } from "./undo-log.ts";
import { checkSnapshot, invalidSnapshot } from "./world-snapshot.ts";
import type { WorldSnapshot } from "./world-snapshot.ts";

/** Work that leaves the process (a delivery): run after the unit that asked for it has committed, and awaited by the clock. */
export type Errand = () => Promise<void>;

/** Runs the due timers of one owner. It may return an errand. */
export type TimerHandler = (timer: Timer) => Errand | void;

/** What a `Date` can hold. */
const LAST_MOMENT = 8.64e15;

/**
 * A world: rows, timers, chance and what happened, changed only inside units that commit whole or leave no trace.
 * It knows neither payments nor HTTP.
 */
export class Engine {
  readonly #log = new UndoLog();
  readonly #tables = new Map<string, Table<unknown>>();
  readonly #handlers = new Map<string, TimerHandler>();
  readonly #facts = new Facts();
  readonly timers = new Timers(this.#log);
  readonly random: RandomStreams;
  readonly journal: Journal;
  readonly history: History;
  /** What came from outside, where it is recorded. */
  readonly inputs: InputLog | undefined;
  readonly #followers = new Set<(now: number) => void>();
  #now: number;
  /** The timer whose moment is being lived through; what is scheduled for this same moment descends from it. */
  running: Timer | undefined;
  /** The timer whose errand is under way: a snapshot holds it as not yet run, so that a restored world sends it again. */
  inFlight: Timer | undefined;
  /** Counts the worlds that lived here: an answer or an advance that belongs to an earlier one must not touch this one. */
  world = 0;

  /**
   * @param options.history how many finished things of each kind to keep; all by default
   * @param options.recording how many of the newest inputs to keep; nothing is recorded without it
   */
  constructor(options: {
    seed: string;
    now: number;
    journal?: JournalOptions;
    history?: { readonly keep?: number };
    recording?: { readonly keep: number } | undefined;
  }) {
    this.journal = new Journal(this.#log, options.journal);
    this.history = new History(this.#log, (name) => this.table(name), options.history?.keep ?? Infinity);
    this.random = new RandomStreams(this.#log, options.seed);
    this.#now = options.now;
    this.inputs = options.recording === undefined ? undefined : new InputLog(this, options.recording.keep);
  }

  /** The virtual now, in milliseconds since 1970-01-01T00:00:00Z. Moved by the clock alone. */
  get now(): number {
    return this.#now;
  }

  set now(now: number) {
    this.#now = now;
    this.#tellFollowers();
  }

  /** Tells something outside of every move of the virtual now, a restored world's included. Returns the function that ends it. */
  follow(follower: (now: number) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Whether a unit is running, which is when nobody else may start one. */
  get inUnit(): boolean {
    return this.#log.active;
  }

  /** Declares a kind of row. Every table of a world is declared before its first unit. */
  table<Value>(name: string, options?: TableOptions<Value>): Table<Value> {
    if (this.#tables.has(name))
      throw defect(`The table "${name}" is declared twice. Declare it once and hand it to whoever needs it.`);
    const table = new Table<Value>(this.#log, name, options);
    this.#tables.set(name, table as Table<unknown>);
    return table;
  }

  /** Says who runs the timers of an owner. */
  onTimer(owner: string, handler: TimerHandler): void {
    if (this.#handlers.has(owner)) throw defect(`Two parts run the timers of "${owner}". Give each its own owner.`);
    this.#handlers.set(owner, handler);
  }

  /** Adds something that answers every fact, inside the unit in which it happened, in the order of adding. */
  onFact(reaction: (fact: Fact) => void): void {
    this.#facts.addReaction(reaction);
  }

  /** Runs a command and everything that follows from it at once: whole, or not at all when it throws. */
  unit<Result>(work: () => Result): Result {
    try {
      return this.#log.run(() => {
        const result = work();
        this.#facts.drain();
        return result;
      });
    } finally {
      if (!this.#log.active) {
        this.#facts.clear();
        this.journal.trim();
        this.history.trim();
      }
    }
  }

  /**
   * Schedules `input` for `subject`; the same owner, subject and name again replaces it.
   * @param at when it is due, in whole milliseconds since 1970; a moment that is past means now
   */
  schedule(owner: string, subject: string, name: string, at: number, input: { type: string }): void {
    const due = Math.max(at, this.now);
    if (!Number.isInteger(due) || due > LAST_MOMENT) {
      throw defect(
        `The timer ${keyOf({ owner, subject, name })} (${input.type}) was scheduled for ${at}, which is no moment in whole milliseconds up to the year 275760.`,
      );
    }
    const depth = this.running !== undefined && due === this.now ? this.running.depth + 1 : 0;
    this.timers.schedule({ at: due, depth, owner, subject, name, input });
  }

  cancel(owner: string, subject: string, name: string): void {
    this.timers.cancel(owner, subject, name);
  }

  isScheduled(owner: string, subject: string, name: string): boolean {
    return this.timers.get(owner, subject, name) !== undefined;
  }

  /** @param details a function for what is costly to write down and rarely read */
  note(
    kind: string,
    details: Record<string, unknown> | (() => Record<string, unknown>),
    volatile?: Record<string, unknown>,
  ): void {
    this.journal.append(this.now, kind, details, volatile);
    if (!this.inUnit) this.journal.trim();
  }

  /** Notes what nothing inside this world leads to, so that a replay has to be told of it. */
  noteInput(kind: string, details: Record<string, unknown>, volatile?: Record<string, unknown>): void {
    this.note(kind, details, volatile);
    this.inputs?.add("note", { entry: kind, details, ...(volatile === undefined ? {} : { volatile }) });
  }

  /** Drops old inputs where their number is bounded, unless a delivery is under way. Call it between two inputs. */
  shortenInputs(): void {
    if (!this.inUnit && this.inFlight === undefined)
      this.inputs?.shorten(() => this.#snapshotWith(this.journal.rest()));
  }

  /** Runs one due timer as a unit of its own. */
  fire(timer: Timer): Errand | void {
    this.shortenInputs();
    this.inputs?.timerRuns();
    return this.unit(() => {
      this.cancel(timer.owner, timer.subject, timer.name);
      const handler = this.#handlers.get(timer.owner);
      if (handler === undefined) throw defect(`Nobody runs the timers of "${timer.owner}"; register it with onTimer.`);
      return handler(timer);
    });
  }

  /** Takes a timer whose step threw off the clock, so that the world can go on. */
  abandon(timer: Timer, error: unknown): void {
    this.unit(() => {
      this.cancel(timer.owner, timer.subject, timer.name);
      this.note("failure", { timer: keyOf(timer), message: error instanceof Error ? error.message : String(error) });
    });
  }

  /** Says that something happened, inside the unit in which it did. */
  publish(fact: Fact): void {
    if (!this.inUnit)
      throw defect(
        `The fact ${fact.type} of ${fact.row.id} was published outside a unit, where nothing would react to it.`,
      );
    this.#facts.add(fact);
    this.note("fact", { type: fact.type, id: fact.row.id });
  }

  /** The world as data that shares nothing changeable with it. */
  snapshot(): WorldSnapshot {
    this.#refuseInUnit("snapshot");
    return this.#snapshotWith({ journal: this.journal.entries, forgotten: this.journal.forgotten });
  }

  #snapshotWith(journal: Pick<WorldSnapshot, "journal" | "forgotten">): WorldSnapshot {
    return {
      now: this.now,
      tables: Object.fromEntries([...this.#tables].map(([name, table]) => [name, table.entries()])),
      timers: this.#unfinishedTimers(),
      timerSequence: this.timers.sequence,
      seed: this.random.seed,
      streams: this.random.snapshot(),
      ...journal,
    };
  }

  /**
   * Becomes the world of a snapshot, and tells those who follow its time.
   * @throws {CentavoError} `INVALID_SNAPSHOT` for one that cannot be read; the world is then as it was. What a follower throws comes out
   *   when the world is restored.
   */
  restore(snapshot: WorldSnapshot): void {
    this.#refuseInUnit("restore");
    checkSnapshot(snapshot, new Set(this.#tables.keys()));
    const putBack = this.#hold();
    try {
      this.#load(snapshot);
    } catch (error) {
      putBack();
      throw invalidSnapshot(error instanceof Error ? error.message : String(error), error);
    }
    this.inputs?.begin(snapshot);
    this.#beginWorld();
    this.#tellFollowers();
  }

  /** Takes over another world that declares the same tables; rows and entries are immutable and therefore shared. */
  copyFrom(other: Engine): void {
    this.#refuseInUnit("copyFrom");
    other.#refuseInUnit("copyFrom");
    const [mine, theirs] = [this, other].map((engine) => [...engine.#tables.keys()].toSorted().join(", "));
    if (mine !== theirs)
      throw defect(`A world with the tables ${mine} cannot take over one with the tables ${theirs}.`);
    this.now = other.now;
    for (const [name, table] of this.#tables) table.copyFrom(other.#tables.get(name) as Table<unknown>);
    this.timers.replaceAll(other.#unfinishedTimers(), other.timers.sequence);
    this.random.restore(other.random.seed, other.random.snapshot());
    this.journal.copyFrom(other.journal);
    if (other.inputs !== undefined) this.inputs?.copyFrom(other.inputs);
    this.#beginWorld();
  }

  #load(snapshot: WorldSnapshot): void {
    this.#now = snapshot.now;
    for (const [name, table] of this.#tables) table.replaceAll(snapshot.tables[name] ?? []);
    this.timers.replaceAll(snapshot.timers, snapshot.timerSequence);
    this.random.restore(snapshot.seed, snapshot.streams);
    this.journal.replaceAll(snapshot.journal, snapshot.forgotten);
  }

  /** Keeps the world as it is, at no cost that grows with it, because loading another replaces whole collections. */
  #hold(): () => void {
    const { now } = this;
    const seed = this.random.seed;
    const streams = this.random.snapshot();
    const parts = [...this.#tables.values(), this.timers, this.journal].map((part) => part.hold());
    return () => {
      this.#now = now;
      this.random.restore(seed, streams);
      for (const putBack of parts) putBack();
    };
  }

  #beginWorld(): void {
    this.world += 1;
    this.running = undefined;
    this.inFlight = undefined;
  }

  #unfinishedTimers(): Timer[] {
    const pending = this.timers.pending();
    const { inFlight } = this;
    // An errand that has come far enough to schedule its next try is no longer to be repeated.
    return inFlight === undefined || this.isScheduled(inFlight.owner, inFlight.subject, inFlight.name)
      ? pending
      : [inFlight, ...pending];
  }

  /** A follower may move it, or restore a world; those after it are told where it then stands. */
  #tellFollowers(): void {
    for (const follow of this.#followers) follow(this.#now);
  }

  #refuseInUnit(call: string): void {
    if (!this.inUnit) return;
    throw new CentavoError(
      "NESTED_UNIT",
      `${call} was called while a command was still running, when the world is half changed. Call it after the command has ended.`,
    );
  }
}

function defect(message: string): CentavoError {
  return new CentavoError("MACHINE_DEFECT", message);
}
