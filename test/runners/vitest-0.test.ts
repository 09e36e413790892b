import { expect, test } from "vitest";
import { runVitest } from "./runner.ts";

test("vitest 0.34, which passes tests that fail at their end, is refused by withSimulator and runs simulated", async () => {
  const ran = await runVitest("installs/runners/vitest-0", "vitest-0/shop/vitest-0");
  expect(ran.outcomes).toEqual({
    "withSimulator is refused": "passed",
    "simulated makes a payment": "passed",
    "simulated fails a test that swallowed an error": expect.stringContaining(
      "the code under test swallowed an error",
    ) as string,
  });
});
