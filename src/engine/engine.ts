import type { AnyStateMachine, InputFrom } from "xstate";
import { CentavoError } from "../errors.ts";
import { Journal } from "./journal.ts";
import type { InputTo, Lifecycle, Row, RowOf, Step, TermsOf } from "./lifecycle.ts";
import { RandomStreams } from "./random.ts";
import { Table } from "./table.ts";
import type { KeyOf } from "./table.ts";
import { Timers } from "./timers.ts";
import type { Timer } from "./timers.ts";
import { UndoLog } from "./undo-log.ts";

/** Something that happened to a resource, in the past tense, with the immutable row of its step. */
export interface Fact<FactRow extends Row = Row> {
  /** The name under which the world speaks of it, such as `payment_intent.succeeded`. */
  readonly type: string;
  /** The lifecycle whose resource it concerns. */
  readonly resource: string;
  readonly row: FactRow;
  readonly at: number;
}

/** Work that leaves the process (a delivery): run after the unit that asked for it has committed, and awaited by the clock. */
export type Errand = () => Promise<void>;

/** Runs the due timers of one owner. It may return an errand. */
export type TimerHandler = (timer: Timer) => Errand | void;

/** All that must survive being written to a file: plain JSON. */
export interface WorldSnapshot {
  readonly now: number;
  readonly tables: Readonly<Record<string, readonly (readonly [string, unknown])[]>>;
  readonly timers: readonly Timer[];
  readonly timerSequence: number;
  readonly streams: Readonly<Record<string, readonly number[]>>;
  readonly journal: Journal["entries"];
}

/**
 * A world: rows, timers, chance and what happened, changed only inside units that commit whole or leave no trace.
 * It knows neither payments nor HTTP.
 */
