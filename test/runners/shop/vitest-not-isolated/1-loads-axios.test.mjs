import { withSimulator } from "centavo/vitest";
import { expect, test as base } from "vitest";

const test = withSimulator(base);

test("axios is loaded while interception is on", async ({ network }) => {
  const { default: axios } = await import("axios");
  globalThis.keptClient = axios.create({ adapter: "fetch", validateStatus: null });
  const { status } = await globalThis.keptClient.get(`${network.baseUrl}/api/transactions`);
  expect(status).toBe(401);
});
