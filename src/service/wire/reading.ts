import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { gather } from "../../kit/assumptions/template-matching.ts";
import { templateComplaint } from "../../kit/assumptions/template-complaint.ts";
import type { Placeholders, Template } from "../../kit/assumptions/template.ts";
import type { AssumptionOverrides } from "../assumption-table.ts";
import type { FieldError } from "../envelope.ts";
import { errorTable } from "../error-table.ts";
import type { ErrorCode } from "../error-table.ts";
import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import {
  envelopeOfDocument,
  envelopeParts,
  errorBodyOfDocument,
  errorParts,
  familyOf,
  FIELD_CODE,
  ITEMS,
  itemsIn,
  memberOfEvents,
  oauthErrors,
  rowsOfBodies,
  rowsOfEvents,
} from "./shapes.ts";
import { tokenOfOAuth, tokenParts } from "./token-call.ts";
import type { EventFamily, EventShape, RouteBodies } from "./shapes.ts";

/** What the body of an error says. What it does not say is undefined. */
export interface ReadError {
  readonly message: string | undefined;
  readonly code: ErrorCode | undefined;
  readonly errors: readonly FieldError[];
  readonly requiresAction: boolean;
  readonly redirectUrl: string | undefined;
}

/** A call that was answered. */
export interface AnsweredCall {
  /** The name of its route, such as `transaction.list`. */
  readonly route: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
}

/** Reads answers that these assumptions shape, into what they mean: the inverse of `Writing`. */
export class Reading {
  readonly #assumptions: AssumptionOverrides;

  /**
   * @param call the call that was given the assumptions, for the message
   * @throws {CentavoError} `INVALID_ASSUMPTION` for a template that cannot be read
   */
  constructor(assumptions: AssumptionOverrides = {}, call = "") {
    this.#assumptions = assumptions;
    check("http.envelope", assumptions["http.envelope"], envelopeParts);
    check("http.error-body", assumptions["http.error-body"], errorParts);
    check("auth.token-response", assumptions["auth.token-response"], tokenParts);

    function check(id: string, template: Template | undefined, known: Placeholders): void {
      const complaint = template === undefined ? undefined : templateComplaint(template, known);
      if (complaint !== undefined)
        throw new CentavoError("INVALID_ASSUMPTION", `${call}: the assumption "${id}" cannot be read: ${complaint}.`);
    }
  }

