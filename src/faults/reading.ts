import type { z } from "zod";
import { inWords, parseInstant } from "../engine/duration.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { nearest } from "../errors/nearest.ts";
import { matches, overlap } from "./occasion.ts";
import { callFault, clockFault, processorFault, webhookFault } from "./schema.ts";
import type { Fault } from "./schema.ts";

/** The names that a service knows, without which a misspelt fault would wait for ever. */
export interface Vocabulary {
  readonly routes: readonly {
    readonly name: string;
    readonly method: string;
    /** With parameters in braces: `/pay/{sessionToken}`. */
    readonly path: string;
  }[];
  readonly events: readonly string[];
  readonly declineCodes: readonly string[];
  /** The kinds of payment method, and the ids of the test methods. */
  readonly paymentMethods: readonly string[];
}

const schemas = new Map(
  [callFault, processorFault, webhookFault, clockFault].flatMap((union) =>
    union.options.map((option) => [option.shape.kind.value as string, option as z.ZodObject] as const),
  ),
);
const kinds: readonly string[] = [...schemas.keys()];

/** What a field is called elsewhere, as in an event or in the OpenAPI document. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["type", "event"],
  ["eventType", "event"],
  ["operationId", "route"],
  ["url", "path"],
  ["statusCode", "status"],
  ["merchantId", "merchant"],
  ["paymentMethodId", "paymentMethod"],
]);
/** What the beginning of every event says, which receivers go by. */
const EVENT_FIELDS: readonly string[] = ["id", "type", "createdAt", "data"];

/**
 * Reads what was given as a fault.
 * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
 */
export function readFault(given: unknown, vocabulary: Vocabulary): Fault {
  if (typeof given !== "object" || given === null)
    throw refused(`it takes one object such as { kind: "response.lost", times: 1 }, not ${inWords(given)}`);
  const fault = readPlain(given);
  if ("route" in fault) requireRoute(fault, vocabulary.routes);
  if ("paymentMethod" in fault) requirePaymentMethod(fault.paymentMethod, vocabulary.paymentMethods);
  if ("event" in fault) requireKnown("event", fault.event, vocabulary.events, matches);
  if ("code" in fault) requireKnown("code", fault.code, vocabulary.declineCodes);
  if (fault.kind === "webhook.unknown-type" && fault.type !== undefined && vocabulary.events.includes(fault.type))
    throw refused(
      `type is ${inWords(fault.type)}, which every merchant knows; give one that the service does not have`,
    );
  if (fault.kind === "webhook.extra-fields") {
    const taken = EVENT_FIELDS.filter((field) => Object.hasOwn(fault.fields ?? {}, field));
    if (taken.length > 0)
      throw refused(`fields has ${taken.join(", ")}, which the event has itself; it takes additional fields alone`);
  }
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
    if (!parsed.success) {
      const complaints = parsed.error.issues.map((issue) => complaint(issue, own, schema));
      throw refused([...new Set(complaints)].join("; "));
    }
    return Object.freeze(JSON.parse(JSON.stringify(parsed.data))) as Fault;
  } catch (error) {
    if (error instanceof CentavoError) throw error;
    throw refused(`a fault is plain JSON, and this is none: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function complaint(issue: z.core.$ZodIssue, given: object, schema: z.ZodObject): string {
  if (issue.code === "unrecognized_keys") {
    const fields = Object.keys(schema.shape);
    return issue.keys.map((key) => `it has no field "${key}"; ${meantBy(key, fields)}`).join("; ");
  }
  const value = issue.path.reduce<unknown>(
    (whole, key) => (typeof whole === "object" && whole !== null ? Reflect.get(whole, key) : undefined),
    given,
  );
  const { message } = (issue.code === "invalid_key" ? issue.issues[0] : undefined) ?? issue;
  return `${issue.path.join(".")} is ${inWords(value)}: ${message.replace(/\.$/, "")}`;
}

function meantBy(field: string, fields: readonly string[]): string {
  const other = OTHER_NAMES.get(field);
  if (other !== undefined && fields.includes(other)) return `the one you mean may be "${other}"`;
  const near = nearest(field, fields, tooFarFrom(field));
  return near === undefined ? `its fields are ${fields.join(", ")}` : `the nearest is "${near}"`;
}

/** The edit distance from which on one name is no slip of another. */
function tooFarFrom(name: string): number {
  return Math.max(3, Math.ceil(name.length / 2));
}

/** A route says the method and the path; beside it these may say less, but nothing else. */
function requireRoute(
  { route, method, path }: Extract<Fault, { route?: string | undefined }>,
  routes: Vocabulary["routes"],
): void {
  requireKnown(
    "route",
    route,
    routes.map(({ name }) => name),
  );
  const named = routes.find(({ name }) => name === route);
  if (named === undefined) return;
  const itself = `the route ${named.name} is ${named.method} ${named.path}; leave out one of the two`;
  if (method !== undefined && method !== named.method) throw refused(`method is ${inWords(method)}, and ${itself}`);
  if (path !== undefined && !overlap(path, named.path.replaceAll(/\{\w+\}/g, "*")))
    throw refused(`path is ${inWords(path)}, and ${itself}`);
}

/** A call may name a card that was minted, or a card's number, which the service refuses. */
function requirePaymentMethod(name: string | undefined, known: readonly string[]): void {
  if (name !== undefined && /^(pm_[\dA-Za-z]{24}|[\d -]+)$/.test(name)) return;
  requireKnown("paymentMethod", name, known);
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
  const near = typeof name === "string" ? nearest(name, known, tooFarFrom(name)) : undefined;
  const suggestion = near === undefined ? "" : `; the nearest is "${near}"`;
  return refused(`${field} is ${inWords(name)}${suggestion}. Known are ${known.join(", ")}`);
}

function refused(why: string): CentavoError {
  return new CentavoError("INVALID_FAULT", `faults.add: ${why}.`);
}
