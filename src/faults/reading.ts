import type { z } from "zod";
import { inWords, parseInstant } from "../engine/duration.ts";
import { CentavoError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { matches } from "./occasion.ts";
import { callFault, clockFault, processorFault, webhookFault } from "./schema.ts";
import type { Fault } from "./schema.ts";

/** The names that a service knows, without which a misspelt fault would wait for ever. */
export interface Vocabulary {
  readonly routes: readonly string[];
  readonly events: readonly string[];
  readonly declineCodes: readonly string[];
}

const schemas = new Map(
  [callFault, processorFault, webhookFault, clockFault].flatMap((union) =>
    union.options.map((option) => [option.shape.kind.value as string, option as z.ZodObject] as const),
  ),
);
const kinds: readonly string[] = [...schemas.keys()];

/**
 * Reads what was given as a fault.
 * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
 */
export function readFault(given: unknown, vocabulary: Vocabulary): Fault {
  if (typeof given !== "object" || given === null)
    throw refused(`it takes one object such as { kind: "response.lost", times: 1 }, not ${inWords(given)}`);
  const fault = readPlain(given);
  if ("route" in fault) requireKnown("route", fault.route, vocabulary.routes);
  if ("event" in fault) requireKnown("event", fault.event, vocabulary.events, matches);
  if ("code" in fault) requireKnown("code", fault.code, vocabulary.declineCodes);
  if (fault.nth !== undefined && (fault.times !== undefined || fault.after !== undefined))
    throw refused(
      `nth is ${fault.nth}, which says once and when; leave out ${fault.times === undefined ? "after" : "times"}`,
    );
  const { from, until } = fault;
  if (from !== undefined && until !== undefined && parseInstant(from) >= parseInstant(until))
    throw refused(`until is ${inWords(until)}, which must be later than from, ${inWords(from)}`);
  return fault;
}

/** What was given, without what it inherits, as data that shares nothing with it. */
function readPlain(given: object): Fault {
  try {
    const own: object = { ...given };
    const kind: unknown = Reflect.get(own, "kind");
    const schema = typeof kind === "string" ? schemas.get(kind) : undefined;
    if (schema === undefined) throw unknownName("kind", kind, kinds);
    const parsed = schema.safeParse(own);
    if (!parsed.success) throw refused(parsed.error.issues.map((issue) => complaint(issue, own, schema)).join("; "));
    return Object.freeze(JSON.parse(JSON.stringify(parsed.data))) as Fault;
  } catch (error) {
    if (error instanceof CentavoError) throw error;
    throw refused(`a fault is plain JSON, and this is none: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function complaint(issue: z.core.$ZodIssue, given: object, schema: z.ZodObject): string {
  if (issue.code === "unrecognized_keys") {
    const fields = Object.keys(schema.shape);
    return issue.keys.map((key) => `it has no field "${key}"; the nearest is "${nearest(key, fields)}"`).join("; ");
  }
  const value = issue.path.reduce<unknown>(
    (whole, key) => (typeof whole === "object" && whole !== null ? Reflect.get(whole, key) : undefined),
    given,
  );
  return `${issue.path.join(".")} is ${inWords(value)}: ${issue.message.replace(/\.$/, "")}`;
}

/** @param means whether what was written means a known name; by default it is that name */
function requireKnown(
  field: string,
  name: string | undefined,
  known: readonly string[],
  means = (written: string, one: string): boolean => written === one,
): void {
  if (name === undefined || known.some((one) => means(name, one))) return;
  throw unknownName(field, name, known);
}

function unknownName(field: string, name: unknown, known: readonly string[]): CentavoError {
  const suggestion = typeof name === "string" ? `; the nearest is "${nearest(name, known)}"` : "";
  return refused(`${field} is ${inWords(name)}${suggestion}. Known are ${known.join(", ")}`);
}

function refused(why: string): CentavoError {
  return new CentavoError("INVALID_FAULT", `faults.add: ${why}.`);
}
