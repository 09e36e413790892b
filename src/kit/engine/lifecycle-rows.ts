import type { AnyStateMachine, ContextFrom, InputFrom } from "xstate";
import * as z from "zod/mini";
import { CentavoError } from "../base/errors/centavo-error.ts";
import type { Engine } from "./engine.ts";
import type { DetailsOf } from "./journal-entries.ts";
import type { InputTo, Lifecycle, Row, RowOf, Step, TermsOf } from "./lifecycle.ts";
import { moment, anyText } from "./row-schema.ts";
import type { Table, TableOptions } from "./table.ts";

/** The schema and the indexes of the rows of a lifecycle. */
export interface LifecycleOptions<Machine extends AnyStateMachine> extends Omit<TableOptions<RowOf<Machine>>, "row"> {
  /** The schema of a row's data in a snapshot. */
  readonly data: z.ZodMiniType<ContextFrom<Machine>>;
}

/** The rows of one lifecycle in one world. Only its machine changes them. */
export class LifecycleRows<Machine extends AnyStateMachine> {
  readonly #engine: Engine;
  readonly lifecycle: Lifecycle<Machine>;
  readonly rows: Table<RowOf<Machine>>;

  constructor(engine: Engine, lifecycle: Lifecycle<Machine>, { data, ...options }: LifecycleOptions<Machine>) {
    this.#engine = engine;
    this.lifecycle = lifecycle;
    this.rows = engine.table<RowOf<Machine>>(lifecycle.name, {
      ...options,
      // Made on demand, because a schema takes long to make and few worlds are restored.
      row: () =>
        z.strictObject({
          id: anyText,
          state: z.enum(Object.keys(lifecycle.machine.root.states) as [string, ...string[]]),
          data,
          createdAt: moment,
          updatedAt: moment,
        }) as z.ZodMiniType as z.ZodMiniType<RowOf<Machine>>,
    });
    engine.onTimer(
      lifecycle.name,
      ({ subject, input }) => {
        this.#step(subject, { ...input, at: engine.now }, "timer");
      },
      {
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
      throw new CentavoError("MACHINE_DEFECT", `There is already a ${name} ${id}; every ${name} needs its own id.`);
    }
    const step = this.lifecycle.start({ ...terms, at: now } as InputFrom<Machine>);
    return this.#commit({ id, createdAt: now }, step, "step", { resource: name, id, input: "create", to: step.state });
  }

  /** Whether the machine accepts the input now. Commands call this before they step. */
  accepts({ state, data }: RowOf<Machine>, input: InputTo<Machine>): boolean {
    return this.lifecycle.accepts(state, data, this.#stamp(input));
  }

  /** Whether the resource has ended, so that it accepts no more input. */
  isOver({ state }: RowOf<Machine>): boolean {
    return this.lifecycle.isOver(state);
  }

  /**
   * Gives an input to a resource.
   * @throws {CentavoError} `INVALID_STATE` when the machine does not accept the input; commands call `accepts` first
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
}
