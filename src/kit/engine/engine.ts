import { CentavoError } from "../base/errors/centavo-error.ts";
import { messageOf } from "../base/errors/thrown-values.ts";
import { ClockListeners } from "./clock-listeners.ts";
import { RunningClock } from "./driver.ts";
import { Facts } from "./facts.ts";
import type { Fact } from "./facts.ts";
import { History } from "./history.ts";
import { InputLog } from "./inputs.ts";
import type { DetailsOf, InputNoteKind, JournalEntryKind, VolatileOf } from "./journal-entries.ts";
import type { Journal, JournalOptions, JournalSnapshot } from "./journal.ts";
import type { RandomStreams } from "./random.ts";
import type { Table, TableOptions } from "./table.ts";
import { TestCalls } from "./test-calls.ts";
import { defect, TimerHandlers } from "./timer-handler.ts";
import type { InFlightWork, TimerHandler, TimerTraits } from "./timer-handler.ts";
import { keyOf } from "./timer.ts";
import type { Timer } from "./timer.ts";
import type { Timers } from "./timers.ts";
import { UnawaitedFailures } from "./unawaited-failures.ts";
import { UndoLog } from "./undo-log.ts";
import { WorldParts } from "./world-parts.ts";
import { invalidSnapshot, readWorld } from "./world-snapshot.ts";
import type { WorldSnapshot } from "./world-snapshot.ts";
import { entriesAreFinal } from "./written-entries.ts";

/**
 * Owns one world: its rows, timers, random streams and journal. They change only inside units, which either commit as a whole or leave no
 * trace. The engine knows neither payments nor HTTP.
 */
export class Engine {
  readonly #log = new UndoLog();
  readonly #parts: WorldParts;
  readonly timerHandlers = new TimerHandlers();
  readonly #facts = new Facts();
  readonly timers: Timers;
  readonly random: RandomStreams;
  readonly journal: Journal;
  /** The rows of this world, and the ids and keys that identify it. */
  readonly identity: Pick<WorldParts, "isIdentifiedBy" | "identifiers" | "tables">;
  readonly history: History;
  /** The inputs from outside the world; undefined unless they are recorded. */
  readonly inputs: InputLog | undefined;
  /** Failures while a driver moved the clock. They outlive the world until a call of the test throws them. */
  readonly unawaited = new UnawaitedFailures();
  readonly testCalls = new TestCalls();
  readonly runningClock = new RunningClock();
  readonly #clockListeners = new ClockListeners();
  #now: number;
  #running: Timer | undefined;
  #inFlight: readonly Timer[] = [];
  #world = 0;
  #changes = 0;

