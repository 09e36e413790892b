import { expect, test } from "centavo/playwright";

for (const number of [1, 2, 3])
  test(`a shop that runs already sells a book: ${number}`, async ({ page, sim, checkoutPage }) => {
    expect(await sim.checkouts.list()).toEqual([]);
    await page.goto("/buy");
    await checkoutPage.pay("gcash");
    await page.goto("/");
    expect(await sim.checkouts.list()).toHaveLength(1);
    // The worker ends after a failure, and the next one takes its port.
    expect(number).not.toBe(2);
  });
