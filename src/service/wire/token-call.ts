import type { Placeholders, Template } from "../../kit/assumptions/template.ts";
import { toBase64 } from "../../kit/base/runtime/base64.ts";

/** What a token call says, by its names in RFC 6749. */
export const tokenFields = ["grant_type", "client_id", "client_secret", "refresh_token"] as const;
export type TokenField = (typeof tokenFields)[number];

/** How a token call is written (`auth.token-request`). What is left out, callers choose. */
export interface TokenCallForm {
  readonly format?: "form" | "json" | undefined;
  /** Where the client's id and secret stand. */
  readonly client?: "body" | "basic" | undefined;
  /** Other names of fields. */
  readonly names?: { readonly [Field in TokenField]?: string | undefined } | undefined;
}

/** Returns the names under which the service reads a field: two spellings, unless it has a name of its own. */
export function namesOf({ names = {} }: TokenCallForm, field: TokenField): readonly string[] {
  const own = names[field];
  if (own !== undefined) return [own];
  const inCamelCase = field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return field === "grant_type" ? [field] : [field, inCamelCase];
}

/** Whether a field stands in the body: the client's stand in the header of HTTP Basic alone with `basic`. */
export function isInBody({ client }: TokenCallForm, field: TokenField): boolean {
  return client !== "basic" || !field.startsWith("client_");
}

/** Returns a token call as a client sends it: a form with the client's id and secret, unless the service takes something else. */
export function tokenCall(
  form: TokenCallForm,
  fields: { readonly [Field in TokenField]?: string },
): { readonly method: "POST"; readonly headers: Record<string, string>; readonly body: string } {
  const { client_id: id = "", client_secret: secret = "" } = fields;
  const given = tokenFields.filter((field) => fields[field] !== undefined && isInBody(form, field));
  const body = Object.fromEntries(given.map((field) => [form.names?.[field] ?? field, String(fields[field])]));
  const isJson = form.format === "json";
  const basic = toBase64(new TextEncoder().encode(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`));
  return {
    method: "POST",
    headers: {
      "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded",
      ...(form.client === "basic" && id !== "" ? { authorization: `Basic ${basic}` } : {}),
    },
    body: isJson ? JSON.stringify(body) : new URLSearchParams(body).toString(),
  };
}

/** What the answer of the token call can say (`auth.token-response`). */
export const tokenParts: Placeholders = {
  required: ["access_token"],
  optional: ["token_type", "expires_in", "expires_at", "refresh_token"],
};

/** The answer of RFC 6749 §5.1. */
export const tokenOfOAuth: Template = {
  access_token: "{access_token}",
  token_type: "{token_type}",
  expires_in: "{expires_in}",
  refresh_token: "{refresh_token}",
};