  /**
   * @param options.keep about how many journal entries, inputs and finished things of each kind to keep; all by default
   * @param options.recording whether to keep the inputs; false by default
   */
  constructor(options: { seed: string; now: number; journal?: JournalOptions; keep?: number; recording?: boolean }) {
    const { keep = Infinity } = options;
    this.#parts = new WorldParts(this.#log, options.seed, { keep, ...options.journal });
    this.identity = this.#parts;
    ({ timers: this.timers, random: this.random, journal: this.journal } = this.#parts);
    this.history = new History(this.#log, (name, table) => this.table(name, table), keep);
    this.#now = options.now;
    this.inputs = options.recording === true ? new InputLog(this, keep) : undefined;
  }

  /** The virtual now, in milliseconds since 1970-01-01T00:00:00Z. */
  get now(): number {
    return this.#now;
  }

  /** Counts the worlds of this engine. Code that awaits compares the count afterwards, so that it never touches a newer world. */
  get world(): number {
    return this.#world;
  }

  /** The running timer. A timer that it schedules for the same moment counts as its consequence. */
  get running(): Timer | undefined {
    return this.#running;
  }

  /**
   * The timers whose work is in flight, in the order in which they ran. A snapshot contains them as not yet run, so a restored world
   * repeats the work.
   */
  get inFlight(): readonly Timer[] {
    return this.#inFlight;
  }

  /** Counts the changes to this world, so that code can tell whether there were any since. */
  get changes(): number {
    return this.#changes;
  }

  /** Moves the virtual now and tells the clock listeners, which may replace this world. */
  moveTo(moment: number): void {
    this.#now = moment;
    this.#clockListeners.tell(this);
  }

  /** Calls back after each move of the virtual now and after each restore. Returns the function that removes the listener. */
  onMove(listener: (now: number) => void): () => void {
    return this.#clockListeners.add(listener);
  }

  /** True while a unit is running. Units do not nest. */
  get inUnit(): boolean {
    return this.#log.active;
  }

  /** Declares a table. All tables are declared before the first unit. */
  table<Value>(name: string, options: TableOptions<Value>): Table<Value> {
    return this.#parts.table(name, options);
  }

  /** Registers the handler of an owner's timers. */
  onTimer(owner: string, handle: TimerHandler, traits?: TimerTraits): void {
    this.timerHandlers.add(owner, handle, traits);
  }

  /** Adds a reaction to every fact, which runs inside its unit. Reactions run in the order in which they were added ({@link Facts.addReaction}). */
  onFact(...reaction: Parameters<Facts["addReaction"]>): void {
    this.#facts.addReaction(...reaction);
  }

  /** Runs a command and the reactions to its facts. If it throws, all of it is undone. */
  unit<Result>(work: () => Result): Result {
    let result: Result;
    try {
      result = this.#log.run(() => {
        const answer = work();
        this.#facts.drain();
        return answer;
      });
    } catch (error) {
      if (!this.#log.active) this.#facts.clear();
      throw error;
    }
    this.#facts.clear();
    this.#changes += 1;
    entriesAreFinal(this.#parts, this.journal);
    this.history.trim();
    return result;
  }

  /**
   * Schedules `input` for `subject`. A timer with the same owner, subject and name is replaced.
   * @param at when it is due, in whole milliseconds since 1970; a moment in the past means now
   */
  schedule(owner: string, subject: string, name: string, at: number, input: { type: string }): void {
    const due = Math.max(at, this.now);
    const depth = this.#running !== undefined && due === this.now ? this.#running.depth + 1 : 0;
    this.timers.schedule({ at: due, depth, owner, subject, name, input });
    this.runningClock.scheduled();
  }

  cancel(owner: string, subject: string, name: string): void {
    this.timers.cancel(owner, subject, name);
  }

  isScheduled(owner: string, subject: string, name: string): boolean {
    return this.timers.get(owner, subject, name) !== undefined;
  }

  /** Appends a journal entry. */
  note<Kind extends JournalEntryKind>(kind: Kind, details: DetailsOf<Kind>, volatile?: VolatileOf<Kind>): void {
    this.journal.append(this.now, kind, details, volatile);
    this.#changes += 1;
    if (!this.inUnit) entriesAreFinal(this.#parts, this.journal);
  }

  /** Appends a journal entry whose cause is outside the world, and records it for a replay. */
  noteInput<Kind extends InputNoteKind>(kind: Kind, details: DetailsOf<Kind>, volatile?: VolatileOf<Kind>): void {
    this.note(kind, details, volatile);
    this.inputs?.add("note", { entry: kind, details, ...(volatile === undefined ? {} : { volatile }) });
  }

  /** Drops old inputs when their number is bounded, unless a delivery is under way. Call it between two inputs. */
  shortenInputs(): void {
    if (!this.inUnit && this.inFlight.length === 0) this.inputs?.shorten(() => this.#snapshotWith(this.journal.rest()));
  }

  /** Runs one due timer in its own unit. */
  fire(timer: Timer): InFlightWork | void {
    this.shortenInputs();
    this.inputs?.timerRuns();
    this.#running = timer;
    return this.unit(() => {
      this.cancel(timer.owner, timer.subject, timer.name);
      return this.timerHandlers.run(timer);
    });
  }

  /** Marks a timer's work as in flight, so that the clock waits for it. */
  inFlightBegins(timer: Timer): void {
    this.#inFlight = [...this.#inFlight, timer];
  }

  /** Marks a timer's work as ended, so that snapshots no longer contain the timer. */
  inFlightEnds(timer: Timer): void {
    this.#inFlight = this.#inFlight.filter((other) => other !== timer);
    this.inputs?.watcher?.();
  }

  /** Marks that no timer is running, so that timers scheduled from now on are not consequences. */
  timersRest(): void {
    this.#running = undefined;
  }

  /** Cancels a timer whose step threw and journals the failure, so that the world can go on. */
  abandon(timer: Timer, error: unknown): void {
    this.unit(() => {
      this.cancel(timer.owner, timer.subject, timer.name);
      this.note("failure", { timer: keyOf(timer), message: this.journal.redaction.messageOf(error) });
    });
  }

  /** Publishes a fact to every reaction. Call it inside the unit in which it happened. */
  publish(fact: Fact): void {
    if (!this.inUnit)
      throw defect(
        `The fact ${fact.type} of ${fact.row.id} was published outside a unit, where nothing would react to it.`,
      );
    this.#facts.add(fact);
    this.note("fact", { type: fact.type, id: fact.row.id });
  }

  /** Returns the world as frozen data, which shares everything unchanged with the last snapshot. */
  snapshot(): WorldSnapshot {
    this.#refuseInUnit("snapshot");
    return this.#snapshotWith(this.journal.snapshot());
  }

  #snapshotWith(journal: JournalSnapshot): WorldSnapshot {
    return this.#parts.snapshot(this.#now, [...this.#timersInFlight(), ...this.timers.pending()], journal);
  }

  /**
   * Replaces the world with that of a snapshot, and calls the clock listeners. An error of a listener is thrown afterwards.
   * @param snapshot a snapshot from anywhere, so all of it is checked
   * @throws {CentavoError} `INVALID_SNAPSHOT` naming the wrong field; the world then stays as it was
   */
  restore(snapshot: unknown): void {
    this.#refuseInUnit("restore");
    const world = readWorld(snapshot, this.#parts.tables, this.journal.redaction);
    try {
      this.#parts.replaceAll(world);
    } catch (error) {
      throw invalidSnapshot(messageOf(error), error);
    }
    this.#now = world.now;
    this.inputs?.begin(world);
    this.#beginWorld();
  }

  /**
   * Replaces the world with an earlier one of an engine of the same kind, which needs no check.
   * @param call what the test called, for messages
   */
  goBackTo(world: WorldSnapshot, call = "reset"): void {
    this.#refuseInUnit(call);
    this.#parts.replaceAll(world);
    this.#now = world.now;
    this.inputs?.begin(world);
    this.#beginWorld();
  }

  /** Replaces the world with a copy of another engine's. They share rows and entries, which are immutable. */
  copyFrom(other: Engine): void {
    this.#refuseInUnit("fork");
    other.#refuseInUnit("fork");
    this.#parts.copyFrom(other.#parts, other.#timersInFlight());
    this.#now = other.now;
    if (other.inputs !== undefined) this.inputs?.copyFrom(other.inputs);
    this.#beginWorld();
  }

  #beginWorld(): void {
    this.#world += 1;
    this.#running = undefined;
    this.#inFlight = [];
    this.#clockListeners.tell(this);
  }

  /** Leaves out work that has already scheduled its own retry. */
  #timersInFlight(): Timer[] {
    return this.#inFlight.filter(({ owner, subject, name }) => !this.isScheduled(owner, subject, name));
  }

  #refuseInUnit(call: string): void {
    if (!this.inUnit) return;
    throw new CentavoError(
      "NESTED_UNIT",
      `sim.${call}() was called while a command was still running, when the world is half changed. Call it after the command has ended.`,
    );
  }
}
