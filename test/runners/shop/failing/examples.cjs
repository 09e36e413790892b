"use strict";

const express = require("express");
const { verifyWebhook } = require("centavo/webhooks");
const { isSigned, openShop } = require("./shop.cjs");

/** As a client keeps it that was loaded before the test. */
const { fetch: capturedFetch } = globalThis;
const tooSlow = { timeout: 1200, message: ["1200"] };
const unpaid = ["open", "paid"];

/**
 * Tests that fail, each with a shop that makes one mistake, and two that pass. Every runner runs all of them, and has to print the causes.
 * @param runner what differs from runner to runner: `equal(actual, expected)`, and `fakeTimers()`, which the runner ends after the test;
 *   and `intercepts`, whether it can
 * @returns the title of each, the name of its cause, if it fails; words of its own message; the options of the test; the runner's limit
 *   in milliseconds for a test that takes too long; and why nobody can make the mistake where nothing is intercepted
 */
exports.examplesWith = ({ equal, fakeTimers, intercepts = true }) => {
  const kindFetch = intercepts ? { network: "fetch" } : {};

  /** Buys a book, and expects the order to be paid. */
  async function expectPaid(sim, visit, origin = "https://shop.example") {
    await visit("POST", `${origin}/orders`, book);
    await sim.clock.settle();
    equal((await (await visit(`${origin}/orders/order-1`)).json()).status, "paid");
  }

  return [
    {
      title: "its shop makes no mistake",
      // The first test loads what it uses, which takes long on a busy machine.
      options: { receiverTimeout: 20_000 },
      test: async ({ sim, network, visit }) => {
        openShop(sim, network);
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its shop checks webhooks with another secret",
      cause: "wrong-secret",
      message: unpaid,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { webhookSecret: "whsec_of-another-shop" });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its shop checks webhooks after express.json() has parsed them",
      cause: "parsed-body",
      message: unpaid,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { parseHook: express.json(), isGenuine: isVerified });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its shop writes what it has parsed again and checks that",
      cause: "parsed-body",
      message: unpaid,
      options: { assumptions: { "webhook.body": "spaced" } },
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, {
          parseHook: express.json(),
          isGenuine: ({ headers, body }, secret) =>
            isSigned(headers["x-webhook-signature"], JSON.stringify(body), secret),
        });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its shop takes webhooks at another path",
      cause: "hook-path",
      message: unpaid,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { hookPath: "/webhooks" });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its shop is connected at another origin",
      cause: "nobody-connected",
      message: unpaid,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { origin: "https://www.shop.example" });
        await expectPaid(sim, visit, "https://www.shop.example");
      },
    },
    {
      title: "its handler on Express throws",
      cause: "handler-failed",
      message: unpaid,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { takeEvent: ({ order }) => order.id });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its fetch handler throws",
      cause: "handler-threw",
      message: ["0", "1"],
      test: async ({ sim, client }) => {
        const paid = [];
        sim.connect("https://shop.example", async (request) => {
          const { data } = await request.json();
          paid.push(data.order.id);
          return new Response();
        });
        const { id } = await client.paymentIntents.create({ amount: 49_900, webhookUrl: "https://shop.example/hooks" });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
        await sim.clock.settle();
        equal(paid.length, 1);
      },
    },
    {
      title: "its handler takes too long",
      cause: "handler-too-slow",
      message: unpaid,
      // Long enough for an order on a busy machine.
      options: { receiverTimeout: 200 },
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { takeEvent: () => sleep(1000) });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "it forgets to settle",
      cause: "forgotten-settle",
      message: unpaid,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network);
        await visit("POST", "/orders", book);
        equal((await (await visit("/orders/order-1")).json()).status, "paid");
      },
    },
    {
      title: "its shop polls under the manual clock",
      cause: "polling",
      ...tooSlow,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { afterPayment: untilPaid });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "it awaits a held call before it moves the clock",
      cause: "held-call",
      ...tooSlow,
      test: async ({ sim, network }) => {
        const { call } = openShop(sim, network);
        sim.faults.add({ kind: "request.latency", route: "transaction.list", delay: "40 s" });
        await call("GET", "/api/transactions");
        await sim.clock.advance("1 minute");
      },
    },
    {
      title: "its shop asks the real Date whether its token is still good",
      cause: "expired-token",
      message: ["the payment service answered 401 UNAUTHORIZED"],
      options: { fakeDate: false },
      test: async ({ sim, network }) => {
        const { call } = openShop(sim, network);
        await call("GET", "/api/transactions");
        await sim.clock.advance("2 hours");
        await call("GET", "/api/transactions");
      },
    },
    {
      title: "its shop sleeps while timers are fake",
      cause: "fake-timers",
      ...tooSlow,
      // Where Node's own functions are faked, too, the shop is refused at once.
      message: [/1200|open|while fake timers replace/],
      options: { fakeDate: false },
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { afterPayment: () => sleep(20) });
        fakeTimers();
        await expectPaid(sim, visit);
      },
    },
    {
      title: "another copy of the interceptors is active",
      cause: "second-interceptors",
      message: ["another copy of @mswjs/interceptors is active"],
      unlessIntercepted: "copies of the interceptors meet only where Centavo intercepts",
      test: async ({ sim, visit }) => {
        const { FetchInterceptor } = await import("@mswjs/interceptors/fetch");
        const { intercept } = await import("centavo/node");
        const ofAnotherTool = new FetchInterceptor();
        ofAnotherTool.apply();
        try {
          intercept(sim);
          openShop(sim, sim);
          await expectPaid(sim, visit);
        } finally {
          ofAnotherTool.dispose();
        }
      },
    },
    {
      title: "its shop calls the service before intercept()",
      cause: "real-network",
      message: ["fetch failed"],
      unlessIntercepted: "intercept() cannot be called too late where it cannot be called",
      test: async ({ sim, visit }) => {
        const { call } = openShop(sim, { baseUrl: sim.baseUrl, authUrl: sim.authUrl });
        const loggedIn = call("GET", "/api/transactions");
        const { intercept } = await import("centavo/node");
        intercept(sim);
        await loggedIn;
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its shop captured fetch before the test",
      cause: "real-network",
      message: ["fetch failed"],
      options: kindFetch,
      test: async ({ sim, network }) => {
        const { call } = openShop(sim, network, { fetch: capturedFetch });
        await call("GET", "/api/transactions");
      },
    },
    {
      title: "its shop answers 500, because its fetch leaves the test",
      cause: "real-network",
      message: ["500", "201"],
      options: kindFetch,
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { fetch: capturedFetch });
        equal((await visit("POST", "/orders", book)).status, 201);
      },
    },
    {
      title: "its shop has the wrong path in the base URL",
      cause: "wrong-base-url",
      message: ["the payment service answered 404"],
      test: async ({ sim, network }) => {
        const { call } = openShop(sim, network, { baseUrl: `${network.baseUrl}/v1` });
        await call("GET", "/api/transactions");
      },
    },
    {
      title: "its shop misspells the host of the base URL",
      cause: "misspelt-base-url",
      message: ["fetch failed"],
      test: async ({ sim, network }) => {
        const { call } = openShop(sim, network, { authUrl: "https://api.pay.exmaple" });
        await call("GET", "/api/transactions");
      },
    },
    {
      title: "its shop sends mail through a service that is not simulated",
      cause: "refused-host",
      message: ["500", "201"],
      test: async ({ sim, network, visit }) => {
        const send = network.kind === "fetch" ? network.fetch : fetch;
        openShop(sim, network, { afterPayment: () => send("https://mail.example/send", { method: "POST" }) });
        equal((await visit("POST", "/orders", book)).status, 201);
      },
    },
    {
      title: "its customer pays after the session has expired",
      cause: "expired-session",
      message: ["expired", "completed"],
      test: async ({ sim, network, customer, visit }) => {
        openShop(sim, network);
        const { checkoutUrl } = await (await visit("POST", "/checkouts", book)).json();
        await sim.clock.advance("2 days");
        equal((await customer.pay(checkoutUrl, "pm_card_approved")).status, "completed");
      },
    },
    {
      title: "its shop stores the order after the payment",
      cause: "order-after-payment",
      message: unpaid,
      options: { clock: "auto" },
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, {
          beforePayment: () => undefined,
          afterPayment: async (order, orders, call) => {
            await untilPaid(order, orders, call);
            orders.set(order.id, order);
          },
        });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "its shop takes a decline for an exception",
      cause: "decline-as-exception",
      message: ["500", "201"],
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { isAnswer: (status) => status < 400 });
        const declined = { ...book, paymentMethodId: "pm_card_insufficient_funds" };
        equal((await visit("POST", "/orders", declined)).status, 201);
      },
    },
    {
      title: "it plans a fault for a route that does not exist",
      cause: "impossible-fault",
      message: ["payment-intent.creat"],
      test: async ({ sim, network, visit }) => {
        openShop(sim, network);
        sim.faults.add({ kind: "response.lost", route: "payment-intent.creat" });
        await expectPaid(sim, visit);
      },
    },
    {
      title: "it plans a fault for what never happens",
      cause: "unused-fault",
      message: ["500", "201"],
      test: async ({ sim, network, visit }) => {
        openShop(sim, network);
        sim.faults.add({ kind: "response.lost", route: "checkout.create" });
        const answer = await visit("POST", "/orders", book);
        await sim.clock.settle();
        equal(answer.status, 500);
      },
    },
    {
      title: "its shop sends pesos",
      cause: "amount-in-pesos",
      message: ["499", "49900"],
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { centavosOf: (pesos) => pesos });
        await visit("POST", "/orders", book);
        equal(sim.intents.last().amount, 49_900);
      },
    },
    {
      title: "it does not await the visit of its customer",
      cause: "missing-await",
      message: ["0", "1"],
      test: async ({ sim, visit }) => {
        const orders = [];
        sim.connect("https://shop.example", () => {
          orders.push("order-1");
          return new Response();
        });
        void visit("POST", "/orders", book);
        equal(orders.length, 1);
      },
    },
    {
      title: "it fakes all timers while Date follows the virtual clock",
      cause: "fake-timers",
      ...tooSlow,
      message: [/1200|open|while fake timers replace/],
      test: async ({ sim, network, visit }) => {
        openShop(sim, network, { afterPayment: () => sleep(20) });
        fakeTimers();
        await expectPaid(sim, visit);
      },
    },
    {
      title: "the next test has the real Date again, before its shop opens",
      options: { fakeDate: false },
      test: async ({ sim, network, visit }) => {
        // Only the real Date agrees with the other clock of the process.
        equal(Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 60_000, true);
        openShop(sim, network);
        await expectPaid(sim, visit);
      },
    },
  ];
};

const book = { id: "order-1", pesos: 499 };

/** A shop that asks for the status until the payment is done. */
async function untilPaid({ intentId }, _orders, call) {
  while ((await call("GET", `/api/payment-intent/${intentId}/status`)).status !== "succeeded") await sleep(20);
}

function isVerified(request, secret) {
  return verifyWebhook(request, secret).then(
    () => true,
    () => false,
  );
}

function sleep(milliseconds) {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
