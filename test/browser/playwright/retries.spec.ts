import { expect } from "centavo/playwright";
import { test } from "./shop.js";

test("a retry has a new world with the same ids", async ({ sim, shop }, { retry, annotations }) => {
  expect(await sim.checkouts.list()).toEqual([]);
  await shop.checkOut("order-1");
  annotations.push({ type: "world", description: (await sim.baseUrl).split("/").at(-1) ?? "" });
  annotations.push({ type: "session", description: (await sim.checkouts.last())?.id ?? "" });
  expect(retry).toBe(1);
});

test.describe("in serial mode", () => {
  test.describe.configure({ mode: "serial", retries: 0 });

  for (const number of [1, 2])
    test(`each test has a world of its own: ${number}`, async ({ sim, shop }) => {
      expect(await sim.checkouts.list()).toEqual([]);
      await shop.checkOut("order-1");
    });
});
