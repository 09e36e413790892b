import assert from "node:assert/strict";
import { inspect } from "node:util";
import { simulated } from "centavo/testing";
import { describe, expect, test } from "vitest";
import { failureOf, reportIn } from "./shop.ts";

const thrown = async (error: unknown): Promise<Error> =>
  failureOf({ name: "thrown" }, async ({ sim }) => {
    expect(sim.clock.now()).toBeDefined();
    throw error;
  });
const occurrences = (text: string): number => text.split("No likely cause found").length - 1;

describe("the report stands below the test's own message", () => {
  test("in the message and in the stack, once each, before the frames", async () => {
    const own = new RangeError("too far");
    const error = await thrown(own);
    expect(error).toBe(own);
    expect(error.message).toMatch(/^too far\n\nNo likely cause found/);
    expect(error.stack).toMatch(/^RangeError: too far\n\nNo likely cause found[^]*\n {4}at /);
    expect([occurrences(error.message), occurrences(error.stack ?? "")]).toEqual([1, 1]);
    expect(occurrences(inspect(error))).toBe(1);
  });

  test("and leaves the class, the values, the code and the cause of an assertion as they are", async () => {
    const error = await thrown(
      new assert.AssertionError({ actual: { a: 1 }, expected: { a: 2 }, operator: "deepEqual" }),
    );
    expect(error).toBeInstanceOf(assert.AssertionError);
    expect(error).toMatchObject({ actual: { a: 1 }, expected: { a: 2 }, operator: "deepEqual", code: "ERR_ASSERTION" });
    const cause = new Error("the reason");
    expect((await thrown(new Error("with a cause", { cause }))).cause).toBe(cause);
  });

  test("also where the message is a part of the error's name", async () => {
    const { stack } = await thrown(new RangeError("Error"));
    expect(stack).toMatch(/^RangeError: Error\n\nNo likely cause found[^]*\n {4}at /);
  });

  test("and is not a message that Node has generated, which Jest would leave out", async () => {
    const generated = new assert.AssertionError({ actual: 1, expected: 2, operator: "strictEqual" });
    expect(generated.generatedMessage).toBe(true);
    expect(await thrown(generated)).toMatchObject({ generatedMessage: false });
  });

  test("is attached once, also where one simulated test runs in another", async () => {
    const inner = simulated({ name: "inner", recordings: false, fakeDate: false }, ({ sim }) => {
      throw new Error(`inner at ${sim.clock.now()}`);
    });
    const error = await failureOf({ name: "outer" }, async ({ sim }) => {
      expect(sim.clock.now()).toBeDefined();
      await inner();
    });
    expect(occurrences(error.message)).toBe(1);
  });

  test.for([
    ["a text", "no order", "no order"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a number", 3, "3"],
    ["an object", { status: 500 }, "[object Object]"],
  ] as const)("wraps %s that was thrown", async ([, value, text]) => {
    const error = await thrown(value);
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toContain(`The test threw ${text}.\n\nNo likely cause found`);
    expect(error.cause).toBe(value);
  });

  test("wraps an error that is frozen, and shows its values", async () => {
    const frozen = Object.freeze(Object.assign(new TypeError("is frozen"), { actual: 1, expected: 2 }));
    const error = await thrown(frozen);
    expect(error.cause).toBe(frozen);
    expect(error).toMatchObject({ name: "TypeError", actual: 1, expected: 2 });
    expect(error.stack).toMatch(/^TypeError: is frozen\n\nNo likely cause/);
  });

  test("wraps an error whose message is read only or throws", async () => {
    const fixed = Object.defineProperty(new Error("x"), "message", { value: "is fixed", writable: false });
    expect((await thrown(fixed)).cause).toBe(fixed);
    const hostile = Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("gotcha");
      },
    });
    expect((await thrown(hostile)).cause).toBe(hostile);
    const { proxy, revoke } = Proxy.revocable(new Error("x"), {});
    revoke();
    expect(reportIn(await thrown(proxy))).not.toEqual([]);
  });

  test("says nothing of a test that never asked for a simulator", async () => {
    const error = await failureOf({}, async () => {
      throw new Error("before anything");
    });
    expect(error.message).toBe("before anything");
  });

  test("the test's error counts when closing fails, too", async () => {
    const error = await failureOf({ name: "closing", clock: "auto" }, async ({ sim, client }) => {
      sim.clock.onMove(() => {
        throw new Error("the listener failed");
      });
      const { id } = await client.paymentIntents.create({ amount: 100 });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      await client.paymentIntents.status(id);
      throw new Error("the test's own");
    });
    expect(error.message).toMatch(/^the test's own\n/);
  });
});
