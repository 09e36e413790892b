import * as z from "zod";
import { text, timestamp, webUrl } from "../fields.ts";

/** Body of the token call, as form or JSON (`auth.token-request`). */
export const tokenRequest = z
  .object({
    grant_type: z.string().optional(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    clientId: z.string().optional(),
    clientSecret: z.string().optional(),
    refresh_token: z.string().optional(),
    refreshToken: z.string().optional(),
    scope: z.string().optional(),
  })
  .meta({
    description: "The client's id and secret stand here, under either spelling, or in HTTP Basic",
    anyOf: [
      { properties: { grant_type: { not: { const: "refresh_token" } } } },
      { required: ["refresh_token"] },
      { required: ["refreshToken"] },
    ],
  });
export type TokenRequest = z.output<typeof tokenRequest>;

/** Answer of the token call (RFC 6749 §5.1, `auth.token-response`). */
export const tokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int().meta({ description: "Seconds" }),
  refresh_token: z.string(),
});
export type TokenResponse = z.output<typeof tokenResponse>;

/** Body of merchant registration (`auth.registration`). */
export const merchantRegistration = z.object({ name: text, email: text, webhookUrl: webUrl.optional() });
export type MerchantRegistration = z.output<typeof merchantRegistration>;

/** A registered merchant. No other answer shows its secrets. */
export const registeredMerchant = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  webhookUrl: z.string().optional(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
  createdAt: timestamp,
});
export type RegisteredMerchant = z.output<typeof registeredMerchant>;
