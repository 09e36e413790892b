import { expect, test } from "vitest";
import { everyStep } from "../../src/kit/base/errors/every-step.ts";

test("every step runs, and the first of several errors is thrown", () => {
  const ran: string[] = [];
  const failing = (name: string) => () => {
    ran.push(name);
    throw new Error(name);
  };
  expect(() => everyStep(failing("first"), () => ran.push("second"), failing("third"))).toThrow("first");
  expect(ran).toEqual(["first", "second", "third"]);
});
