import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { asPredicate } from "../kit/base/errors/english.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { listed, suggestion } from "../kit/base/errors/known-names.ts";
import { shapeOf } from "../kit/http/validation.ts";
import { kinds } from "../fixtures/kinds.ts";
import type { AnyFixture } from "../service/fixture.ts";
import { jsonOrText } from "./arguments.ts";

/** The fields that a user gives, as the command line has them. */
export interface GivenFields {
  /** The content of the file of `--data`. */
  readonly data?: Fields;
  /** Each `field=value` of `--set`, in order. */
  readonly set?: readonly (readonly [path: string, value: string])[];
  readonly externalId?: string;
  readonly amount?: string;
  readonly customer?: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A schema with fields. */
type Fielded = z.ZodMiniObject;

/** What a user may not give, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  webhookUrl: "--to says where the events go",
  status: "the event says it",
};

/**
 * Returns the fields of the body that creates a resource, and of its plan, checked against their schemas.
 * @throws {CentavoError} `INVALID_OPTION` naming the field
 */
export function fieldsFor(fixture: AnyFixture, given: GivenFields): Fields {
  const schema = bodyOf(fixture);
  const hasPlan = Object.hasOwn(schema.shape, "plan");
  const flags: readonly (readonly [path: string, value: string | undefined])[] = [
    ["externalId", given.externalId],
    [hasPlan ? "plan.amount" : "amount", given.amount],
    ...customerIn(given.customer),
  ];
  let fields: Fields = given.data ?? {};
  for (const [path, text] of [...(given.set ?? []), ...flags]) {
    if (text === undefined) continue;
    const names = path.split(".");
    fields = withField(fields, names, valueOf(fixture, schema, names, text));
  }
  check(fixture, schema, fields, []);
  return fields;
}

/** The schema of the body, with that of the plan where there is one. */
function bodyOf({ body }: AnyFixture): Fielded {
  const own = body as Fielded;
  // A body's own `planId` names a plan that the service knows; `plan` describes one that it does not.
  return Object.hasOwn(own.shape, "planId") ? z.extend(own, { plan: kinds.plans.body as Fielded }) : own;
}

/** Reads `Ana Cruz <ana@shop.example>`, or one of both. */
function customerIn(customer: string | undefined): readonly (readonly [path: string, value: string])[] {
  if (customer === undefined) return [];
  const [before = "", address] = customer.split("<", 2);
  const name = before.trim();
  if (address === undefined) return [[name.includes("@") ? "contact.email" : "contact.name", name]];
  const email = address.replace(/>\s*$/, "").trim();
  return [...(name === "" ? [] : [["contact.name", name] as const]), ["contact.email", email]];
}

/** Returns the value of a field: the text where the field takes text, else what its JSON says. */
function valueOf(fixture: AnyFixture, schema: Fielded, names: readonly string[], text: string): unknown {
  let at: z.ZodMiniType = schema;
  for (const [index, name] of names.entries()) {
    const shape = shapeOf(at);
    if (shape === undefined) return jsonOrText(text);
    at = known(fixture, shape, name, names.slice(0, index));
  }
  return at.safeParse(text).success ? text : jsonOrText(text);
}

/** Checks the fields that are there. Those that are missing are drawn. */
function check(fixture: AnyFixture, schema: z.ZodMiniType, value: unknown, path: readonly string[]): void {
  const shape = shapeOf(schema);
  if (shape !== undefined && isFields(value)) {
    for (const [name, inner] of Object.entries(value))
      check(fixture, known(fixture, shape, name, path), inner, [...path, name]);
    return;
  }
  const [issue] = schema.safeParse(value, asPredicate).error?.issues ?? [];
  if (issue === undefined) return;
  const field = [...path, ...issue.path].map(String).join(".");
  throw refused(`the field ${field} is ${inWords(value)}: ${issue.message.replace(/\.$/, "")}`);
}

/** Returns the schema of a field that has to be known. */
function known(
  fixture: AnyFixture,
  shape: Readonly<Record<string, z.ZodMiniType>>,
  name: string,
  path: readonly string[],
): z.ZodMiniType {
  const why = path.length === 0 && Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  if (why !== undefined) throw refused(`the field ${name} cannot be given: ${why}`);
  const found = Object.hasOwn(shape, name) ? shape[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(shape).filter((each) => path.length > 0 || !Object.hasOwn(REFUSED, each));
  const near = suggestion(name, names) ?? "";
  const written = inWords([...path, name].join("."));
  throw refused(`the call that creates the ${fixture.make} has no field ${written}${near}. Known are ${listed(names)}`);
}

/** Returns a copy with one more field. A computed key is always an own property, also when it is `__proto__`. */
function withField(fields: Fields, [name = "", ...rest]: readonly string[], value: unknown): Fields {
  const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return { ...fields, [name]: rest.length === 0 ? value : withField(isFields(own) ? own : {}, rest, value) };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `centavo trigger: ${what}.`);
}
