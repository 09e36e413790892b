import type { AssumptionId } from "centavo";
import { expect } from "vitest";
import type { Merchant } from "../merchant.ts";
import { answerOf, ok } from "../merchant/answers.ts";
import { cardWith, order, register, tokensOf } from "../merchant/requests.ts";

const INTENT = "/api/payment-intent";
const PAGE = { origin: "https://shop.example" };

async function statusOf(
  merchant: Merchant,
  path: string,
  init: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<number> {
  const headers = { authorization: merchant.authorization, "content-type": "application/json", ...init.headers };
  return (await merchant.sim.fetch(path, { ...init, headers })).status;
}

async function refusalsOf(
  merchant: Merchant,
  calls: readonly (readonly [string, string, RequestInit["body"], boolean])[],
) {
  const codes: unknown[] = [];
  for (const [method, path, body, knows] of calls) {
    const headers = { "content-type": "application/json", ...(knows ? { authorization: merchant.authorization } : {}) };
    codes.push((await answerOf(await merchant.sim.fetch(path, { method, headers, body: body ?? null }))).body["code"]);
  }
  return codes;
}

/** What the code decides where no list of gaps in the document asks: each with what a merchant sees of it. */
const decisions = {
  async "http.cors"(merchant) {
    const { sim } = merchant;
    const { sessionToken } = await merchant.createCheckout();
    const closed = ["/oauth", "/merchants", `/api/checkout/session/${sessionToken}`];
    const open = [INTENT, "/api/transactions", `/api/checkout/polling/${sessionToken}`, "/.well-known/jwks.json"];
    for (const [paths, allowed] of [
      [closed, null],
      [open, "*"],
    ] as const) {
      for (const path of paths) {
        const asked = {
          ...PAGE,
          "access-control-request-method": "POST",
          "access-control-request-headers": "x-admin-key",
        };
        const preflight = await sim.fetch(path, { method: "OPTIONS", headers: asked });
        expect(preflight.headers.get("access-control-allow-origin"), path).toBe(allowed);
        expect(preflight.headers.has("access-control-allow-headers"), path).toBe(allowed !== null);
        for (const headers of [PAGE, { ...PAGE, "x-admin-key": sim.credentials.adminKey }])
          for (const method of ["GET", "POST"]) {
            const answer = await sim.fetch(path, { method, headers });
            expect(answer.headers.get("access-control-allow-origin"), `${method} ${path}`).toBe(allowed);
          }
      }
    }
  },
  async "http.minimum-amount"(merchant) {
    for (const path of [INTENT, "/api/subscription/plans"]) {
      const { status, body } = await merchant.call("POST", path, { name: "x", interval: "month", amount: 0 });
      expect([status, body.message]).toEqual([400, "Amount must be at least 1 (in cents)"]);
    }
  },
  async "http.texts"(merchant) {
    const contact = { name: "?", email: "not an address", phone: "no number" };
    expect((await merchant.call("POST", INTENT, { amount: 1, contact })).status).toBe(200);
    expect((await merchant.call("POST", INTENT, { amount: 1, contact: { name: "" } })).status).toBe(400);
    for (const [webhookUrl, status] of [
      ["http://localhost:1/hooks", 200],
      ["ftp://shop.example", 400],
      ["https://a:b@shop.example", 400],
    ] as const)
      expect((await merchant.call("POST", INTENT, { amount: 1, webhookUrl })).status, webhookUrl).toBe(status);
  },
  async "http.metadata"(merchant) {
    const metadata = { "": null, list: [1, { deep: true }], text: "x" };
    const { sessionToken } = await merchant.createCheckout({ metadata });
    expect(merchant.sim.checkouts.get(sessionToken)?.metadata).toEqual(metadata);
    expect((await merchant.call("POST", INTENT, { amount: 1, metadata: [] })).status).toBe(400);
    await merchant.createIntent();
    expect(merchant.sim.transactions.last()?.metadata).toEqual({});
  },
  async "http.paths"(merchant) {
    const { id } = await merchant.createIntent();
    const path = `${INTENT}/${id}/status`;
    const encoded = path.replace("pi_", "%70i_");
    const statuses = [path, encoded, `${path}/`, path.replace("/api", "/API")].map((each) => statusOf(merchant, each));
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
  },
  async "http.methods"(merchant) {
    const head = await merchant.sim.fetch("/api/transactions", {
      method: "HEAD",
      headers: { authorization: merchant.authorization },
    });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await merchant.sim.fetch("/api/transactions", { method: "OPTIONS" })).status).toBe(204);
  },
  async "http.media-types"(merchant) {
    const post = async (body: string, type: string) =>
      statusOf(merchant, INTENT, { method: "POST", body, headers: { "content-type": type } });
    expect(await post('\uFEFF{"amount":1}', "application/json; charset=utf-8")).toBe(200);
    expect(await post('{"amount":1}', "application/vnd.shop+json")).toBe(200);
    expect(await post('{"amount":1}', "text/json")).toBe(415);
    expect(await post('{"amount":0,"amount":1}', "application/json")).toBe(200);
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_processor_unavailable");
    const confirm = { method: "POST", headers: { authorization: merchant.authorization } };
    expect((await merchant.sim.fetch(`${INTENT}/${id}/confirm`, confirm)).status).toBe(200);
  },
  async "http.repeated-parameters"(merchant) {
    expect(await statusOf(merchant, "/api/transactions?limit=1&limit=1")).toBe(400);
    expect(await statusOf(merchant, "/api/transactions?colour=1&colour=2")).toBe(200);
  },
  async "http.order"(merchant) {
    const unknown = `${INTENT}/pi_none/confirm`;
    const { id } = await merchant.createIntent();
    await merchant.confirm(id);
    expect(
      await refusalsOf(merchant, [
        ["POST", "/nothing", "{", false],
        ["DELETE", INTENT, "{", false],
        ["POST", INTENT, "{", false],
        ["POST", unknown, "{", true],
        ["POST", unknown, '{"paymentMethodId":1}', true],
        ["POST", unknown, '{"paymentMethodId":"pm_none"}', true],
        ["POST", `${INTENT}/${id}/confirm`, '{"paymentMethodId":"pm_none"}', true],
      ]),
    ).toEqual([
      "NOT_FOUND",
      "METHOD_NOT_ALLOWED",
      "UNAUTHORIZED",
      "MALFORMED_JSON",
      "VALIDATION_ERROR",
      "INTENT_NOT_FOUND",
      "INTENT_ALREADY_CONFIRMED",
    ]);
  },
  async "auth.other-merchants"(merchant) {
    const { clientId, clientSecret } = ok(await register(merchant.sim, { name: "Second", email: "b@shop.example" }));
    const { access } = await tokensOf(merchant.sim, { clientId: clientId ?? "", clientSecret: clientSecret ?? "" });
    const { id } = await merchant.createIntent();
    const { sessionToken } = await merchant.createCheckout();
    const headers = { authorization: `Bearer ${access}` };
    for (const path of [`${INTENT}/${id}/status`, `/api/checkout/polling/${sessionToken}`])
      expect(await statusOf(merchant, path, { headers }), path).toBe(404);
  },
  async "intent.contact"(merchant) {
    const contact = { name: "Ana Reyes", phone: "0917" };
    const { id } = await merchant.createIntent({ contact });
    const method = { paymentMethodId: "pm_card_approved", contact: { name: "A. Reyes", email: "ana@example.com" } };
    ok(await merchant.confirm(id, method));
    const merged = { name: "A. Reyes", phone: "0917", email: "ana@example.com" };
    expect(merchant.sim.transactions.last()?.contact).toEqual(merged);
  },
  async "intent.methods"(merchant) {
    const card = merchant.sim.paymentMethods.create(cardWith("4343434343434345"));
    for (const [method, status] of [
      ["pm_card_approved", 200],
      ["gcash", 200],
      [card, 200],
      ["pm_000000000000000000000000", 400],
      ["4343434343434345", 400],
    ] as const) {
      const { id } = await merchant.createIntent();
      expect((await merchant.confirm(id, method)).status, method).toBe(status);
    }
  },
  async "intent.cards"(merchant) {
    const pay = async (creditCardDetails: object): Promise<unknown> => {
      const { id } = await merchant.createIntent();
      const { status } = await merchant.confirm(id, { paymentMethod: "card", creditCardDetails });
      await merchant.sim.clock.settle();
      return status === 200 ? (merchant.sim.intents.get(id)?.declineCode ?? "approved") : status;
    };
    expect(await pay(cardWith("4242424242424242"))).toBe("approved");
    expect(await pay(cardWith("4242424242424241"))).toBe(400);
    expect(await pay(cardWith("4242424242424242", { expMonth: "12", expYear: "2025" }))).toBe("card_expired");
  },
  async "intent.payment-methods"(merchant) {
    expect(await merchant.createIntent()).toMatchObject({ paymentMethods: ["gcash", "grab_pay", "card"] });
  },
  async "intent.session-token"(merchant) {
    const { sessionToken } = await merchant.createIntent();
    for (const path of ["/pay/", "/api/checkout/polling/", "/api/transactions/payment-sessions/"])
      expect(await statusOf(merchant, path + sessionToken), path).toBe(404);
  },
  async "intent.currency"(merchant) {
    await merchant.createIntent();
    await merchant.createCheckout();
    expect(merchant.sim.transactions.list().map(({ currency }) => currency)).toEqual(["PHP", "PHP"]);
  },
  async "checkout.third-party"(merchant) {
    const seen = [];
    for (const isThirdParty of [undefined, true, false]) {
      const { sessionToken } = ok(await merchant.call("POST", "/api/checkout", order({ isThirdParty })));
      await merchant.processCheckout(sessionToken, "pm_card_approved");
      await merchant.sim.clock.settle();
      const session = merchant.sim.checkouts.get(sessionToken);
      seen.push([session?.isThirdParty, session?.status, session?.fee]);
    }
    expect(seen).toEqual([true, true, false].map((kept) => [kept, "completed", 1850]));
  },
} satisfies Partial<Record<AssumptionId, (merchant: Merchant) => Promise<void>>>;

export const furtherDecisions: Readonly<Record<string, (merchant: Merchant) => Promise<void>>> = decisions;
