import * as z from "zod/mini";
import { text, timestamp, webUrl } from "../fields.ts";

/** Body of the token call, as form or JSON (`auth.token-request`). */
export const tokenRequest = z
  .object({
    grant_type: z.optional(z.string()),
    client_id: z.optional(z.string()),
    client_secret: z.optional(z.string()),
    clientId: z.optional(z.string()),
    clientSecret: z.optional(z.string()),
    refresh_token: z.optional(z.string()),
    refreshToken: z.optional(z.string()),
    scope: z.optional(z.string()),
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
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int().check(z.meta({ description: "Seconds" })),
  refresh_token: z.string(),
});
export type TokenResponse = z.output<typeof tokenResponse>;

/** Body of merchant registration (`auth.registration`). */
export const merchantRegistration = z.object({ name: text, email: text, webhookUrl: z.optional(webUrl) });
export type MerchantRegistration = z.output<typeof merchantRegistration>;

/** A registered merchant. No other answer shows its secrets. */
export const registeredMerchant = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  webhookUrl: z.optional(z.string()),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
  createdAt: timestamp,
});
export type RegisteredMerchant = z.output<typeof registeredMerchant>;
