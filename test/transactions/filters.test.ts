import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { transact } from "./transactions.ts";

const LIST = "/api/transactions";
const SESSIONS = "/api/transactions/payment-sessions";

/** One intent at each of these moments, with the day of the month as its external id and its amount in centavos. */
async function week(): Promise<Merchant> {
  const merchant = await Merchant.open({ now: "2026-01-01T00:00:00Z" });
  for (const day of [1, 2, 3, 4, 5, 6, 7]) {
    await merchant.sim.clock.advanceTo(`2026-01-0${day}T12:00:00.000Z`);
    await transact(merchant, { amount: day, externalId: `day-${day}` }, day % 2 === 0 ? "pm_gcash" : undefined);
  }
  return merchant;
}

describe("the list of transactions", () => {
  test.for<[string, number[]]>([
    ["external_id=day-3", [3]],
    ["external_id=day", []],
    ["status=failed&paymentMethod=gcash", [6, 4, 2]],
    ["status=pending", [7, 5, 3, 1]],
    ["status=pending&paymentMethod=gcash", []],
    ["external_id=day-2&status=pending", []],
    ["dateFrom=2026-01-05T12:00:00.000Z", [7, 6, 5]],
    ["dateFrom=2026-01-05T12:00:00.001Z", [7, 6]],
    ["dateFrom=2026-01-05", [7, 6, 5]],
    ["dateFrom=2026-01-05T20:00:00%2B08:00", [7, 6, 5]],
    ["dateTo=2026-01-02T12:00:00.000Z", [2, 1]],
    ["dateTo=2026-01-02T11:59:59.999Z", [1]],
    ["dateTo=2026-01-02", [2, 1]],
    ["dateFrom=2026-01-04&dateTo=2026-01-04", [4]],
    ["dateFrom=2026-01-04T12:00:00Z&dateTo=2026-01-04T12:00:00Z", [4]],
    ["dateFrom=2026-01-04T13:00:00Z&dateTo=2026-01-04", []],
    ["amountMin=6", [7, 6]],
    ["amountMax=2", [2, 1]],
    ["amountMin=3&amountMax=3", [3]],
    ["amountMin=0&amountMax=0", []],
    ["amountMin=2.5&amountMax=4.5", [4, 3]],
    ["amountMin=6.0", [7, 6]],
    ["dateFrom=2026-01-02&dateTo=2026-01-06&amountMin=3&paymentMethod=gcash", [6, 4]],
    ["limit=1", [7]],
    ["limit=2&offset=5", [2, 1]],
    ["limit=100&offset=9007199254740991", []],
    ["", [7, 6, 5, 4, 3, 2, 1]],
  ])("by %s", async ([query, amounts]) => {
    const merchant = await week();
    const { status, body } = await merchant.call("GET", `${LIST}?${query}`);
    expect(status).toBe(200);
    const { items, total } = (body as unknown as { data: { items: { amount: number }[]; total: number } }).data;
    expect(items.map(({ amount }) => amount)).toEqual(amounts);
    if (!/limit|offset/.test(query)) expect(total).toBe(amounts.length);
  });

  test("ignores unknown filters, and notes them", async () => {
    const { status } = await (await Merchant.open()).call("GET", `${LIST}?page=2`);
    expect(status).toBe(200);
  });
});

