"use strict";

const assert = require("node:assert/strict");
const net = require("node:net");
const { note } = require("./notes.cjs");
const { createShop } = require("./shop.cjs");

const originals = surface();
/** Where servers of earlier tests listened. */
const closed = [];

/** The tests that every runner has to pass, but for those whose titles say that they fail. */
exports.testsWith = (simulated) => ({
  "an order is paid": simulated({ name: "an order is paid" }, async ({ sim, customer, network, visit }) => {
    note("kind", network.kind);
    note("an order is paid", await payOrder(sim, customer, visit, shopOn(network, sim)));
  }),

  "another test has other ids": simulated({ name: "another" }, async ({ sim, customer, network, visit }) => {
    note("another", await payOrder(sim, customer, visit, shopOn(network, sim)));
  }),

  "Date follows the virtual clock": simulated({ name: "Date" }, async ({ sim }) => {
    await sim.clock.advance("1 year");
    assert.equal(new Date().toISOString(), "2027-01-01T00:00:00.000Z");
  }),

  "a loopback server answers": simulated(
    { name: "server", network: "server" },
    async ({ sim, customer, network, visit }) => {
      assert.equal(network.kind, "server");
      closed.push(network.baseUrl);
      await payOrder(sim, customer, visit, shopOn(network, sim));
    },
  ),

  "interception is asked for": simulated(
    { name: "asked for", network: "intercept" },
    async ({ sim, customer, network, visit }) => {
      assert.equal(network.kind, "intercept");
      await payOrder(sim, customer, visit, shopOn(network, sim));
    },
  ),

  "fails with its own error": simulated({ name: "fails", network: "server" }, async ({ sim, network }) => {
    closed.push(network.baseUrl);
    await sim.clock.advance("1 day");
    throw new Error("the parcel is lost");
  }),

  "fails after an interception": simulated({ name: "fails" }, async ({ network }) => {
    assert.equal(network.kind, "no kind at all");
  }),

  "fails because it forgot network": simulated({ name: "forgets network" }, async ({ sim }) => {
    await fetch(`${sim.baseUrl}/oauth`);
  }),

  "fails because it swallowed an error": simulated({ name: "swallows", clock: "auto" }, swallow),

  "may swallow an error": simulated({ name: "may swallow", clock: "auto", failOnSwallowedErrors: false }, swallow),

  "everything is closed": async () => {
    assert.equal(closed.length, 2);
    for (const url of closed) assert.equal(await connectTo(url), "ECONNREFUSED");
    for (const [name, now] of Object.entries(surface())) assert.equal(now, originals[name], name);
    // Only the real Date agrees with the other clock of the process.
    assert.ok(Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 60_000);
  },
});

function shopOn({ kind, baseUrl, authUrl, fetch }, { credentials }) {
  return createShop({ baseUrl, authUrl, ...credentials, ...(kind === "fetch" && { fetch }) });
}

/** Returns the id of the payment, which the seed of the test decides. */
async function payOrder(sim, customer, visit, shop) {
  sim.connect("https://shop.example", shop.app);
  const { checkoutUrl } = await (await visit("POST", "/orders", { id: "order-1", amount: 10000 })).json();
  await customer.pay(checkoutUrl, "pm_card_approved");
  await sim.clock.settle();
  assert.equal(shop.orders.get("order-1"), "completed");
  return sim.intents.last().id;
}

/** Interception refuses a wrong host. Without it, the clock fails by itself, and rejects the next call. */
async function swallow({ sim, client, network }) {
  if (network.kind === "intercept") {
    await fetch("https://api.pay.exmaple/oauth").catch(() => undefined);
    return;
  }
  sim.clock.onMove(() => {
    throw new Error("the listener broke");
  });
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_stolen" });
  const failed = () => sim.journal.entries.some(({ kind }) => kind === "failure");
  while (!failed()) await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(sim.clock.settle(), /the listener broke/);
}

/** What interception and the faked Date replace, except for `connect` of sockets, where a guard stays against what a test left running. */
function surface() {
  const { fetch, Date, Headers, Request, Response } = globalThis;
  return { fetch, Date, Headers, Request, Response };
}

function connectTo(url) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.destroy();
      resolve("connected");
    });
    socket.on("error", ({ code }) => resolve(code));
  });
}
