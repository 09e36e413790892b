import { CheckoutPage, expect } from "centavo/playwright";
import { test } from "./shop.js";

const card = { cardNumber: "4343434343434345", expMonth: "12", expYear: "2030", cvc: "123" };

for (const method of ["card", "pm_card_approved", card] as const)
  test(`a session is paid by ${typeof method === "string" ? method : "a card in full"}`, async ({
    page,
    sim,
    shop,
    checkoutPage,
  }) => {
    await page.goto(await shop.checkOut("order-1"));
    await expect(checkoutPage.order).toContainText("A book");
    await expect(checkoutPage.amount).toContainText("499.00");
    const { status, redirectedTo, problem } = await checkoutPage.pay(method);
    expect({ status, problem }).toEqual({ status: "processing", problem: undefined });
    expect(page.url()).toBe(redirectedTo);
    await expect(page.getByRole("heading")).toHaveText("Thank you");
    await sim.clock.settle();
    await expect("order-1").toHaveStatus("completed");
    await expect("order-1").toHaveBeenPaidOnce();
    await expect(sim).toHaveDelivered("checkout.completed", { externalId: "order-1" }, { times: 1 });
    expect(shop.requests).toContain("POST /webhooks");
  });

for (const wallet of ["gcash", "pm_grab_pay"] as const)
  test(`a session is paid by ${wallet}, in the wallet`, async ({ page, sim, shop, checkoutPage, challengePage }) => {
    const visit = await checkoutPage.pay(await shop.checkOut("order-1"), wallet);
    expect(page.url()).toBe(visit.redirectedTo);
    await expect(challengePage.amount).toContainText("499.00");
    const { status, redirectedTo } = await challengePage.authenticate();
    expect(status).toBe("processing");
    expect(redirectedTo).toContain(`${shop.url}/thanks?`);
    await sim.clock.settle();
    await expect("order-1").toHaveStatus("completed");
  });

test("a challenge is failed", async ({ page, sim, shop, checkoutPage, challengePage }) => {
  await checkoutPage.pay(await shop.checkOut("order-1"), "pm_card_challenge");
  const { redirectedTo } = await challengePage.failAuthentication();
  expect(page.url()).toBe(redirectedTo);
  await sim.clock.settle();
  await expect("order-1").toHaveStatus("failed");
  await expect("order-1").not.toHaveBeenPaidOnce();
});

test("a session is cancelled", async ({ page, shop, checkoutPage }) => {
  const { status, redirectedTo } = await checkoutPage.cancel(await shop.checkOut("order-1"));
  expect(status).toBe("cancelled");
  expect(page.url()).toBe(redirectedTo);
});

test("a page is abandoned, and its session expires", async ({ page, sim, shop, checkoutPage, challengePage }) => {
  const session = await shop.checkOut("order-1");
  expect(await checkoutPage.abandon(session)).toEqual({ status: "pending" });
  expect(page.url()).toBe("about:blank");
  await checkoutPage.pay(session, "gcash");
  expect(await challengePage.abandon()).toEqual({ status: "processing" });
  await sim.clock.advance("2 days");
  await expect("order-1").not.toHaveStatus("processing");
});

test("the verbs return what sim.customer returns", async ({ sim, shop, checkoutPage, challengePage }) => {
  const alike = (visit: object): string =>
    JSON.stringify(visit).replaceAll(/[\da-f]{8}-[-\da-f]+|order-\w|authenticate\/\w+/g, "…");
  for (const method of ["pm_card_approved", "pm_card_challenge", "gcash"] as const) {
    const page = await checkoutPage.pay(await shop.checkOut("order-p"), method);
    const human = await sim.customer.pay(await shop.checkOut("order-h"), method);
    expect(alike(page)).toBe(alike(human));
    if (method === "pm_card_approved") continue;
    const passed = await challengePage.authenticate(page.redirectedTo);
    expect(alike(passed)).toBe(alike(await sim.customer.authenticate(human.redirectedTo)));
  }
});

test("details of an intent are displayed to the customer", async ({ sim, shop, payUrl, challengePage }) => {
  const { id } = await shop.client.paymentIntents.create({ amount: 10_000, externalId: "order-1" });
  await shop.client.paymentIntents.confirm(id, { paymentMethodId: "pm_display_details" });
  expect(await payUrl("order-1")).toBe(await payUrl(id));
  expect(await challengePage.authenticate(id)).toEqual({ status: "processing" });
  await sim.clock.settle();
  await expect(id).toHaveStatus("succeeded");
});

test.describe("a way back", () => {
  test.use({ simulator: { assumptions: { "return.schemes": ["bookshop"] } } });

  for (const returnUrl of ["https://shop.example/thanks", "http://127.0.0.1:9/thanks", "bookshop://thanks"])
    test(`to ${returnUrl}, which does not answer, ends the wait`, async ({ page, shop, checkoutPage }) => {
      const { redirectedTo } = await checkoutPage.pay(await shop.checkOut("order-1", { returnUrl }), "card");
      expect(redirectedTo).toContain(returnUrl);
      await page.goto(shop.url);
      await expect(page.getByRole("heading")).toHaveText("Thank you");
    });
});

test("the page object of another tab", async ({ context, sim, shop, checkoutPage }) => {
  const tab = await context.newPage();
  const session = await shop.checkOut("order-1");
  await tab.goto(session);
  await checkoutPage.pay(session, "card");
  await tab.reload();
  const there = new CheckoutPage(tab, sim);
  await expect(there.pay("card")).rejects.toThrow(/checkoutPage\.pay/);
  await sim.clock.settle();
  await expect("order-1").toHaveBeenPaidOnce();
});
