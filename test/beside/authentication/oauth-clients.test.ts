import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { intercept } from "centavo/node";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { ClientCredentials } from "simple-oauth2";
import { afterEach, describe, expect, test } from "vitest";

let network: Disposable | undefined;
afterEach(() => {
  network?.[Symbol.dispose]();
  network = undefined;
});

function intercepted(authUrl: string): Simulator {
  const sim = createSimulator({ authUrl });
  network = intercept(sim);
  return sim;
}

/** What a resource server does with a token: fetch the keys itself, and check everything. */
async function verify(sim: Simulator, token: string): Promise<void> {
  const keys = createRemoteJWKSet(new URL(`${sim.authUrl}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ["ES256"],
    issuer: sim.authUrl,
    audience: sim.baseUrl,
    subject: sim.credentials.clientId,
    requiredClaims: ["exp", "iat", "jti"],
    currentDate: new Date(sim.clock.now()),
  });
  expect(payload.sub).toBe(sim.credentials.clientId);
  const response = await fetch(`${sim.baseUrl}/api/checkout/polling/x`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(404);
}

describe.each(["https://auth.pay.example", "https://id.example/tenant"])(
  "real clients get tokens from %s",
  (authUrl) => {
    test.each([
      ["in HTTP Basic", (secret: string) => oauth.ClientSecretBasic(secret)],
      ["in the body", (secret: string) => oauth.ClientSecretPost(secret)],
    ])("oauth4webapi, with the secret %s", async (_, authentication) => {
      const sim = intercepted(authUrl);
      const issuer = new URL(authUrl);
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm: "oauth2" }),
      );
      const client: oauth.Client = { client_id: sim.credentials.clientId };
      const secret = authentication(sim.credentials.clientSecret);
      const response = await oauth.clientCredentialsGrantRequest(server, client, secret, {});
      const tokens = await oauth.processClientCredentialsResponse(server, client, response);
      await verify(sim, tokens.access_token);

      const again = await oauth.refreshTokenGrantRequest(server, client, secret, String(tokens.refresh_token));
      const refreshed = await oauth.processRefreshTokenResponse(server, client, again);
      await verify(sim, refreshed.access_token);

      const wrong = await oauth.clientCredentialsGrantRequest(server, client, authentication("wrong"), {});
      const problem = await oauth
        .processClientCredentialsResponse(server, client, wrong)
        .catch((error: unknown) => error);
      expect(
        problem instanceof oauth.WWWAuthenticateChallengeError ||
          (problem instanceof oauth.ResponseBodyError && problem.error === "invalid_client"),
      ).toBe(true);
    });

    test.each(["oauth2", "oidc"] as const)("openid-client, by %s discovery", async (algorithm) => {
      const sim = intercepted(authUrl);
      const { clientId, clientSecret } = sim.credentials;
      const configuration = await openid.discovery(new URL(authUrl), clientId, clientSecret, undefined, { algorithm });
      const tokens = await openid.clientCredentialsGrant(configuration);
      expect(tokens.expires_in).toBe(3600);
      await verify(sim, tokens.access_token);
      const refreshed = await openid.refreshTokenGrant(configuration, String(tokens.refresh_token));
      await verify(sim, refreshed.access_token);
    });

    test.each([
      ["header", "form"],
      ["header", "json"],
      ["body", "form"],
      ["body", "json"],
    ] as const)("simple-oauth2, with the secret in the %s and a %s body", async (authorizationMethod, bodyFormat) => {
      const sim = intercepted(authUrl);
      const { clientId: id, clientSecret: secret } = sim.credentials;
      const auth = {
        tokenHost: new URL(authUrl).origin,
        tokenPath: `${new URL(authUrl).pathname.replace(/\/$/, "")}/oauth`,
      };
      const { token } = await new ClientCredentials({
        client: { id, secret },
        auth,
        options: { authorizationMethod, bodyFormat },
      }).getToken({});
      await verify(sim, String(token["access_token"]));
      const wrong = new ClientCredentials({
        client: { id, secret: "wrong" },
        auth,
        options: { authorizationMethod, bodyFormat },
      }).getToken({});
      await expect(wrong).rejects.toMatchObject({ output: { statusCode: 401 } });
    });
  },
);
