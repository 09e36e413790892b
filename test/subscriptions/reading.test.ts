import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { type Started, type Subscription, ok, refusedAs } from "../merchant/answers.ts";

interface SubscriptionList {
  readonly items: readonly Subscription[];
  readonly hasMore: boolean;
}

const list = async (merchant: Merchant, query = ""): Promise<SubscriptionList> =>
  ok(await merchant.call<SubscriptionList>("GET", `/api/subscription${query}`));

describe("one subscription", () => {
  test("is read by its id, and by its session token", async () => {
    const merchant = await Merchant.open();
    const { sessionToken, ...started } = await merchant.start();
    expect(await merchant.readSubscription(started.id)).toEqual(started);
    expect(ok(await merchant.call<Started>("GET", `/api/subscription/session/${sessionToken}`))).toEqual({
      ...started,
      sessionToken,
    });
  });

  test("is not found when it is unknown or another merchant's", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    const { id, sessionToken } = await merchant.start();
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
    expect(merchant.subscriptionStatus(id)).toBe("incomplete");
  });
});

describe("the list of subscriptions", () => {
  test("is newest first, ten by default, and says whether there are more", async () => {
    const merchant = await Merchant.open();
    const plan = await merchant.createPlan();
    const made: string[] = [];
    for (let count = 0; count < 11; count += 1) made.unshift((await merchant.initiate(plan.id)).id);
    expect((await list(merchant)).items.map(({ id }) => id)).toEqual(made.slice(0, 10));
    expect((await list(merchant)).hasMore).toBe(true);
    expect((await list(merchant, "?limit=11")).hasMore).toBe(false);
    expect((await list(merchant, "?limit=1")).items.map(({ id }) => id)).toEqual(made.slice(0, 1));
  });

  test("is filtered by every status", async () => {
    const merchant = await Merchant.open();
    const lapsed = await merchant.start();
    await merchant.sim.clock.advance("1 day");
    const unpaid = await merchant.unpaid();
    const pastDue = await merchant.pastDue();
    const active = await merchant.subscribe();
    const cancelled = await merchant.start();
    await merchant.cancelSubscription(cancelled.id);
    const incomplete = await merchant.start();
    const expected = { incomplete, incomplete_cancelled: lapsed, active, past_due: pastDue, unpaid, cancelled };
    for (const [status, { id }] of Object.entries(expected)) {
      const { items, hasMore } = await list(merchant, `?status=${status}`);
      expect([items.map((item) => [item.id, item.status]), hasMore]).toEqual([[[id, status]], false]);
    }
  });

  test.each(["limit=0", "limit=101", "limit=x", "status=paused"])("is refused for %s", async (query) => {
    const merchant = await Merchant.open();
    const answer = await merchant.call("GET", `/api/subscription?${query}`);
    refusedAs(answer, 400, "VALIDATION_ERROR");
    expect(answer.body.errors?.map(({ path }) => path)).toEqual([query.split("=")[0]]);
  });

  test("shows a merchant none of another's subscriptions", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    await merchant.start();
    expect(await list(other)).toEqual({ items: [], hasMore: false });
  });
});

test("plans, session, initiate and process-payment are never ids", async () => {
  const merchant = await Merchant.open();
  expect(ok(await merchant.call<SubscriptionList>("GET", "/api/subscription/plans"))).toEqual({
    items: [],
    hasMore: false,
  });
  for (const word of ["initiate", "process-payment"])
    expect((await merchant.call("GET", `/api/subscription/${word}`)).status).toBe(405);
  for (const word of ["plans", "initiate", "process-payment"])
    expect((await merchant.call("DELETE", `/api/subscription/${word}`)).status).toBe(405);
  refusedAs(await merchant.call("GET", "/api/subscription/session/unknown"), 404, "SESSION_NOT_FOUND");
});

test("the client key is in create, session and a single open invoice, and nowhere else", async () => {
  const merchant = await Merchant.open();
  const { id, sessionToken, latestInvoice } = await merchant.start();
  const { clientKey = "" } = latestInvoice.paymentIntent;
  expect(clientKey).not.toBe("");
  const session = await merchant.call<Started>("GET", `/api/subscription/session/${sessionToken}`);
  expect(session.body.data.latestInvoice.paymentIntent.clientKey).toBe(clientKey);
  expect((await merchant.readSubscription(id)).latestInvoice.paymentIntent.clientKey).toBe(clientKey);
  expect((await list(merchant)).items[0]?.latestInvoice.paymentIntent).not.toHaveProperty("clientKey");
  await merchant.processPayment(id, "pm_card_declined_before_challenge");
  await merchant.sim.clock.settle();
  await merchant.processPayment(id);
  await merchant.sim.clock.settle();
  expect((await merchant.readSubscription(id)).latestInvoice.paymentIntent).not.toHaveProperty("clientKey");
  expect(merchant.subscriptionEvents).toHaveLength(3);
  expect(JSON.stringify(merchant.webhooks)).not.toMatch(/ck_|clientKey/);
});

test("a challenge's address is shown to the merchant that asks for the one subscription, and in no list or webhook", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.start();
  const { redirectUrl } = ok(await merchant.processPayment(id, "pm_card_challenge"));
  expect((await merchant.readSubscription(id)).latestInvoice.paymentIntent).toMatchObject({
    status: "requires_action",
    redirectUrl,
    nextAction: { type: "redirect", redirectUrl },
  });
  expect(JSON.stringify(await list(merchant))).not.toContain("/authenticate/");
  await merchant.sim.clock.settle();
  expect(JSON.stringify(merchant.webhooks)).not.toContain("/authenticate/");
});
