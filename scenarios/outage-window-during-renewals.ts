import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

const ben = { name: "Ben Santos", email: "ben@customer.example" };

export default scenario(
  "The processor is down for two hours in the night of the renewals: only those in the window fail, and recover",
  async (stage) => {
    const { sim, clock, expect, step } = stage;
    const shop = await openShop(stage);
    const statuses = (): (string | undefined)[] => sim.subscriptions.list().map(({ status }) => status);

    step("Ana joins at one o'clock in the night, Ben at three");
    await clock.advance("1 hour");
    const ana = await shop.join("reader", "pm_card_approved");
    await clock.advance("2 hours");
    const other = await shop.join("scholar", "pm_card_approved", ben);
    await clock.settle();

    step("A month later the processor is down from two to four");
    const outage = sim.faults.add({
      kind: "processor.unavailable",
      customer: "absent",
      from: "2026-02-01T02:00:00Z",
      until: "2026-02-01T04:00:00Z",
    });
    await clock.advanceTo("2026-02-01T05:00:00Z");
    expect(outage.hits).toBe(1);
    expect(statuses()).toEqual(["active", "past_due"]);
    expect((await shop.membership(ana)).status).toBe("active");
    expect((await shop.membership(other)).status).toBe("past_due");

    step("Nobody's card was at fault: the door stays open in the days of grace");
    expect(await shop.opensLibrary(other)).toBe(true);

    step("The first retry, a day later, is paid");
    await clock.advance("1 day");
    expect(statuses()).toEqual(["active", "active"]);
    expect(await shop.membership(other)).toMatchObject({ status: "active", paidUntil: "2026-03-01T03:00:00.000Z" });
  },
);
