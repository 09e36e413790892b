import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { alternativesOf } from "../../src/kit/assumptions/alternatives.ts";
import { choice } from "../../src/kit/assumptions/entry.ts";
import type { Choice } from "../../src/kit/assumptions/entry.ts";
import { assumptionTable } from "../../src/service/assumption-table.ts";

const choices = Object.entries(assumptionTable).flatMap(([id, entry]): [string, Choice][] =>
  entry.values === "fixed" ? [] : [[id, entry as Choice]],
);

/** Returns the alternatives of a row without any words. */
function valuesOf(entry: Choice): readonly unknown[] {
  return alternativesOf(entry).map(({ value }) => value);
}

describe.each(choices)("%s", (id, entry) => {
  test("has another value to try, or says what to declare", () => {
    const found = alternativesOf(entry);
    expect(
      found.length,
      `The row ${id} has no other value to try, because its schema lists none. Declare likely ones: choice(question, answer, values, value, { alternatives: [ … ] }).`,
    ).toBeGreaterThan(0);
  });

  test("takes each of its alternatives, no two of which are alike, and none of which is the default", () => {
    const found = valuesOf(entry);
    for (const value of found) {
      expect(entry.values.safeParse(value), JSON.stringify(value)).toEqual({ success: true, data: value });
      expect(() => createSimulator({ assumptions: { [id]: value } })).not.toThrow();
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }
    const written = [entry.value, ...found].map((value) => JSON.stringify(value));
    expect(new Set(written).size).toBe(written.length);
  });
});

describe("the alternatives", () => {
  test("of a list, a literal, a union and a boolean are the other ones", () => {
    expect(valuesOf(assumptionTable["http.cors"])).toEqual(["none"]);
    expect(valuesOf(assumptionTable["http.success-status"])).toEqual([201, { "subscription.cancel": 202 }]);
    expect(valuesOf(assumptionTable["webhook.signature"])).toEqual(["stripe", "standard-webhooks"]);
    expect(valuesOf(choice("Q", "A", z.boolean(), true) as Choice)).toEqual([false]);
  });

  test("of an object change one of its members", () => {
    expect(valuesOf(assumptionTable["transaction.filters"])).toEqual([
      { dates: "exclusive-end", amounts: "inclusive" },
      { dates: "inclusive", amounts: "exclusive-end" },
    ]);
  });

  test("of a table say what of the default they replace", () => {
    const replaced = alternativesOf(assumptionTable["http.error-status"]);
    expect(replaced).toContainEqual({
      value: { INSUFFICIENT_FUNDS: 400, "3D_SECURE_REQUIRED": 400 },
      insteadOf: "402 for declines",
    });
  });

  test("of a row without any are none", () => {
    expect(valuesOf(choice("Q", "A", z.string(), "x") as Choice)).toEqual([]);
  });
});