  /**
   * Returns the data of a success as the document has it; undefined for a body that is none (`http.envelope`, and the rows of
   * `rowsOfBodies`).
   * @param call the name of the route, and what the call asked for
   */
  success(body: unknown, call?: AnsweredCall): { readonly data: unknown } | undefined {
    const envelope = this.#assumptions["http.envelope"] ?? envelopeOfDocument;
    const { says, values } = gather(envelope, body, envelopeParts);
    if (!says || !("data" in values)) return undefined;
    const { data } = values;
    const row = call && rowsOfBodies.find((one) => Object.hasOwn(this.#assumptions[one] ?? {}, call.route));
    const bodies: RouteBodies | undefined = row && this.#assumptions[row];
    const template = call && bodies?.[call.route];
    if (call === undefined || template === undefined) return { data };
    const read = dataOf(template, data);
    return { data: row === "transaction.page" ? pageOf(read, call.query) : read };
  }

  /** Returns the tokens in an answer of the token call; undefined for a body that has none (`auth.token-response`). */
  token(body: unknown): { readonly access: string; readonly refresh: string | undefined } | undefined {
    const { values } = gather(this.#assumptions["auth.token-response"] ?? tokenOfOAuth, body, tokenParts);
    const { access_token: access, refresh_token: refresh } = values;
    if (typeof access !== "string") return undefined;
    return { access, refresh: typeof refresh === "string" ? refresh : undefined };
  }

  /** Returns what the body of an error says, as far as it has the shape of one (`http.error-body`, `http.error-codes`). */
  failure(status: number, body: unknown): ReadError {
    const { values, lists = {} } = gather(
      this.#assumptions["http.error-body"] ?? errorBodyOfDocument,
      body,
      errorParts,
    );
    const { problems: [first = {}] = [] } = lists;
    const code = values["code"] ?? first["code"];
    const message = values["message"] ?? first["message"];
    const { redirectUrl } = values;
    return {
      message: typeof message === "string" ? message : undefined,
      code: typeof code === "string" ? this.#codeOf(code, status) : oauthCodeOf(body),
      errors: (lists["errors"] ?? lists["problems"] ?? []).flatMap(asFieldError),
      requiresAction: values["requiresAction"] === true,
      redirectUrl: typeof redirectUrl === "string" ? redirectUrl : undefined,
    };
  }

  /**
   * Returns the body of an event as the document has it (`webhook.checkout`, `webhook.intent`, `webhook.subscription`); a body of another
   * shape, or with a type that is not known, as it is.
   */
  event(body: object): object {
    const read = (Object.keys(rowsOfEvents) as EventFamily[]).flatMap((family) => {
      const { types = {}, body: template }: EventShape = this.#assumptions[rowsOfEvents[family]] ?? {};
      const { values } = template === undefined ? { values: valuesOfUsual(body) } : gather(template, body, {});
      const told = values["event.type"];
      const type = typeof told === "string" ? typeNamed(told, types, family) : undefined;
      if (type === undefined) return [];
      return [{ family, event: template === undefined ? { ...body, type } : bodyOf(family, type, values) }];
    });
    // Events of two resources may share a name. What they are about tells them apart.
    const own = read.length > 1 ? read.find(({ family, event }) => isAbout(family, event)) : undefined;
    return (own ?? read[0])?.event ?? body;
  }

  /** Returns the error that an answer calls so. Of several with one name, it is the one with this status. */
  #codeOf(told: string, status: number): ErrorCode {
    const { "http.error-codes": codes = {}, "http.error-status": statuses = {} } = this.#assumptions;
    const named = (Object.keys(errorTable) as ErrorCode[]).filter((code) => (codes[code]?.code ?? code) === told);
    const known: Partial<Record<ErrorCode, number>> = statuses;
    const exact = named.find((code) => (known[code] ?? errorTable[code].status) === status);
    // A code that the service gains stays readable.
    return exact ?? named[0] ?? (told as ErrorCode);
  }
}

/** Puts what was read of the data of an answer where the document has it. */
function dataOf(template: Template, data: unknown): Record<string, unknown> {
  const { values, lists } = gather(template, data, { lists: { [ITEMS]: itemsIn(template) } });
  const items = lists?.[ITEMS];
  return { ...placed(values), ...(items && { [ITEMS]: items.map((item) => placed(item)) }) };
}

/** Adds what a page need not say: what it was asked for, and one of how many there are and whether there are more. */
function pageOf(page: Record<string, unknown>, query: AnsweredCall["query"] = {}): Record<string, unknown> {
  const { [ITEMS]: items, total, limit = query["limit"], offset = query["offset"] ?? 0 } = page;
  if (!Array.isArray(items)) return page;
  const { hasMore = Number(offset) + items.length < Number(total) } = page;
  return { ...page, ...(limit === undefined ? {} : { limit }), offset, hasMore };
}

function asFieldError({ path, message, code = FIELD_CODE }: Readonly<Record<string, unknown>>): FieldError[] {
  return typeof path === "string" && typeof message === "string" ? [{ path, message, code: String(code) }] : [];
}

/** Returns the error that the token call names as RFC 6749 has it. */
function oauthCodeOf(body: unknown): ErrorCode | undefined {
  const error: unknown = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  return (Object.keys(oauthErrors) as ErrorCode[]).find((code) => oauthErrors[code] === error);
}

/** Returns the type of an event by its name in the document; undefined where the resource has no event of the name. */
function typeNamed(told: string, types: NonNullable<EventShape["types"]>, family: EventFamily): string | undefined {
  const renamed = Object.keys(types).find((type) => types[type] === told);
  return renamed ?? (familyOf(told) === family && types[told] === undefined ? told : undefined);
}

/** Whether an event has what only the events of a resource have. */
function isAbout(family: EventFamily, event: object): boolean {
  const found = memberOfEvents[family]
    .split(".")
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), event);
  return found !== undefined;
}

function valuesOfUsual(body: object): Readonly<Record<string, unknown>> {
  return { "event.type": "type" in body ? body.type : undefined };
}

/** Puts what was read of an event where the document has it. */
function bodyOf(family: EventFamily, type: string, values: Readonly<Record<string, unknown>>): object {
  const {
    "event.id": id,
    "event.createdAt": createdAt,
    "event.created": created,
    "event.type": _,
    ...members
  } = values;
  const at = createdAt ?? (typeof created === "number" ? new OriginalDate(created * 1000).toISOString() : undefined);
  const body: Record<string, unknown> = { id, type, createdAt: at };
  if (family !== "checkout") body["data"] = { type: family };
  return placed(members, body);
}

/** Puts members where their paths say. An object comes before its own members. */
function placed(
  members: Readonly<Record<string, unknown>>,
  body: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const path of Object.keys(members).toSorted()) put(body, path.split("."), members[path]);
  return body;
}

function put(body: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    const before = body[name];
    body[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
    return;
  }
  const inner = isObject(body[name]) ? { ...body[name] } : {};
  put(inner, rest, value);
  body[name] = inner;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
