import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../src/simulator/openapi-document.ts";
import { Merchant } from "../merchant.ts";
import { transact } from "./transactions.ts";

/** The earliest and the latest moment that each form lets through: the first of its time, and the last. */
const forms: readonly [form: string, first: string, last: string][] = [
  ["2026", "2026-01-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z"],
  ["2026-02", "2026-02-01T00:00:00.000Z", "2026-02-28T23:59:59.999Z"],
  ["2026-02-03", "2026-02-03T00:00:00.000Z", "2026-02-03T23:59:59.999Z"],
  ["20260203", "2026-02-03T00:00:00.000Z", "2026-02-03T23:59:59.999Z"],
  ["2026-034", "2026-02-03T00:00:00.000Z", "2026-02-03T23:59:59.999Z"],
  ["2026034", "2026-02-03T00:00:00.000Z", "2026-02-03T23:59:59.999Z"],
  ["2026-W06", "2026-02-02T00:00:00.000Z", "2026-02-08T23:59:59.999Z"],
  ["2026W06", "2026-02-02T00:00:00.000Z", "2026-02-08T23:59:59.999Z"],
  ["2026-W06-2", "2026-02-03T00:00:00.000Z", "2026-02-03T23:59:59.999Z"],
  ["2026W062", "2026-02-03T00:00:00.000Z", "2026-02-03T23:59:59.999Z"],
  ["2026-W53", "2026-12-28T00:00:00.000Z", "2027-01-03T23:59:59.999Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z", "2028-02-29T23:59:59.999Z"],
  ...[
    ["2026-02-03T12", "2026-02-03T12:00:00.000Z"],
    ["2026-02-03T12:34", "2026-02-03T12:34:00.000Z"],
    ["2026-02-03T12:34Z", "2026-02-03T12:34:00.000Z"],
    ["2026-02-03T12:34:56", "2026-02-03T12:34:56.000Z"],
    ["2026-02-03T12:34:56.57", "2026-02-03T12:34:56.570Z"],
    ["2026-02-03T12:34:56,789Z", "2026-02-03T12:34:56.789Z"],
    ["2026-02-03T12.5", "2026-02-03T12:30:00.000Z"],
    ["2026-02-03T12:34,25", "2026-02-03T12:34:15.000Z"],
    ["20260203T123456Z", "2026-02-03T12:34:56.000Z"],
    ["20260203T1234", "2026-02-03T12:34:00.000Z"],
    ["20260203T123456,5+0800", "2026-02-03T04:34:56.500Z"],
    ["2026-02-03T12:34:56+08", "2026-02-03T04:34:56.000Z"],
    ["2026-02-03T12:34:56-03:30", "2026-02-03T16:04:56.000Z"],
    ["2026-034T12:34Z", "2026-02-03T12:34:00.000Z"],
    ["2026-W06-2T12:34Z", "2026-02-03T12:34:00.000Z"],
    ["2026-02-03T24:00", "2026-02-04T00:00:00.000Z"],
    ["2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000Z"],
  ].map(([form = "", moment = ""]): [string, string, string] => [form, moment, moment]),
];

const LIST = "/api/transactions";

/** How many transactions lie in a range: one was made at each of these moments. */
async function countAt(moments: readonly string[], query: string): Promise<number> {
  const [start = ""] = moments;
  const merchant = await Merchant.open({ now: start });
  for (const moment of moments) {
    await merchant.sim.clock.advanceTo(moment);
    await transact(merchant, { amount: 100 });
  }
  const { status, body } = await merchant.call("GET", `${LIST}?${query}`);
  expect(status).toBe(200);
  return (body as unknown as { data: { total: number } }).data.total;
}

function beside(moment: string, milliseconds: number): string {
  return new Date(Date.parse(moment) + milliseconds).toISOString();
}

describe("dateFrom and dateTo take every form of ISO 8601", () => {
  test.for(forms)("%s is from %s to %s", async ([form, first, last]) => {
    const bound = encodeURIComponent(form);
    const moments = [...new Set([beside(first, -1), first, last, beside(last, 1)])];
    const inside = first === last ? 1 : 2;
    expect(await countAt(moments, `dateFrom=${bound}`)).toBe(inside + 1);
    expect(await countAt(moments, `dateTo=${bound}`)).toBe(inside + 1);
    expect(await countAt(moments, `dateFrom=${bound}&dateTo=${bound}`)).toBe(inside);
  });

  test("a moment between two milliseconds is after the one and before the other", async () => {
    const moments = ["2026-02-03T00:00:00.999Z", "2026-02-03T00:00:01.000Z"];
    const between = "2026-02-03T00:00:00.999999999Z";
    expect(await countAt(moments, `dateFrom=${between}`)).toBe(1);
    expect(await countAt(moments, `dateTo=${between}`)).toBe(1);
    expect(await countAt(moments, `dateFrom=${between}&dateTo=${between}`)).toBe(0);
  });

  test("and the OpenAPI document refuses none of them", () => {
    const parameters = openApiDocument().paths[LIST]?.["get"]?.parameters ?? [];
    for (const name of ["dateFrom", "dateTo"]) {
      const parameter = parameters.find((candidate) => candidate.name === name);
      const { pattern = "" } = (parameter?.schema ?? {}) as { pattern?: string };
      for (const [form] of forms) expect(form).toMatch(new RegExp(pattern, "u"));
      for (const form of ["", "yesterday", "202602", "2026-02T12:00"])
        expect(form).not.toMatch(new RegExp(pattern, "u"));
    }
  });

  test("and a long text is refused in a time that grows with its length alone", async () => {
    const merchant = await Merchant.open();
    const { status } = await merchant.call("GET", `${LIST}?dateFrom=2026-02-03T12:34:56.${"0".repeat(100_000)}x`);
    expect(status).toBe(400);
  });
});
