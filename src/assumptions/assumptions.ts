import { z } from "zod";
import { durationMilliseconds } from "../engine/duration.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { nearest } from "../errors/nearest.ts";
import type { AssumptionEntry, AssumptionTable, IdOf, OverridesOf, ValueOf } from "./entry.ts";

/** An assumption that a run relied on. */
export interface Used<Id extends string> {
  readonly id: Id;
  readonly question: string;
  readonly answer: string;
  readonly value: unknown;
  /** Whether the test set the value. */
  readonly changed: boolean;
}

/** The ids of a table's assumptions whose values are durations. */
type DurationId<Table extends AssumptionTable> = {
  [Id in IdOf<Table>]: ValueOf<Table, Id> extends string ? Id : never;
}[IdOf<Table>];

/** The assumptions of one simulator. Remembers those that the run relied on. */
export class Assumptions<Table extends AssumptionTable> {
  readonly #table: Table;
  readonly #overrides: OverridesOf<Table>;
  readonly #used = new Set<IdOf<Table>>();
  readonly #milliseconds = new Map<IdOf<Table>, number>();

  /** @throws {CentavoError} `INVALID_ASSUMPTION` for an unknown id or invalid value, naming the nearest valid one */
  constructor(table: Table, overrides: OverridesOf<Table> = {}) {
    checkOverrides(table, overrides);
    this.#table = table;
    this.#overrides = structuredClone(overrides);
  }

  value<Id extends IdOf<Table>>(id: Id): ValueOf<Table, Id> {
    this.#used.add(id);
    const override = this.#overrides[id];
    return (override === undefined ? this.#entry(id).value : override) as ValueOf<Table, Id>;
  }

  /** Returns the value of a duration in milliseconds. */
  milliseconds(id: DurationId<Table>): number {
    this.#used.add(id);
    const known = this.#milliseconds.get(id);
    if (known !== undefined) return known;
    const milliseconds = durationMilliseconds(this.value(id) as string);
    this.#milliseconds.set(id, milliseconds);
    return milliseconds;
  }

  /** Remembers that the run relied on these, without reading their values. */
  use(ids: readonly IdOf<Table>[]): void {
    for (const id of ids) this.#used.add(id);
  }

  /** Returns the assumptions that the run has relied on, in the order of the table. */
  used(): Used<IdOf<Table>>[] {
    const ids = (Object.keys(this.#table) as IdOf<Table>[]).filter((id) => this.#used.has(id));
    return ids.map((id) => {
      const { question, answer, value } = this.#entry(id);
      const override = this.#overrides[id];
      return { id, question, answer, value: structuredClone(override ?? value), changed: override !== undefined };
    });
  }

  #entry(id: IdOf<Table>): AssumptionEntry {
    return this.#table[id] as AssumptionEntry;
  }
}

/** @throws {CentavoError} `INVALID_ASSUMPTION` for an unknown id or invalid value, naming the nearest valid one */
function checkOverrides(table: AssumptionTable, overrides: object): void {
  for (const [id, value] of Object.entries(overrides)) checkOverride(table, id, value);
}

function checkOverride(table: AssumptionTable, id: string, value: unknown): void {
  const ids = Object.keys(table);
  const entry = Object.hasOwn(table, id) ? table[id] : undefined;
  if (entry === undefined)
    throw new CentavoError(
      "INVALID_ASSUMPTION",
      `No assumption has the id "${id}". The nearest is "${nearest(id, ids)}".`,
    );
  const { values, question, answer, value: byDefault } = entry;
  const parsed = values.safeParse(value);
  if (parsed.success) return;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message.replace(/\.$/, "")].join(": "));
  const close = nearest(JSON.stringify(value) ?? "undefined", wordsOf(values));
  throw new CentavoError(
    "INVALID_ASSUMPTION",
    `The assumption "${id}" does not take the value ${JSON.stringify(value)}: ${problems.join("; ")}.${close === undefined ? "" : ` The nearest valid value is ${close}.`} ${question}: ${answer}. The default is ${JSON.stringify(byDefault)}.`,
  );
}

/** Returns the literal values that a schema takes, as JSON. */
function wordsOf(values: unknown): string[] {
  if (values instanceof z.ZodUnion) return values.options.flatMap(wordsOf);
  if (values instanceof z.ZodEnum) return values.options.map((word) => JSON.stringify(word));
  return values instanceof z.ZodLiteral ? [...values.values].map((word) => JSON.stringify(word)) : [];
}
