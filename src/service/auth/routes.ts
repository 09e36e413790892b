import * as z from "zod/mini";
import { anyText } from "../../kit/engine/row-schema.ts";
import type { ApiError } from "../api-error.ts";
import { defineRoute } from "../route.ts";
import { fieldProblems } from "../../kit/http/problem.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import type { RawAnswer } from "../../kit/http/route.ts";
import { isBasic } from "../../kit/http/basic.ts";
import type { Auth, Grant } from "./commands.ts";
import { toRegisteredMerchant } from "./merchants.ts";
import {
  merchantRegistration,
  readTokenRequest,
  registeredMerchant,
  tokenRequest,
  tokenRequestOf,
  tokenResponse,
} from "../schemas/auth.ts";
import { authPaths } from "../wire/paths.ts";
import { namesOf } from "../wire/token-call.ts";
import type { TokenCallForm, TokenField } from "../wire/token-call.ts";
import { oauthErrors } from "../wire/shapes.ts";

const route = defineRoute<Auth>();
const NO_STORE = { "content-type": "application/json", "cache-control": "no-store", pragma: "no-cache" };

/** Any format, and both spellings. */
const USUAL: TokenCallForm = {};

/**
 * Declares the token call.
 * @param form how it is written (`auth.token-request`)
 * @param grant the only grant that it takes, where refreshes have a path of their own (`auth.paths`); both by default
 */
export function tokenRoute(form: TokenCallForm = USUAL, grant?: Grant) {
  return route({
    name: "oauth.token",
    summary: "Exchange client credentials or a refresh token for an access token",
    source: "5",
    service: "auth",
    method: "POST",
    path: authPaths.token,
    credential: "none",
    body: form === USUAL ? tokenRequest : tokenRequestOf(form),
    accepts: form.format === undefined ? ["json", "form"] : [form.format],
    plain: tokenResponse,
    idempotent: false,
    crossOrigin: false,
    errors: ["INVALID_CREDENTIALS", "INVALID_REFRESH_TOKEN", "UNSUPPORTED_GRANT_TYPE"],
    errorFields: oauthError,
    assumes: [
      "auth.paths",
      "auth.token-request",
      "auth.token-response",
      "auth.token-lifetime",
      "auth.token-errors",
      "auth.refresh",
      "auth.jwt",
    ],
    check: ({ body, authorization }) => missingFrom(form, body, authorization, grant),
    handle(call, auth) {
      const body = readTokenRequest(form, call.body);
      const authorization = form.client === "body" ? undefined : call.authorization;
      const answer = auth.token({ ...call, body, authorization }, grant);
      if ("declined" in answer) return answer;
      return { raw: { status: 200, headers: NO_STORE, body: JSON.stringify(auth.written(answer)) } };
    },
  });
}

/** The token service (part 5): tokens, keys, metadata, merchant registration. */
export const authRoutes = [
  tokenRoute(),
  route({
    name: "oauth.keys",
    summary: "Read the public keys that verify access tokens (RFC 7517)",
    source: "auth.jwt",
    service: "auth",
    method: "GET",
    path: authPaths.keys,
    credential: "none",
    isDocument: true,
    plain: z.object({ keys: z.array(z.record(anyText, anyText)) }),
    errors: [],
    assumes: ["auth.jwt", "auth.paths"],
    handle: (_, auth) => ({ raw: document({ keys: [auth.publicKey] }) }),
  }),
  ...(["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const).map((path) =>
    route({
      name: path.endsWith("server") ? "oauth.metadata" : "oauth.openid-configuration",
      summary: "Read the metadata of the token service (RFC 8414)",
      source: "auth.jwt",
      service: "auth",
      method: "GET",
      path,
      credential: "none",
      isDocument: true,
      plain: z.looseObject({ issuer: anyText, token_endpoint: anyText, jwks_uri: anyText }),
      errors: [],
      assumes: ["auth.jwt", "auth.paths"],
      handle: ({ publicAuthUrl }, { calls: { paths, form } }) => ({
        raw: document({
          issuer: publicAuthUrl,
          token_endpoint: publicAuthUrl + paths.token,
          jwks_uri: publicAuthUrl + paths.keys,
          grant_types_supported: ["client_credentials", "refresh_token"],
          token_endpoint_auth_methods_supported: [
            ...(form.client === "body" ? [] : ["client_secret_basic"]),
            ...(form.client === "basic" ? [] : ["client_secret_post"]),
          ],
          response_types_supported: ["token"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
        }),
      }),
    }),
  ),
  route({
    name: "merchant.register",
    summary: "Register a merchant",
    source: "5",
    service: "auth",
    method: "POST",
    path: authPaths.registration,
    credential: "admin-key",
    body: merchantRegistration,
    data: registeredMerchant,
    creates: true,
    crossOrigin: false,
    errors: [],
    assumes: ["auth.registration", "auth.paths", "auth.secrets", "intent.ids"],
    handle: ({ body }, auth) => ({ data: toRegisteredMerchant(auth.merchants.register(body)) }),
  }),
];

/** Returns the fields that a token request must have. Basic credentials replace those of the body. */
function missingFrom(
  form: TokenCallForm,
  body: Readonly<Record<string, unknown>>,
  authorization: string | undefined,
  usual: Grant = "client_credentials",
): FieldProblem[] {
  const request = readTokenRequest(form, body);
  const { grant_type: grant = usual, client_secret: secret } = request;
  const isInHeader = form.client === "basic" || (form.client === undefined && isBasic(authorization));
  const needsClient = !isInHeader && (grant === "client_credentials" || secret !== undefined);
  const needed: readonly TokenField[] = [
    ...(needsClient ? (["client_id", "client_secret"] as const) : []),
    ...(grant === "refresh_token" ? (["refresh_token"] as const) : []),
  ];
  const missing = needed.filter((field) => request[field] === undefined);
  return fieldProblems(
    missing.map((field) => namesOf(form, field)[0] ?? field),
    "is required",
  );
}

function document(body: object): RawAnswer {
  return { status: 200, headers: NO_STORE, body: JSON.stringify(body) };
}

/** Returns the OAuth fields of an error, which the token call answers beside the service's own (RFC 6749 §5.2). */
function oauthError({ code, message, errors }: ApiError): Readonly<Record<string, unknown>> {
  const description =
    errors.length === 0 ? message : errors.map(({ path, message: problem }) => `${path} ${problem}`).join(", ");
  return { error: oauthErrors[code] ?? "invalid_request", error_description: description };
}
