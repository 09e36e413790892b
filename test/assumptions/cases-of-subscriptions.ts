import { Merchant } from "../merchant.ts";
import type { CasesOf, Shop } from "./case.ts";

/** The times and moves of subscriptions that the document leaves open. */
export const casesOfSubscriptions: CasesOf<"subscription.retries"> = {
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

/** A merchant whose app takes every webhook. */
async function merchantOf({ sim }: Shop): Promise<Merchant> {
  const merchant = await Merchant.of(sim);
  merchant.connect();
  return merchant;
}
