import { expect } from "centavo/playwright";
import { test } from "./shop.js";

test("an assertion fails after a payment that was not settled", async ({ shop, sim, checkoutPage }) => {
  const quick = expect.configure({ timeout: 200 });
  await checkoutPage.pay(await shop.checkOut("order-1"), "pm_card_approved");
  await quick(sim).toHaveDelivered("checkout.completed");
});

test("Playwright's own assertion fails", async ({ page, shop }) => {
  await page.goto(await shop.checkOut("order-1"));
  await expect(page).toHaveTitle("Paid", { timeout: 200 });
});

test("a status is expected in another word", async ({ sim, shop, checkoutPage }) => {
  await checkoutPage.pay(await shop.checkOut("order-1"), "pm_card_approved");
  await sim.clock.settle();
  expect((await sim.checkouts.last())?.status).toBe("succeeded");
});

test("a verb finds no such method", async ({ shop, checkoutPage }) => {
  await checkoutPage.pay(await shop.checkOut("order-1"), "pm_card_aproved");
});

test("a text is thrown", async ({ shop }) => {
  await shop.checkOut("order-1");
  // eslint-disable-next-line typescript/only-throw-error -- a test may throw anything
  throw "out of stock";
});

test("a test times out", async ({ page, shop }) => {
  test.setTimeout(3000);
  await page.goto(await shop.checkOut("order-1"));
  await page.getByRole("button", { name: "There is no such button" }).click();
});

test("a test closes its world, and fails", async ({ sim, shop }) => {
  await shop.checkOut("order-1");
  await sim.close();
  throw new Error("the true error");
});

test("a world expires, and the test fails", async ({ sim, simulatorServer, shop }) => {
  await shop.checkOut("order-1");
  await fetch(`${simulatorServer.url}/_centavo/worlds/${(await sim.baseUrl).split("/").at(-1)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${simulatorServer.token}` },
  });
  throw new Error("the true error");
});

test("a test closes its world, and passes", async ({ sim }) => {
  await sim.close();
});

test("a call hangs when the test fails", async ({ sim, shop }) => {
  await sim.faults.add({ kind: "request.hang", route: "checkout.create" });
  void shop.checkOut("order-1").catch(() => undefined);
  await expect(async () => expect(await sim.journal.toString()).toContain("hang")).toPass();
  throw new Error("the call hangs");
});

test.fail("a test that is expected to fail", async ({ shop }) => {
  await shop.checkOut("order-1");
  throw new Error("as expected");
});

test("a test passes", async ({ shop }) => {
  await shop.checkOut("order-1");
});

test.describe("wrong options", () => {
  test.describe("of the world", () => {
    test.use({ simulator: { clock: "fast" as never } });
    test("a clock that does not exist", async ({ sim }) => expect(await sim.seed).toBe(""));
  });
  test.describe("of the world", () => {
    test.use({ simulator: { sed: 7 } as never });
    test("an option that does not exist", async ({ sim }) => expect(await sim.seed).toBe(""));
  });
  test.describe("of the world", () => {
    test.use({ simulator: 7 as never });
    test("options that are a number", async ({ sim }) => expect(await sim.seed).toBe(""));
  });
  test.describe("of the world", () => {
    test.use({ simulator: { faults: [{ kind: "processor.declin" }] as never } });
    test("a fault that does not exist", async ({ sim }) => expect(await sim.seed).toBe(""));
  });
  test.describe("of the world", () => {
    const faults: unknown[] = [];
    faults.push({ kind: "request.hang", faults });
    test.use({ simulator: { faults: faults as never } });
    test("options that hold themselves", async ({ sim }) => expect(await sim.seed).toBe(""));
  });
  test.describe("of the world", () => {
    test.use({ simulatorWorld: "../other" });
    test("a name that no address can have", async ({ sim }) => expect(await sim.seed).toBe(""));
  });
});
