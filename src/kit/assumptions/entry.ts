import type * as z from "zod/mini";

/** An open question, and its answer in words. */
interface Question {
  readonly question: string;
  readonly answer: string;
}

/** A question with several answers: the values that it takes, and the default value. */
export interface Choice<Schema extends z.ZodMiniType = z.ZodMiniType> extends Question {
  readonly values: Schema;
  readonly value: z.output<Schema>;
  /** The part of the service's document that gives the default, so that the question is not open; each other value departs from it. */
  readonly document?: string;
  /** The part of the document from which other values depart, although the question is open. */
  readonly departs?: Departure<z.output<Schema>>;
  /** Likely other values that the schema does not list. An object says by its names what of the default each replaces. */
  readonly alternatives?: Alternatives<z.output<Schema>>;
}

/** From which part of a document values depart. */
interface Departure<Value> {
  readonly part: string;
  /** Whether a value departs from it; without this, all but the default do. */
  when?(this: void, value: Value): boolean;
}

/** Other values of an assumption, as a row declares them. */
type Alternatives<Value> = readonly Value[] | Readonly<Record<string, Value>>;

/** A question with one answer, which cannot be changed. */
export interface FixedAnswer extends Question {
  readonly values: "fixed";
  /** Why no recording of the real service can contradict the answer, in one sentence. */
  readonly because: string;
}

/** The open questions of one service, by assumption id. */
export type AssumptionTable = Readonly<Record<string, Choice | FixedAnswer>>;

/** The ids of a table's assumptions. */
export type IdOf<Table extends AssumptionTable> = keyof Table & string;

/** The ids of a table's assumptions that can be changed. */
export type ChangeableIdOf<Table extends AssumptionTable> = {
  [Id in IdOf<Table>]: Table[Id] extends Choice ? Id : never;
}[IdOf<Table>];

/** The type of an assumption's value. */
export type ValueOf<Table extends AssumptionTable, Id extends ChangeableIdOf<Table>> =
  Table[Id] extends Choice<infer Schema> ? z.output<Schema> : never;

/** The values that a test sets for a table's assumptions. */
export type OverridesOf<Table extends AssumptionTable> = {
  readonly [Id in ChangeableIdOf<Table>]?: ValueOf<Table, Id>;
};

/**
 * Makes an assumption that a test can change.
 * @param more.document the part of the service's document that gives the default
 * @param more.departs the part of the document from which other values depart, and which of them do
 * @param more.alternatives likely other values, where the schema does not list them all: a number, a length of time, a template. An object
 * says by its names what of the default each replaces, such as `402 for declines`
 */
export function choice<Schema extends z.ZodMiniType>(
  question: string,
  answer: string,
  values: Schema,
  value: z.output<Schema>,
  more: Pick<Choice<Schema>, "document" | "departs" | "alternatives"> = {},
): Choice<Schema> {
  return { question, answer, values, value, ...more };
}

/**
 * Makes an assumption that cannot be changed.
 * @param because why no recording of the real service can contradict the answer, in one sentence
 */
export function fixed(question: string, answer: string, because: string): FixedAnswer {
  return { question, answer, values: "fixed", because };
}
