import { z } from "zod";

/** An open question: its answer in words, the values that the answer can take, and the default value. */
export interface AssumptionEntry<Schema extends z.ZodType = z.ZodType> {
  readonly question: string;
  readonly answer: string;
  readonly values: Schema;
  readonly value: z.output<Schema>;
}

/** The open questions of one service, by assumption id. */
export type AssumptionTable = Readonly<Record<string, AssumptionEntry>>;

/** The ids of a table's assumptions. */
export type IdOf<Table extends AssumptionTable> = keyof Table & string;

/** The type of an assumption's value. */
export type ValueOf<Table extends AssumptionTable, Id extends IdOf<Table>> = z.output<Table[Id]["values"]>;

/** The values that a test sets for a table's assumptions. */
export type OverridesOf<Table extends AssumptionTable> = { readonly [Id in IdOf<Table>]?: ValueOf<Table, Id> };

/** Makes an assumption whose value can be changed. */
export function choice<Schema extends z.ZodType>(
  question: string,
  answer: string,
  values: Schema,
  value: z.output<Schema>,
): AssumptionEntry<Schema> {
  return { question, answer, values, value };
}

/** Makes an assumption without alternatives. Its only value is `"default"`. */
export function fixed(question: string, answer: string): AssumptionEntry<z.ZodLiteral<"default">> {
  return { question, answer, values: z.literal("default"), value: "default" };
}