describe("an invalid filter is refused, and changes nothing", () => {
  test.for<[string, string[]]>([
    ["limit=0", ["limit"]],
    ["limit=101", ["limit"]],
    ["limit=-1", ["limit"]],
    ["limit=1.5", ["limit"]],
    ["limit=abc", ["limit"]],
    ["limit=", ["limit"]],
    ["limit=%20", ["limit"]],
    ["limit=0x10", ["limit"]],
    ["limit=1e1", ["limit"]],
    ["limit=1&limit=2", ["limit"]],
    ["offset=-1", ["offset"]],
    ["offset=", ["offset"]],
    ["offset=9007199254740992", ["offset"]],
    ["status=", ["status"]],
    ["status=paid", ["status"]],
    ["external_id=", ["external_id"]],
  ])("by both lists: %s", async ([query, paths]) => {
    for (const list of [LIST, SESSIONS]) expect(await refusal(`${list}?${query}`)).toEqual(paths);
  });

  test.for<[string, string[]]>([
    ["status=completed", ["status"]],
    ["paymentMethod=", ["paymentMethod"]],
    ["paymentMethod=pm_gcash", ["paymentMethod"]],
    ["paymentMethod=paymaya", ["paymentMethod"]],
    ["dateFrom=", ["dateFrom"]],
    ["dateFrom=yesterday", ["dateFrom"]],
    ["dateFrom=2026-02-30", ["dateFrom"]],
    ["dateFrom=2026-13", ["dateFrom"]],
    ["dateFrom=202601", ["dateFrom"]],
    ["dateFrom=260105", ["dateFrom"]],
    ["dateFrom=2026-01T12:00", ["dateFrom"]],
    ["dateFrom=2026-W01T12:00", ["dateFrom"]],
    ["dateFrom=2025-W53", ["dateFrom"]],
    ["dateFrom=2026-000", ["dateFrom"]],
    ["dateFrom=2026-366", ["dateFrom"]],
    ["dateFrom=2026-01-05T25:00", ["dateFrom"]],
    ["dateFrom=2026-01-05T24:01", ["dateFrom"]],
    ["dateFrom=2026-01-05T12:60", ["dateFrom"]],
    ["dateFrom=2026-01-05T12:00%2B25:00", ["dateFrom"]],
    ["dateFrom=2026-01-05T12:00.", ["dateFrom"]],
    ["dateFrom=2026-01-05%2012:00", ["dateFrom"]],
    ["dateFrom=2026-01-05T12:00[UTC]", ["dateFrom"]],
    ["dateTo=1767225600", ["dateTo"]],
    ["dateFrom=2026-01-02&dateTo=2026-01-01", ["dateTo"]],
    ["dateFrom=2026-01-01T00:00:00.001Z&dateTo=2026-01-01T00:00:00.000Z", ["dateTo"]],
    ["amountMin=", ["amountMin"]],
    ["amountMax=", ["amountMax"]],
    ["amountMin=-1", ["amountMin"]],
    ["amountMin=-0.5", ["amountMin"]],
    ["amountMin=.5", ["amountMin"]],
    ["amountMin=1.", ["amountMin"]],
    ["amountMin=1,5", ["amountMin"]],
    ["amountMin=1e1", ["amountMin"]],
    ["amountMin=0x1", ["amountMin"]],
    ["amountMin=2.5&amountMax=2.4", ["amountMax"]],
    ["amountMin=2&amountMax=1", ["amountMax"]],
    ["limit=0&offset=-1&status=x&amountMin=2&amountMax=1", ["limit", "offset", "status", "amountMax"]],
    ["amountMin=x&amountMax=1&dateFrom=2026-01-02&dateTo=2026-01-01", ["amountMin", "dateTo"]],
  ])("by the list of transactions: %s", async ([query, paths]) => {
    expect(await refusal(`${LIST}?${query}`)).toEqual(paths);
  });

  test("with a message that says what a bound may be", async () => {
    const { body } = await (await Merchant.open()).call("GET", `${LIST}?limit=&dateFrom=yesterday&dateTo=2026-02-30`);
    expect(body.errors?.map(({ message }) => message)).toEqual([
      "must be a whole number",
      "must be an ISO 8601 date, or a date and time",
      "must be an ISO 8601 date, or a date and time",
    ]);
  });

  test("and a payment session's list refuses the statuses of a transaction", async () => {
    expect(await refusal(`${SESSIONS}?status=succeeded`)).toEqual(["status"]);
  });
});

/** The paths that a refusal names. */
async function refusal(path: string): Promise<string[]> {
  const { status, body } = await (await Merchant.open()).call("GET", path);
  expect([status, body.success, body.message, body.code]).toEqual([400, false, "Validation error", "VALIDATION_ERROR"]);
  expect(body.errors?.every(({ code }) => code === "validation_error")).toBe(true);
  return (body.errors ?? []).map((error) => error.path);
}
