import assert from "node:assert/strict";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import type { Client } from "centavo/client";
import type { TestParts } from "centavo/testing";
import "centavo/vitest";
import { describe, expect, test } from "vitest";
import { connectShop, contact } from "./newcomers-shop.ts";
import { book, failureOf, pay, reportIn, SHOP, takeWebhooks } from "./shop.ts";

interface Mistake {
  readonly title: string;
  /** The cause to which the report leads, if one can be known. */
  readonly cause?: string;
  readonly says: RegExp;
  readonly make: (parts: TestParts) => Promise<unknown>;
}

/** An app whose webhook route refuses, with an answer that says why. */
const refusing =
  (status: number, body: string) =>
  async ({ sim, client }: TestParts): Promise<void> => {
    sim.connect(SHOP, () => new Response(body, { status }));
    await pay(client);
    await sim.clock.settle();
    assert.equal(sim.webhooks.failures().length, 0);
  };

async function paidBook({ sim, client, customer }: TestParts, method = "pm_card_approved") {
  takeWebhooks(sim);
  const session = await client.checkout.create(book);
  const { redirectedTo } = await customer.pay(session.checkoutUrl, method);
  return { ...session, redirectedTo };
}

async function joined(client: Client, paymentMethodId: string): Promise<string> {
  const plan = await client.plans.create({ name: "Reader", amount: 19_900, interval: "month" });
  const { id } = await client.subscriptions.initiate({ planId: plan.id, contact, externalId: "ana" });
  await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId });
  return id;
}

const typesIn = ({ sim }: TestParts): string[] => sim.webhooks.events().map(({ type }) => type);

