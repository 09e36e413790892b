import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { periodOf } from "../../src/service/subscriptions/plan.ts";
import { Merchant } from "../merchant.ts";

type Interval = "day" | "week" | "month" | "year";
const INTERVALS: readonly Interval[] = ["day", "week", "month", "year"];

/** The periods of a subscription that is paid at `now`, as its invoices say. */
async function periodsUntil(
  now: string,
  plan: { interval: Interval; intervalCount?: number },
  end: string,
): Promise<[start: string, end: string][]> {
  const merchant = await Merchant.open({ now });
  const { id } = await merchant.subscribe("pm_card_approved", plan);
  await merchant.sim.clock.advanceTo(end);
  return merchant.invoices(id).map(({ periodStart, periodEnd }) => [periodStart, periodEnd]);
}

/** The anchor and n intervals later, as a wall calendar has them. */
function onTheWall(anchor: string, interval: Interval, count: number): string {
  const start = Temporal.Instant.from(anchor).toZonedDateTimeISO("UTC");
  const moment = start.add({ [`${interval}s`]: count }).toInstant();
  return moment.toString({ smallestUnit: "millisecond" });
}

function checkLedger({ sim }: Merchant): void {
  const sum = (amounts: readonly { readonly amount: number }[]): number =>
    amounts.reduce((total, { amount }) => total + amount, 0);
  const paid = sim.invoices.list().filter(({ status }) => status === "paid");
  const succeeded = sim.transactions
    .list()
    .filter(({ type, status }) => type === "subscription" && status === "succeeded");
  expect(sum(paid)).toBe(sum(succeeded));
  expect(sim.ledger().balance).toBe(0);
}

describe("periods", () => {
  test.each([
    ["2026-01-31", "month", 1, "2026-04-30", ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]],
    ["2028-01-31", "month", 1, "2028-03-31", ["2028-01-31", "2028-02-29", "2028-03-31"]],
    ["2026-10-31", "month", 2, "2027-04-30", ["2026-10-31", "2026-12-31", "2027-02-28", "2027-04-30"]],
    ["2028-02-29", "year", 1, "2032-02-29", ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
    ["2026-12-28", "week", 1, "2027-01-11", ["2026-12-28", "2027-01-04", "2027-01-11"]],
    ["2026-02-26", "day", 1, "2026-03-01", ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01"]],
    ["2026-03-01", "day", 45, "2026-05-30", ["2026-03-01", "2026-04-15", "2026-05-30"]],
    ["0099-12-31", "month", 1, "0100-02-28", ["0099-12-31", "0100-01-31", "0100-02-28"]],
  ] as const)("from %s, every %s × %i until %s", async (now, interval, intervalCount, end, expected) => {
    const periods = await periodsUntil(now, { interval, intervalCount }, end);
    expect(periods.map(([start]) => start)).toEqual(expected.map((date) => `${date}T00:00:00.000Z`));
  });

  test.each(["2026", "1967"])("keep the time of day of the activation, to the millisecond, in %s", async (year) => {
    const periods = await periodsUntil(`${year}-01-31T23:59:59.999Z`, { interval: "month" }, `${year}-04-01`);
    expect(periods.map(([start]) => start)).toEqual([
      `${year}-01-31T23:59:59.999Z`,
      `${year}-02-28T23:59:59.999Z`,
      `${year}-03-31T23:59:59.999Z`,
    ]);
  });

  test("begin at activation, not when the subscription was initiated", async () => {
    const merchant = await Merchant.open({ now: "2026-01-30T20:00:00Z" });
    const { id } = await merchant.start();
    await merchant.sim.clock.advance("10 hours");
    await merchant.processPayment(id);
    await merchant.sim.clock.advanceTo("2026-03-31T06:00:00Z");
    expect(merchant.invoices(id).map(({ periodStart }) => periodStart)).toEqual([
      "2026-01-31T06:00:00.000Z",
      "2026-02-28T06:00:00.000Z",
      "2026-03-31T06:00:00.000Z",
    ]);
  });

  test("do not drift in ten years", async () => {
    const now = "2026-01-31T10:20:30.456Z";
    const periods = await periodsUntil(now, { interval: "month" }, "2036-01-31T10:20:30.456Z");
    expect(periods).toHaveLength(121);
    for (const [index, period] of periods.entries())
      expect(period).toEqual([onTheWall(now, "month", index), onTheWall(now, "month", index + 1)]);
  });

  test("change at the boundary and not a millisecond before", async () => {
    const merchant = await Merchant.open({ now: "2026-01-31T12:00:00Z" });
    const { id, nextBillingAt } = await merchant.subscribe();
    expect(nextBillingAt).toBe("2026-02-28T12:00:00.000Z");
    await merchant.sim.clock.advanceTo("2026-02-28T11:59:59.999Z");
    expect(merchant.invoices(id)).toHaveLength(1);
    await merchant.sim.clock.advance({ milliseconds: 1 });
    expect(merchant.invoice(id)).toMatchObject({ number: "INV-000002", status: "paid", dueDate: nextBillingAt });
    expect(await merchant.readSubscription(id)).toMatchObject({
      status: "active",
      currentPeriodStart: nextBillingAt,
      nextBillingAt: "2026-03-31T12:00:00.000Z",
    });
    expect(merchant.eventTypes.slice(-3)).toEqual([
      "payment_intent.processing",
      "payment_intent.succeeded",
      "subscription.invoice.paid",
    ]);
  });
});

const anchors = fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2100, 11, 31) });
const anyAnchors = fc.integer({ min: Date.parse("0000-01-01"), max: Date.parse("7000-01-01") });

test("a period by its number is what Temporal says, in every month of our centuries and of all others", () => {
  fc.assert(
    fc.property(
      fc.oneof(anchors, anyAnchors),
      fc.constantFrom(...INTERVALS),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(60),
      (anchor, interval, intervalCount, n) => {
        const from = new Date(anchor).toISOString();
        const { start, end } = periodOf({ interval, intervalCount }, anchor, n);
        expect(new Date(start).toISOString()).toBe(onTheWall(from, interval, n * intervalCount));
        expect(new Date(end).toISOString()).toBe(onTheWall(from, interval, (n + 1) * intervalCount));
      },
    ),
    { numRuns: 2000, seed: 20_260_131 },
  );
});

test("for any plan, start and method, periods are adjacent, each has one invoice, and every paid invoice has its payment", async () => {
  await fc.assert(
    fc.asyncProperty(
      anchors,
      fc.constantFrom(...INTERVALS),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom("pm_card_approved", "pm_card_recovers", "pm_card_declines_renewals"),
      async (anchor, interval, intervalCount, cycles, method) => {
        const now = new Date(anchor).toISOString();
        const merchant = await Merchant.open({ now });
        const { id } = await merchant.subscribe(method, { interval, intervalCount });
        await merchant.sim.clock.advanceTo(onTheWall(now, interval, cycles * intervalCount));
        const invoices = merchant.invoices(id);
        expect(invoices.map(({ periodStart }) => periodStart)).toEqual(
          Array.from({ length: cycles + 1 }, (_, index) => onTheWall(now, interval, index * intervalCount)),
        );
        for (const [index, { periodStart }] of invoices.entries())
          if (index > 0) expect(invoices[index - 1]?.periodEnd).toBe(periodStart);
        checkLedger(merchant);
      },
    ),
    { numRuns: 60, seed: 20_260_131 },
  );
});
