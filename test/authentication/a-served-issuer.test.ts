import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { allowInsecureRequests, clientCredentialsGrant, discovery, refreshTokenGrant } from "openid-client";
import { expect, test } from "vitest";

test.for(["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"])(
  "the metadata at %s of a server names the address of the server",
  async (path) => {
    await using sim = createSimulator({ authUrl: "https://auth.pay.example/tenant" });
    const { url } = await serve(sim);
    expect(await (await fetch(url + path)).json()).toMatchObject({
      issuer: url,
      token_endpoint: `${url}/oauth`,
      jwks_uri: `${url}/.well-known/jwks.json`,
    });
  },
);

test("a client that discovers a server gets a token whose issuer and audience are that server", async () => {
  await using sim = createSimulator();
  const { url } = await serve(sim);
  const { clientId, clientSecret } = sim.credentials;
  const client = await discovery(new URL(url), clientId, clientSecret, undefined, {
    execute: [allowInsecureRequests],
  });
  const tokens = await clientCredentialsGrant(client);
  const keys = createRemoteJWKSet(new URL(String(client.serverMetadata().jwks_uri)));
  const currentDate = new Date(sim.clock.now());
  await expect(
    jwtVerify(tokens.access_token, keys, { issuer: url, audience: url, currentDate }),
  ).resolves.toBeDefined();

  const refreshed = await refreshTokenGrant(client, String(tokens.refresh_token));
  await expect(
    jwtVerify(refreshed.access_token, keys, { issuer: url, audience: url, currentDate }),
  ).resolves.toBeDefined();
});

test("a token of one address opens the service at every other", async () => {
  await using sim = createSimulator();
  const { url } = await serve(sim);
  const { clientId, clientSecret } = sim.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const { access_token: access } = (await (await fetch(`${url}/oauth`, { method: "POST", body })).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${access}` };
  expect((await sim.fetch("/api/transactions", { headers })).status).toBe(200);
  expect((await fetch(`${url}/api/transactions`, { headers })).status).toBe(200);
});
