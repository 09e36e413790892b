import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

const ben = { name: "Ben Santos", email: "ben@customer.example" };

export default scenario(
  "The shop is down for the day on which one member is given up and the other renews",
  async (stage) => {
    const { sim, clock, expect, step } = stage;
    const shop = await openShop(stage);
    const status = (externalId: string): string | undefined =>
      sim.subscriptions.list().find((subscription) => subscription.externalId === externalId)?.status;

    step("Ana becomes a reader; three days later Ben becomes a scholar");
    const ana = await shop.join("reader", "pm_card_declines_renewals");
    await clock.advance("78 hours");
    const other = await shop.join("scholar", "pm_card_approved", ben);
    await clock.settle();

    step("A month later Ana's renewal fails, and there is grace");
    await clock.advanceTo("2026-02-03T20:00:00Z");
    expect(status(ana.id)).toBe("past_due");
    expect((await shop.membership(ana)).status).toBe("past_due");
    expect(await shop.opensLibrary(ana)).toBe(true);

    step("The shop goes down for a day, in which Ana's last retry fails and Ben's renewal succeeds");
    shop.goDown();
    await clock.advance("1 day");
    expect([status(ana.id), status(other.id)]).toEqual(["unpaid", "active"]);

    step("The service has given up telling: the shop is back, and does not know");
    shop.comeBack();
    await clock.advance("1 hour");
    const missed = sim.webhooks.events().filter((event) => event.status === "exhausted");
    expect(missed.map(({ type }) => type)).toEqual([
      "payment_intent.processing",
      "payment_intent.failed",
      "subscription.invoice.payment_failed",
      "subscription.unpaid",
      "payment_intent.processing",
      "payment_intent.succeeded",
      "subscription.invoice.paid",
    ]);
    expect(await shop.opensLibrary(ana)).toBe(true);
    expect((await shop.membership(other)).paidUntil).toBe("2026-02-04T06:00:00.000Z");

    step("Ana leaves a new card meanwhile, which pays");
    await shop.newCard(ana, "pm_card_approved");
    await clock.settle();
    expect(status(ana.id)).toBe("active");
    expect((await shop.membership(ana)).status).toBe("active");

    step("What was missed is sent again by hand, the last first: old news closes nothing");
    for (const { id } of missed.toReversed()) sim.webhooks.redeliver(id);
    await clock.settle();
    expect(sim.webhooks.events().filter((event) => event.status !== "delivered")).toEqual([]);
    expect(await shop.membership(ana)).toMatchObject({ plan: "reader", status: "active" });
    expect(await shop.membership(other)).toMatchObject({ plan: "scholar", paidUntil: "2026-03-04T06:00:00.000Z" });
    expect([await shop.opensLibrary(ana), await shop.opensLibrary(other)]).toEqual([true, true]);
  },
);
