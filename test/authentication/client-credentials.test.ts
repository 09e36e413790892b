import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { anyList, anyText, textLike } from "../matchers.ts";
import { type Answer, answerOf } from "../merchant/answers.ts";
import { callWith, postJson, requestToken } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const sim = createSimulator();
const { clientId, clientSecret } = sim.credentials;
const TOKEN = {
  access_token: textLike(/^eyJ/),
  token_type: "Bearer",
  expires_in: 3600,
  refresh_token: textLike(/^rt_fake_\w{40}$/),
};

const form = async (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
  answerOf(await sim.fetch("/oauth", { method: "POST", headers, body: new URLSearchParams(fields) }));
const basic = (id: string, secret: string): string => `Basic ${btoa(`${id}:${secret}`)}`;
const encoded = (text: string): string => text.replaceAll("_", "%5F");

describe("credentials are taken", () => {
  const ways: readonly [string, () => Promise<Answer>][] = [
    [
      "as JSON",
      () => requestToken(sim, { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }),
    ],
    ["as JSON without a grant type", () => requestToken(sim, { client_id: clientId, client_secret: clientSecret })],
    ["as JSON in camel case", () => requestToken(sim, { clientId, clientSecret })],
    ["as a form", () => form({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret })],
    ["as a form with a scope", () => form({ client_id: clientId, client_secret: clientSecret, scope: "payments" })],
    [
      "in HTTP Basic",
      () => form({ grant_type: "client_credentials" }, { authorization: basic(clientId, clientSecret) }),
    ],
    [
      "in HTTP Basic, percent-encoded",
      () => form({}, { authorization: basic(encoded(clientId), encoded(clientSecret)) }),
    ],
    [
      "in HTTP Basic without a body",
      async () =>
        answerOf(
          await sim.fetch("/oauth", { method: "POST", headers: { authorization: basic(clientId, clientSecret) } }),
        ),
    ],
    ["in lower-case basic", () => form({}, { authorization: basic(clientId, clientSecret).replace("Basic", "basic") })],
    [
      "in the body beside a bearer token left over from other calls",
      () => requestToken(sim, { clientId, clientSecret }, { authorization: "Bearer old" }),
    ],
  ];

  test.each(ways)("%s", async (_, ask) => {
    const { status, headers, body } = await ask();
    expect(status).toBe(200);
    expect(body).toEqual(TOKEN);
    expect(headers.get("cache-control")).toBe("no-store");
    const created = await callWith(String(body["access_token"]), sim, "/api/payment-intent", { amount: 100 });
    expect(created.status).toBe(200);
  });
});

describe("a wrong token request is refused with the codes of the document and of OAuth 2.0", () => {
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const refusals: readonly [string, () => Promise<Answer>, number, string, string, string | null][] = [
    [
      "a wrong secret",
      () => requestToken(sim, { ...credentials, client_secret: "wrong" }),
      401,
      "INVALID_CREDENTIALS",
      "invalid_client",
      null,
    ],
    [
      "an unknown client",
      () => requestToken(sim, { ...credentials, client_id: "ci_fake_nobody" }),
      401,
      "INVALID_CREDENTIALS",
      "invalid_client",
      null,
    ],
    [
      "a wrong secret in HTTP Basic",
      () => form({}, { authorization: basic(clientId, "wrong") }),
      401,
      "INVALID_CREDENTIALS",
      "invalid_client",
      'Basic realm="Centavo"',
    ],
    [
      "HTTP Basic that is not base64",
      () => form({}, { authorization: "Basic ???" }),
      401,
      "INVALID_CREDENTIALS",
      "invalid_client",
      'Basic realm="Centavo"',
    ],
    [
      "HTTP Basic without a colon",
      () => form({}, { authorization: `Basic ${btoa("nocolon")}` }),
      401,
      "INVALID_CREDENTIALS",
      "invalid_client",
      'Basic realm="Centavo"',
    ],
    [
      "another grant",
      () => requestToken(sim, { ...credentials, grant_type: "password" }),
      400,
      "UNSUPPORTED_GRANT_TYPE",
      "unsupported_grant_type",
      null,
    ],
    ["an empty body", () => requestToken(sim, {}), 400, "VALIDATION_ERROR", "invalid_request", null],
    [
      "a missing secret",
      () => requestToken(sim, { client_id: clientId }),
      400,
      "VALIDATION_ERROR",
      "invalid_request",
      null,
    ],
    [
      "a missing id",
      () => requestToken(sim, { client_secret: clientSecret }),
      400,
      "VALIDATION_ERROR",
      "invalid_request",
      null,
    ],
    [
      "a missing refresh token",
      () => requestToken(sim, { grant_type: "refresh_token" }),
      400,
      "VALIDATION_ERROR",
      "invalid_request",
      null,
    ],
    [
      "a secret that is a number",
      () => requestToken(sim, { ...credentials, client_secret: 5 }),
      400,
      "VALIDATION_ERROR",
      "invalid_request",
      null,
    ],
    [
      "a field given twice",
      async () =>
        answerOf(await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams("client_id=a&client_id=b") })),
      400,
      "VALIDATION_ERROR",
      "invalid_request",
      null,
    ],
    [
      "malformed JSON",
      async () => answerOf(await sim.fetch("/oauth", { ...postJson({}), body: "{" })),
      400,
      "MALFORMED_JSON",
      "invalid_request",
      null,
    ],
    [
      "plain text",
      async () => answerOf(await sim.fetch("/oauth", { method: "POST", body: "client_id=a" })),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      "invalid_request",
      null,
    ],
    [
      "a body over the limit",
      async () => answerOf(await sim.fetch("/oauth", { ...postJson({}), body: "x".repeat(1_048_577) })),
      413,
      "BODY_TOO_LARGE",
      "invalid_request",
      null,
    ],
  ];

  test.each(refusals)("%s", async (_, ask, status, code, error, challenge) => {
    const before = worldOf(sim);
    const answer = await ask();
    expect({ ...answer, headers: undefined }).toEqual({
      status,
      headers: undefined,
      body: {
        success: false,
        message: anyText,
        code,
        errors: anyList,
        error,
        error_description: anyText,
      },
    });
    expect(answer.headers.get("www-authenticate")).toBe(challenge);
    expect(worldOf(sim)).toEqual(before);
  });

  test("missing credentials are named one by one", async () => {
    const { body } = await requestToken(sim, {});
    expect(body["errors"]).toEqual(
      ["client_id", "client_secret"].map((path) => ({ path, message: "is required", code: "validation_error" })),
    );
    expect(body["error_description"]).toBe("client_id is required, client_secret is required");
  });
});
