import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { type Answer, ok } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

interface Shop {
  readonly sim: Simulator;
  readonly post: (path: string, body: unknown, key?: string) => Promise<Answer>;
}

async function shop(assumptions = {}): Promise<Shop> {
  const sim = createSimulator({ assumptions });
  const { access } = await tokensOf(sim);
  return {
    sim,
    post: (path, body, key) => callWith(access, sim, path, body, key === undefined ? {} : { "idempotency-key": key }),
  };
}
const INTENT = "/api/payment-intent";

describe("a repeated call with the same idempotency key", () => {
  test("gets the first answer again, and makes nothing", async () => {
    const { sim, post } = await shop();
    const first = await post(INTENT, { amount: 100, description: "x" }, "order-1");
    const before = worldOf(sim);
    const again = await post(INTENT, { description: "x", amount: 100 }, "order-1");
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
    expect(worldOf(sim)).toEqual(before);
    expect(sim.intents.list()).toHaveLength(1);
  });

  test("is the same call when the keys of its JSON come in another order, at any depth", async () => {
    const { sim, post } = await shop();
    const first = await post(
      INTENT,
      { amount: 100, metadata: { shop: "1", cart: { a: [{ x: 1, y: 2 }], b: 2 } } },
      "k",
    );
    const again = await post(
      INTENT,
      { metadata: { cart: { b: 2, a: [{ y: 2, x: 1 }] }, shop: "1" }, amount: 100 },
      "k",
    );
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(sim.intents.list()).toHaveLength(1);
    const reversed = { amount: 100, metadata: { shop: "1", cart: { a: [{ x: 2, y: 1 }], b: 2 } } };
    expect((await post(INTENT, reversed, "k")).body["code"]).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("is another call when a list has another order", async () => {
    const { post } = await shop();
    expect((await post(INTENT, { amount: 1, metadata: { items: ["a", "b"] } }, "k")).status).toBe(200);
    const other = await post(INTENT, { amount: 1, metadata: { items: ["b", "a"] } }, "k");
    expect(other.body["code"]).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("gets a decline again, even if the intent has changed since", async () => {
    const { post } = await shop();
    const { id } = ok(await post(INTENT, { amount: 100 }));
    const confirm = (): Promise<Answer> =>
      post(`${INTENT}/${id}/confirm`, { paymentMethodId: "pm_card_insufficient_funds" }, "k");
    const [first, again] = [await confirm(), await confirm()];
    expect([first.status, again.status, again.body["code"]]).toEqual([402, 402, "INSUFFICIENT_FUNDS"]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("is tried anew after a refusal or an internal error", async () => {
    const { post } = await shop();
    expect((await post(INTENT, {}, "k")).status).toBe(400);
    const { id } = ok(await post(INTENT, { amount: 100 }, "k"));
    const confirm = (): Promise<Answer> =>
      post(`${INTENT}/${id}/confirm`, { paymentMethodId: "pm_card_processor_unavailable" }, "k");
    expect((await confirm()).status).toBe(500);
    expect((await confirm()).status).toBe(200);
  });

  test("is refused with another body, and the first answer stays", async () => {
    const { sim, post } = await shop();
    const first = await post(INTENT, { amount: 100 }, "k");
    const before = worldOf(sim);
    const other = await post(INTENT, { amount: 101 }, "k");
    expect([other.status, other.body["code"]]).toEqual([400, "IDEMPOTENCY_KEY_REUSED"]);
    expect(worldOf(sim)).toEqual(before);
    expect((await post(INTENT, { amount: 100 }, "k")).body).toEqual(first.body);
  });

  test("on another path or without a key is another call", async () => {
    const { sim, post } = await shop();
    const intents = [
      await post(INTENT, { amount: 1 }, "k"),
      await post(INTENT, { amount: 1 }),
      await post(INTENT, { amount: 1 }, "K"),
    ];
    expect(new Set(intents.map((intent) => ok(intent)["id"])).size).toBe(3);
    const confirmed = await Promise.all(
      intents.map((intent) => post(`${INTENT}/${ok(intent)["id"]}/confirm`, { paymentMethodId: "pm_gcash" }, "k")),
    );
    expect(confirmed.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(sim.assumptions.used().map(({ id }) => id)).toContain("http.idempotency-key");
  });

  test("is a new call at the very instant at which its time is over", async () => {
    const { sim, post } = await shop({ "http.idempotency-key": "30 minutes" });
    const first = ok(await post(INTENT, { amount: 1 }, "k"));
    await sim.clock.advance({ minutes: 29, seconds: 59, milliseconds: 999 });
    expect(ok(await post(INTENT, { amount: 1 }, "k"))["id"]).toBe(first["id"]);
    await sim.clock.advance("1 millisecond");
    expect(ok(await post(INTENT, { amount: 1 }, "k"))["id"]).not.toBe(first["id"]);
  });

  test("lasts 24 hours by default, across tokens", async () => {
    const { sim, post } = await shop();
    const first = ok(await post(INTENT, { amount: 1 }, "k"));
    const later = async (): Promise<Answer> =>
      callWith((await tokensOf(sim)).access, sim, INTENT, { amount: 1 }, { "idempotency-key": "k" });
    await sim.clock.advance({ hours: 23, minutes: 59, seconds: 59, milliseconds: 999 });
    expect(ok(await later())["id"]).toBe(first["id"]);
    await sim.clock.advance("1 millisecond");
    expect(ok(await later())["id"]).not.toBe(first["id"]);
  });

  test("is an ordinary call when keys are off", async () => {
    const { post } = await shop({ "http.idempotency-key": "off" });
    const first = ok(await post(INTENT, { amount: 1 }, "k"));
    expect(ok(await post(INTENT, { amount: 2 }, "k"))["id"]).not.toBe(first["id"]);
  });
});

describe("a key", () => {
  test.each([
    ["no", "", 400],
    ["255", "x".repeat(255), 200],
    ["256", "x".repeat(256), 400],
  ])("of %s characters", async (_, key, status) => {
    const { sim, post } = await shop();
    const before = worldOf(sim);
    const answer = await post(INTENT, { amount: 1 }, key);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.body["errors"]).toEqual([
      { path: "Idempotency-Key", message: "must have 1 to 255 characters", code: "validation_error" },
    ]);
    expect(worldOf(sim)).toEqual(before);
  });

  test("means nothing to the token call and to reading", async () => {
    const { sim, post } = await shop();
    const { clientId, clientSecret } = sim.credentials;
    const tokens = [
      await post("/oauth", { clientId, clientSecret }, "k"),
      await post("/oauth", { clientId, clientSecret }, "k"),
    ];
    expect(tokens[0]?.body["refresh_token"]).not.toBe(tokens[1]?.body["refresh_token"]);
  });
});
