import { describe, expect, test } from "vitest";
import { textLike } from "../matchers.ts";
import { Merchant } from "../merchant.ts";
import { type Started, ok, refusedAs } from "../merchant/answers.ts";
import { startOf } from "../merchant/requests.ts";

const NOW = "2026-01-31T12:00:00.000Z";

describe("a subscription that is initiated", () => {
  test("is incomplete, with a session token and a first invoice that is open", async () => {
    const merchant = await Merchant.open({ now: NOW });
    const plan = await merchant.createPlan();
    const started = await merchant.initiate(plan.id);
    expect(started).toEqual({
      id: textLike(/^sub_[A-Za-z0-9]{24}$/),
      status: "incomplete",
      plan,
      contact: { name: "Ana Reyes", email: "ana@example.com" },
      metadata: {},
      createdAt: NOW,
      updatedAt: NOW,
      sessionToken: textLike(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      latestInvoice: {
        id: textLike(/^inv_[A-Za-z0-9]{24}$/),
        number: "INV-000001",
        subscriptionId: started.id,
        amount: 49_900,
        currency: "PHP",
        status: "open",
        periodStart: NOW,
        periodEnd: "2026-02-28T12:00:00.000Z",
        dueDate: NOW,
        attemptCount: 0,
        createdAt: NOW,
        updatedAt: NOW,
        paymentIntent: {
          id: textLike(/^pi_[A-Za-z0-9]{24}$/),
          transactionId: textLike(/^txn_[A-Za-z0-9]{24}$/),
          amount: 49_900,
          currency: "PHP",
          status: "requires_payment_method",
          clientKey: textLike(/^ck_fake_[A-Za-z0-9]{32}$/),
          createdAt: NOW,
          updatedAt: NOW,
        },
      },
    });
    expect(merchant.sim.webhooks.events()).toEqual([]);
  });

  test("keeps the merchant's own fields, and its intents carry them", async () => {
    const merchant = await Merchant.open();
    const plan = await merchant.createPlan();
    const own = { externalId: "club-7", metadata: { table: 4 } };
    const started = await merchant.initiate(plan.id, { ...own, returnUrl: "https://shop.example/thanks" });
    expect(started).toMatchObject(own);
    expect(merchant.sim.intents.get(started.latestInvoice.paymentIntent.id)).toMatchObject({
      ...own,
      purpose: "subscription",
      description: "Coffee club",
      amount: 49_900,
    });
  });

  test("uses up its external id, once for itself and all of its invoices", async () => {
    const merchant = await Merchant.open({ assumptions: { "http.external-id": "refuse" } });
    const { id } = await merchant.createPlan();
    const { id: subscriptionId } = await merchant.initiate(id, { externalId: "club-7" });
    const again = await merchant.call("POST", "/api/subscription/initiate", startOf(id, { externalId: "club-7" }));
    refusedAs(again, 400, "VALIDATION_ERROR");
    expect(again.body.errors?.map(({ path }) => path)).toEqual(["externalId"]);
    await merchant.processPayment(subscriptionId);
    await merchant.sim.clock.advance("2 months");
    expect(merchant.invoices(subscriptionId).map(({ status }) => status)).toEqual(["paid", "paid", "paid"]);
  });

  test("sends its events to its own webhookUrl", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createPlan();
    const started = await merchant.initiate(id, { webhookUrl: "https://shop.example/subscriptions" });
    await merchant.processPayment(started.id);
    await merchant.sim.clock.settle();
    expect(new Set(merchant.sim.webhooks.events().map(({ url }) => url))).toEqual(
      new Set(["https://shop.example/subscriptions"]),
    );
  });

  test("numbers invoices per merchant", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    expect((await merchant.start()).latestInvoice.number).toBe("INV-000001");
    expect((await merchant.start()).latestInvoice.number).toBe("INV-000002");
    expect((await other.start()).latestInvoice.number).toBe("INV-000001");
  });

  test.each([
    ["planId", { planId: undefined }],
    ["planId", { planId: "" }],
    ["contact", { contact: undefined }],
    ["contact.name", { contact: { email: "ana@example.com" } }],
    ["contact.email", { contact: { name: "Ana Reyes" } }],
    ["returnUrl", { returnUrl: "javascript:alert(1)" }],
    ["returnUrl", { returnUrl: "myapp://thanks" }],
    ["webhookUrl", { webhookUrl: "nowhere" }],
    ["externalId", { externalId: 7 }],
    ["metadata", { metadata: "text" }],
  ])("is refused where %s is wrong: %j", async (path, wrong) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createPlan();
    const answer = await merchant.call<Started>("POST", "/api/subscription/initiate", startOf(id, wrong));
    refusedAs(answer, 400, "VALIDATION_ERROR");
    expect(answer.body.errors?.map((error) => error.path)).toEqual([path]);
    expect(merchant.sim.subscriptions.list()).toEqual([]);
  });

  test("is refused for a plan that is unknown or another merchant's", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    const { id } = await other.createPlan();
    for (const planId of ["plan_unknown", id])
      refusedAs(await merchant.call("POST", "/api/subscription/initiate", startOf(planId)), 404, "PLAN_NOT_FOUND");
  });

  test("of a daily plan estimates its first period, which begins when it is paid", async () => {
    const merchant = await Merchant.open({ now: NOW });
    const { id, latestInvoice } = await merchant.start({ interval: "day" });
    expect(latestInvoice.periodEnd).toBe("2026-02-01T12:00:00.000Z");
    await merchant.sim.clock.advance("3 hours");
    ok(await merchant.processPayment(id));
    await merchant.sim.clock.settle();
    expect(await merchant.readSubscription(id)).toMatchObject({
      currentPeriodStart: "2026-01-31T15:00:00.000Z",
      currentPeriodEnd: "2026-02-01T15:00:00.000Z",
      nextBillingAt: "2026-02-01T15:00:00.000Z",
      latestInvoice: { periodStart: "2026-01-31T15:00:00.000Z", periodEnd: "2026-02-01T15:00:00.000Z", dueDate: NOW },
    });
  });
});
