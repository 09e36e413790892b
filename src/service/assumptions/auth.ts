import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { templateOf } from "../../kit/assumptions/template-schema.ts";
import { authPaths } from "../wire/paths.ts";
import { namesOf, tokenFields, tokenOfOAuth, tokenParts } from "../wire/token-call.ts";
import type { TokenCallForm } from "../wire/token-call.ts";
import { renamesAccessToken } from "./departures.ts";
import { duration } from "./duration.ts";
import { pathsInsteadOf } from "./path.ts";

const name = z.string().check(z.regex(/^[A-Za-z_][\w.-]{0,63}$/), z.meta({ title: "a name", examples: ["clientId"] }));

/** Whether no two fields of a token call have one name. */
function haveNamesOfTheirOwn(names: NonNullable<TokenCallForm["names"]>): boolean {
  const all = tokenFields.flatMap((field) => namesOf({ names }, field));
  return new Set(all).size === all.length && !all.includes("scope");
}

/** The operations that a session token in their path may open. */
const operationsOfSessions = ["checkout.process", "checkout.polling", "subscription.session"] as const;
/** The operations that a client key may open. */
const operationsOfClientKeys = ["payment-intent.confirm", "payment-intent.status"] as const;

/** Credentials and tokens (part 5). */
export const authAssumptions = {
  "auth.paths": choice(
    "Paths of refresh, registration and public keys",
    "A refresh is a token call, `POST {auth_url}/oauth`, registration is `POST {auth_url}/merchants`, and the keys stand at `{auth_url}/.well-known/jwks.json`. With `refresh`, each of the two paths takes one grant alone. `token` is another path of the token call",
    pathsInsteadOf(authPaths),
    {},
    {
      departs: { part: "5", when: ({ token = authPaths.token }) => token !== authPaths.token },
      alternatives: {
        "`/oauth` for a token": { token: "/oauth/token" },
        "`/oauth` for a refresh": { refresh: "/oauth/refresh" },
        "`/merchants`": { registration: "/api/merchants" },
        "`/.well-known/jwks.json`": { keys: "/oauth/keys" },
      },
    },
  ),
  "auth.token-request": choice(
    "Body of the token call",
    "OAuth 2.0 client credentials as form or JSON, in snake_case or camelCase, in the body or in HTTP Basic, which wins; `grant_type` is `client_credentials` by default, `scope` is ignored, and a refresh takes no client. `format` takes one format alone, `client` the client's id and secret at one place alone, and `names` has the only names of fields",
    z.strictObject({
      format: z.optional(z.enum(["form", "json"])),
      client: z.optional(z.enum(["body", "basic"])),
      names: z.optional(
        z
          .strictObject({
            grant_type: z.optional(name),
            client_id: z.optional(name),
            client_secret: z.optional(name),
            refresh_token: z.optional(name),
          })
          .check(z.refine(haveNamesOfTheirOwn, "two fields would have one name")),
      ),
    }),
    {},
    {
      alternatives: [
        { format: "json" },
        { client: "basic" },
        { names: { client_id: "clientId", client_secret: "clientSecret" } },
      ],
    },
  ),
  "auth.token-response": choice(
    "Token response",
    "A plain RFC 6749 answer; a template shapes it otherwise, also with `expires_at`, the instant at which the token expires",
    templateOf(tokenParts),
    tokenOfOAuth,
    {
      departs: { part: "5", when: renamesAccessToken },
      alternatives: [
        { success: true, data: tokenOfOAuth },
        { accessToken: "{access_token}", expiresIn: "{expires_in}", refreshToken: "{refresh_token}" },
      ],
    },
  ),
  "auth.token-lifetime": choice("Lifetime of an access token", "3600 seconds", duration, "1 hour", {
    alternatives: ["5 minutes", "24 hours"],
  }),
  "auth.token-errors": choice(
    "Status of an invalid refresh token",
    "400 `invalid_grant`, as in RFC 6749; `401` is the alternative",
    z.literal([400, 401]),
    400,
  ),
  "auth.refresh": choice(
    "Refresh",
    "A refresh token lasts this long and rotates on use; reuse revokes its family",
    duration,
    "30 days",
    { alternatives: ["24 hours", "7 days"] },
  ),
  "auth.jwt": fixed(
    "Token format",
    "JWT signed with ES256, checked against `exp`, issuer and audience",
    "Tokens are secrets, which recordings leave out, and merchants pass them on unread.",
  ),
  "auth.registration": fixed(
    "Merchant registration",
    "With `X-Admin-Key`; names and e-mail addresses may repeat; no later answer shows the secrets",
    "Administrators of the service register merchants, and merchants, who record, do not.",
  ),
  "auth.scope": choice(
    "Credential of process, polling, subscription and transaction endpoints",
    "The bearer token. A list names operations whose session token is enough, so that a page may call them",
    z.array(z.enum(operationsOfSessions)),
    [],
    {
      departs: { part: "5", when: (open) => open.some((each) => each !== "subscription.session") },
      alternatives: [["checkout.polling"], ["checkout.polling", "checkout.process", "subscription.session"]],
    },
  ),
  "auth.other-merchants": fixed(
    "Resources of another merchant",
    "Do not exist for the caller: 404",
    "Whoever records is one merchant, and has no id of another.",
  ),
  "auth.client-key": choice(
    "What the `clientKey` authorises",
    "As bearer token: confirm and status of its intent. A shorter list leaves the others to the merchant's token",
    z.array(z.enum(operationsOfClientKeys)),
    ["payment-intent.confirm", "payment-intent.status"],
    {
      departs: { part: "5", when: (operations) => operations.length === 0 },
      alternatives: [["payment-intent.status"], ["payment-intent.confirm"], []],
    },
  ),
  "auth.secrets": fixed(
    "Shape of keys and secrets",
    "Each says that it is fake: client ids `ci_fake_`, client secrets `csec_fake_`, client keys `ck_fake_`, admin keys `ak_fake_`, refresh tokens `rt_fake_`; webhook secrets `whsec_FakeFake` and base64; the `jti` of access tokens ends in `Fake`",
    "Secrets are left out of recordings, and those of Centavo have to show that they are fake.",
  ),
} as const satisfies AssumptionTable;
