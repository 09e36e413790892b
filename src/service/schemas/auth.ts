import * as z from "zod/mini";
import { anyText, textIfAny } from "../../kit/engine/row-schema.ts";
import { text, timestamp, webUrl } from "../fields.ts";
import { isInBody, namesOf, tokenFields } from "../wire/token-call.ts";
import type { TokenCallForm, TokenField } from "../wire/token-call.ts";

/** Returns the schema of the body of the token call, as form or JSON (`auth.token-request`). */
export function tokenRequestOf(form: TokenCallForm) {
  const names = tokenFields.filter((field) => isInBody(form, field)).flatMap((field) => namesOf(form, field));
  const [grant = ""] = namesOf(form, "grant_type");
  const { client = "either" } = form;
  const isSpelledTwice = client !== "basic" && namesOf(form, "client_id").length > 1;
  const here = isSpelledTwice ? "here, under either spelling" : "here";
  const where = { body: here, basic: "in HTTP Basic", either: `${here}, or in HTTP Basic` }[client];
  return z.object(Object.fromEntries([...names, "scope"].map((name) => [name, textIfAny]))).check(
    z.meta({
      description: `The client's id and secret stand ${where}`,
      anyOf: [
        { properties: { [grant]: { not: { const: "refresh_token" } } } },
        ...namesOf(form, "refresh_token").map((name) => ({ required: [name] })),
      ],
    }),
  );
}

/** The body of the token call in either format, under both spellings. */
export const tokenRequest = tokenRequestOf({});

/** What a token call says, whatever names its fields have on the wire. */
export type TokenRequest = { readonly [Field in TokenField]?: string | undefined };

/** Reads the body of a token call. */
export function readTokenRequest(form: TokenCallForm, body: Readonly<Record<string, unknown>>): TokenRequest {
  const read = (field: TokenField): unknown =>
    namesOf(form, field)
      .map((name) => body[name])
      .find(isGiven);
  return Object.fromEntries(tokenFields.filter((field) => isInBody(form, field)).map((field) => [field, read(field)]));
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

/** Answer of the token call (RFC 6749 §5.1, `auth.token-response`). */
export const tokenResponse = z.object({
  access_token: anyText,
  token_type: z.literal("Bearer"),
  expires_in: z.int().check(z.meta({ description: "Seconds" })),
  refresh_token: anyText,
});
export type TokenResponse = z.output<typeof tokenResponse>;

/** Body of merchant registration (`auth.registration`). */
export const merchantRegistration = z.object({ name: text, email: text, webhookUrl: z.optional(webUrl) });
export type MerchantRegistration = z.output<typeof merchantRegistration>;

/** A registered merchant. No other answer shows its secrets. */
export const registeredMerchant = z.object({
  id: anyText,
  name: anyText,
  email: anyText,
  webhookUrl: textIfAny,
  clientId: anyText,
  clientSecret: anyText,
  webhookSecret: anyText,
  createdAt: timestamp,
});
export type RegisteredMerchant = z.output<typeof registeredMerchant>;
