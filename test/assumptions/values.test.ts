import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { describe, expect, test } from "vitest";
import { assumptionTable } from "../../src/service/assumption-table.ts";
import { type Answer, answerOf, ok } from "../merchant/answers.ts";
import {
  callWith,
  cardWith,
  order,
  planBody,
  register,
  requestToken,
  startOf,
  tokensOf,
} from "../merchant/requests.ts";

type Overrides = NonNullable<SimulatorOptions["assumptions"]>;

interface Shop {
  readonly sim: Simulator;
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
}

const INTENT = "/api/payment-intent";
const CHECKOUT = order();

async function shop(assumptions: Overrides): Promise<Shop> {
  const sim = createSimulator({ assumptions, webhookUrl: "https://shop.example/hooks" });
  const { access } = await tokensOf(sim);
  return {
    sim,
    post: (path, body = {}) => callWith(access, sim, path, body),
    get: (path) => callWith(access, sim, path),
  };
}

/** The webhooks that a merchant got while an intent was paid. */
async function delivered(assumptions: Overrides): Promise<{ headers: Headers; body: string }[]> {
  const { sim, post } = await shop(assumptions);
  const requests: { headers: Headers; body: string }[] = [];
  sim.connect("https://shop.example", async (request: Request) => {
    requests.push({ headers: request.headers, body: await request.text() });
    return new Response();
  });
  const { id } = ok(await post(INTENT, { amount: 100, externalId: "é/1" }));
  await post(`${INTENT}/${id}/confirm`, { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();
  return requests;
}

/** A subscription that is not paid yet. */
async function subscribe(post: Shop["post"]): Promise<string> {
  const plan = ok(await post("/api/subscription/plans", planBody()));
  return String(ok(await post("/api/subscription/initiate", startOf(String(plan["id"]))))["id"]);
}

/** One test for every value beside the default. */
const effects: Record<string, () => Promise<void>> = {
  "http.success-status 201": async () => {
    const { sim, post, get } = await shop({ "http.success-status": 201 });
    const created = await post(INTENT, { amount: 1 });
    expect([created.status, (await post("/api/checkout", CHECKOUT)).status, (await register(sim)).status]).toEqual([
      201, 201, 201,
    ]);
    expect((await get(`${INTENT}/${ok({ ...created, status: 200 })["id"]}/status`)).status).toBe(200);
  },
  "auth.token-lifetime": async () => {
    const sim = createSimulator({ assumptions: { "auth.token-lifetime": "90 seconds" } });
    const { clientId, clientSecret } = sim.credentials;
    const { body } = await requestToken(sim, { clientId, clientSecret });
    expect(body["expires_in"]).toBe(90);
    await sim.clock.advance("90 seconds");
    expect((await callWith(String(body["access_token"]), sim, INTENT, { amount: 1 })).body["message"]).toBe(
      "Token expired",
    );
  },
  "auth.refresh": async () => {
    const sim = createSimulator({ assumptions: { "auth.refresh": "1 day" } });
    const { refresh } = await tokensOf(sim);
    await sim.clock.advance("1 day");
    expect((await requestToken(sim, { grant_type: "refresh_token", refresh_token: refresh })).body["code"]).toBe(
      "INVALID_REFRESH_TOKEN",
    );
  },
  "intent.card-details refuse": async () => {
    const { sim, post } = await shop({ "intent.card-details": "refuse" });
    const id = String(ok(await post(INTENT, { amount: 100 }))["id"]);
    const creditCardDetails = cardWith("4343434343434345");
    const confirm = (paymentMethod: string) => post(`${INTENT}/${id}/confirm`, { paymentMethod, creditCardDetails });
    expect(await confirm("pm_gcash")).toMatchObject({ status: 400, body: { errors: [{ path: "creditCardDetails" }] } });
    expect(sim.intents.get(id)?.status).toBe("requires_payment_method");
    expect((await confirm("card")).status).toBe(200);
  },
  "checkout.expired-token not-found": async () => {
    const { sim, post, get } = await shop({ "checkout.expired-token": "not-found", "checkout.lifetime": "30 minutes" });
    const token = String(ok(await post("/api/checkout", CHECKOUT))["sessionToken"]);
    const read = async (): Promise<number[]> => {
      const headers = { "x-admin-key": sim.credentials.adminKey };
      const admin = await sim.fetch(`/api/checkout/session/${token}`, { headers });
      const others = ["checkout/polling", "transactions/payment-sessions"].map((path) => get(`/api/${path}/${token}`));
      return [admin.status, ...(await Promise.all(others)).map(({ status }) => status)];
    };
    await sim.clock.advance({ milliseconds: 30 * 60_000 - 1 });
    expect(await read()).toEqual([200, 200, 200]);
    await sim.clock.advance("1 millisecond");
    expect(await read()).toEqual([404, 404, 200]);
    expect(sim.checkouts.last()?.status).toBe("expired");
  },
  "intent.pending requires_payment_method": async () => {
    const { post } = await shop({ "intent.pending": "requires_payment_method" });
    expect(ok(await post(INTENT, { amount: 1 }))["status"]).toBe("requires_payment_method");
  },
  "intent.processing-time": async () => {
    const { sim, post } = await shop({ "intent.processing-time": "5 seconds" });
    const { id = "" } = ok(await post(INTENT, { amount: 1 }));
    await post(`${INTENT}/${id}/confirm`, { paymentMethodId: "pm_card_approved" });
    await sim.clock.advance({ seconds: 4, milliseconds: 999 });
    expect(sim.intents.get(id)?.status).toBe("processing");
    await sim.clock.advance("1 millisecond");
    expect(sim.intents.get(id)?.status).toBe("succeeded");
  },
  "intent.authentication": async () => {
    const { sim, post } = await shop({
      "intent.authentication": { card: "1 minute", gcash: "2 minutes", grab_pay: "3 minutes" },
    });
    for (const [method, minutes] of [
      ["pm_card_challenge", 1],
      ["pm_gcash", 2],
      ["pm_grab_pay", 3],
    ] as const) {
      const { id = "" } = ok(await post(INTENT, { amount: 1 }));
      await post(`${INTENT}/${id}/confirm`, { paymentMethodId: method });
      await sim.clock.advance({ minutes });
      expect(sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "authentication_expired" });
    }
  },
  "intent.fee": async () => {
    const none = { percent: 0, fixed: 0 };
    const { sim, post } = await shop({
      "intent.fee": { card: { percent: 10, fixed: 7 }, gcash: none, grab_pay: none },
    });
    const { id = "" } = ok(await post(INTENT, { amount: 1000 }));
    await post(`${INTENT}/${id}/confirm`, { paymentMethodId: "pm_card_approved" });
    expect(sim.intents.get(id)?.fee).toBe(107);
  },
  "checkout.retry": async () => {
    const { sim, post } = await shop({ "checkout.retry": 1 });
    const { sessionToken } = ok(await post("/api/checkout", CHECKOUT));
    const fail = async (): Promise<string | undefined> => {
      await post(`/api/checkout/process/${sessionToken}`, { paymentMethodId: "pm_card_generic_decline" });
      await sim.clock.settle();
      return sim.checkouts.get(String(sessionToken))?.status;
    };
    expect([await fail(), await fail()]).toEqual(["pending", "failed"]);
  },
  "checkout.lifetime": async () => {
    const { sim, post } = await shop({ "checkout.lifetime": "30 minutes" });
    const { sessionToken, expiresAt } = ok(await post("/api/checkout", CHECKOUT));
    expect(expiresAt).toBe("2026-01-01T00:30:00.000Z");
    await sim.clock.advance("30 minutes");
    expect(sim.checkouts.get(String(sessionToken))?.status).toBe("expired");
  },
  "subscription.cancel keep": async () => {
    for (const [assumptions, status] of [
      [{}, "void"],
      [{ "subscription.cancel": "keep" }, "open"],
    ] as const) {
      const { sim, post } = await shop(assumptions);
      const subscription = await subscribe(post);
      const { access } = await tokensOf(sim);
      const headers = { authorization: `Bearer ${access}` };
      const answer = await sim.fetch(`/api/subscription/${subscription}`, { method: "DELETE", headers });
      expect(answer.status).toBe(200);
      expect(sim.subscriptions.get(subscription)?.status).toBe("cancelled");
      expect(sim.invoices.last()?.status).toBe(status);
    }
  },
  "subscription.wallets allow": async () => {
    const statuses: number[] = [];
    for (const assumptions of [{}, { "subscription.wallets": "allow" }] as const) {
      const { sim, post } = await shop(assumptions);
      const subscriptionId = await subscribe(post);
      const paid = await post("/api/subscription/process-payment", { subscriptionId, paymentMethodId: "pm_gcash" });
      statuses.push(paid.status);
      if (paid.status !== 200) continue;
      await sim.customer.authenticate(String(ok(paid)["redirectUrl"]));
      await sim.clock.settle();
      expect(sim.subscriptions.get(subscriptionId)?.status).toBe("active");
    }
    expect(statuses).toEqual([400, 200]);
  },
  "subscription.off-session-challenge redirect": async () => {
    const { sim, post } = await shop({ "subscription.off-session-challenge": "redirect" });
    const subscriptionId = await subscribe(post);
    const card = { subscriptionId, paymentMethodId: "pm_card_challenge_always" };
    await sim.customer.authenticate(String(ok(await post("/api/subscription/process-payment", card))["redirectUrl"]));
    await sim.clock.advance("1 month");
    expect(sim.invoices.last()?.paymentIntent.status).toBe("requires_action");
  },
  "return.schemes": async () => {
    const { post } = await shop({ "return.schemes": ["myshop"] });
    const [mine, other] = await Promise.all(
      ["myshop://back", "yourshop://back"].map((returnUrl) => post(INTENT, { amount: 1, returnUrl })),
    );
    expect([mine?.status, other?.status]).toEqual([200, 400]);
    expect((await answerOf(new Response(JSON.stringify(other?.body)))).body["errors"]).toEqual([
      { path: "returnUrl", message: expect.stringContaining("return.schemes") as unknown, code: "validation_error" },
    ]);
  },
  "webhook.body spaced": async () => {
    const [compact, spaced] = [(await delivered({}))[0], (await delivered({ "webhook.body": "spaced" }))[0]];
    expect(spaced?.body).toContain(String.raw`"\u00e9\/1"`);
    expect(spaced?.body).not.toBe(compact?.body);
    expect(JSON.parse(spaced?.body ?? "")).toEqual(JSON.parse(compact?.body ?? ""));
  },
  "webhook.signature stripe": async () => {
    expect((await delivered({ "webhook.signature": "stripe" }))[0]?.headers.get("stripe-signature")).toMatch(
      /^t=\d+,v1=[\da-f]{64}$/,
    );
  },
  "webhook.signature standard-webhooks": async () => {
    expect(
      (await delivered({ "webhook.signature": "standard-webhooks" }))[0]?.headers.get("webhook-signature"),
    ).toMatch(/^v1,/);
  },
  "webhook.signature with a header of its own": async () => {
    for (const scheme of ["paymongo", "stripe", "standard-webhooks"] as const) {
      const [request] = await delivered({ "webhook.signature": { scheme, header: "X-Centavos" } });
      expect(request?.headers.get("x-centavos")).toMatch(/^t=\d+,(?:te=[\da-f]{64},li=|v1=[\da-f]{64})$|^v1,/);
      for (const usual of ["x-webhook-signature", "stripe-signature", "webhook-signature"])
        expect(request?.headers.get(usual)).toBeNull();
    }
  },
  "webhook.stamp virtual": async () => {
    const [request] = await delivered({ "webhook.stamp": "virtual" });
    expect(request?.headers.get("x-webhook-signature")).toMatch(new RegExp(`^t=${Date.UTC(2026, 0, 1) / 1000},`));
  },
  "webhook.retries": async () => {
    const { sim, post } = await shop({ "webhook.retries": 1 });
    sim.connect("https://shop.example", () => new Response(null, { status: 500 }));
    await post("/api/checkout", CHECKOUT);
    await sim.clock.advance("2 days");
    expect(sim.webhooks.events().map(({ status, attempts }) => [status, attempts])).toEqual([["exhausted", 2]]);
  },
};

/** Tested with what they change: the errors, the tokens, the limits. */
const ELSEWHERE = [
  "http.rate-limit",
  "http.unknown-fields",
  "http.idempotency-key",
  "http.external-id",
  "webhook.order",
  "auth.token-response",
  "auth.token-errors",
];
/** Nothing delays an answer but a fault. */
const WITH_FAULTS = ["webhook.timeout"];

describe("every value beside the default takes effect", () => {
  test.each(Object.keys(effects))("%s", async (value) => {
    await effects[value]?.();
  });

  test("no choice of the table is left out", () => {
    const tested = new Set([
      ...Object.keys(effects).map((name) => name.split(" ", 1)[0]),
      ...ELSEWHERE,
      ...WITH_FAULTS,
    ]);
    const choices = Object.entries(assumptionTable).filter(([, { values }]) => values !== "fixed");
    expect(choices.map(([id]) => id).filter((id) => !tested.has(id))).toEqual([]);
  });
});
