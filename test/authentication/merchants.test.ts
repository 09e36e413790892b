import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { answerOf, call, dataOf, matching, postJson, register, tokensOf, worldOf } from "./calls.ts";

const CHECKOUT = {
  externalId: "order-1",
  amount: 5000,
  description: "Two coffees",
  webhookUrl: "https://shop.example/hooks",
  returnUrl: "https://shop.example/back",
  contact: { name: "Ana", email: "ana@shop.example" },
};

describe("registration", () => {
  test("answers fake secrets with which the merchant gets tokens", async () => {
    const sim = createSimulator();
    const answer = await register(sim, {
      name: "Second",
      email: "second@shop.example",
      webhookUrl: "https://second.example/hooks",
    });
    const merchant = dataOf(answer);
    expect(merchant).toEqual({
      id: matching(/^mer_[A-Za-z0-9]{24}$/),
      name: "Second",
      email: "second@shop.example",
      webhookUrl: "https://second.example/hooks",
      clientId: matching(/^ci_fake_[A-Za-z0-9]{24}$/),
      clientSecret: matching(/^cs_fake_[A-Za-z0-9]{32}$/),
      webhookSecret: matching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      createdAt: "2026-01-01T00:00:00.000Z",
    });
    const { access } = await tokensOf(sim, {
      clientId: String(merchant["clientId"]),
      clientSecret: String(merchant["clientSecret"]),
    });
    expect((await call(sim, access, "/api/payment-intent", { amount: 1 })).status).toBe(200);
  });

  test.each([
    ["no admin key", {}, "The header X-Admin-Key is missing"],
    ["a wrong admin key", { "x-admin-key": "ak_fake_wrong" }, "Invalid admin key"],
    ["a bearer token in its place", { authorization: "Bearer x" }, "The header X-Admin-Key is missing"],
  ])("is refused with %s", async (_, headers, message) => {
    const sim = createSimulator();
    const before = worldOf(sim);
    const { status, body } = await answerOf(
      await sim.fetch("/merchants", postJson({ name: "X", email: "x@y.example" }, headers)),
    );
    expect({ status, body }).toEqual({
      status: 401,
      body: { success: false, message, code: "UNAUTHORIZED", errors: [] },
    });
    expect(worldOf(sim)).toEqual(before);
  });

  test("checks its fields", async () => {
    const { status, body } = await register(createSimulator(), { name: "", webhookUrl: "ftp://x" });
    expect(status).toBe(400);
    expect((body["errors"] as { path: string }[]).map(({ path }) => path)).toEqual(["name", "email", "webhookUrl"]);
  });
});

describe("a merchant", () => {
  test("never sees another's intents and sessions", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const merchant = dataOf(await register(sim));
    const { access: other } = await tokensOf(sim, {
      clientId: String(merchant["clientId"]),
      clientSecret: String(merchant["clientSecret"]),
    });
    const intent = dataOf(await call(sim, access, "/api/payment-intent", { amount: 100 }));
    const session = dataOf(await call(sim, access, "/api/checkout", CHECKOUT));
    const before = worldOf(sim);
    const refusals = await Promise.all([
      call(sim, other, `/api/payment-intent/${intent["id"]}/status`),
      call(sim, other, `/api/payment-intent/${intent["id"]}/confirm`, { paymentMethodId: "pm_card_approved" }),
      call(sim, other, `/api/checkout/polling/${session["sessionToken"]}`),
      call(sim, other, `/api/checkout/process/${session["sessionToken"]}`, { paymentMethodId: "pm_card_approved" }),
    ]);
    expect(refusals.map(({ status, body }) => [status, body["code"]])).toEqual([
      [404, "INTENT_NOT_FOUND"],
      [404, "INTENT_NOT_FOUND"],
      [404, "SESSION_NOT_FOUND"],
      [404, "SESSION_NOT_FOUND"],
    ]);
    expect(worldOf(sim)).toEqual(before);
  });

  test("has its own idempotency keys and external ids", async () => {
    const sim = createSimulator({ assumptions: { "http.external-id": "refuse" } });
    const { access } = await tokensOf(sim);
    const merchant = dataOf(await register(sim));
    const { access: other } = await tokensOf(sim, {
      clientId: String(merchant["clientId"]),
      clientSecret: String(merchant["clientSecret"]),
    });
    const key = { "idempotency-key": "same" };
    const mine = dataOf(await call(sim, access, "/api/payment-intent", { amount: 1, externalId: "order-1" }, key));
    const theirs = await call(sim, other, "/api/payment-intent", { amount: 1, externalId: "order-1" }, key);
    expect(dataOf(theirs)["id"]).not.toBe(mine["id"]);
    expect(theirs.headers.get("idempotent-replayed")).toBeNull();
  });
});

describe("the admin key", () => {
  test("opens a session of any merchant, which a bearer token does not", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const session = dataOf(await call(sim, access, "/api/checkout", CHECKOUT));
    const path = `/api/checkout/session/${session["sessionToken"]}`;
    const admin = await answerOf(await sim.fetch(path, { headers: { "x-admin-key": sim.credentials.adminKey } }));
    expect(dataOf(admin)["id"]).toBe(session["id"]);
    expect((await call(sim, access, path)).status).toBe(401);
  });

  test("is no bearer token", async () => {
    const sim = createSimulator();
    expect((await call(sim, sim.credentials.adminKey, "/api/payment-intent", { amount: 1 })).status).toBe(401);
    expect(
      (await sim.fetch("/api/payment-intent", postJson({ amount: 1 }, { "x-admin-key": sim.credentials.adminKey })))
        .status,
    ).toBe(401);
  });
});
