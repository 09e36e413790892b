import { z } from "zod";

/** One open question: the answer in words, the values that it may take, and the default. */
export interface AssumptionEntry<Schema extends z.ZodType = z.ZodType> {
  readonly question: string;
  readonly answer: string;
  readonly values: Schema;
  readonly value: z.output<Schema>;
}

/** The open questions of one service, by the ids of their assumptions. */
export type AssumptionTable = Readonly<Record<string, AssumptionEntry>>;

/** The ids of a table's assumptions. */
export type IdOf<Table extends AssumptionTable> = keyof Table & string;

/** The type of an assumption's value. */
export type ValueOf<Table extends AssumptionTable, Id extends IdOf<Table>> = z.output<Table[Id]["values"]>;

/** What a test changes of a table's assumptions. */
export type OverridesOf<Table extends AssumptionTable> = { readonly [Id in IdOf<Table>]?: ValueOf<Table, Id> };

/** An answer that has alternatives. */
export function choice<Schema extends z.ZodType>(
  question: string,
  answer: string,
  values: Schema,
  value: z.output<Schema>,
): AssumptionEntry<Schema> {
  return { question, answer, values, value };
}

/** An answer without an alternative yet: it is named and recorded, and its only value is `"default"`. */
export function fixed(question: string, answer: string): AssumptionEntry<z.ZodLiteral<"default">> {
  return { question, answer, values: z.literal("default"), value: "default" };
}
