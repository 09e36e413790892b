import { hasSubscribers } from "node:diagnostics_channel";
import { createSimulator } from "centavo";
import { expect, test } from "vitest";

test("nobody listens to journals before the coverage of one that forgets is asked", async () => {
  await createSimulator().coverage();
  expect(hasSubscribers("centavo:journal")).toBe(false);
  await createSimulator({ keep: 1 }).coverage();
  expect(hasSubscribers("centavo:journal")).toBe(true);
});
