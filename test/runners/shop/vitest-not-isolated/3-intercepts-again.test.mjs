import { withSimulator } from "centavo/vitest";
import { expect, test as base } from "vitest";

const test = withSimulator(base);

test("the same axios is intercepted again", async ({ network }) => {
  const { status } = await globalThis.keptClient.get(`${network.baseUrl}/api/transactions`);
  expect(status).toBe(401);
});
