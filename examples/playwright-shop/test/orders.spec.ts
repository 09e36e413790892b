import type { Page } from "@playwright/test";
import { expect, test } from "./shop-test.ts";

/** Fills the cart, and goes to the hosted page. */
async function orderBooks(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Add Noli Me Tángere to the cart" }).click();
  await page.getByRole("link", { name: "Books" }).click();
  await page.getByRole("button", { name: "Add Dekada ’70 to the cart" }).click();
  await expect(page.locator("output")).toHaveText("₱849.00");
  await page.getByLabel("Name").fill("Ana Cruz");
  await page.getByLabel("Email").fill("ana@customer.example");
  await page.getByRole("button", { name: "Pay" }).click();
}

test("a cart is paid by card", async ({ page, sim, shop, checkoutPage }) => {
  await orderBooks(page);
  await expect(checkoutPage.amount).toContainText("₱849.00");
  await checkoutPage.pay("pm_card_approved");
  await expect(page.getByRole("status")).toHaveText("Your order is being paid.");

  await sim.clock.settle();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order is paid, and on its way to you.");
  const [order] = [...shop.orders.values()];
  await expect(order?.id ?? "").toHaveBeenPaidOnce();
  expect(order?.parcels).toBe(1);
});

test("the bank asks for 3-D Secure", async ({ page, sim, checkoutPage, challengePage }) => {
  await orderBooks(page);
  await checkoutPage.pay("pm_card_challenge");
  await expect(challengePage.amount).toContainText("₱849.00");
  await challengePage.authenticate();
  await sim.clock.settle();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order is paid, and on its way to you.");
});

test("a customer who fails 3-D Secure pays again with another card", async ({
  page,
  sim,
  shop,
  checkoutPage,
  challengePage,
}) => {
  await orderBooks(page);
  await checkoutPage.pay("pm_card_challenge");
  await challengePage.failAuthentication();
  await sim.clock.settle();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order could not be paid.");

  await page.getByRole("button", { name: "Pay again" }).click();
  await checkoutPage.pay({ cardNumber: "4343434343434345", expMonth: "12", expYear: "2030", cvc: "123" });
  await sim.clock.settle();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order is paid, and on its way to you.");
  await expect([...shop.orders.keys()][0] ?? "").toHaveBeenPaidOnce();
});

test("a card is declined", async ({ page, sim, shop, checkoutPage }) => {
  await orderBooks(page);
  await checkoutPage.pay("pm_card_insufficient_funds");
  await sim.clock.settle();
  await expect(page.getByRole("status")).toHaveText("Your order could not be paid.");
  expect([...shop.orders.values()][0]?.parcels).toBe(0);
  await expect(sim).toHaveDelivered("checkout.failed");
});

test.describe("a shop that lets customers try another card", () => {
  test.use({ simulator: { assumptions: { "checkout.retry": 2 } } });

  test("leaves them on the page, with the reason", async ({ page, sim, checkoutPage }) => {
    await orderBooks(page);
    await checkoutPage.pay("pm_card_insufficient_funds");
    await expect(checkoutPage.problem).toContainText("insufficient");
    await checkoutPage.pay("pm_card_approved");
    await sim.clock.settle();
    await page.reload();
    await expect(page.getByRole("status")).toHaveText("Your order is paid, and on its way to you.");
  });
});

test("a customer confirms the payment in GCash", async ({ page, sim, checkoutPage, challengePage }) => {
  await orderBooks(page);
  await checkoutPage.pay("gcash");
  await challengePage.authenticate();
  await expect(page.getByRole("status")).toHaveText("Your order is being paid.");
  await sim.clock.settle();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order is paid, and on its way to you.");
});

test("a session expires while the customer looks for the card", async ({ page, sim, shop, checkoutPage }) => {
  await orderBooks(page);
  await checkoutPage.abandon();
  await sim.clock.advance("25 hours");
  const [order] = [...shop.orders.values()];
  await page.goto(`/orders/${order?.id}`);
  await expect(page.getByRole("status")).toHaveText("Your order waited too long to be paid.");

  await page.getByRole("button", { name: "Pay again" }).click();
  await checkoutPage.pay("pm_card_approved");
  await sim.clock.settle();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order is paid, and on its way to you.");
});

test("the webhook of a payment comes two hours late", async ({ page, sim, checkoutPage }) => {
  await sim.faults.add({ kind: "webhook.delay", event: "checkout.*", delay: "2 hours" });
  await orderBooks(page);
  await checkoutPage.pay("pm_card_approved");
  await sim.clock.settle();
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order is being paid.");

  await sim.clock.advance("2 hours");
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your order is paid, and on its way to you.");
});
