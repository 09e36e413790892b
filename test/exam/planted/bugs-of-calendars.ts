import type { PlantedBug } from "./planted-bug.ts";

const PAID = 'latestInvoice.status === "paid" ? latestInvoice.periodEnd : member.paidUntil;';
const BEGAN = "new Date((subscription as unknown as { currentPeriodStart: string }).currentPeriodStart)";

/** Bugs that only a story at the right moment shows. */
export const bugsOfCalendars: readonly PlantedBug[] = [
  {
    name: "a month after 31 January is in March",
    merchant: "the club",
    file: "club.ts",
    find: PAID,
    replace: `latestInvoice.status !== "paid" ? member.paidUntil : new Date(${BEGAN}.setUTCMonth(${BEGAN}.getUTCMonth() + 1)).toISOString();`,
    laws: ["paid-until-agrees"],
  },
  {
    name: "the day in Manila counts as the day in UTC",
    merchant: "the club",
    file: "club.ts",
    find: PAID,
    replace: `latestInvoice.status !== "paid" ? member.paidUntil : (() => { const day = new Date(${BEGAN}.getTime() + 8 * 3_600_000); const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]; const last = new Date(Date.UTC(year, month + 2, 0)).getUTCDate(); return new Date(day.setUTCFullYear(year, month + 1, Math.min(day.getUTCDate(), last)) - 8 * 3_600_000).toISOString(); })();`,
    laws: ["paid-until-agrees"],
  },
  {
    name: "January comes in the year of December",
    merchant: "the club",
    file: "club.ts",
    find: PAID,
    replace: `latestInvoice.status !== "paid" ? member.paidUntil : latestInvoice.periodEnd.replace(/^\\d{4}/, String(${BEGAN}.getUTCFullYear()));`,
    laws: ["paid-until-agrees"],
  },
  {
    name: "February has 28 days",
    merchant: "the club",
    file: "club.ts",
    find: "    if (event === undefined) return",
    replace:
      "    const [, month = 1, day = 1] = (event?.createdAt ?? '').slice(0, 10).split('-').map(Number); if (event === undefined || day > ([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 31)) return",
    laws: ["takes-every-event"],
  },
  {
    name: "looks only among this month's orders",
    file: "orders.ts",
    find: "return this.all().find(({ payments }) => payments.some(({ id }) => id === paymentId));",
    replace:
      "return this.all().find(({ placedAt, payments }) => new Date(placedAt).getUTCMonth() === new Date().getUTCMonth() && payments.some(({ id }) => id === paymentId));",
    laws: ["takes-every-event"],
  },
];
