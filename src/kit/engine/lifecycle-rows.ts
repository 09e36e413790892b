import type { AnyStateMachine, ContextFrom, InputFrom } from "xstate";
import * as z from "zod/mini";
import { CentavoError } from "../base/errors/centavo-error.ts";
import type { Engine } from "./engine.ts";
import type { DetailsOf } from "./journal-entries.ts";
import type { InputTo, Lifecycle, Row, RowOf, Step, TermsOf } from "./lifecycle.ts";
import { RowIndex } from "./row-index.ts";
import type { ValuesOf } from "./row-index.ts";
import { moment, anyText } from "./row-schema.ts";
import type { Table, TableOptions } from "./table.ts";
import type { Timer } from "./timer.ts";

/** How the rows of a lifecycle are found and checked. References name fields of the data. */
export interface LifecycleOptions<Machine extends AnyStateMachine, Field extends string = never> extends Omit<
  TableOptions<RowOf<Machine>>,
  "row" | "observer" | "asData"
> {
  /** The schema of a row's data in a snapshot. */
  readonly data: z.ZodMiniType<ContextFrom<Machine>>;
  /** When each timer of a row is due, in milliseconds since 1970, unless that is past; a row has no others. Not checked without it. */
  readonly deadlines?: Readonly<Record<string, (data: ContextFrom<Machine>) => number | undefined>>;
  /** What lists find the rows by. */
  readonly fields?: ValuesOf<RowOf<Machine>, Field>;
}

/** The rows of one lifecycle in one world, changed only by its machine. */
export class LifecycleRows<Machine extends AnyStateMachine, Field extends string = never> {
  readonly #engine: Engine;
  readonly lifecycle: Lifecycle<Machine>;
  readonly rows: Table<RowOf<Machine>>;
  readonly index: RowIndex<RowOf<Machine>, Field>;
  readonly #deadlines: LifecycleOptions<Machine, Field>["deadlines"];

  constructor(
    engine: Engine,
    lifecycle: Lifecycle<Machine>,
    { data, deadlines, fields, references = {}, problemOf, ...options }: LifecycleOptions<Machine, Field>,
  ) {
    this.#engine = engine;
    this.#deadlines = deadlines;
    this.lifecycle = lifecycle;
    this.index = new RowIndex(() => this.rows, fields ?? ({} as ValuesOf<RowOf<Machine>, Field>));
    this.rows = engine.table<RowOf<Machine>>(lifecycle.name, {
      ...options,
      observer: this.index,
      // Few worlds are restored, and a schema takes long to make. V8 keeps a getter here in its old space, and with it the whole world.
      row: () =>
        z.strictObject({
          id: anyText,
          state: z.enum(Object.keys(lifecycle.machine.root.states) as [string, ...string[]]),
          data,
          createdAt: moment,
          updatedAt: moment,
        }) as z.ZodMiniType as z.ZodMiniType<RowOf<Machine>>,
      references: Object.fromEntries(Object.entries(references).map(([path, table]) => [`data.${path}`, table])),
      problemOf: (row, id, now) => momentProblem(row, id, now) ?? problemOf?.(row, id, now),
    });
    engine.onTimer(
      lifecycle.name,
      ({ subject, input }) => {
        this.#step(subject, { ...input, at: engine.now }, "timer");
      },
      {
        problemOf: (timer, now) => this.#timerProblem(timer, now),
        inWords: ({ subject, name, input }) => `${lifecycle.name} ${subject}: ${lifecycle.whenDue[input.type] ?? name}`,
      },
    );
  }

  /**
   * Creates a resource at the virtual now.
   * @throws {CentavoError} `MACHINE_DEFECT` when the id is taken
   */
  create(id: string, terms: TermsOf<Machine>): RowOf<Machine> {
    const { now } = this.#engine;
    const { name } = this.lifecycle;
    if (this.rows.get(id) !== undefined) {
      throw new CentavoError("MACHINE_DEFECT", `There is a ${name} ${id} already; every ${name} needs its own id.`);
    }
    const step = this.lifecycle.start({ ...terms, at: now } as InputFrom<Machine>);
    return this.#commit({ id, createdAt: now }, step, "step", { resource: name, id, input: "create", to: step.state });
  }

