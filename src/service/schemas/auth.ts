import * as z from "zod/mini";
import { anyText, textIfAny } from "../../kit/engine/row-schema.ts";
import { text, timestamp, webUrl } from "../fields.ts";

/** Body of the token call, as form or JSON (`auth.token-request`). */
export const tokenRequest = z
  .object({
    grant_type: textIfAny,
    client_id: textIfAny,
    client_secret: textIfAny,
    clientId: textIfAny,
    clientSecret: textIfAny,
    refresh_token: textIfAny,
    refreshToken: textIfAny,
    scope: textIfAny,
  })
  .check(
    z.meta({
      description: "The client's id and secret stand here, under either spelling, or in HTTP Basic",
      anyOf: [
        { properties: { grant_type: { not: { const: "refresh_token" } } } },
        { required: ["refresh_token"] },
        { required: ["refreshToken"] },
      ],
    }),
  );
export type TokenRequest = z.output<typeof tokenRequest>;

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
