"use strict";

const url = "https://shop.example";

/** A small merchant, which sends a parcel for each paid order. With BUG=ships-each-time it believes that each event comes once. */
function openShop({ baseUrl, authUrl, credentials }, fetch) {
  const orders = new Map();

  async function post(address, body, headers = {}) {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return answer.json();
  }

  async function placeOrder({ id, amount }) {
    const { clientId, clientSecret } = credentials;
    const { access_token } = await post(`${authUrl}/oauth`, { client_id: clientId, client_secret: clientSecret });
    const session = {
      externalId: id,
      amount,
      description: "Shoes",
      webhookUrl: `${url}/hooks`,
      returnUrl: `${url}/thanks`,
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    };
    const { data } = await post(`${baseUrl}/api/checkout`, session, { authorization: `Bearer ${access_token}` });
    orders.set(id, { status: "pending", parcels: 0 });
    return Response.json({ checkoutUrl: data.checkoutUrl });
  }

  async function app(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/orders") return placeOrder(await request.json());
    if (pathname === "/hooks") {
      const { externalId, status } = await request.json();
      const { status: known, parcels } = orders.get(externalId);
      const isOver = known === "completed";
      if (isOver && process.env.BUG === "crashes") process.exit(7);
      if (!isOver || process.env.BUG === "ships-each-time")
        orders.set(externalId, { status, parcels: parcels + (status === "completed" ? 1 : 0) });
    }
    return new Response();
  }

  return { orders, app };
}

/** Lets a customer buy shoes in a shop that reaches the service by a `fetch`. Returns what became of the order. */
exports.sell = async (sim, fetch = sim.fetch, id = "order-1") => {
  const shop = openShop(sim, fetch);
  sim.connect(url, shop.app);
  const { checkoutUrl } = await (await sim.visit("POST", "/orders", { id, amount: 10000 })).json();
  await sim.customer.pay(checkoutUrl, "pm_card_approved");
  await sim.clock.settle();
  await sim.clock.advance("1 minute");
  return shop.orders.get(id);
};