  /** Returns true when the machine takes the input now. Commands call this before they step. */
  accepts({ state, data }: RowOf<Machine>, input: InputTo<Machine>): boolean {
    return this.lifecycle.accepts(state, data, this.#stamp(input));
  }

  /** Returns true when the resource has ended and takes no more input. */
  isOver({ state }: RowOf<Machine>): boolean {
    return this.lifecycle.isOver(state);
  }

  /**
   * Gives one input to one resource.
   * @throws {CentavoError} `INVALID_STATE` when the machine does not take the input; commands call `accepts` first
   */
  step(id: string, input: InputTo<Machine>): RowOf<Machine> {
    return this.#step(id, this.#stamp(input), "step");
  }

  #stamp(input: InputTo<Machine>): { type: string; at: number } {
    return { ...input, at: this.#engine.now } as unknown as { type: string; at: number };
  }

  #step(id: string, input: { type: string; at: number }, kind: "step" | "timer"): RowOf<Machine> {
    const { name } = this.lifecycle;
    const row = this.rows.get(id);
    if (row === undefined) throw new CentavoError("NOT_FOUND", `There is no ${name} ${id}.`);
    const step = this.lifecycle.step(row.state, row.data, input);
    if (step === undefined) {
      throw new CentavoError(
        "INVALID_STATE",
        `The ${name} ${id} is ${row.state} and does not take the input "${input.type}" there.`,
      );
    }
    return this.#commit(row, step, kind, { resource: name, id, input: input.type, from: row.state, to: step.state });
  }

  #commit(
    { id, createdAt }: Pick<Row, "id" | "createdAt">,
    { state, data, effects }: Step,
    kind: "step" | "timer",
    details: DetailsOf<"step" | "timer">,
  ): RowOf<Machine> {
    const engine = this.#engine;
    const { name } = this.lifecycle;
    const { now } = engine;
    const row = Object.freeze({ id, state, data: Object.freeze(data), createdAt, updatedAt: now }) as RowOf<Machine>;
    this.rows.set(id, row);
    engine.note(kind, details);
    for (const effect of effects) {
      if (effect.kind === "cancel") engine.cancel(name, id, effect.name);
      else if (effect.kind === "schedule") engine.schedule(name, id, effect.name, now + effect.delay, effect.input);
      else engine.publish({ type: effect.fact.type, resource: name, row, at: now });
    }
    return row;
  }

  /** A timer of a row that does not take its input, or at another time than the row's data says, would fail when it runs. */
  #timerProblem({ subject, name, at, input }: Timer, now: number): string | undefined {
    const row = this.rows.get(subject);
    if (row === undefined) return `subject names no ${this.lifecycle.name}`;
    const deadlines = this.#deadlines;
    if (deadlines !== undefined) {
      const deadline = Object.hasOwn(deadlines, name) ? deadlines[name]?.(row.data) : undefined;
      if (deadline === undefined) return `name is "${name}", and ${subject} has no such timer`;
      const due = Math.max(deadline, now);
      if (at !== due) return `at is ${at}, and for ${subject} it is ${due}`;
    }
    return this.lifecycle.accepts(row.state, row.data, { ...input, at })
      ? undefined
      : `input.type is "${input.type}", which ${subject} does not take`;
  }
}

function momentProblem({ id: own, createdAt, updatedAt }: Row, id: string, now: number): string | undefined {
  if (own !== id) return `id is "${own}"`;
  if (updatedAt > now) return `updatedAt is ${updatedAt}, which is later than now`;
  return createdAt > updatedAt ? `createdAt is ${createdAt}, which is later than updatedAt` : undefined;
}