const mistakes: readonly Mistake[] = [
  {
    title: "the status of an intent is expected in the word of an invoice",
    cause: "another-word",
    says: /pi_\w+ is "succeeded", which is the service's word for what the test calls "paid"/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      const id = await pay(client);
      await sim.clock.settle();
      assert.equal(sim.intents.get(id)?.status, "paid");
    },
  },
  {
    title: "the status of a subscription is expected in American spelling, beside a webhook that waits",
    cause: "another-word",
    says: /sub_\w+ is "cancelled".*"canceled"/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      const id = await joined(client, "pm_card_approved");
      await sim.clock.settle();
      await client.subscriptions.cancel(id);
      expect(sim.subscriptions.get(id)?.status).toBe("canceled");
    },
  },
  {
    title: "an event is expected that the service does not have",
    cause: "unknown-event",
    says: /no event "payment_intent\.paid"; the nearest is "payment_intent\.succeeded"/,
    make: async (parts) => {
      takeWebhooks(parts.sim);
      await pay(parts.client);
      await parts.sim.clock.settle();
      expect(typesIn(parts)).toContain("payment_intent.paid");
    },
  },
  {
    title: "the token of a session stands where the id of an intent is wanted",
    cause: "wrong-id",
    says: /404: [\da-f]{8}… is the session token of cs_/,
    make: async (parts) => {
      const { sessionToken } = await paidBook(parts);
      await parts.client.paymentIntents.status(sessionToken);
    },
  },
  {
    title: "the id of an intent stands where the token of a session is wanted",
    cause: "wrong-id",
    says: /404: pi_\w+ is the id of a payment intent/,
    make: async ({ client }) => client.checkout.poll(await pay(client)),
  },
  {
    title: "a subscription is read by the shop's own reference",
    cause: "wrong-id",
    says: /404: ana is your externalId of the subscription sub_/,
    make: async ({ client }) => {
      await joined(client, "pm_card_approved");
      await client.subscriptions.get("ana");
    },
  },
  {
    title: "a reader is asked by the shop's own reference",
    cause: "read-nothing",
    says: /sim\.intents\.get\(…\) found nothing: order-1 is your externalId of the payment intent pi_/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      await pay(client, { externalId: "order-1" });
      await sim.clock.settle();
      expect(sim.intents.get("order-1")?.status).toBe("succeeded");
    },
  },
  {
    title: "a client asks another simulator",
    cause: "another-simulator",
    says: /another simulator than this test's/,
    make: async ({ client }) => {
      await using other = createSimulator({ seed: "other" });
      const stranger = createClient({ ...other.credentials, baseUrl: other.baseUrl, fetch: other.fetch });
      await stranger.paymentIntents.status(await pay(client));
    },
  },
  {
    title: "a customer answers a challenge too late",
    cause: "expired-challenge",
    says: /ran out at 2026-01-01 01:00:00Z, and the customer answered at 2026-01-01 02:00:00Z/,
    make: async (parts) => {
      const { sessionToken, redirectedTo } = await paidBook(parts, "pm_card_challenge");
      await parts.sim.clock.advance("2 hours");
      await parts.customer.authenticate(redirectedTo);
      await parts.sim.clock.settle();
      assert.equal((await parts.client.checkout.poll(sessionToken)).status, "completed");
    },
  },
  {
    title: "a month of 30 days is too short for January",
    cause: "not-yet-due",
    says: /renews at 2026-02-01 00:00:00Z, and the clock stands at 2026-01-31/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      const id = await joined(client, "pm_card_declines_renewals");
      await sim.clock.advance("30 days");
      expect(sim.subscriptions.get(id)?.status).toBe("past_due");
    },
  },
  {
    title: "a subscription is expected to be unpaid before its last retry",
    cause: "not-yet-due",
    says: /next retry of inv_\w+ is due at 2026-02-02/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      const id = await joined(client, "pm_card_declines_renewals");
      await sim.clock.advance("1 month");
      await sim.clock.settle();
      expect(sim.subscriptions.get(id)?.status).toBe("unpaid");
    },
  },
  {
    title: "a matcher of vitest looks before the clock has settled",
    cause: "forgotten-settle",
    says: /still (waiting|due)/,
    make: async ({ client }) => expect(await joined(client, "pm_card_approved")).toHaveStatus("active"),
  },
  {
    title: "a card of another provider is expected to be declined",
    cause: "approving-method",
    says: /was paid because the card •••• 0002 is not one of the test cards/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      const { id, clientKey } = await client.paymentIntents.create({ amount: 49_900 });
      const creditCardDetails = { cardNumber: "4000000000000002", expMonth: "12", expYear: "2030", cvc: "123" };
      const headers = { authorization: `Bearer ${clientKey}`, "content-type": "application/json" };
      const body = JSON.stringify({ paymentMethod: "card", creditCardDetails });
      await sim.fetch(`${sim.baseUrl}/api/payment-intent/${id}/confirm`, { method: "POST", headers, body });
      await sim.clock.settle();
      assert.equal(sim.intents.get(id)?.status, "failed");
    },
  },
  {
    title: "a guard against CSRF refuses",
    cause: "handler-refused",
    says: /403: Invalid CSRF token/,
    make: refusing(403, "Invalid CSRF token"),
  },
  {
    title: "a login refuses",
    cause: "handler-refused",
    says: /401: .*Login required/,
    make: refusing(401, '{"error":"Login required"}'),
  },
  {
    title: "a list of addresses refuses",
    cause: "handler-refused",
    says: /403: IP not allowed/,
    make: refusing(403, "IP not allowed"),
  },
  {
    title: "the administrator's read gets an access token",
    cause: "foreign-token",
    says: /The header X-Admin-Key is missing.*sim\.credentials\.adminKey/s,
    make: async ({ sim, client, network }) => {
      assert.ok(network.kind);
      const { sessionToken } = await client.checkout.create(book);
      await connectShop(sim).call("GET", `/api/checkout/session/${sessionToken}`);
    },
  },
  {
    title: "a path is called by another method",
    cause: "refused-call",
    says: /405 METHOD_NOT_ALLOWED: .*takes PATCH/,
    make: async ({ sim, client, network }) => {
      assert.ok(network.kind);
      const id = await joined(client, "pm_card_approved");
      await connectShop(sim).call("PUT", `/api/subscription/${id}/plan`, {});
    },
  },
  {
    title: "a body is encoded twice",
    cause: "refused-call",
    says: /400 VALIDATION_ERROR: the body: must be an object/,
    make: async ({ sim, network }) => {
      assert.ok(network.kind);
      await connectShop(sim).call("POST", "/api/payment-intent", JSON.stringify({ amount: 49_900 }) as never);
    },
  },
  {
    title: "a subscription that is active is paid again",
    cause: "already-confirmed",
    says: /The subscription is active; its invoices are charged automatically/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      const subscriptionId = await joined(client, "pm_card_approved");
      await sim.clock.settle();
      await client.subscriptions.processPayment({ subscriptionId, paymentMethodId: "pm_card_approved" });
    },
  },
  {
    title: "a field is written in snake case",
    cause: "misnamed-field",
    says: /ignored the field external_id of payment-intent\.create: it knows externalId/,
    make: async ({ sim, client }) => {
      const taken = takeWebhooks(sim);
      await pay(client, { external_id: "order-1" });
      await sim.clock.settle();
      assert.ok(taken.every((body) => body.includes("order-1")));
    },
  },
  {
    title: "payments are listed by the real date",
    cause: "dates-ahead",
    says: /from 2027-05-01 on, and the virtual clock stood at 2026-01-01/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      await pay(client);
      await sim.clock.settle();
      assert.equal((await client.transactions.list({ dateFrom: "2027-05-01" })).items.length, 1);
    },
  },
  {
    title: "the base URL is not set",
    cause: "wrong-base-url",
    says: /asked for undefined\/oauth, which is not an address/,
    make: async ({ sim, network }) => {
      assert.ok(network.kind);
      await connectShop(sim, { baseUrl: String(process.env["NOT_SET"]) }).charge("order-1");
    },
  },
  {
    title: "a test card is named as another provider names it",
    cause: "unknown-method",
    says: /no payment method has the id "pm_card_visa"\./,
    make: async ({ client }) => pay(client, {}, "pm_card_visa"),
  },
  {
    title: "the page to which the customer comes back fails",
    cause: "handler-failed",
    says: /GET https:\/\/shop\.example\/return with 500/,
    make: async ({ sim, client, customer }) => {
      sim.connect(SHOP, () => new Response("no template", { status: 500 }));
      const { checkoutUrl } = await client.checkout.create({ ...book, webhookUrl: "https://hooks.example/" });
      sim.connect("https://hooks.example", () => new Response());
      await customer.pay(checkoutUrl, "pm_card_approved");
      await sim.clock.settle();
      assert.fail("the order is not shipped");
    },
  },
  {
    title: "a matcher does not exist",
    says: /Look at: the error itself, which is not an assertion/,
    make: async ({ sim, client }) => {
      takeWebhooks(sim);
      (expect(await pay(client)) as never as { readonly toBeSettled: () => void }).toBeSettled();
    },
  },
  {
    title: "the handler hides its error behind a 200",
    says: /And at: your app's answer: .*TypeError: no data.*; what your handler catches, logs and ignores/,
    make: async ({ sim, client }) => {
      sim.connect(SHOP, () => Response.json({ error: "TypeError: no data" }));
      await pay(client);
      await sim.clock.settle({ strict: true });
      assert.fail("the order is not paid");
    },
  },
];

describe("another mistake of somebody new is told right", () => {
  for (const { title, cause, says, make } of mistakes)
    test(title, async () => {
      const report = reportIn(await failureOf({ name: title }, make)).join("\n");
      expect(report.split("\nTimeline")[0]).toMatch(says);
      if (cause !== undefined) expect(report.split("\n")[1]).toContain(`causes.md#${cause})`);
    });

  test("and a shop's own word for a status is not taken for the service's", async () => {
    const report = reportIn(
      await failureOf({ name: "own words" }, async ({ sim, client }) => {
        takeWebhooks(sim);
        await pay(client);
        await sim.clock.settle();
        assert.equal("shipped", "paid");
      }),
    );
    expect(report[0]).toMatch(/^No likely cause found/);
  });

  test("and an approved card is not blamed where a fault was meant to make the order fail", async () => {
    const report = reportIn(
      await failureOf({ name: "a lost answer" }, async ({ sim, client }) => {
        takeWebhooks(sim);
        sim.faults.add({ kind: "webhook.duplicate", times: 1 });
        await pay(client);
        await sim.clock.settle();
        assert.equal("paid", "failed");
      }),
    );
    expect(report[0]).toMatch(/^No likely cause found/);
  });
});
