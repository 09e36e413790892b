import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { type Started, type Subscription, ok, refusedAs } from "../merchant/answers.ts";

interface SubscriptionList {
  readonly items: readonly Subscription[];
  readonly hasMore: boolean;
}

const list = async (shop: Merchant, query = ""): Promise<SubscriptionList> =>
  ok(await shop.call<SubscriptionList>("GET", `/api/subscription${query}`));

describe("one subscription", () => {
  test("is read by its id, and by its session token", async () => {
    const shop = await Merchant.open();
    const { sessionToken, ...started } = await shop.start();
    expect(await shop.readSubscription(started.id)).toEqual(started);
    expect(ok(await shop.call<Started>("GET", `/api/subscription/session/${sessionToken}`))).toEqual({
      ...started,
      sessionToken,
    });
  });

  test("is not found where it is unknown or another merchant's", async () => {
    const shop = await Merchant.open();
    const other = await shop.neighbour();
    const { id, sessionToken } = await shop.start();
    for (const unknown of ["sub_unknown", id]) {
      const path = `/api/subscription/${unknown}`;
      for (const answer of [
        await other.call("GET", path),
        await other.call("DELETE", path),
        await other.call("PATCH", `${path}/payment-method`, { paymentMethodId: "card" }),
        await other.call("PATCH", `${path}/plan`, { planId: "plan_1" }),
        await other.processPayment(unknown),
      ])
        refusedAs(answer, 404, "SUBSCRIPTION_NOT_FOUND");
    }
    for (const token of ["3f0e0000-0000-4000-8000-000000000000", sessionToken]) {
      const body = { sessionToken: token, paymentMethodId: "card" };
      refusedAs(await other.call("GET", `/api/subscription/session/${token}`), 404, "SESSION_NOT_FOUND");
      refusedAs(await other.call("POST", "/api/subscription/process-payment", body), 404, "SESSION_NOT_FOUND");
    }
    expect(shop.subscriptionStatus(id)).toBe("incomplete");
  });
});

describe("the list of subscriptions", () => {
  test("is newest first, ten by default, and says whether there are more", async () => {
    const shop = await Merchant.open();
    const plan = await shop.createPlan();
    const made: string[] = [];
    for (let count = 0; count < 11; count += 1) made.unshift((await shop.initiate(plan.id)).id);
    expect((await list(shop)).items.map(({ id }) => id)).toEqual(made.slice(0, 10));
    expect((await list(shop)).hasMore).toBe(true);
    expect((await list(shop, "?limit=11")).hasMore).toBe(false);
    expect((await list(shop, "?limit=1")).items.map(({ id }) => id)).toEqual(made.slice(0, 1));
  });

  test("is filtered by every status", async () => {
    const shop = await Merchant.open();
    const lapsed = await shop.start();
    await shop.sim.clock.advance("1 day");
    const unpaid = await shop.unpaid();
    const pastDue = await shop.pastDue();
    const active = await shop.subscribe();
    const cancelled = await shop.start();
    await shop.cancelSubscription(cancelled.id);
    const incomplete = await shop.start();
    const expected = { incomplete, incomplete_cancelled: lapsed, active, past_due: pastDue, unpaid, cancelled };
    for (const [status, { id }] of Object.entries(expected)) {
      const { items, hasMore } = await list(shop, `?status=${status}`);
      expect([items.map((item) => [item.id, item.status]), hasMore]).toEqual([[[id, status]], false]);
    }
  });

  test.each(["limit=0", "limit=101", "limit=x", "status=paused"])("is refused for %s", async (query) => {
    const shop = await Merchant.open();
    const answer = await shop.call("GET", `/api/subscription?${query}`);
    refusedAs(answer, 400, "VALIDATION_ERROR");
    expect(answer.body.errors?.map(({ path }) => path)).toEqual([query.split("=")[0]]);
  });

  test("shows a merchant none of another's subscriptions", async () => {
    const shop = await Merchant.open();
    const other = await shop.neighbour();
    await shop.start();
    expect(await list(other)).toEqual({ items: [], hasMore: false });
  });
});

test("plans, session, initiate and process-payment are never ids", async () => {
  const shop = await Merchant.open();
  expect(ok(await shop.call<SubscriptionList>("GET", "/api/subscription/plans"))).toEqual({
    items: [],
    hasMore: false,
  });
  for (const word of ["initiate", "process-payment"])
    expect((await shop.call("GET", `/api/subscription/${word}`)).status).toBe(405);
  for (const word of ["plans", "initiate", "process-payment"])
    expect((await shop.call("DELETE", `/api/subscription/${word}`)).status).toBe(405);
  refusedAs(await shop.call("GET", "/api/subscription/session/unknown"), 404, "SESSION_NOT_FOUND");
});

test("the client key is in create, session and a single open invoice, and nowhere else", async () => {
  const shop = await Merchant.open();
  const { id, sessionToken, latestInvoice } = await shop.start();
  const { clientKey = "" } = latestInvoice.paymentIntent;
  expect(clientKey).not.toBe("");
  const session = await shop.call<Started>("GET", `/api/subscription/session/${sessionToken}`);
  expect(session.body.data.latestInvoice.paymentIntent.clientKey).toBe(clientKey);
  expect((await shop.readSubscription(id)).latestInvoice.paymentIntent.clientKey).toBe(clientKey);
  expect((await list(shop)).items[0]?.latestInvoice.paymentIntent).not.toHaveProperty("clientKey");
  await shop.processPayment(id, "pm_card_declined_before_challenge");
  await shop.sim.clock.settle();
  await shop.processPayment(id);
  await shop.sim.clock.settle();
  expect((await shop.readSubscription(id)).latestInvoice.paymentIntent).not.toHaveProperty("clientKey");
  expect(shop.subscriptionEvents).toHaveLength(3);
  expect(JSON.stringify(shop.webhooks)).not.toMatch(/ck_|clientKey/);
});

test("a challenge's address is shown to the merchant that asks for the one subscription, and in no list or webhook", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.start();
  const { redirectUrl } = ok(await shop.processPayment(id, "pm_card_challenge"));
  expect((await shop.readSubscription(id)).latestInvoice.paymentIntent).toMatchObject({
    status: "requires_action",
    redirectUrl,
    nextAction: { type: "redirect", redirectUrl },
  });
  expect(JSON.stringify(await list(shop))).not.toContain("/authenticate/");
  await shop.sim.clock.settle();
  expect(JSON.stringify(shop.webhooks)).not.toContain("/authenticate/");
});
