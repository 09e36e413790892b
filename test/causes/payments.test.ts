import assert from "node:assert/strict";
import axios from "axios";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { intercept } from "centavo/node";
import { simulated } from "centavo/testing";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { tokensOf } from "../merchant/requests.ts";
import { shopThatKeepsItsToken } from "../testing/a-shop-that-lives-on.ts";
import { causeOf, HOOKS, pay, SHOP } from "./shop.ts";

const book = {
  externalId: "order-1",
  description: "A book",
  webhookUrl: HOOKS,
  returnUrl: `${SHOP}/return`,
  contact: { name: "Ana Cruz", email: "ana@customer.example" },
};
const quiet = { webhookUrl: undefined as never };

describe("a shop that misreads the service is told how", () => {
  test("it logs in with another secret", async () => {
    const cause = await causeOf({ ...quiet, name: "secret", cause: "wrong-credentials" }, async ({ sim }) => {
      const clientSecret = "csec_fake_of-another-shop";
      const client = createClient({ ...sim.credentials, clientSecret, baseUrl: sim.baseUrl, fetch: sim.fetch });
      await pay(client);
    });
    expect(cause).toBe(
      "Likely cause: the login was refused with 401 INVALID_CREDENTIALS: your app has another client id or secret than sim.credentials.",
    );
  });

  test("it keeps the token of an earlier test", async () => {
    const cause = await causeOf({ ...quiet, name: "kept", cause: "foreign-token" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      const headers = { authorization: "Bearer kept-from-before" };
      await axios.get(`${sim.baseUrl}/api/transactions`, { headers });
    });
    expect(cause).toBe(
      "Likely cause: GET /api/transactions was refused with 401: it carried no access token that this simulator issued.",
    );
  });

  test("it keeps the token that an earlier test gave it", async () => {
    let token = "";
    await simulated({ name: "earlier" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      token = (await tokensOf(sim)).access;
    })();
    const cause = await causeOf({ ...quiet, name: "later", cause: "foreign-token" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${sim.baseUrl}/api/transactions`, { headers });
      assert.equal(answer.status, 200);
    });
    expect(cause).toBe(
      'Likely cause: GET /api/transactions was refused with 401: it carried a credential of the world of the test "earlier", which has ended.',
    );
  });

  test("it keeps a token over a reset", async () => {
    const cause = await causeOf(
      { ...quiet, name: "over a reset", cause: "foreign-token" },
      async ({ sim, network }) => {
        const shop = shopThatKeepsItsToken();
        assert.equal(network.kind, "intercept");
        await shop.transactions(sim);
        sim.reset();
        assert.equal((await shop.transactions(sim)).status, 200);
      },
    );
    expect(cause).toBe(
      "Likely cause: GET /api/transactions was refused with 401: it carried an access token from before sim.reset().",
    );
  });

  test("it sends a token that none of the tests that run at the same time has issued", async () => {
    const cause = await causeOf({ ...quiet, name: "one of two", cause: "foreign-token" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      await using other = createSimulator({ seed: "the other of two" });
      intercept(other);
      await axios.get(`${sim.baseUrl}/api/transactions`, { headers: { authorization: "Bearer of-no-test" } });
    });
    expect(cause).toBe(
      "Likely cause: GET /api/transactions was refused with 401: it carried the credentials of no running test, and any of them may have made it.",
    );
  });

  test("it takes a decline for an exception", async () => {
    const cause = await causeOf({ ...quiet, name: "decline", cause: "decline-as-exception" }, async ({ client }) =>
      pay(client, {}, "pm_card_insufficient_funds"),
    );
    expect(cause).toMatch(
      /^Likely cause: your code treated a decline as an exception: POST \/api\/payment-intent\/pi_\w+\/confirm was answered with 402 INSUFFICIENT_FUNDS, which is the result of the payment\.$/,
    );
  });

  test("it takes a decline for an exception, and its framework answers 500", async () => {
    const cause = await causeOf({ ...quiet, name: "page", cause: "decline-as-exception" }, async ({ sim, visit }) => {
      const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
      const app = new Hono();
      app.onError((_, context) => context.text("Sorry", 500));
      app.post("/orders", async (context) => context.text(await pay(client, {}, "pm_card_insufficient_funds")));
      sim.connect("https://shop.example", app);
      assert.equal((await visit("POST", "/orders", {})).status, 200);
    });
    expect(cause).toMatch(
      /was answered with 402 INSUFFICIENT_FUNDS, which is the result of the payment, and your app answered 500\.$/,
    );
  });

  test("it sends pesos, and Jest's expect compares", async () => {
    const cause = await causeOf({ ...quiet, name: "expect", cause: "amount-in-pesos" }, async ({ sim, client }) => {
      await pay(client, { amount: 499 });
      const matcherResult = { actual: sim.intents.last()?.amount, expected: 49_900, pass: false };
      throw Object.assign(new Error("expect(received).toBe(expected)"), { matcherResult });
    });
    expect(cause).toContain("the test compares 499 with 49900");
  });

  test("it sends pesos", async () => {
    const cause = await causeOf({ ...quiet, name: "pesos", cause: "amount-in-pesos" }, async ({ sim, client }) => {
      await pay(client, { amount: 499 });
      assert.equal(sim.intents.last()?.amount, 49_900);
    });
    expect(cause).toBe(
      "Likely cause: the amount 499 was sent in pesos where the service counts centavos: the test compares 499 with 49900.",
    );
  });

  test("its test expects pesos", async () => {
    const cause = await causeOf({ ...quiet, name: "expects", cause: "amount-in-pesos" }, async ({ sim, client }) => {
      await pay(client, { amount: 49_900 });
      assert.equal(sim.intents.last()?.amount, 499);
    });
    expect(cause).toBe(
      "Likely cause: the amount 49900 was sent in centavos, and the test takes it for pesos: it compares 49900 with 499.",
    );
  });

  test("it sends a fraction of a peso", async () => {
    const cause = await causeOf({ ...quiet, name: "fraction", cause: "amount-in-pesos" }, async ({ client }) =>
      pay(client, { amount: 499.5 }),
    );
    expect(cause).toMatch(
      /an amount with a fraction was sent, and the service counts whole centavos \(amount: [^()]+\)\.$/,
    );
  });

  test("it repeats an Idempotency-Key with another call", async () => {
    const cause = await causeOf({ ...quiet, name: "key", cause: "reused-idempotency-key" }, async ({ client }) => {
      await client.paymentIntents.create({ amount: 10_000 }, { idempotencyKey: "order-1" });
      await client.paymentIntents.create({ amount: 20_000 }, { idempotencyKey: "order-1" });
    });
    expect(cause).toBe(
      "Likely cause: the Idempotency-Key order-1 was sent again with another call, POST /api/payment-intent, which was refused.",
    );
  });

  test("it confirms a payment twice", async () => {
    const cause = await causeOf({ ...quiet, name: "twice", cause: "already-confirmed" }, async ({ sim, client }) => {
      const id = await pay(client);
      await sim.clock.settle();
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    });
    expect(cause).toMatch(
      /was refused with 409 INTENT_ALREADY_CONFIRMED: The payment intent was already confirmed; your code made the same call before\.$/,
    );
  });

  test("it confirms a payment that was canceled", async () => {
    const cause = await causeOf({ ...quiet, name: "canceled", cause: "already-confirmed" }, async ({ sim, client }) => {
      const { id } = await client.paymentIntents.create({ amount: 10_000 });
      sim.intents.cancel(id);
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    });
    expect(cause).toMatch(
      /was refused with 409 INTENT_ALREADY_CONFIRMED: The payment intent is canceled and cannot be confirmed\.$/,
    );
  });

  test("it pays for a subscription that is active", async () => {
    const cause = await causeOf({ ...quiet, name: "active", cause: "already-confirmed" }, async ({ sim, client }) => {
      const { id: planId } = await client.plans.create({ name: "Coffee club", amount: 49_900, interval: "month" });
      const { id: subscriptionId } = await client.subscriptions.initiate({ planId, contact: book.contact });
      await client.subscriptions.processPayment({ subscriptionId, paymentMethodId: "pm_card_approved" });
      await sim.clock.advance("1 month");
      await client.subscriptions.processPayment({ subscriptionId, paymentMethodId: "pm_card_challenge" });
    });
    expect(cause).toMatch(
      /was refused with 409 INTENT_ALREADY_CONFIRMED: The subscription is active; its invoices are charged automatically\.$/,
    );
  });

  test("nobody passes its customer's challenge", async () => {
    const cause = await causeOf(
      { ...quiet, name: "challenge", cause: "waits-for-customer" },
      async ({ sim, client }) => {
        const { id } = await client.paymentIntents.create({ amount: 10_000 });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_gcash" });
        await sim.clock.settle();
        assert.equal(sim.intents.get(id)?.status, "succeeded");
      },
    );
    expect(cause).toMatch(/^Likely cause: the payment pi_\w+ still waits for the customer's authentication\.$/);
  });

  test("it expects a card to pay that is always declined", async () => {
    const cause = await causeOf({ ...quiet, name: "stolen", cause: "declining-method" }, async ({ sim, client }) => {
      const id = await pay(client, {}, "pm_card_stolen");
      await sim.clock.settle();
      assert.equal(sim.intents.get(id)?.status, "succeeded");
    });
    expect(cause).toMatch(
      /^Likely cause: the payment pi_\w+ failed because pm_card_stolen is always declined \(stolen_card\)\.$/,
    );
  });

  test("it names that card as the SDK does", async () => {
    const cause = await causeOf({ ...quiet, name: "as SDK", cause: "declining-method" }, async ({ sim, client }) => {
      const { id } = await client.paymentIntents.create({ amount: 10_000 });
      await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_stolen" });
      await sim.clock.settle();
      assert.equal(sim.intents.get(id)?.status, "succeeded");
    });
    expect(cause).toContain("pm_card_stolen is always declined (stolen_card)");
  });

  test("it misspells a test card, and takes no notice of the refusal", async () => {
    const cause = await causeOf({ ...quiet, name: "misspelt", cause: "unknown-method" }, async ({ sim, client }) => {
      await pay(client, { externalId: "order-1" }, "pm_card_aproved").catch(() => "refused");
      assert.equal(sim.intents.last()?.status, "succeeded");
    });
    expect(cause).toMatch(
      /^Likely cause: POST \/api\/payment-intent\/pi_\w+\/confirm was refused with 400, because no payment method has the id "pm_card_aproved"; the nearest is "pm_card_approved"\.$/,
    );
  });

  test("it sends what the service does not take", async () => {
    const cause = await causeOf({ ...quiet, name: "refused", cause: "refused-call" }, async ({ sim, network }) => {
      assert.equal(network.kind, "intercept");
      const form = { client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret };
      const { data } = await axios.post<{ access_token: string }>(`${sim.authUrl}/oauth`, form);
      const headers = { authorization: `Bearer ${data.access_token}` };
      await axios.post(`${sim.baseUrl}/api/checkout`, { ...book, amount: 0, description: undefined }, { headers });
    });
    expect(cause).toBe(
      "Likely cause: POST /api/checkout was refused with 400 VALIDATION_ERROR: amount: Amount must be at least 1 (in cents); description: is required.",
    );
  });

  test("it answers a visit with 500 because of a refusal", async () => {
    const cause = await causeOf({ name: "fails", cause: "refused-call" }, async ({ sim, client, visit }) => {
      const app = new Hono().onError((_, context) => context.text("Oops", 500));
      app.post("/orders", async (context) => context.text(await pay(client, { amount: 0 })));
      sim.connect(SHOP, app);
      const { status } = await visit("POST", "/orders");
      assert.equal(status, 201);
    });
    expect(cause).toContain("POST /api/payment-intent was refused with 400 VALIDATION_ERROR: amount: ");
  });

  test("its page fails for a key that was sent before, and a webhook is waiting", async () => {
    const options = { name: "the page of a key", cause: "reused-idempotency-key", webhookUrl: HOOKS };
    const cause = await causeOf(options, async ({ sim, client, visit }) => {
      sim.connect(SHOP, async (request) => {
        const { amount } = (await request.json()) as { readonly amount: number };
        const ordered = client.paymentIntents.create({ amount }, { idempotencyKey: "order-1" });
        return ordered.then(
          async ({ id }) => {
            await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
            return new Response(null, { status: 202 });
          },
          () => new Response(null, { status: 409 }),
        );
      });
      await visit("POST", "/orders", { amount: 100 });
      assert.equal((await visit("POST", "/orders", { amount: 200 })).status, 202);
    });
    expect(cause).toMatch(/the Idempotency-Key order-1 was sent again with another call/);
  });

  test("a card that the test declines on purpose is not blamed for a later order", async () => {
    const cause = await causeOf({ ...quiet, name: "on purpose" }, async ({ sim, client }) => {
      await pay(client, { externalId: "order-1" }, "pm_card_stolen");
      await pay(client, { externalId: "order-2" });
      await sim.clock.settle();
      assert.equal("open", "paid");
    });
    expect(cause).toBe("No likely cause found: every call succeeded.");
  });

  test("but for its own order, where the assertion names it", async () => {
    const options = { ...quiet, name: "by its order", cause: "declining-method" };
    const cause = await causeOf(options, async ({ sim, client }) => {
      await pay(client, { externalId: "order-1" }, "pm_card_stolen");
      await pay(client, { externalId: "order-2" });
      await sim.clock.settle();
      assert.equal("open", "paid", "order-1 is open, and should be paid");
    });
    expect(cause).toMatch(/failed because pm_card_stolen is always declined/);
  });

  test("it sends a second time what was refused", async () => {
    const cause = await causeOf({ ...quiet, name: "repeated" }, async ({ client }) => {
      await client.checkout.create({ ...book, amount: 0 }).catch(() => client.checkout.create({ ...book, amount: 1 }));
      assert.fail("the order is not paid");
    });
    expect(cause).toMatch(/^No likely cause found/);
  });
});

test("an error of Centavo itself is not called something else", async () => {
  const cause = await causeOf({ ...quiet, name: "own error" }, async ({ sim }) => {
    await sim.clock.advance("3 dayz");
  });
  expect(cause).toBe("No likely cause found: the test's own error says what is wrong.");
});

describe("a fault that does nothing is named", () => {
  test("it could never fire", async () => {
    const cause = await causeOf({ ...quiet, name: "impossible", cause: "impossible-fault" }, async ({ sim }) => {
      sim.faults.add({ kind: "request.status", status: 503, route: "payment-intent.creat" as never });
    });
    expect(cause).toBe("Likely cause: a fault was planned that could never fire, and the test's error says why.");
  });

  test("it selects what never happens", async () => {
    const cause = await causeOf({ ...quiet, name: "unused", cause: "unused-fault" }, async ({ sim, client }) => {
      sim.faults.add({ kind: "response.lost", route: "subscription.cancel" });
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is paid");
    });
    expect(cause).toBe("Likely cause: the fault fault_1 (response.lost) never fired: nothing matched it.");
  });

  test.each([
    ["the rope tore.", "the rope tore."],
    ["the rope tore! ".repeat(20), `${"the rope tore! ".repeat(20).slice(0, 99)}…`],
  ])("a quoted message that ends a sentence ends it once: %j", async (message, quote) => {
    const cause = await causeOf(
      { ...quiet, name: "auto", cause: "simulator-failed", clock: "auto" },
      async ({ sim, client }) => {
        sim.clock.onMove(() => {
          throw new Error(message);
        });
        await client.paymentIntents.status(await pay(client));
        assert.fail("the order is not paid");
      },
    );
    expect(cause).toBe(`Likely cause: something failed inside the simulator: ${quote}`);
  });

  test("a failure of the simulator is told", async () => {
    const cause = await causeOf(
      { ...quiet, name: "auto", cause: "simulator-failed", clock: "auto" },
      async ({ sim, client }) => {
        sim.clock.onMove(() => {
          throw new Error("the listener failed");
        });
        const id = await pay(client);
        await client.paymentIntents.status(id);
        assert.fail("the order is not paid");
      },
    );
    expect(cause).toBe("Likely cause: something failed inside the simulator: the listener failed.");
  });
});
