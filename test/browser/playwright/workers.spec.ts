import { expect } from "centavo/playwright";
import { test } from "./shop.js";

// Whoever comes here waits for the other.
const meeting = process.env["MEETING"] ?? "";

for (const name of ["Ana", "Ben"])
  test(`${name} pays while the other does`, async ({ sim, shop, checkoutPage, simulatorServer }, { parallelIndex }) => {
    const session = await shop.checkOut("order-1", { amount: 100 * (parallelIndex + 1) });
    const others = await (await fetch(`${meeting}?at=${simulatorServer.url}`)).text();
    expect(others.split(" ").filter((url) => url !== simulatorServer.url)).toHaveLength(1);
    await checkoutPage.pay(session, "pm_card_approved");
    await sim.clock.settle();
    await expect("order-1").toHaveBeenPaidOnce();
    expect(await sim.checkouts.list()).toMatchObject([{ amount: 100 * (parallelIndex + 1) }]);
    expect(shop.requests).toEqual(["GET /thanks", "POST /webhooks", "POST /webhooks"]);
  });
