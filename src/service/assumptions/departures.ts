import { isSame } from "../../kit/assumptions/departure.ts";
import type { Template } from "../../kit/assumptions/template.ts";
import type { ErrorCode } from "../error-table.ts";
import type { EventShape } from "../wire/shapes.ts";
import { errorBodyOfDocument } from "../wire/shapes.ts";

/** The errors that part 7 names by codes, and those that it names by sentences. */
const CODES: readonly string[] = [
  "PAYMENT_METHOD_INVALID",
  "INSUFFICIENT_FUNDS",
  "3D_SECURE_REQUIRED",
  "INTENT_ALREADY_CONFIRMED",
  "INTENT_NOT_FOUND",
  "UNAUTHORIZED",
  "INTERNAL_ERROR",
] satisfies ErrorCode[];
const SENTENCES: readonly string[] = [
  "SESSION_NOT_FOUND",
  "UNAUTHORIZED",
  "VALIDATION_ERROR",
  "INVALID_CREDENTIALS",
  "INVALID_REFRESH_TOKEN",
] satisfies ErrorCode[];

/** Whether validation errors have another shape than that of part 7. */
export function changesValidationErrors(template: Template): boolean {
  const body = membersOf(template);
  const usual = membersOf(errorBodyOfDocument);
  return !["success", "message", "errors"].every((name) => isSame(body[name], usual[name]));
}

type TextsOfErrors = {
  readonly [Code in ErrorCode]?:
    | { readonly code?: string | undefined; readonly message?: string | undefined }
    | undefined;
};

export function changesDocumentedErrors(errors: TextsOfErrors): boolean {
  return Object.entries(errors).some(
    ([name, { code = name, message } = {}]) =>
      (code !== name && CODES.includes(name)) || (message !== undefined && SENTENCES.includes(name)),
  );
}

/** Whether errors of tokens have other sentences than part 7, which has two of a token that has expired. */
export function changesTokenMessages({
  unknown = "Invalid access token",
  expired = "Token expired",
}: {
  readonly unknown?: string | undefined;
  readonly expired?: string | undefined;
}): boolean {
  return unknown !== "Invalid access token" || ![unknown, "Token expired"].includes(expired);
}

export function renamesAccessToken(template: Template): boolean {
  return membersOf(template)["access_token"] !== "{access_token}";
}

/** Whether checkout events lack the members that part 6 gives them. */
export function changesCheckoutEvents({ body }: EventShape): boolean {
  const { status, externalId } = membersOf(body);
  return body !== undefined && (status !== "{status}" || externalId !== "{externalId}");
}

/** Whether events of payment intents lack the members that part 6 gives them, or are named otherwise. */
export function changesIntentEvents({ types = {}, body }: EventShape): boolean {
  if (Object.values(types).some((type) => type?.startsWith("payment_intent.") === false)) return true;
  const { type, data } = membersOf(body);
  const { id, attributes } = membersOf(data);
  const isWhole = data === "{data}" || (id === "{data.id}" && hasStatus(attributes));
  return body !== undefined && (type !== "{event.type}" || !isWhole);
}

function hasStatus(attributes: Template | undefined): boolean {
  return attributes === "{data.attributes}" || membersOf(attributes)["status"] === "{data.attributes.status}";
}

/** Returns the members of an object of a template; none of anything else. */
function membersOf(template: Template | undefined): Readonly<Record<string, Template>> {
  return typeof template === "object" && template !== null && !Array.isArray(template)
    ? (template as Readonly<Record<string, Template>>)
    : {};
}