export class Engine {
  readonly #log = new UndoLog();
  readonly #tables = new Map<string, Table<unknown>>();
  readonly #handlers = new Map<string, TimerHandler>();
  readonly #reactions: ((fact: Fact) => void)[] = [];
  readonly #facts: Fact[] = [];
  readonly timers = new Timers(this.#log);
  readonly random: RandomStreams;
  readonly journal = new Journal(this.#log);
  /** The virtual now, in milliseconds since 1970-01-01T00:00:00Z. Moved by the clock alone. */
  now: number;
  /** The timer whose moment is being lived through; what is scheduled for this same moment descends from it. */
  running: Timer | undefined;
  /** The timer whose errand is under way: a snapshot holds it as not yet run, so that a restored world sends it again. */
  inFlight: Timer | undefined;
  /** Counts the worlds that lived here: an answer or an advance that belongs to an earlier one must not touch this one. */
  world = 0;

  constructor(options: { seed: string; now: number }) {
    this.random = new RandomStreams(this.#log, options.seed);
    this.now = options.now;
  }

  /** Whether a unit is running, which is when nobody else may start one. */
  get inUnit(): boolean {
    return this.#log.active;
  }

  /** Declares a kind of row. Every table of a world is declared before its first unit. */
  table<Value>(name: string, keys?: Readonly<Record<string, KeyOf<Value>>>): Table<Value> {
    const table = new Table<Value>(this.#log, keys);
    this.#tables.set(name, table as Table<unknown>);
    return table;
  }

  onTimer(owner: string, handler: TimerHandler): void {
    this.#handlers.set(owner, handler);
  }

  /** Adds something that answers every fact, inside the unit in which it happened, in the order of adding. */
  onFact(reaction: (fact: Fact) => void): void {
    this.#reactions.push(reaction);
  }

  /** Runs a command and everything that follows from it at once: whole, or not at all when it throws. */
  unit<Result>(work: () => Result): Result {
    try {
      return this.#log.run(() => {
        const result = work();
        for (let next = 0; next < this.#facts.length; next += 1) {
          const fact = this.#facts[next] as Fact;
          for (const react of this.#reactions) react(fact);
        }
        return result;
      });
    } finally {
      if (!this.#log.active) this.#facts.length = 0;
    }
  }

  /** Schedules `input` for `subject`; the same owner, subject and name again replaces it. */
  schedule(owner: string, subject: string, name: string, at: number, input: { type: string }): void {
    const due = Math.max(at, this.now);
    const depth = this.running !== undefined && due === this.running.at ? this.running.depth + 1 : 0;
    this.timers.schedule({ key: `${owner}/${subject}/${name}`, at: due, depth, owner, subject, input });
  }

  cancel(owner: string, subject: string, name: string): void {
    this.timers.cancel(`${owner}/${subject}/${name}`);
  }

  isScheduled(owner: string, subject: string, name: string): boolean {
    return this.timers.get(`${owner}/${subject}/${name}`) !== undefined;
  }

  note(kind: string, details: Record<string, unknown>, volatile?: Record<string, unknown>): void {
    this.journal.append(this.now, kind, details, volatile);
  }

  /** Runs one due timer as a unit of its own. */
  fire(timer: Timer): Errand | void {
    return this.unit(() => {
      this.timers.cancel(timer.key);
      const handler = this.#handlers.get(timer.owner);
      if (handler === undefined) throw new CentavoError("MACHINE_DEFECT", `Nobody runs the timers of "${timer.owner}".`);
      return handler(timer);
    });
  }

  /** Takes a timer whose step threw off the clock, so that the world can go on. */
  abandon(timer: Timer, error: unknown): void {
    this.unit(() => {
      this.timers.cancel(timer.key);
      this.note("failure", { timer: timer.key, message: error instanceof Error ? error.message : String(error) });
    });
  }

  snapshot(): WorldSnapshot {
    return {
      now: this.now,
      tables: Object.fromEntries([...this.#tables].map(([name, table]) => [name, table.entries()])),
      timers: this.#unfinishedTimers(),
      timerSequence: this.timers.sequence,
      streams: this.random.snapshot(),
      journal: this.journal.entries,
    };
  }

  restore(snapshot: WorldSnapshot): void {
    this.world += 1;
    this.now = snapshot.now;
    for (const [name, table] of this.#tables) table.replaceAll(snapshot.tables[name] ?? []);
    this.timers.copyFrom(snapshot.timers, snapshot.timerSequence);
    this.random.restore(snapshot.streams);
    this.journal.replaceAll(snapshot.journal);
  }

  /** Takes over another world that declares the same tables; rows and entries are immutable and therefore shared. */
  copyFrom(other: Engine): void {
    this.world += 1;
    this.now = other.now;
    for (const [name, table] of this.#tables) {
      const source = other.#tables.get(name);
      if (source !== undefined) table.copyFrom(source);
    }
    this.timers.copyFrom(other.#unfinishedTimers(), other.timers.sequence);
    this.random.restore(other.random.snapshot());
    this.journal.replaceAll(other.journal.entries);
  }

  #unfinishedTimers(): Timer[] {
    const pending = this.timers.pending();
    return this.inFlight === undefined ? pending : [this.inFlight, ...pending];
  }

  publish(fact: Fact): void {
    this.#facts.push(fact);
    this.note("fact", { type: fact.type, id: fact.row.id });
  }
}

/** The rows of one lifecycle in one world, changed only by its machine's own moves. */
export class Resources<Machine extends AnyStateMachine> {
  readonly #engine: Engine;
  readonly lifecycle: Lifecycle<Machine>;
  readonly rows: Table<RowOf<Machine>>;

  constructor(engine: Engine, lifecycle: Lifecycle<Machine>, keys?: Readonly<Record<string, KeyOf<RowOf<Machine>>>>) {
    this.#engine = engine;
    this.lifecycle = lifecycle;
    this.rows = engine.table(lifecycle.name, keys);
    engine.onTimer(lifecycle.name, ({ subject, input }) => {
      this.#step(subject, { ...input, at: engine.now }, true);
    });
  }

  create(id: string, terms: TermsOf<Machine>): RowOf<Machine> {
    const { now } = this.#engine;
    return this.#commit(id, now, this.lifecycle.start({ ...terms, at: now } as InputFrom<Machine>), { type: "create" }, undefined, false);
  }

  /**
   * Gives one input to one resource.
   * @throws {CentavoError} `INVALID_STATE` where the machine does not take the input in the resource's state; commands check first.
   */
  step(id: string, input: InputTo<Machine>): RowOf<Machine> {
    return this.#step(id, { ...input, at: this.#engine.now } as unknown as { type: string; at: number }, false);
  }

  #step(id: string, input: { type: string; at: number }, byTimer: boolean): RowOf<Machine> {
    const { name } = this.lifecycle;
    const row = this.rows.get(id);
    if (row === undefined) throw new CentavoError("NOT_FOUND", `There is no ${name} ${id}.`);
    const step = this.lifecycle.step(row.state, row.data, input);
    if (step === undefined) {
      throw new CentavoError("INVALID_STATE", `The ${name} ${id} is ${row.state} and does not take the input "${input.type}" there.`);
    }
    return this.#commit(id, row.createdAt, step, input, row.state, byTimer);
  }

  #commit(id: string, createdAt: number, step: Step, input: { type: string }, from: string | undefined, byTimer: boolean): RowOf<Machine> {
    const engine = this.#engine;
    const { name } = this.lifecycle;
    const row = Object.freeze({ id, state: step.state, data: Object.freeze(step.data), createdAt, updatedAt: engine.now }) as RowOf<Machine>;
    this.rows.set(id, row);
    engine.note(byTimer ? "timer" : "step", { resource: name, id, input: input.type, ...(from === undefined ? {} : { from }), to: step.state });
    for (const effect of step.effects) {
      if (effect.kind === "cancel") engine.cancel(name, id, effect.name);
      else if (effect.kind === "schedule") engine.schedule(name, id, effect.name, engine.now + effect.delay, effect.input);
      else engine.publish({ type: effect.fact.type, resource: name, row, at: engine.now });
    }
    return row;
  }
}
