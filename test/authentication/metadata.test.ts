import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from "jose";
import type { JSONWebKeySet } from "jose";
import { afterEach, describe, expect, test } from "vitest";
import { tokensOf } from "../merchant/requests.ts";

let network: Disposable | undefined;
afterEach(() => {
  network?.[Symbol.dispose]();
  network = undefined;
});

/** Base URL, authentication URL, and where RFC 8414 and OpenID Connect look for the metadata. */
const places: readonly [string, string, readonly string[]][] = [
  [
    "https://api.pay.example",
    "https://api.pay.example",
    [
      "https://api.pay.example/.well-known/oauth-authorization-server",
      "https://api.pay.example/.well-known/openid-configuration",
    ],
  ],
  [
    "https://api.pay.example",
    "https://auth.pay.example",
    [
      "https://auth.pay.example/.well-known/oauth-authorization-server",
      "https://auth.pay.example/.well-known/openid-configuration",
    ],
  ],
  ...["https://api.pay.example", "https://id.example", "https://id.example/v1"].map(
    (baseUrl): [string, string, readonly string[]] => [
      baseUrl,
      "https://id.example/tenant/a",
      [
        "https://id.example/.well-known/oauth-authorization-server/tenant/a",
        "https://id.example/tenant/a/.well-known/oauth-authorization-server",
        "https://id.example/tenant/a/.well-known/openid-configuration",
        "https://id.example/.well-known/openid-configuration/tenant/a",
      ],
    ],
  ),
  ["https://id.example/v1", "https://id.example", ["https://id.example/.well-known/oauth-authorization-server"]],
];

describe.each(places)("with the API at %s and tokens at %s", (baseUrl, authUrl, documents) => {
  test("the metadata names every address", async () => {
    const sim = createSimulator({ baseUrl, authUrl });
    network = intercept(sim);
    for (const address of documents) {
      const response = await fetch(address);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(await response.json()).toMatchObject({
        issuer: authUrl,
        token_endpoint: `${authUrl}/oauth`,
        jwks_uri: `${authUrl}/.well-known/jwks.json`,
        grant_types_supported: ["client_credentials", "refresh_token"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      });
    }
  });

  test("a token verifies under the one key of the JWKS, whose kid is its thumbprint", async () => {
    const sim = createSimulator({ baseUrl, authUrl });
    network = intercept(sim);
    const keys = (await (await fetch(`${authUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
    const [key] = keys.keys;
    expect(keys.keys).toHaveLength(1);
    expect(key).toMatchObject({
      kty: "EC",
      crv: "P-256",
      alg: "ES256",
      use: "sig",
      kid: await calculateJwkThumbprint(key ?? {}),
    });
    expect(key).not.toHaveProperty("d");
    const { access } = await tokensOf(sim);
    await jwtVerify(access, createLocalJWKSet(keys), {
      issuer: authUrl,
      audience: baseUrl,
      currentDate: new Date(sim.clock.now()),
    });
  });
});

describe("a wrong address", () => {
  test("is not found when the API and the token service have separate addresses", async () => {
    const sim = createSimulator({ authUrl: "https://auth.pay.example" });
    expect((await sim.fetch("https://auth.pay.example/api/payment-intent", { method: "POST" })).status).toBe(404);
    expect((await sim.fetch("https://api.pay.example/oauth", { method: "POST" })).status).toBe(404);
  });

  test("nothing answers beside the path of a base URL", async () => {
    const sim = createSimulator({ baseUrl: "https://api.pay.example/v1" });
    expect((await sim.fetch("https://api.pay.example/v1/oauth", { method: "POST" })).status).toBe(400);
    for (const address of [
      "https://api.pay.example/oauth",
      "https://api.pay.example/v1",
      "https://api.pay.example/v12/oauth",
    ]) {
      expect((await sim.fetch(address, { method: "POST" })).status).toBe(404);
    }
  });

  test("another origin is another address of all of it", async () => {
    const sim = createSimulator({ authUrl: "https://auth.pay.example/tenant" });
    expect((await sim.fetch("http://127.0.0.1:4010/oauth", { method: "POST" })).status).toBe(400);
    expect((await sim.fetch("http://127.0.0.1:4010/api/payment-intent", { method: "POST" })).status).toBe(401);
  });
});
