import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { htmlReportOf } from "../../src/report/html-report.ts";
import { unreadableValues } from "../thrown-values.ts";
import { runIn } from "./read-report.ts";

async function shownFor(error: unknown): Promise<string | undefined> {
  await using sim = createSimulator();
  return runIn(await htmlReportOf(sim, { outcome: "failed", error })).error;
}

describe("a report shows what the test threw", () => {
  test.for([
    ["an error", new Error("sold out"), "sold out"],
    ["an error that a runner made a plain object of", withoutPrototype({ message: "sold out" }), "sold out"],
    ["an error whose matcher has colours", new Error("\u001B[2mexpect(\u001B[22mopen)"), "expect(open)"],
    ["an error without a message", new RangeError(), "RangeError"],
    ["an object", { status: 503 }, '{"status":503}'],
    ["an object without a prototype", withoutPrototype({ status: 503 }), '{"status":503}'],
    ["a text", "sold out", "sold out"],
    ["null", null, "null"],
  ] as const)("for %s", async ([, error, shown]) => {
    expect(await shownFor(error)).toBe(shown);
  });

  test.for(unreadableValues)("and stays whole for %s", async ([, make]) => {
    expect(await shownFor(make())).toEqual(expect.any(String));
  });
});

function withoutPrototype(fields: object): unknown {
  return Object.assign(Object.create(null) as object, fields);
}
