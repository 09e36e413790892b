import type { ErrorCode } from "../error-table.ts";
import { namesIn } from "../../kit/assumptions/template.ts";
import type { Placeholders, Template } from "../../kit/assumptions/template.ts";

/** What the envelope of a success holds (`http.envelope`). */
export const envelopeParts: Placeholders = { required: ["data"], structures: ["data"] };

/** The envelope of the service document (part 2). */
export const envelopeOfDocument: Template = { success: true, data: "{data}" };

/**
 * What the body of an error can say (`http.error-body`). `errors` are the fields that are wrong; `problems` are these too, or the error
 * itself where no field is at fault. Only `3D_SECURE_REQUIRED` has the optional ones, beside `status`.
 */
export const errorParts: Placeholders = {
  required: ["message|problems.message", "code|problems.code"],
  optional: ["status", "requiresAction", "redirectUrl", "nextAction", "problems.path"],
  lists: { errors: ["path", "message", "code"], problems: ["path", "message", "code"] },
};

/** The body of a validation error in the service document (part 7), with the `code` of the error. */
export const errorBodyOfDocument: Template = {
  success: false,
  message: "{message}",
  code: "{code}",
  errors: [{ path: "{errors.path}", message: "{errors.message}", code: "{errors.code}" }],
  requiresAction: "{requiresAction}",
  redirectUrl: "{redirectUrl}",
  nextAction: "{nextAction}",
};

/** The code of a field that is wrong (part 7). */
export const FIELD_CODE = "validation_error";

/** The `error` of RFC 6749 for errors of the token call; `invalid_request` for all others. */
export const oauthErrors: Partial<Record<ErrorCode, string>> = {
  INVALID_CREDENTIALS: "invalid_client",
  INVALID_REFRESH_TOKEN: "invalid_grant",
  UNSUPPORTED_GRANT_TYPE: "unsupported_grant_type",
  INTERNAL_ERROR: "server_error",
};

/** The rows that shape the data of answers, by the route's name. A route rests on one or more of them, and one has its template. */
export const rowsOfBodies = [
  "http.bodies",
  "intent.confirm-response",
  "checkout.bodies",
  "subscription.plan",
  "subscription.initiate",
  "subscription.process-payment",
  "subscription.bodies",
  "subscription.fields",
  "transaction.record",
  "transaction.page",
  "transaction.payment-session",
] as const;

export type RowOfBodies = (typeof rowsOfBodies)[number];

/** The list of every page. */
export const ITEMS = "items";

/** Returns what a template says of each item of a page: the names of its members. */
export function itemsIn(template: Template): readonly string[] {
  const prefix = `${ITEMS}.`;
  return namesIn(template).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}

/** Templates of the data of answers, by the route's name. */
export type RouteBodies = Readonly<Partial<Record<string, Template>>>;

/** The rows of the events that a resource announces, by how their types begin. */
export const rowsOfEvents = {
  checkout: "webhook.checkout",
  payment_intent: "webhook.intent",
  subscription: "webhook.subscription",
} as const;

/** The path of a member that every event of a resource has, and no event of another. */
export const memberOfEvents = {
  checkout: "sessionToken",
  payment_intent: "data.attributes.fee",
  subscription: "data.attributes.plan",
} as const;

export type EventFamily = keyof typeof rowsOfEvents;

/** How a merchant gets the events of a resource: the type of each by its name in the document (part 6), and their body. */
export interface EventShape {
  readonly types?: Readonly<Partial<Record<string, string>>> | undefined;
  readonly body?: Template | undefined;
}

/** Returns the part of an event's type that names the resource, such as `payment_intent`. */
export function familyOf(type: string): EventFamily | undefined {
  const [name = ""] = type.split(".", 1);
  return Object.hasOwn(rowsOfEvents, name) ? (name as EventFamily) : undefined;
}
