import * as z from "zod/mini";
import { filling } from "../../kit/assumptions/template-filling.ts";
import { templateComplaint } from "../../kit/assumptions/template-complaint.ts";

/** A query that is added to the URL to which a customer returns: texts with placeholders, by parameter. */
export type ReturnQuery = Readonly<Record<string, string>>;

/** Returns the schema of queries that can name these. */
export function queryOf(names: readonly string[]): z.ZodMiniType<ReturnQuery> {
  return z.record(z.string().check(z.minLength(1)), z.string()).check(
    z.superRefine((query, context) => {
      const complaint = templateComplaint(query, { required: [], optional: names });
      if (complaint !== undefined) context.addIssue({ code: "custom", message: complaint });
    }),
    z.describe(`an object by parameter of texts, such as \`{${names[0] ?? ""}}\``),
  );
}

/** Returns a query with its values. A parameter is left out where it has none. */
export function filledQuery(
  query: ReturnQuery,
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return filling(query)({ values: Object.fromEntries(known) }) as Readonly<Record<string, string>>;
}
