import { createSimulator, type Simulator } from "centavo";
import { intercept } from "centavo/node";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import * as openid from "openid-client";
import { afterEach, describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { SHOP } from "../merchant/requests.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function simulator(seed: string, options: Parameters<typeof createSimulator>[0] = {}): Simulator {
  const sim = createSimulator({ seed, ...options });
  cleanups.push(() => sim.close());
  return sim;
}

const AUTH = "https://api.pay.example";
const JWKS = `${AUTH}/.well-known/jwks.json`;
const METADATA = [`${AUTH}/.well-known/oauth-authorization-server`, `${AUTH}/.well-known/openid-configuration`];

async function tokenOf(sim: Simulator): Promise<string> {
  const merchant = await Merchant.of(sim);
  return merchant.authorization.replace("Bearer ", "");
}

function verify(sim: Simulator, token: string, keys: ReturnType<typeof createRemoteJWKSet>): Promise<unknown> {
  return jwtVerify(token, keys, { issuer: sim.authUrl, currentDate: new Date(sim.clock.now()) });
}

async function textOf(url: string, init?: RequestInit): Promise<string> {
  return (await fetch(url, init)).text();
}

test.each(METADATA)("worlds at one address answer %s with the bytes that each has alone", async (url) => {
  const sims = [simulator("a"), simulator("b"), simulator("c")];
  const alone = await Promise.all(sims.map(async (sim) => (await sim.fetch(url)).text()));
  intercept(sims);
  const shared = await textOf(url);
  expect(alone).toEqual([shared, shared, shared]);
});

test("openid-client finds each world by discovery at the same address", async () => {
  const sims = [simulator("a"), simulator("b")];
  intercept(sims);
  await Promise.all(
    sims.map(async ({ credentials: { clientId, clientSecret } }) => {
      const found = await openid.discovery(new URL(AUTH), clientId, clientSecret);
      const tokens = await openid.clientCredentialsGrant(found);
      const again = await openid.refreshTokenGrant(found, String(tokens.refresh_token));
      expect(again.access_token).not.toBe(tokens.access_token);
    }),
  );
  expect(sims.map((sim) => sim.journal.entries.filter(({ kind }) => kind === "token").length)).toEqual([2, 2]);
});

test("the keys of every open world, and nothing else, are at the shared address", async () => {
  const sims = [simulator("a"), simulator("b"), simulator("c")];
  const tokens = await Promise.all(sims.map(tokenOf));
  const closed = simulator("closed");
  const closedToken = await tokenOf(closed);
  intercept([...sims, closed]);
  await closed.close();
  const keys = createRemoteJWKSet(new URL(JWKS));
  for (const [index, token] of tokens.entries()) await verify(sims[index] as Simulator, token, keys);
  await expect(verify(closed, closedToken, keys)).rejects.toThrow("no applicable key found");
  const body = JSON.parse(await textOf(JWKS)) as { readonly keys: readonly { readonly kid: string }[] };
  expect(Object.keys(body)).toEqual(["keys"]);
  expect(body.keys.map(({ kid }) => kid).toSorted()).toEqual(
    tokens.map((token) => String(decodeProtectedHeader(token).kid)).toSorted(),
  );
  expect(new Set(body.keys.flatMap(Object.keys))).toEqual(new Set(["kty", "crv", "x", "y", "kid", "alg", "use"]));
});

test("worlds with the same seed have the same key, which is there once", async () => {
  const sims = [simulator("a"), simulator("a", { credentials: { clientId: "other" } }), simulator("b")];
  intercept(sims);
  const { keys } = JSON.parse(await textOf(JWKS)) as { readonly keys: readonly unknown[] };
  expect(keys).toHaveLength(2);
});

test("a key set that was read before a world opened verifies its tokens after one more request", async () => {
  const first = simulator("a");
  intercept(first);
  const keys = createRemoteJWKSet(new URL(JWKS), { cooldownDuration: 0 });
  await verify(first, await tokenOf(first), keys);
  const second = simulator("b");
  intercept(second);
  await verify(second, await tokenOf(second), keys);
});

test("no HTTP cache keeps a document, because another world may open", async () => {
  const sims = [simulator("a"), simulator("b")];
  intercept(sims.slice(0, 1));
  const caching = async () =>
    Promise.all([JWKS, ...METADATA].map(async (url) => (await fetch(url)).headers.get("cache-control")));
  expect(await caching()).toEqual(["no-store", "no-store", "no-store"]);
  intercept(sims.slice(1));
  expect(await caching()).toEqual(["no-store", "no-store", "no-store"]);
});

test("a digest is the same whether documents are read alone, among others, or not at all", async () => {
  const live = async (others: readonly string[], reads: boolean): Promise<string> => {
    await using sim = createSimulator({ seed: "a" });
    const rest = others.map((seed) => simulator(seed));
    using _network = intercept([...rest, sim]);
    if (reads) for (const url of [JWKS, ...METADATA]) expect((await fetch(url)).status).toBe(200);
    const merchant = await Merchant.of(sim, { fetch: (...call) => fetch(...call) });
    await merchant.createIntent();
    if (reads) await textOf(JWKS, { headers: { authorization: merchant.authorization } });
    expect(rest.map(({ journal }) => journal.length)).toEqual(rest.map(() => 0));
    return sim.journal.digest();
  };
  const digests = [await live([], false), await live([], true), await live(["b", "c"], true)];
  expect(new Set(digests).size).toBe(1);
});

describe("a request for a document", () => {
  test("is answered to HEAD without a body, and to a browser at another origin", async () => {
    intercept([simulator("a"), simulator("b")]);
    const answer = await fetch(JWKS, { method: "HEAD", headers: { origin: SHOP } });
    expect([answer.status, answer.headers.get("access-control-allow-origin"), await answer.text()]).toEqual([
      200,
      "*",
      "",
    ]);
  });

  test("is answered whatever token it carries, with all keys", async () => {
    const sims = [simulator("a"), simulator("b")];
    intercept(sims);
    const authorization = (await Merchant.of(sims[1] as Simulator)).authorization;
    const bodies = [await textOf(JWKS), await textOf(JWKS, { headers: { authorization } })];
    expect(new Set(bodies).size).toBe(1);
  });

  test.each([
    ["with a query", `${JWKS}?fresh=1`, "GET"],
    ["by another method", JWKS, "POST"],
    ["at a path that no world has", `${AUTH}/health`, "GET"],
    ["of a resource, without credentials", `${AUTH}/api/transactions`, "GET"],
  ])("%s is refused, because nothing tells which world it is for", async (_which, url, method) => {
    intercept([simulator("a"), simulator("b")]);
    await expect(fetch(url, { method })).rejects.toMatchObject({
      cause: {
        code: "UNEXPECTED_REQUEST",
        message: expect.stringContaining("it carries nothing that tells for which world") as string,
      },
    });
  });

  test("is refused where one world alone has it", async () => {
    intercept([simulator("a"), simulator("b", { authUrl: "https://auth.pay.example" })]);
    await expect(fetch(JWKS)).rejects.toMatchObject({ cause: { code: "UNEXPECTED_REQUEST" } });
  });
});
