import { sha256Of } from "../kit/base/runtime/sha256.ts";
import { alternativesOf } from "../kit/assumptions/alternatives.ts";
import type { Alternative } from "../kit/assumptions/alternatives.ts";
import type { Choice, FixedAnswer } from "../kit/assumptions/entry.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionId } from "../service/assumption-table.ts";
import { errorTable } from "../service/error-table.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { isRoute } from "./routes-of-service.ts";

/** Another answer to an open question. */
export interface Variation extends Alternative {
  readonly id: AssumptionId;
  /** Tells it from the other values of its assumption, whatever rows and values are added. */
  readonly name: string;
}

/** What a row of the table of assumptions says. */
export type Row = Choice | FixedAnswer;

const LONGEST_NAME = 8;

/** Returns a row of the table of assumptions; undefined for one that this version does not have. */
export function rowOf(id: string): Row | undefined {
  return Object.hasOwn(assumptionTable, id) ? assumptionTable[id as AssumptionId] : undefined;
}

/** The ids of all assumptions that can be varied, in the order of the table. */
export const variedIds = Object.keys(assumptionTable).filter((id) => rowOf(id)?.values !== "fixed");

/** Every other answer to every question that the service's document leaves open, and to those that it answers itself. */
const all: ReadonlyMap<string, readonly Variation[]> = new Map(
  Object.entries(assumptionTable as Readonly<Record<string, Row>>).map(([id, row]) => [
    id,
    row.values === "fixed" ? [] : alternativesOf(row).map((each) => variationOf(id as AssumptionId, each)),
  ]),
);

function variationOf(id: AssumptionId, alternative: Alternative): Variation {
  return { id, ...alternative, name: sha256Of(JSON.stringify(alternative.value)).slice(0, LONGEST_NAME) };
}

/**
 * Returns the other answers to the questions that a test rested on, unless the test decides them itself: first one to each question on which
 * the document is silent, then one to each that it answers, then the next ones.
 */
export function variationsOf(record: TestRecord): readonly Variation[] {
  const { used = [], decided = [] } = record.assumptions ?? {};
  return used
    .filter((id) => !decided.includes(id))
    .flatMap((id) => (all.get(id) ?? []).filter(({ value }) => isMet(value, record)).map(ranked))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ variation }) => variation);
}

function ranked(variation: Variation, index: number): { readonly variation: Variation; readonly rank: number } {
  return { variation, rank: 2 * index + (isOfDocument(variation) ? 1 : 0) };
}

/** Whether the service's document gives the default of an assumption. */
function isOfDocument({ id }: Pick<Variation, "id">): boolean {
  const row = rowOf(id);
  return row !== undefined && "document" in row && row.document !== undefined;
}

/**
 * Whether a test meets what a value changes: of a table by the codes of errors, only what it says of errors that were answered, and of one by
 * the names of calls, only what it says of calls that were made.
 */
function isMet(value: unknown, { assumptions, calls, cutShort }: TestRecord): boolean {
  if (typeof value !== "object" || value === null) return true;
  const names = Object.keys(value);
  if (names.length === 0) return true;
  if (names.every((name) => Object.hasOwn(errorTable, name)))
    return assumptions?.errors === undefined || names.some((name) => assumptions.errors?.includes(name));
  if (cutShort === undefined && names.every((name) => isRoute(name)))
    return names.some((name) => calls.some(({ route }) => route === name));
  return true;
}
