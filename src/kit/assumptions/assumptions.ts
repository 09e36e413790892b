import { durationMilliseconds } from "../engine/duration.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { DOCS } from "../base/errors/docs.ts";
import { ownComplaints } from "../base/errors/english.ts";
import { inWords } from "../base/errors/in-words.ts";
import { nearest } from "../base/errors/nearest.ts";
import { departureOf } from "./departure.ts";
import type { AssumptionTable, ChangeableIdOf, Choice, FixedAnswer, IdOf, OverridesOf, ValueOf } from "./entry.ts";
import { valuesInWords } from "./values-in-words.ts";

/** An assumption that a run relied on. */
export interface Used<Id extends string> {
  readonly id: Id;
  readonly question: string;
  readonly answer: string;
  /** `fixed`, or the values that it takes, in words. */
  readonly values: string;
  /** The part of the service's document from which the value departs; absent when it does not. */
  readonly departsFrom?: string;
  /** Its value in this run; absent when it is fixed. */
  readonly value?: unknown;
  /** Whether the test set the value. */
  readonly changed: boolean;
}

/** The ids of a table's assumptions that take durations. */
type DurationId<Table extends AssumptionTable> = {
  [Id in ChangeableIdOf<Table>]: ValueOf<Table, Id> extends string ? Id : never;
}[ChangeableIdOf<Table>];

/** The assumptions of one simulator. Remembers those that the run relied on. */
export class Assumptions<Table extends AssumptionTable> {
  readonly #table: Table;
  readonly #overrides: OverridesOf<Table>;
  readonly #used = new Set<IdOf<Table>>();
  readonly #milliseconds = new Map<IdOf<Table>, number>();

  /**
   * @param from the call that the overrides were given to, and the file that they were read from, for messages
   * @throws {CentavoError} `INVALID_ASSUMPTION` for an unknown id, a fixed assumption or an invalid value, saying what can be set instead
   */
  constructor(table: Table, overrides: OverridesOf<Table> = {}, from = "createSimulator") {
    checkOverrides(table, overrides, from);
    this.#table = table;
    this.#overrides = structuredClone(overrides);
  }

  /** The values that the test set. */
  get overrides(): OverridesOf<Table> {
    return this.#overrides;
  }

  value<Id extends ChangeableIdOf<Table>>(id: Id): ValueOf<Table, Id> {
    this.#used.add(id);
    const override = this.#overrides[id];
    return (override === undefined ? (this.#table[id] as Choice).value : override) as ValueOf<Table, Id>;
  }

  /** Returns the value of a duration in milliseconds. */
  milliseconds(id: DurationId<Table>): number {
    this.#used.add(id);
    let milliseconds = this.#milliseconds.get(id);
    if (milliseconds === undefined) {
      milliseconds = durationMilliseconds(this.value(id) as string);
      this.#milliseconds.set(id, milliseconds);
    }
    return milliseconds;
  }

  /** Remembers that the run relied on these, without reading their values. */
  use(ids: readonly IdOf<Table>[]): void {
    for (const id of ids) this.#used.add(id);
  }

  /** Returns the ids of all assumptions that the run has relied on, in the order of the table, whoever says what their values are. */
  idsOfUsed(): readonly IdOf<Table>[] {
    return (Object.keys(this.#table) as IdOf<Table>[]).filter((id) => this.#used.has(id));
  }

  /** Returns the assumptions that the run has relied on, in the order of the table: not what the document says, unless the test changed it. */
  used(): Used<IdOf<Table>>[] {
    return this.idsOfUsed().flatMap((id): Used<IdOf<Table>>[] => {
      const entry = this.#table[id] as Choice | FixedAnswer;
      const { question, answer } = entry;
      const values = valuesInWords(entry);
      if (entry.values === "fixed") return [{ id, question, answer, values, changed: false }];
      const { document } = entry;
      const override = (this.#overrides as Readonly<Record<string, unknown>>)[id];
      const changed = override !== undefined;
      if (document !== undefined && !changed) return [];
      const value = structuredClone(override ?? entry.value);
      const departsFrom = departureOf(entry, value);
      return [{ id, question, answer, values, ...(departsFrom === undefined ? {} : { departsFrom }), value, changed }];
    });
  }
}

/**
 * @param from begins the message
 * @throws {CentavoError} `INVALID_ASSUMPTION`
 */
export function checkOverrides(table: AssumptionTable, overrides: object, from: string): void {
  for (const [id, value] of Object.entries(overrides)) {
    const problem = problemOf(table, id, value);
    if (problem !== undefined) throw new CentavoError("INVALID_ASSUMPTION", `${from}: ${problem}`);
  }
}

/** Returns why an assumption cannot have this value, and what can be set instead. */
function problemOf(table: AssumptionTable, id: string, value: unknown): string | undefined {
  const entry = Object.hasOwn(table, id) ? table[id] : undefined;
  if (entry === undefined) {
    const near = nearest(id, Object.keys(table));
    const wayOut =
      near === undefined ? `${DOCS}/reference/assumptions.md lists all of them` : `The nearest is "${near}"`;
    return `no assumption has the id ${inWords(id)}. ${wayOut}.`;
  }
  const { question, answer } = entry;
  const written = inWords(value);
  if (entry.values === "fixed")
    return `the assumption "${id}" is fixed, so it cannot be set to ${written}. ${question}: ${answer}. ${entry.because} Leave it out. ${changeableNear(table, id)}`;
  const parsed = entry.values.safeParse(value);
  if (parsed.success) return undefined;
  return `the assumption "${id}" is ${written}${ownComplaints(parsed.error)}. It takes ${valuesInWords(entry)}. ${question}: ${answer}. The default is ${JSON.stringify(entry.value)}.`;
}

/** Names the assumptions of the same area that can be changed. */
function changeableNear(table: AssumptionTable, id: string): string {
  const [area = ""] = id.split(".");
  const near = Object.keys(table).filter((other) => other.startsWith(`${area}.`) && table[other]?.values !== "fixed");
  if (near.length === 0) return `No row of "${area}" can be changed.`;
  return `Nearby, these can be changed: ${near.map((other) => `"${other}"`).join(", ")}.`;
}
