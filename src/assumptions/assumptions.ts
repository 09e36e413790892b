import { z } from "zod";
import { assumptionTable } from "../service/assumption-table.ts";
import type {
  AssumptionEntry,
  AssumptionId,
  AssumptionOverrides,
  AssumptionValue,
} from "../service/assumption-table.ts";
import { durationMilliseconds } from "../engine/duration.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { nearest } from "../errors/nearest.ts";

export { assumptionTable } from "../service/assumption-table.ts";
export type { AssumptionId, AssumptionOverrides, AssumptionValue } from "../service/assumption-table.ts";

/** An assumption that a run relied on. */
export interface UsedAssumption {
  readonly id: AssumptionId;
  readonly question: string;
  readonly answer: string;
  readonly value: unknown;
  /** Whether the test set the value itself. */
  readonly changed: boolean;
}

/** The answers of one simulator, which remembers those that its run relied on. */
export class Assumptions {
  readonly #overrides: AssumptionOverrides;
  readonly #used = new Set<AssumptionId>();
  readonly #milliseconds = new Map<AssumptionId, number>();

  /** @throws {CentavoError} `INVALID_ASSUMPTION` for an unknown id or value, naming the nearest right one */
  constructor(overrides: AssumptionOverrides = {}) {
    for (const [id, value] of Object.entries(overrides)) checkOverride(id, value);
    this.#overrides = structuredClone(overrides);
  }

  value<Id extends AssumptionId>(id: Id): AssumptionValue<Id> {
    this.#used.add(id);
    const override = this.#overrides[id];
    return (override === undefined ? assumptionTable[id].value : override) as AssumptionValue<Id>;
  }

  /** The value in milliseconds of an assumption that is a length of time. */
  milliseconds(id: { [Id in AssumptionId]: AssumptionValue<Id> extends string ? Id : never }[AssumptionId]): number {
    this.#used.add(id);
    const known = this.#milliseconds.get(id);
    if (known !== undefined) return known;
    const milliseconds = durationMilliseconds(this.value(id));
    this.#milliseconds.set(id, milliseconds);
    return milliseconds;
  }

  /** Remembers that a run relied on these without reading their values. */
  use(ids: readonly AssumptionId[]): void {
    for (const id of ids) this.#used.add(id);
  }

  /** The assumptions that this run relied on so far, in the order of the table. */
  used(): UsedAssumption[] {
    const ids = (Object.keys(assumptionTable) as AssumptionId[]).filter((id) => this.#used.has(id));
    return ids.map((id) => {
      const { question, answer } = assumptionTable[id];
      return {
        id,
        question,
        answer,
        value: structuredClone(this.#overrides[id] ?? assumptionTable[id].value),
        changed: this.#overrides[id] !== undefined,
      };
    });
  }
}

function checkOverride(id: string, value: unknown): void {
  const ids = Object.keys(assumptionTable);
  if (!ids.includes(id))
    throw new CentavoError(
      "INVALID_ASSUMPTION",
      `There is no assumption "${id}". The nearest is "${nearest(id, ids)}".`,
    );
  const { values, question, answer, value: byDefault }: AssumptionEntry = assumptionTable[id as AssumptionId];
  const parsed = values.safeParse(value);
  if (parsed.success) return;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message.replace(/\.$/, "")].join(": "));
  const close = nearest(JSON.stringify(value) ?? "undefined", wordsOf(values));
  throw new CentavoError(
    "INVALID_ASSUMPTION",
    `The assumption "${id}" does not take the value ${JSON.stringify(value)}: ${problems.join("; ")}.${close === undefined ? "" : ` The nearest that it takes is ${close}.`} ${question}: ${answer}. The default is ${JSON.stringify(byDefault)}.`,
  );
}

/** The fixed words among the values that a schema takes, as JSON. */
function wordsOf(values: unknown): string[] {
  if (values instanceof z.ZodUnion) return values.options.flatMap(wordsOf);
  if (values instanceof z.ZodEnum) return values.options.map((word) => JSON.stringify(word));
  return values instanceof z.ZodLiteral ? [...values.values].map((word) => JSON.stringify(word)) : [];
}
