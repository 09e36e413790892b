import assert from "node:assert/strict";
import { createServer } from "node:http";
import axios from "axios";
import { assertStatus } from "centavo/testing";
import type { TestParts } from "centavo/testing";
import express from "express";
import { afterEach, describe, expect, test, vi } from "vitest";
import { tokensOf } from "../merchant/requests.ts";
import { closedPort, connectShop, contact, openShop } from "./newcomers-shop.ts";
import { failureOf, reportIn, SHOP } from "./shop.ts";
import { mistakes } from "./twenty-mistakes.ts";

type Provoke = (parts: TestParts) => Promise<unknown>;

/** Tests that end by their limit alone, in milliseconds: a busy machine has to come in it to where the test waits. */
const limits: Readonly<Record<string, number>> = {
  "a shop that polls": 2000,
  "fake timers under a shop that sleeps": 2000,
  "a call that is held": 2000,
  "a call that hangs": 2000,
};

const paid = (orders: ReadonlyMap<string, string>, id = "order-1") => assert.equal(orders.get(id), "paid");

/** Tests that forget the part `network`, so that nothing is intercepted. */
const withoutNetwork = new Set(["fetch without the part network", "axios without the part network"]);

const provoked: Readonly<Record<string, Provoke>> = {
  "another client secret": async ({ sim }) => {
    const shop = connectShop(sim, { clientSecret: "sk_of_another_world" });
    await shop.charge("order-1");
  },
  "a variable of the environment that is not set": async ({ sim }) => {
    const shop = connectShop(sim, { clientSecret: process.env["NOT_SET"] as string });
    await shop.charge("order-1");
  },
  "a token of an earlier test": async ({ sim }) => {
    const shop = connectShop(sim, { authorization: () => "Bearer of-an-earlier-test" });
    await shop.charge("order-1");
  },
  "a header without Bearer": async ({ sim }) => {
    const shop = connectShop(sim, { authorization: (token) => token });
    await shop.charge("order-1");
  },
  "a token that expired while Date stood still": async ({ sim }) => {
    const shop = connectShop(sim, { keepsTokens: true, now: () => 0 });
    await shop.charge("order-1");
    await sim.clock.advance("2 hours");
    await shop.charge("order-2");
  },
  "a refresh token that is used twice": async ({ sim }) => {
    const ask = async (body: object) => axios.post<Record<string, string>>(`${sim.baseUrl}/oauth`, body);
    const { clientId, clientSecret } = sim.credentials;
    const login = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const { data } = await ask(login);
    const refresh = { grant_type: "refresh_token", refresh_token: data["refresh_token"] };
    await sim.clock.advance("1 hour");
    await ask(refresh);
    await sim.clock.advance("1 hour");
    await ask(refresh);
  },
  "a misspelt host": async ({ sim }) => {
    await connectShop(sim, { baseUrl: "https://api.pay.exmaple" }).charge("order-1");
  },
  "a path too many": async ({ sim }) => {
    await connectShop(sim, { baseUrl: `${sim.baseUrl}/v1` }).charge("order-1");
  },
  "the host of the sandbox": async ({ sim, visit }) => {
    connectShop(sim, { baseUrl: "https://sandbox.payments.example" });
    assert.equal((await visit("POST", "/orders/order-1/pm_card_approved")).status, 202);
  },
  "fetch without the part network": async ({ sim }) => {
    await connectShop(sim).charge("order-1");
  },
  "axios without the part network": async ({ sim }) => {
    await axios.post(`${sim.baseUrl}/oauth`, {});
  },
  "after a payment by card": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1");
    paid(shop.orders);
  },
  "after a checkout": async ({ sim, customer }) => {
    const shop = connectShop(sim);
    const { checkoutUrl = "" } = await shop.checkOut("order-1");
    await customer.pay(checkoutUrl, "pm_card_approved");
    assert.equal(shop.orders.get("order-1"), "completed");
  },
  "a shop that polls": async ({ sim }) => {
    const shop = connectShop(sim);
    const { id } = await shop.charge("order-1");
    while ((await shop.call("GET", `/api/payment-intent/${id}/status`))["status"] !== "succeeded")
      await new Promise((resolve) => void setTimeout(resolve, 20));
  },
  "before clock.settle": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1");
    void sim.clock.settle();
    paid(shop.orders);
  },
  "before customer.pay": async ({ sim, customer }) => {
    const shop = connectShop(sim);
    const { checkoutUrl = "" } = await shop.checkOut("order-1");
    void customer.pay(checkoutUrl, "pm_card_approved").catch(() => undefined);
    await sim.clock.settle();
    assert.equal(shop.orders.get("order-1"), "completed");
  },
  "before visit": async ({ sim, visit }) => {
    const shop = connectShop(sim);
    void visit("POST", "/orders/order-1/pm_card_approved").catch(() => undefined);
    await sim.clock.settle();
    paid(shop.orders);
  },
  "before the shop's own call": async ({ sim }) => {
    const shop = connectShop(sim);
    void shop.charge("order-1").catch(() => undefined);
    await sim.clock.settle();
    paid(shop.orders);
  },
  "no app is connected": async ({ sim }) => {
    const shop = openShop(sim);
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "connected at www": async ({ sim }) => {
    const shop = openShop(sim);
    sim.connect("https://www.shop.example", shop.app);
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "no webhookUrl": async ({ sim }) => {
    const shop = connectShop(sim, { webhookUrl: undefined });
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "a port on which nothing listens": async ({ sim }) => {
    const shop = openShop(sim, { webhookUrl: `${await closedPort(createServer())}/hooks` });
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "another path": async ({ sim }) => {
    const shop = connectShop(sim, { webhookUrl: `${SHOP}/webhooks` });
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "a slash that is redirected": async ({ sim }) => {
    const shop = openShop(sim);
    const app = express().use((request, response, next) => {
      if (request.path === "/hooks") response.redirect(308, "/hooks/");
      else next();
    });
    sim.connect(SHOP, app.use(shop.app));
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "another secret": async ({ sim }) => {
    const shop = connectShop(sim, { webhookSecret: "whsec_b2YtYW5vdGhlci13b3JsZA==" });
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "express.json before the route": async ({ sim }) => {
    const shop = connectShop(sim, { parsesEarly: true });
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "no secret at all": async ({ sim }) => {
    const shop = connectShop(sim, { webhookSecret: process.env["NOT_SET"] as string });
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "a field that the event does not have": async ({ sim }) => {
    const shop = connectShop(sim, {
      handle: (event, response) => response.send((event as never as Stripes).data.object.id),
    });
    await shop.charge("order-1");
    await sim.clock.settle();
    assert.equal(sim.webhooks.failures().length, 0);
    paid(shop.orders);
  },
  "the same, after its answer": async ({ sim }) => {
    const ids: string[] = [];
    const shop = connectShop(sim, {
      handle: (event, response) => {
        response.sendStatus(200);
        void (async () => ids.push((event as never as Stripes).data.object.id))();
      },
    });
    await shop.charge("order-1");
    await sim.clock.settle();
    assert.equal(ids.length, 2);
  },
  "never ends its response": async ({ sim }) => {
    const shop = connectShop(sim, { handle: () => undefined });
    await shop.charge("order-1");
    await sim.clock.settle();
    assert.equal(sim.webhooks.failures().length, 0);
    paid(shop.orders);
  },
  "answers 400 to a type that it does not know": async ({ sim }) => {
    const sent: string[] = [];
    sim.connect(SHOP, async (request) => {
      const { type } = (await request.json()) as { readonly type: string };
      if (type !== "payment.succeeded") return Response.json({ error: `unknown type ${type}` }, { status: 400 });
      sent.push(type);
      return new Response();
    });
    await openShop(sim).charge("order-1");
    await sim.clock.settle();
    assert.equal(sent.length, 1);
  },
  "a timer of ten seconds after its answer": async ({ sim }) => {
    const mails: string[] = [];
    const shop = connectShop(sim, {
      handle: (event, response) => {
        response.sendStatus(200);
        setTimeout(() => mails.push(event.id), 10_000).unref();
      },
    });
    await shop.charge("order-1");
    await sim.clock.settle();
    assert.equal(mails.length, 2);
  },
  "one key for two amounts": async ({ sim }) => {
    const shop = connectShop(sim, { keyOf: (id) => `intent/${id}` });
    await shop.charge("order-1");
    await shop.charge("order-1", 25_000);
  },
  "one key for every order": async ({ sim }) => {
    const shop = connectShop(sim);
    const bodies = ["order-1", "order-2"].map((externalId) => ({ amount: 10_000, externalId }));
    const [first, second] = bodies;
    await shop.call("POST", "/api/payment-intent", first, "pay");
    await shop.call("POST", "/api/payment-intent", first, "pay");
    await shop.call("POST", "/api/payment-intent", second, "pay-2");
    assert.equal(sim.intents.list().length, 3);
  },
  "pesos for centavos": async ({ sim }) => {
    const shop = connectShop(sim, { amountOf: (amount) => amount / 100 });
    await shop.charge("order-1", 49_900);
    await sim.clock.settle();
    assert.equal(sim.intents.last()?.amount, 49_900);
  },
  "a fraction": async ({ sim }) => {
    await connectShop(sim, { amountOf: () => 499.5 }).charge("order-1");
  },
  "a text": async ({ sim }) => {
    await connectShop(sim, { amountOf: () => "499,00" }).charge("order-1");
  },
  "axios throws for 402": async ({ sim, client }) => {
    const { id } = await client.paymentIntents.create({ amount: 10_000 });
    const headers = { authorization: `Bearer ${(await tokensOf(sim)).access}` };
    const body = { paymentMethodId: "pm_card_insufficient_funds" };
    await axios.post(`${sim.baseUrl}/api/payment-intent/${id}/confirm`, body, { headers });
  },
  "the shop throws unless response.ok": async ({ sim, visit }) => {
    connectShop(sim);
    assert.equal((await visit("POST", "/orders/order-1/pm_card_insufficient_funds")).status, 202);
  },
  "one that is declined": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1", 10_000, "pm_card_stolen");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "one that is challenged": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1", 10_000, "pm_card_challenge");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "a misspelt id": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1", 10_000, "pm_card_aproved");
  },
  "renewals are declined, beside a decline on purpose": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1", 10_000, "pm_card_stolen");
    await shop.join("ana", "pm_card_declines_renewals");
    await sim.clock.settle({ strict: true });
    assert.equal(shop.orders.get("order-1"), "failed");
    await sim.clock.advance("1 month");
    await sim.clock.advance("3 days");
    await sim.clock.settle({ strict: true });
    assert.equal(sim.subscriptions.list()[0]?.status, "active");
  },
  "fake timers with Date": async ({ sim }) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const shop = connectShop(sim);
    await shop.charge("order-1");
    await sim.clock.settle();
    paid(shop.orders);
  },
  "fake timers under a shop that sleeps": async ({ sim }) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const shop = connectShop(sim);
    await new Promise((resolve) => void setTimeout(resolve, 100));
    await shop.charge("order-1");
  },
  "a daily job by setInterval": async ({ sim }) => {
    const reminders: string[] = [];
    setInterval(() => reminders.push("pay"), 24 * 3_600_000).unref();
    connectShop(sim);
    await sim.clock.advance("3 days");
    assert.equal(reminders.length, 3);
  },
  "settle in place of advance": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.join("ana", "pm_card_approved");
    await sim.clock.settle();
    assert.equal(sim.invoices.list().length, 2);
  },
  "moved by the handler": async ({ sim }) => {
    const shop = connectShop(sim, {
      handle: async (_event, response) => {
        await sim.clock.settle();
        response.sendStatus(200);
      },
    });
    await shop.charge("order-1");
    await sim.clock.settle({ strict: true });
    paid(shop.orders, "order-2");
  },
  "moved twice at once": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1");
    await Promise.all([sim.clock.advance("1 hour"), sim.clock.advance("1 day")]);
  },
  "planned too late": async ({ sim }) => {
    const shop = connectShop(sim);
    await shop.charge("order-1");
    sim.faults.add({ kind: "response.lost", route: "payment-intent.create" });
    await sim.clock.settle();
    assert.equal(shop.orders.get("order-1"), "failed");
  },
  "a misspelt route": async ({ sim }) => {
    sim.faults.add({ kind: "response.lost", route: "payment-intents.create" as never });
  },
  "a call that is held": async ({ sim }) => {
    sim.faults.add({ kind: "request.latency", delay: "40 s" });
    await connectShop(sim).charge("order-1");
  },
  "a call that hangs": async ({ sim }) => {
    sim.faults.add({ kind: "request.hang" });
    await connectShop(sim).charge("order-1");
  },
  "a status misspelt in the shop": async ({ sim }) => {
    const shop = connectShop(sim, { paidStatus: "success" });
    await shop.charge("order-1");
    await sim.clock.settle({ strict: true });
    paid(shop.orders);
  },
  "an event type misspelt in the shop": async ({ sim }) => {
    const shop = connectShop(sim, { paidEvent: "payment.succeeded" });
    await shop.charge("order-1");
    await sim.clock.settle({ strict: true });
    paid(shop.orders);
  },
  "a status misspelt in the test": async ({ sim }) => {
    const shop = connectShop(sim);
    const { id = "" } = await shop.charge("order-1");
    await sim.clock.settle();
    assertStatus(id, "suceeded" as never);
  },
  "an id read from the wrong field": async ({ sim }) => {
    const shop = connectShop(sim);
    const intent = await shop.call("POST", "/api/payment-intent", { amount: 10_000 });
    await shop.call("POST", `/api/payment-intent/${intent["intentId"]}/confirm`, {
      paymentMethodId: "pm_card_approved",
    });
  },
  "a checkout without its contact": async ({ sim }) => {
    await connectShop(sim, { contact: undefined }).checkOut("order-1");
  },
  "a session that has expired": async ({ sim, customer }) => {
    const shop = connectShop(sim);
    const { checkoutUrl = "" } = await shop.checkOut("order-1");
    await sim.clock.advance("1 day");
    await customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    assert.equal(shop.orders.get("order-1"), "completed");
  },
  "an intent confirmed twice": async ({ sim }) => {
    const shop = connectShop(sim);
    const { id } = await shop.charge("order-1");
    await shop.call("POST", `/api/payment-intent/${id}/confirm`, { paymentMethodId: "pm_card_approved" });
  },
  "stored after the answer to its webhook": async ({ sim, client }) => {
    const orders = new Map<string, string>();
    sim.connect(SHOP, async (request) => {
      const event = (await request.json()) as { readonly data: { readonly id: string } };
      if (!orders.has(event.data.id)) return Response.json({ error: "no such order" }, { status: 404 });
      orders.set(event.data.id, "paid");
      return new Response();
    });
    const intent = await client.paymentIntents.create({ amount: 10_000, webhookUrl: `${SHOP}/hooks` });
    await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    orders.set(intent.id, "open");
    paid(orders, intent.id);
  },
  "looked up by a field that only other events have": async ({ sim, client, customer }) => {
    const orders = new Map([["order-1", "open"]]);
    sim.connect(SHOP, async (request) => {
      if (request.method === "GET") return new Response("Thank you");
      const event = (await request.json()) as { readonly data?: { readonly attributes: { externalId: string } } };
      if (!orders.has(event.data?.attributes.externalId ?? "")) return new Response("no order", { status: 404 });
      return new Response();
    });
    const urls = { webhookUrl: `${SHOP}/hooks`, returnUrl: `${SHOP}/thanks` };
    const order = { externalId: "order-1", amount: 10_000, description: "A book", contact, ...urls };
    await customer.pay((await client.checkout.create(order)).checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    paid(orders);
  },
};

/** What an event of another service looks like. */
interface Stripes {
  readonly data: { readonly object: { readonly id: string } };
}

/** Keeps the runner from what the shop of a mistake leaves rejected: it would fail the run. */
function quietRejections(): Disposable {
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => undefined);
  return {
    [Symbol.dispose]: () => {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener);
    },
  };
}

/** How long an app may take, in milliseconds. */
const PATIENCE = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

describe("a mistake of somebody new is told right", () => {
  for (const { mistake, variant, says, byItself = false } of mistakes.filter(({ isIn }) => isIn === undefined)) {
    const name = `${mistake}: ${variant}`;
    test(name, async () => {
      // A busy machine may hold up an app, which is told apart from a mistake only where the handler is the mistake.
      const patience = mistake === "10 the handler" ? {} : { receiverTimeout: PATIENCE };
      const given = { name, webhookUrl: undefined as never, ...patience };
      const limit = limits[variant];
      const provoke = provoked[variant];
      if (provoke === undefined) throw new Error(`Nothing provokes ${name}.`);
      using _ = quietRejections();
      const error = await failureOf(
        limit === undefined ? given : { ...given, timeout: limit },
        withoutNetwork.has(variant)
          ? async (parts) => provoke(parts)
          : async (parts) => {
              assert.ok(parts.network.kind);
              return provoke(parts);
            },
      );
      expect(byItself ? error.message : reportIn(error).slice(0, 2).join("\n")).toMatch(says);
    });
  }
});
