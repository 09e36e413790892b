"use strict";

const { createHmac } = require("node:crypto");
const express = require("express");

const SHOP = "https://shop.example";

/** How an honest shop does its work. A failing example replaces the part that its shop gets wrong. */
const honest = {
  origin: SHOP,
  webhookUrl: `${SHOP}/hooks`,
  hookPath: "/hooks",
  parseHook: express.raw({ type: "application/json" }),
  isGenuine: ({ headers, body }, secret) => isSigned(headers["x-webhook-signature"], body, secret),
  centavosOf: (pesos) => Math.round(pesos * 100),
  takeEvent: ({ externalId, status }, orders) => {
    const order = orders.get(externalId);
    if (order === undefined) return false;
    order.status = status === "succeeded" ? "paid" : status;
    return true;
  },
  beforePayment: (order, orders) => void orders.set(order.id, order),
  afterPayment: async () => undefined,
  /** A decline is an answer. Every other refusal is an error. */
  isAnswer: (status) => status < 400 || status === 402,
};

/**
 * Opens a small shop on Express, and connects it to the simulator. It calls the payment service with `fetch`, and believes its webhooks.
 * @param network the test's network, or the addresses of the service
 * @param mistake what this shop does differently from an honest one
 */
exports.openShop = (sim, network, mistake = {}) => {
  const shop = {
    ...honest,
    ...sim.credentials,
    baseUrl: network.baseUrl,
    authUrl: network.authUrl,
    fetch: network.kind === "fetch" ? network.fetch : (...request) => globalThis.fetch(...request),
    ...mistake,
  };
  const orders = new Map();
  const seen = new Set();
  let token;

  async function send(url, init) {
    const answer = await shop.fetch(url, init);
    const body = await answer.json();
    if (shop.isAnswer(answer.status)) return body;
    throw new Error(`the payment service answered ${answer.status} ${body.code}`);
  }

  async function logIn() {
    const form = { grant_type: "client_credentials", client_id: shop.clientId, client_secret: shop.clientSecret };
    const { access_token: text } = await send(`${shop.authUrl}/oauth`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    return { text, until: Date.now() + 3_600_000 };
  }

  /** Calls the payment service with a token that is kept as long as it is good. */
  async function call(method, path, body) {
    if (token === undefined || Date.now() >= token.until) token = await logIn();
    const answer = await send(`${shop.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token.text}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return answer.data ?? answer;
  }

  /** Takes the customer's money without a page of the service. */
  async function pay(order, paymentMethodId) {
    const { id } = await call("POST", "/api/payment-intent", {
      amount: order.amount,
      externalId: order.id,
      webhookUrl: shop.webhookUrl,
    });
    order.intentId = id;
    const { code } = await call("POST", `/api/payment-intent/${id}/confirm`, { paymentMethodId });
    if (code !== undefined) order.status = "declined";
  }

  const app = express();
  app.post("/orders", express.json(), async (request, response) => {
    const { id, pesos, paymentMethodId = "pm_card_approved" } = request.body;
    const order = { id, amount: shop.centavosOf(pesos), status: "open" };
    shop.beforePayment(order, orders);
    await pay(order, paymentMethodId);
    await shop.afterPayment(order, orders, call);
    response.status(201).json(order);
  });
  app.post("/checkouts", express.json(), async (request, response) => {
    const { id, pesos } = request.body;
    const order = { id, amount: shop.centavosOf(pesos), status: "open" };
    shop.beforePayment(order, orders);
    const { checkoutUrl } = await call("POST", "/api/checkout", {
      externalId: id,
      amount: order.amount,
      description: "A book",
      webhookUrl: shop.webhookUrl,
      returnUrl: `${SHOP}/thanks`,
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    });
    response.status(201).json({ checkoutUrl });
  });
  app.get("/orders/:id", (request, response) => void response.json(orders.get(request.params.id) ?? {}));
  app.get("/thanks", (_request, response) => void response.send("Thank you!"));
  app.post(shop.hookPath, shop.parseHook, async (request, response) => {
    if (!(await shop.isGenuine(request, shop.webhookSecret))) return void response.sendStatus(401);
    const event = Buffer.isBuffer(request.body) ? JSON.parse(request.body) : request.body;
    const isNew = !seen.has(event.id);
    seen.add(event.id);
    const content = event.data?.attributes ?? event;
    if (isNew && !(await shop.takeEvent(content, orders))) return void response.status(404).send("no such order");
    response.sendStatus(200);
  });
  // Express takes a handler with four parameters for errors. A real shop would write to its log here.
  app.use((error, _request, response, _next) => void response.status(500).json({ error: error.message }));
  sim.connect(shop.origin, app);
  return { call, orders };
};

/** The shop's own check of a signature: `t=<seconds>,te=<hex>,li=<hex>` over `<t>.<body>`. */
function isSigned(header, body, secret) {
  const [, stamp = "", signature] = /^t=(\d+),te=(\w*),li=/.exec(String(header)) ?? [];
  return signature === createHmac("sha256", secret).update(`${stamp}.`).update(body).digest("hex");
}
exports.isSigned = isSigned;
