import { createSimulator } from "centavo";
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { anyText, textLike } from "../matchers.ts";
import { answerOf } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

describe("an access token", () => {
  test("carries its claims in whole virtual seconds", async () => {
    const sim = createSimulator({ authUrl: "https://auth.pay.example", now: "2026-05-01T00:00:00.700Z" });
    const { access } = await tokensOf(sim);
    const issuedAt = Date.parse("2026-05-01T00:00:00Z") / 1000;
    expect(decodeJwt(access)).toEqual({
      iss: "https://auth.pay.example",
      sub: sim.credentials.clientId,
      aud: "https://api.pay.example",
      iat: issuedAt,
      exp: issuedAt + 3600,
      jti: textLike(/^jti_[A-Za-z0-9]{20}Fake$/),
    });
    expect(decodeProtectedHeader(access)).toEqual({ alg: "ES256", typ: "JWT", kid: anyText });
  });

  test("is valid until the millisecond before exp, and expired at exp", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    await sim.clock.advance({ minutes: 59, seconds: 59, milliseconds: 999 });
    expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(200);
    await sim.clock.advance("1 millisecond");
    const before = worldOf(sim);
    const { status, headers, body } = await callWith(access, sim, "/api/payment-intent", { amount: 1 });
    expect({ status, body }).toEqual({
      status: 401,
      body: { success: false, message: "Token expired", code: "UNAUTHORIZED", errors: [] },
    });
    expect(headers.get("www-authenticate")).toBe('Bearer error="invalid_token", error_description="Token expired"');
    expect(worldOf(sim)).toEqual(before);
  });

  test("issued within a second expires on the whole second, as its claim says", async () => {
    const sim = createSimulator({ now: "2026-05-01T00:00:00.700Z" });
    const { access } = await tokensOf(sim);
    await sim.clock.advanceTo("2026-05-01T01:00:00Z");
    expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).body["message"]).toBe("Token expired");
  });

  test("is the same for the same seed, and another for another", async () => {
    const [first, again, other] = await Promise.all(
      [1, 1, 2].map(async (seed) => (await tokensOf(createSimulator({ seed }))).access),
    );
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test("of a world that was reset is no longer known", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    sim.reset();
    expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).body["message"]).toBe(
      "Invalid access token",
    );
  });
});

describe("a forged token is an invalid one", () => {
  const sim = createSimulator();
  const claims = {
    iss: sim.authUrl,
    sub: sim.credentials.clientId,
    aud: sim.baseUrl,
    iat: 1_767_225_600,
    exp: 4_000_000_000,
    jti: "forged",
  };
  const signed = async (payload: Record<string, unknown>, alg = "ES256"): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg, typ: "JWT" }).sign((await generateKeyPair(alg)).privateKey);
  const { exp: _, ...withoutExp } = claims;

  const forgeries: readonly [string, () => string | Promise<string>][] = [
    ["the algorithm none", () => new UnsecuredJWT(claims).encode()],
    ["another key", () => signed(claims)],
    ["another algorithm", () => signed(claims, "RS256")],
    [
      "the client secret as an HMAC key",
      () =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256" })
          .sign(new TextEncoder().encode(sim.credentials.clientSecret)),
    ],
    ["no exp", () => signed(withoutExp)],
    ["another issuer", () => signed({ ...claims, iss: "https://evil.example" })],
    ["another audience", () => signed({ ...claims, aud: "https://evil.example" })],
    [
      "a true token's claims under a changed payload",
      async () => {
        const [header, , signature] = (await tokensOf(sim)).access.split(".");
        return `${header}.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.${signature}`;
      },
    ],
    ["a true token without its signature", async () => (await tokensOf(sim)).access.replace(/[^.]+$/, "")],
    ["a true token of another seed", async () => (await tokensOf(createSimulator({ seed: "other" }))).access],
    ["a refresh token", async () => (await tokensOf(sim)).refresh],
    ["no token at all", () => "garbage"],
  ];

  test.each(forgeries)("%s", async (_name, forge) => {
    const token = await forge();
    const { status, headers, body } = await callWith(token, sim, "/api/payment-intent", { amount: 1 });
    expect({ status, body }).toEqual({
      status: 401,
      body: { success: false, message: "Invalid access token", code: "UNAUTHORIZED", errors: [] },
    });
    expect(headers.get("www-authenticate")).toBe(
      'Bearer error="invalid_token", error_description="Invalid access token"',
    );
  });

  test.each([undefined, ""])("a missing header (%s) is told apart, with a bare challenge", async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await answerOf(await sim.fetch("/api/checkout/polling/x", { headers }));
    expect([answer.status, answer.body["code"], answer.body["message"]]).toEqual([
      401,
      "UNAUTHORIZED",
      "The header Authorization is missing",
    ]);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test.each(["Basic abc", "Token abc", "Bearer", "Bearer a b", "Bearer "])(
    "the header %j holds no token",
    async (authorization) => {
      const answer = await answerOf(await sim.fetch("/api/checkout/polling/x", { headers: { authorization } }));
      expect(answer.body["message"]).toBe("Invalid access token");
    },
  );

  test("the scheme's name may be written in any case", async () => {
    const { access } = await tokensOf(sim);
    expect(
      (await sim.fetch("/api/checkout/polling/x", { headers: { authorization: `bearer ${access}` } })).status,
    ).toBe(404);
  });
});
