import type { Expect } from "centavo/scenario";
import { expect as vitestExpect, describe, expect, test } from "vitest";
import { expect as ownExpect } from "../../src/scenario/expectation.ts";

const order = { id: "order_0001", status: "paid", items: ["book", "pen"] };
const holding: Record<string, (expected: Expect) => void> = {
  toBe: (expected) => expected(order.status).toBe("paid"),
  toEqual: (expected) => expected(order).toEqual({ id: "order_0001", status: "paid", items: ["book", "pen"] }),
  toMatchObject: (expected) => expected(order).toMatchObject({ status: "paid" }),
  toMatch: (expected) => expected(order.id).toMatch(/^order_/),
  "toContain in a text": (expected) => expected(order.id).toContain("0001"),
  "toContain in an array": (expected) => expected(order.items).toContain("pen"),
  toHaveLength: (expected) => expected(order.items).toHaveLength(2),
  toBeDefined: (expected) => expected(order.status).toBeDefined(),
  toBeUndefined: (expected) => expected(Reflect.get(order, "paidAt")).toBeUndefined(),
  toBeGreaterThan: (expected) => expected(2).toBeGreaterThan(1),
  toBeLessThan: (expected) => expected(1).toBeLessThan(2),
};
const failing: Record<string, (expected: Expect) => void> = {
  toBe: (expected) => expected(order.status).toBe("failed"),
  toEqual: (expected) => expected(order).toEqual({ status: "paid" }),
  toMatchObject: (expected) => expected(order).toMatchObject({ status: "failed" }),
  toMatch: (expected) => expected(order.id).toMatch(/^intent_/),
  "toContain in a text": (expected) => expected(order.id).toContain("0002"),
  "toContain in an array": (expected) => expected(order.items).toContain("ink"),
  toHaveLength: (expected) => expected(order.items).toHaveLength(3),
  toBeDefined: (expected) => expected(Reflect.get(order, "paidAt")).toBeDefined(),
  toBeUndefined: (expected) => expected(order.status).toBeUndefined(),
  toBeGreaterThan: (expected) => expected(1).toBeGreaterThan(1),
  toBeLessThan: (expected) => expected(2).toBeLessThan(2),
};

/** The same expectations the other way round. */
function negated(expected: Expect): Expect {
  return (actual, message) => {
    const { not } = expected(actual, message);
    return { ...not, not };
  };
}

// Vitest's own is in the list because a story may be given either, and must mean the same with both.
describe.for([
  ["the runner's own", ownExpect],
  ["vitest's", vitestExpect as Expect],
] as const)("with %s expect", ([, expected]) => {
  test.for(Object.entries(holding))("%s passes on a match", ([, check]) => {
    expect(() => check(expected)).not.toThrow();
  });

  test.for(Object.entries(failing))("%s fails on a mismatch", ([, check]) => {
    expect(() => check(expected)).toThrow();
  });
});

test.for(Object.entries(holding))("not: %s fails on a match", ([, check]) => {
  expect(() => check(negated(ownExpect))).toThrow(/not\./);
});

test.for(Object.entries(failing))("not: %s passes on a mismatch", ([, check]) => {
  expect(() => check(negated(ownExpect))).not.toThrow();
});

test("a message of the story's own replaces the words", () => {
  expect(() => ownExpect(1, "the shop counts wrong").toBe(2)).toThrow("the shop counts wrong");
  expect(() => ownExpect(1, "the shop counts wrong").toBeGreaterThan(2)).toThrow("the shop counts wrong");
});
