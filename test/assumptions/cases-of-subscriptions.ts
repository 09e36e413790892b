import { ok } from "../merchant/answers.ts";
import { merchantOf } from "./case.ts";
import type { CasesOf } from "./case.ts";

/** The times and moves of subscriptions that the document leaves open. */
export const casesOfSubscriptions: CasesOf<
  | "subscription.events"
  | "subscription.first-failure"
  | "subscription.plan-change"
  | "subscription.renewal"
  | "subscription.retries"
  | "subscription.wrong-state"
> = {
  "subscription.first-failure": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const { id } = await merchant.start();
      await merchant.processPayment(id, "pm_card_generic_decline");
      await shop.sim.clock.settle();
      const { status } = await merchant.processPayment(id);
      await shop.sim.clock.settle();
      return [status, merchant.subscriptionStatus(id), merchant.subscriptionEvents];
    },
    sees: [
      [
        "retry",
        [200, "active", ["subscription.invoice.payment_failed", "subscription.invoice.paid", "subscription.activated"]],
      ],
      ["expire", [409, "incomplete_cancelled", ["subscription.invoice.payment_failed", "subscription.cancelled"]]],
    ],
  },
  "subscription.renewal": {
    async look(shop) {
      await shop.sim.clock.advanceTo("2026-01-31T15:30:00Z");
      const merchant = await merchantOf(shop);
      const { id } = await merchant.subscribe();
      const weekly = await merchant.createPlan({ interval: "week" });
      await shop.sim.clock.advanceTo("2026-03-01T00:00:00Z");
      await merchant.changePlan(id, weekly.id);
      await shop.sim.clock.advanceTo("2026-04-08T00:00:00Z");
      return merchant.invoices(id).map(({ periodStart }) => periodStart.slice(5, 16));
    },
    sees: [
      ["instant", ["01-31T15:30", "02-28T15:30", "03-31T15:30", "04-07T15:30"]],
      ["day", ["01-31T00:00", "02-28T00:00", "03-31T00:00", "04-07T00:00"]],
    ],
  },
  "subscription.plan-change": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const statuses: number[] = [];
      for (const reach of ["subscribe", "pastDue", "unpaid"] as const) {
        const { id } = await merchant[reach]("pm_card_declines_renewals");
        statuses.push((await merchant.changePlan(id, (await merchant.createPlan()).id)).status);
      }
      return statuses;
    },
    sees: [
      ["allow-unpaid", [200, 200, 200]],
      ["refuse-unpaid", [200, 409, 409]],
    ],
  },
  "subscription.wrong-state": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const { id, plan } = await merchant.subscribe();
      const paidTwice = await merchant.processPayment(id);
      ok(await merchant.cancelSubscription(id));
      const calls = [
        paidTwice,
        await merchant.cancelSubscription(id),
        await merchant.changePlan(id, plan.id),
        await merchant.changePlan(id, (await merchant.createPlan()).id),
        await merchant.changeMethod(id, "pm_card_approved"),
        await merchant.changeMethod(id, "pm_card_challenge"),
        await merchant.processPayment(id),
      ];
      const payments = shop.sim.transactions.list().length;
      return [calls.map(({ status, body }) => (status === 200 ? 200 : body.code)), payments];
    },
    sees: [
      ["refuse", [["INTENT_ALREADY_CONFIRMED", ...Array.from({ length: 6 }, () => "INVALID_STATE")], 1]],
      ["ignore", [[200, 200, 200, "INVALID_STATE", 200, "INVALID_STATE", "INVALID_STATE"], 1]],
    ],
  },
  "subscription.events": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      await merchant.pastDue();
      await shop.sim.clock.settle();
      const types = merchant.eventTypes.map((type) => String(type).replace("subscription.", ""));
      return types.filter((type) => !type.endsWith(".processing"));
    },
    sees: [
      [
        ["intent", "invoice", "subscription"],
        [
          "payment_intent.succeeded",
          "invoice.paid",
          "activated",
          "payment_intent.failed",
          "invoice.payment_failed",
          "past_due",
        ],
      ],
      [
        ["subscription", "intent", "invoice"],
        [
          "activated",
          "payment_intent.succeeded",
          "invoice.paid",
          "past_due",
          "payment_intent.failed",
          "invoice.payment_failed",
        ],
      ],
      [["subscription"], ["activated", "past_due"]],
      [[], []],
    ],
  },
  "subscription.retries": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const { id } = await merchant.pastDue();
      const failedAt = Date.parse(shop.sim.clock.now());
      const hours: unknown[] = [];
      while (merchant.subscriptionStatus(id) === "past_due") {
        const { nextAttemptAt = "" } = merchant.invoice(id);
        hours.push((Date.parse(nextAttemptAt) - failedAt) / 3_600_000);
        await shop.sim.clock.advanceTo(nextAttemptAt);
      }
      return [hours, merchant.subscriptionStatus(id)];
    },
    sees: [
      [
        ["24 hours", "48 hours", "72 hours"],
        [[24, 48, 72], "unpaid"],
      ],
      [
        ["1 day", "3 days", "5 days"],
        [[24, 72, 120], "unpaid"],
      ],
    ],
  },
};
