import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { anyText } from "../matchers.ts";
import type { Answer } from "../merchant/answers.ts";
import { callWith, register, requestToken, tokensOf } from "../merchant/requests.ts";
import type { Simulator } from "centavo";

const refresh = (sim: Simulator, token: string, more: Record<string, string> = {}): Promise<Answer> =>
  requestToken(sim, { grant_type: "refresh_token", refresh_token: token, ...more });

function expectRefused({ status, headers, body }: Answer, expected = 400): void {
  expect({ status, body }).toEqual({
    status: expected,
    body: {
      success: false,
      message: "Invalid refresh token",
      code: "INVALID_REFRESH_TOKEN",
      errors: [],
      error: "invalid_grant",
      error_description: "Invalid refresh token",
    },
  });
  expect(headers.get("www-authenticate")).toBeNull();
}

describe("a refresh token", () => {
  test("gives a new pair, and the earlier access token stays good", async () => {
    const sim = createSimulator();
    const first = await tokensOf(sim);
    const { status, body } = await refresh(sim, first.refresh);
    expect(status).toBe(200);
    expect(body["access_token"]).not.toBe(first.access);
    expect(body["refresh_token"]).not.toBe(first.refresh);
    for (const access of [first.access, String(body["access_token"])]) {
      expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(200);
    }
  });

  test("may come in camel case, with or without the client's credentials", async () => {
    const sim = createSimulator();
    const { clientId, clientSecret } = sim.credentials;
    const first = await tokensOf(sim);
    const second = await requestToken(sim, { grant_type: "refresh_token", refreshToken: first.refresh });
    expect(second.status).toBe(200);
    expect(
      (await refresh(sim, String(second.body["refresh_token"]), { client_id: clientId, client_secret: clientSecret }))
        .status,
    ).toBe(200);
  });

  test("with a wrong client secret is refused without being used up", async () => {
    const sim = createSimulator();
    const { refresh: token } = await tokensOf(sim);
    const wrong = await refresh(sim, token, { client_id: sim.credentials.clientId, client_secret: "wrong" });
    expect([wrong.status, wrong.body["error"]]).toEqual([401, "invalid_client"]);
    expect((await refresh(sim, token)).status).toBe(200);
  });

  test("of another merchant is refused", async () => {
    const sim = createSimulator();
    const { refresh: token } = await tokensOf(sim);
    const { body } = await register(sim);
    const other = body["data"] as { clientId: string; clientSecret: string };
    expectRefused(await refresh(sim, token, { client_id: other.clientId, client_secret: other.clientSecret }));
  });

  test("used twice ends its whole family, and no other", async () => {
    const sim = createSimulator();
    const [first, unrelated] = [await tokensOf(sim), await tokensOf(sim)];
    const second = await refresh(sim, first.refresh);
    expectRefused(await refresh(sim, first.refresh));
    expectRefused(await refresh(sim, String(second.body["refresh_token"])));
    expect((await refresh(sim, unrelated.refresh)).status).toBe(200);
  });

  test("that was never issued, or an access token in its place, is refused", async () => {
    const sim = createSimulator();
    expectRefused(await refresh(sim, "rt_fake_never"));
    expectRefused(await refresh(sim, (await tokensOf(sim)).access));
  });

  test("lives 30 days, and is over at that very instant", async () => {
    const sim = createSimulator();
    const { refresh: token } = await tokensOf(sim);
    await sim.clock.advance("30 days");
    expectRefused(await refresh(sim, token));
  });

  test("is good until the millisecond before, and its successor lives 30 days more", async () => {
    const sim = createSimulator();
    const { refresh: token } = await tokensOf(sim);
    await sim.clock.advance({ days: 29, hours: 23, minutes: 59, seconds: 59, milliseconds: 999 });
    const { status, body } = await refresh(sim, token);
    expect(status).toBe(200);
    await sim.clock.advance("29 days");
    expect((await refresh(sim, String(body["refresh_token"]))).status).toBe(200);
  });
});

describe("by assumption", () => {
  test("an invalid refresh token answers 401", async () => {
    expectRefused(await refresh(createSimulator({ assumptions: { "auth.token-errors": 401 } }), "rt_fake_never"), 401);
  });

  test("the token response comes in the envelope", async () => {
    const data = { access_token: "{access_token}", token_type: "{token_type}", expires_in: "{expires_in}" };
    const template = { success: true, data: { ...data, refresh_token: "{refresh_token}", until: "{expires_at}" } };
    const sim = createSimulator({ assumptions: { "auth.token-response": template } });
    const { clientId, clientSecret } = sim.credentials;
    const { body } = await requestToken(sim, { clientId, clientSecret });
    expect(body).toEqual({
      success: true,
      data: {
        access_token: anyText,
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: anyText,
        until: "2026-01-01T01:00:00.000Z",
      },
    });
  });
});
