import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

const options = { now: "2027-12-31T09:30:00Z" } as const;

export default scenario(
  "A membership of the 31st keeps its day through short months and a leap year",
  options,
  async (stage) => {
    const { sim, clock, expect, step } = stage;
    const shop = await openShop(stage);

    step("The customer becomes a reader on the last day of 2027");
    const member = await shop.join("reader", "pm_card_approved");
    await clock.settle();
    expect((await shop.membership(member)).paidUntil).toBe("2028-01-31T09:30:00.000Z");

    step("A leap year passes: the day is the 31st wherever there is one, and never drifts");
    await clock.advanceTo("2029-03-01T00:00:00Z");
    expect(sim.invoices.list().map(({ periodStart }) => periodStart)).toEqual([
      "2027-12-31T09:30:00.000Z",
      "2028-01-31T09:30:00.000Z",
      "2028-02-29T09:30:00.000Z",
      "2028-03-31T09:30:00.000Z",
      "2028-04-30T09:30:00.000Z",
      "2028-05-31T09:30:00.000Z",
      "2028-06-30T09:30:00.000Z",
      "2028-07-31T09:30:00.000Z",
      "2028-08-31T09:30:00.000Z",
      "2028-09-30T09:30:00.000Z",
      "2028-10-31T09:30:00.000Z",
      "2028-11-30T09:30:00.000Z",
      "2028-12-31T09:30:00.000Z",
      "2029-01-31T09:30:00.000Z",
      "2029-02-28T09:30:00.000Z",
    ]);

    step("No day is paid twice, and none is free");
    const invoices = sim.invoices.list();
    expect(invoices.slice(1).map(({ periodStart }) => periodStart)).toEqual(
      invoices.slice(0, -1).map(({ periodEnd }) => periodEnd),
    );
    expect(await shop.membership(member)).toMatchObject({ status: "active", paidUntil: "2029-03-31T09:30:00.000Z" });
    expect(await shop.opensLibrary(member)).toBe(true);
  },
);
