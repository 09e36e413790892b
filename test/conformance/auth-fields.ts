import {
  merchantRegistration,
  registeredMerchant,
  tokenRequest,
  tokenResponse,
} from "../../src/service/schemas/auth.ts";
import { field, fields, open } from "./field.ts";
import type { Field, Shape } from "./field.ts";

const ofRequest = open("auth.token-request");
const ofResponse = open("auth.token-response");
const ofRegistration = open("auth.registration");

const merchant: readonly Field[] = fields("string", "name email webhookUrl", ofRegistration);

export const authShapes: readonly Shape[] = [
  {
    part: "5",
    title: "Token, request",
    schema: tokenRequest,
    fields: [
      ...fields("string", "grant_type client_id client_secret clientId clientSecret", ofRequest),
      ...fields("string", "refresh_token refreshToken scope", ofRequest),
    ],
  },
  {
    part: "5",
    title: "Token, response",
    schema: tokenResponse,
    fields: [
      field("access_token", "string"),
      ...fields("string", "token_type refresh_token", ofResponse),
      field("expires_in", "number", ofResponse),
    ],
  },
  { part: "5", title: "Merchant registration, request", schema: merchantRegistration, fields: merchant },
  {
    part: "5",
    title: "Merchant registration, response",
    schema: registeredMerchant,
    fields: [
      ...merchant,
      ...fields("string", "id createdAt", ofRegistration),
      ...fields("string", "clientId clientSecret webhookSecret", open("auth.registration", "auth.secrets")),
    ],
  },
];
