"use strict";

const { randomUUID } = require("node:crypto");
const { verifyWebhook } = require("centavo/webhooks");

const SHOP = "https://shop.example";
const MOST_TRIES = 3;
const ORDER_STATUS = { completed: "paid", succeeded: "paid", failed: "declined" };

/**
 * Sends calls by a `fetch`: the one that is given, or the global one of the moment of each call.
 */
exports.sendBy =
  (given) =>
  async ({ url, ...init }) => {
    const answer = await (given ?? fetch)(url, init);
    return { status: answer.status, json: await answer.json() };
  };

/**
 * What merchants have in common: orders, memberships, and what becomes of an event. How they call the service, and how they are called,
 * is each merchant's own.
 * @param {(call: { method: string, url: string, headers: Record<string, string>, body: string | undefined }) =>
 *   Promise<{ status: number, json: any }>} send one call by the merchant's HTTP client. It rejects only when there is no answer
 */
exports.createCore = ({ baseUrl, authUrl, clientId, clientSecret, webhookSecret, send }) => {
  const orders = new Map();
  const memberships = new Map();
  const seen = new Set();
  let token;

  async function logIn() {
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const { json } = await send({
      method: "POST",
      url: `${authUrl}/oauth`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
    });
    return json.access_token;
  }

  /** Repeats a call whose answer was lost, with the same key, and one whose token was refused, with another token. */
  async function call(path, body, key = randomUUID(), tries = MOST_TRIES) {
    token ??= await logIn();
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}`, "idempotency-key": key };
    try {
      const { status, json } = await send({
        method: "POST",
        url: baseUrl + path,
        headers,
        body: JSON.stringify(body),
      });
      if (status === 402) return { code: json.code };
      if (status < 400) return json.data;
      if (status !== 401 || tries === 1) throw Object.assign(new Error(`${path}: ${json.message}`), { isAnswer: true });
      token = undefined;
    } catch (error) {
      if (error.isAnswer || tries === 1) throw error;
    }
    return call(path, body, key, tries - 1);
  }

  return {
    /** Opens the hosted checkout for an order. */
    async checkOut({ id, amount }) {
      const order = { id, status: "open" };
      orders.set(id, order);
      const { checkoutUrl } = await call("/api/checkout", {
        externalId: id,
        amount,
        description: "A book",
        webhookUrl: `${SHOP}/hooks`,
        returnUrl: `${SHOP}/thanks`,
        contact: { name: "Ana Cruz", email: "ana@customer.example" },
      });
      return { checkoutUrl };
    },

    /** Charges an order at once. */
    async charge({ id, amount, paymentMethodId }) {
      const order = { id, status: "open" };
      orders.set(id, order);
      const intent = await call("/api/payment-intent", { amount, externalId: id, webhookUrl: `${SHOP}/hooks` });
      const { code } = await call(`/api/payment-intent/${intent.id}/confirm`, { paymentMethodId });
      if (code !== undefined) order.status = "declined";
      return order;
    },

    async join({ id, paymentMethodId }) {
      const membership = { id, status: "incomplete", invoices: 0 };
      memberships.set(id, membership);
      const plan = await call("/api/subscription/plans", { name: "Reader", amount: 19_900, interval: "month" });
      const subscription = await call("/api/subscription/initiate", {
        planId: plan.id,
        externalId: id,
        contact: { name: "Ana Cruz", email: "ana@customer.example" },
        webhookUrl: `${SHOP}/hooks`,
      });
      await call("/api/subscription/process-payment", { subscriptionId: subscription.id, paymentMethodId });
      return membership;
    },

    order: (id) => orders.get(id),
    membership: (id) => memberships.get(id),

    /**
     * Takes a webhook, once.
     * @param request what `verifyWebhook` reads: a request of the framework, or its headers with the raw body
     * @returns the status to answer
     */
    async receive(request) {
      const event = await verifyWebhook(request, webhookSecret).catch(() => undefined);
      if (event === undefined) return 401;
      const { id, type, data, externalId, status } = event;
      if (seen.has(id)) return 200;
      seen.add(id);
      const about = data?.attributes ?? { externalId, status };
      const membership = memberships.get(about.externalId);
      if (membership !== undefined) {
        if (type === "subscription.activated") membership.status = "active";
        if (type === "subscription.invoice.paid") membership.invoices += 1;
      }
      const order = orders.get(about.externalId);
      if (order !== undefined) order.status = ORDER_STATUS[about.status] ?? order.status;
      return 200;
    },
  };
};
