import { createClient } from "centavo/client";
import { CheckoutPage, expect, test as base } from "centavo/playwright";
import { test } from "./shop.js";

const contact = { name: "Ana Santos", email: "ana@example.ph" };

base("a test without Centavo's fixtures opens no world", async ({ page }) => {
  await page.setContent("<p>Hello</p>");
  await expect(page.getByText("Hello")).toBeVisible();
});

test("a test has credentials with which a client works", async ({ sim, paymentService }) => {
  const client = createClient(paymentService);
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  expect((await sim.intents.get(id))?.status).toBe("requires_payment_method");
  expect(await sim.credentials).toMatchObject({ clientId: paymentService.clientId });
  expect(await sim.baseUrl).toBe(paymentService.baseUrl);
});

test("the world is named after its test", async ({ paymentService }) => {
  expect(paymentService.baseUrl).toMatch(/\/worlds\/the-world-is-named-after-its-test$/);
});

test("Ang pagsubok na may „é“ – 支払い / ../..", async ({ paymentService }) => {
  expect(paymentService.baseUrl).toMatch(/\/worlds\/ang-pagsubok-na-may-e$/);
});

test("支払い", async ({ sim }) => {
  expect(await sim.baseUrl).toMatch(/\/worlds\/test$/);
});

test.describe("options", () => {
  const credentials = {
    clientId: "shop",
    clientSecret: "secret-of-the-shop",
    webhookSecret: "whsec_c2VjcmV0LW9mLXRoZS1zaG9w",
  };
  test.use({
    simulator: {
      now: "2026-03-31T12:00:00Z",
      credentials,
      faults: [{ kind: "processor.decline", code: "generic_decline", times: 1 }],
    },
  });

  test("of the world are taken from test.use", async ({ sim, shop, paymentService, checkoutPage }) => {
    expect(await sim.clock.now()).toBe("2026-03-31T12:00:00.000Z");
    expect(paymentService).toMatchObject(credentials);
    await checkoutPage.pay(await shop.checkOut("order-1"), "card");
    await sim.clock.settle();
    await expect("order-1").not.toHaveBeenPaidOnce();
  });
});

test("payUrl names what waits, and what there is when nothing does", async ({ page, shop, payUrl, checkoutPage }) => {
  const none = payUrl(undefined, { timeout: 0 });
  await expect(none).rejects.toThrow(
    "payUrl: No payment waits for the customer. The shop has opened no session and no intent in this world yet: does it call the baseUrl of the fixture paymentService?",
  );
  const first = await shop.checkOut("order-1");
  expect(await payUrl()).toBe(first);
  const second = await shop.checkOut("order-2");
  expect(await payUrl("order-2")).toBe(second);
  await expect(payUrl()).rejects.toThrow(/payUrl found 2 payments that wait for the customer: cs_\w+, cs_\w+\. Name/);
  await expect(payUrl("order-3", { timeout: 0 })).rejects.toThrow(/No payment of "order-3" waits.*These do: cs_/);
  await checkoutPage.pay(first, "gcash");
  expect(await payUrl("order-1")).toBe(page.url());
  await checkoutPage.pay(second, "pm_card_approved");
  await expect(payUrl("order-2", { timeout: 0 })).rejects.toThrow(/These do: pi_/);
  await expect(payUrl(7 as never)).rejects.toThrow(/payUrl takes an external id, an id or a session token/);
  await expect(payUrl("order-1", { timout: 0 } as never)).rejects.toThrow(/payUrl has no option "timout"/);
});

test("payUrl waits for a session that the shop is about to open", async ({ shop, payUrl }) => {
  const url = payUrl("order-1");
  const opened = await shop.checkOut("order-1");
  expect(await url).toBe(opened);
});

test("the page objects say where the browser is, and what the page offers", async ({
  page,
  shop,
  checkoutPage,
  challengePage,
}) => {
  const session = await shop.checkOut("order-1");
  await expect(checkoutPage.pay("gcash")).rejects.toThrow(
    /checkoutPage\.pay: the browser is at about:blank, which is not a hosted page of this test\. Lead the customer there first/,
  );
  await expect(checkoutPage.pay(undefined, "gcash")).rejects.toThrow(
    /checkoutPage\.pay\(undefined\): this is not the address/,
  );
  await expect(checkoutPage.pay("https://shop.example/?token=secret", "gcash")).rejects.toThrow(
    /checkoutPage\.pay\("https:\/\/shop\.example\/\?…"\): this is not the address of a page of this test/,
  );
  await expect(checkoutPage.pay(session, "pm_card_aproved")).rejects.toThrow(/the nearest is "pm_card_approved"/);
  await expect(checkoutPage.pay(session, 7 as never)).rejects.toThrow(/checkoutPage\.pay\(7\): give a payment method/);
  await expect(challengePage.authenticate()).rejects.toThrow(/which is a hosted page\. Use checkoutPage there/);
  await checkoutPage.pay(session, "gcash");
  await expect(checkoutPage.cancel()).rejects.toThrow(/which is a challenge\. Use challengePage there/);
  const challenge = page.url();
  await challengePage.authenticate();
  await expect(challengePage.authenticate(challenge)).rejects.toThrow(
    "challengePage.authenticate: there is nothing to answer any more, for the payment is processing. The page says: ",
  );
  await expect(checkoutPage.cancel(session)).rejects.toThrow(
    "checkoutPage.cancel: there is nothing to pay, for the session is processing. The page says: ",
  );
  expect(() => new CheckoutPage(page, {} as never)).toThrow(/CheckoutPage needs the fixture sim/);
});

test("a matcher waits for what is about to come", async ({ sim, shop }) => {
  const paid = expect("order-1").toHaveStatus("completed");
  const session = await shop.checkOut("order-1");
  await sim.customer.pay(session, "pm_card_approved");
  await sim.clock.settle();
  await paid;
  await expect("order-1").toHaveMoved(["pending", "processing", "completed"]);
  await expect("order-1").toHaveStatus("completed", { sim });
  await expect(sim.ledger()).resolves.toBalance();
  await expect(sim).toBalance();
  await expect(sim).toHaveNoPendingWork();
});

test("a matcher says what happened in place of what was expected", async ({ sim, shop }) => {
  const session = await shop.checkOut("order-1");
  const quick = expect.configure({ timeout: 200 });
  await expect(quick("order-1").toHaveStatus("completed")).rejects.toThrow(
    /order-1 should have the status "completed"\. Its status is "pending"\./,
  );
  await expect(quick("order-2").toHaveStatus("completed")).rejects.toThrow(/cannot find "order-2"/);
  await expect(quick("order-1").toHaveStatus("complete" as never)).rejects.toThrow(/The nearest is "completed"/);
  await expect(quick(sim).toHaveDelivered("checkout.completed")).rejects.toThrow(/It has done so 0 times/);
  await expect(quick(sim.checkouts).toHaveNoPendingWork()).rejects.toThrow(/examines a simulator/);
  await expect(quick(await sim.checkouts.get(session.split("/").at(-1) ?? "")).toHaveStatus("failed")).rejects.toThrow(
    /Its status is "pending"/,
  );
});

for (const order of ["first", "second"])
  test.describe(order, () => {
    test("tests of the same title have worlds of their own", async ({ sim, paymentService }) => {
      expect(await sim.intents.list()).toEqual([]);
      await createClient(paymentService).checkout.create({
        externalId: "order-1",
        amount: 100,
        description: "A pen",
        contact,
        returnUrl: "https://shop.example/thanks",
        webhookUrl: "https://shop.example/webhooks",
      });
      expect(await sim.checkouts.list()).toHaveLength(1);
    });
  });
