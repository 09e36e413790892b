import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { textLike } from "../matchers.ts";
import { answerOf, ok } from "../merchant/answers.ts";
import { callWith, postJson, register, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

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
    const merchant = ok(answer);
    expect(merchant).toEqual({
      id: textLike(/^mer_[A-Za-z0-9]{20}Fake$/),
      name: "Second",
      email: "second@shop.example",
      webhookUrl: "https://second.example/hooks",
      clientId: textLike(/^ci_fake_[A-Za-z0-9]{24}$/),
      clientSecret: textLike(/^csec_fake_[A-Za-z0-9]{32}$/),
      webhookSecret: textLike(/^whsec_FakeFake[A-Za-z0-9+/]{35}=$/),
      createdAt: "2026-01-01T00:00:00.000Z",
    });
    const { access } = await tokensOf(sim, {
      clientId: String(merchant["clientId"]),
      clientSecret: String(merchant["clientSecret"]),
    });
    expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(200);
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
    expect((body["errors"] as readonly { path: string }[]).map(({ path }) => path)).toEqual([
      "name",
      "email",
      "webhookUrl",
    ]);
  });
});

describe("a merchant", () => {
  test("never sees another's intents and sessions", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const merchant = ok(await register(sim));
    const { access: other } = await tokensOf(sim, {
      clientId: String(merchant["clientId"]),
      clientSecret: String(merchant["clientSecret"]),
    });
    const intent = ok(await callWith(access, sim, "/api/payment-intent", { amount: 100 }));
    const session = ok(await callWith(access, sim, "/api/checkout", CHECKOUT));
    const before = worldOf(sim);
    const refusals = await Promise.all([
      callWith(other, sim, `/api/payment-intent/${intent["id"]}/status`),
      callWith(other, sim, `/api/payment-intent/${intent["id"]}/confirm`, { paymentMethodId: "pm_card_approved" }),
      callWith(other, sim, `/api/checkout/polling/${session["sessionToken"]}`),
      callWith(other, sim, `/api/checkout/process/${session["sessionToken"]}`, { paymentMethodId: "pm_card_approved" }),
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
    const merchant = ok(await register(sim));
    const { access: other } = await tokensOf(sim, {
      clientId: String(merchant["clientId"]),
      clientSecret: String(merchant["clientSecret"]),
    });
    const key = { "idempotency-key": "same" };
    const mine = ok(await callWith(access, sim, "/api/payment-intent", { amount: 1, externalId: "order-1" }, key));
    const theirs = await callWith(other, sim, "/api/payment-intent", { amount: 1, externalId: "order-1" }, key);
    expect(ok(theirs)["id"]).not.toBe(mine["id"]);
    expect(theirs.headers.get("idempotent-replayed")).toBeNull();
  });
});

describe("the admin key", () => {
  test("opens a session of any merchant, which a bearer token does not", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const session = ok(await callWith(access, sim, "/api/checkout", CHECKOUT));
    const path = `/api/checkout/session/${session["sessionToken"]}`;
    const admin = await answerOf(await sim.fetch(path, { headers: { "x-admin-key": sim.credentials.adminKey } }));
    expect(ok(admin)["id"]).toBe(session["id"]);
    expect((await callWith(access, sim, path)).status).toBe(401);
  });

  test("is not a bearer token", async () => {
    const sim = createSimulator();
    expect((await callWith(sim.credentials.adminKey, sim, "/api/payment-intent", { amount: 1 })).status).toBe(401);
    expect(
      (await sim.fetch("/api/payment-intent", postJson({ amount: 1 }, { "x-admin-key": sim.credentials.adminKey })))
        .status,
    ).toBe(401);
  });
});
