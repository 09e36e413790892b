"use strict";

/**
 * A small merchant. It calls the payment service with `fetch`, and believes its webhooks.
 * @param {{ baseUrl: string, authUrl: string, clientId: string, clientSecret: string, fetch?: typeof globalThis.fetch }} options
 */
exports.createShop = ({ baseUrl, authUrl, clientId, clientSecret, fetch = (...call) => globalThis.fetch(...call) }) => {
  const orders = new Map();

  async function post(url, body, headers = {}) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return answer.json();
  }

  async function placeOrder({ id, amount }) {
    const { access_token } = await post(`${authUrl}/oauth`, { client_id: clientId, client_secret: clientSecret });
    const session = {
      externalId: id,
      amount,
      description: "Shoes",
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/thanks",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    };
    const { data } = await post(`${baseUrl}/api/checkout`, session, { authorization: `Bearer ${access_token}` });
    orders.set(id, "pending");
    return Response.json({ checkoutUrl: data.checkoutUrl });
  }

  async function app(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/orders") return placeOrder(await request.json());
    if (pathname === "/hooks") {
      const { externalId, status } = await request.json();
      orders.set(externalId, status);
    }
    return new Response();
  }

  return { orders, app };
};
