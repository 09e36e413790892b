import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launch } from "./browser.ts";
import type { Browser } from "./browser.ts";
import { customerBrowser, press } from "./customer.ts";
import { picture } from "./pictures.ts";
import { smallShop } from "./small-shop.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test("a person pays with GCash, and sees the order turn paid; each step is pictured for the guide", async () => {
  const sim = createSimulator();
  const server = await serve(sim, { port: 0 });
  onTestFinished(() => server.close());
  const shop = await smallShop(sim, server.url);
  const { page } = await customerBrowser(browser, { viewport: { width: 420, height: 760 } });

  await page.goto(`${shop.url}/orders/1042`);
  expect(await page.getByTestId("status").innerText()).toBe("Not paid yet");
  await picture(page, "gcash-1-order");
  await page.getByRole("button", { name: "Pay" }).click();

  expect(await page.getByTestId("amount").innerText()).toBe("₱1,798.00");
  await page.getByTestId("method-gcash").check();
  await picture(page, "gcash-2-checkout");
  await press(page, "pay");

  await picture(page, "gcash-3-log-in");
  await press(page, "log-in");
  await picture(page, "gcash-4-confirm");
  await press(page, "pass");

  expect(new URL(page.url()).searchParams.get("status")).toBe("processing");
  expect(new URL(page.url()).hash).toBe("");
  expect(await page.getByTestId("status").innerText()).toBe("Not paid yet");
  await sim.clock.settle();
  await page.reload();
  expect(await page.getByTestId("status").innerText()).toBe("Paid. Thank you!");
  await picture(page, "gcash-5-paid");
  expect(sim.checkouts.last()).toMatchObject({ status: "completed", paymentMethod: { type: "gcash" } });
  expect(sim.transactions.list()).toHaveLength(1);
});
