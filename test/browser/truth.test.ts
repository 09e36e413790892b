import type { Simulator } from "centavo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "./browser.ts";
import type { Browser } from "./browser.ts";
import { customerBrowser, press, servedService, SHOP } from "./customer.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const APPROVED = "test-card-pm_card_approved";

/** How often money was taken. */
function charges(sim: Simulator): number {
  return sim.intents.list({ status: "succeeded" }).length;
}

describe("a customer who pays", () => {
  test("in two tabs at once is charged once, and both tabs lead back", async () => {
    const { sim, checkout } = await servedService();
    const { context, page } = await customerBrowser(browser);
    const url = await checkout();
    const other = await context.newPage();
    await Promise.all([page.goto(url), other.goto(url)]);
    await Promise.all([page, other].map((tab) => press(tab, APPROVED)));
    expect([page.url(), other.url()].map((address) => new URL(address).origin)).toEqual([SHOP, SHOP]);
    await sim.clock.settle();
    expect(charges(sim)).toBe(1);
  });

  test("with a double click is charged once", async () => {
    const { sim, checkout } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await checkout());
    await page.getByTestId(APPROVED).dblclick();
    await page.waitForURL(`${SHOP}/**`);
    await sim.clock.settle();
    expect(charges(sim)).toBe(1);
  });

  test("and goes back sees that it is under way, then that it is paid, with the way to the merchant", async () => {
    const { sim, checkout } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await checkout());
    await press(page, APPROVED);
    await page.waitForURL(`${SHOP}/**`);
    await page.goBack();
    expect(await page.getByTestId("outcome").innerText()).toBe("Your payment is being processed");
    await sim.clock.settle();
    await page.reload();
    expect(await page.getByTestId("outcome").innerText()).toBe("Paid");
    await press(page, "return-to-merchant");
    await page.waitForURL(`${SHOP}/**`);
    const query = Object.fromEntries(new URL(page.url()).searchParams);
    const { sessionToken } = sim.checkouts.last() ?? {};
    expect(query).toEqual({ from: "pay", sessionToken, externalId: "order-1042", status: "completed" });
    expect(charges(sim)).toBe(1);
  });

  test("in a tab that was left open learns in it how the other one ended", async () => {
    const { sim, checkout } = await servedService();
    const { context, page } = await customerBrowser(browser);
    const url = await checkout();
    const other = await context.newPage();
    await Promise.all([page.goto(url), other.goto(url)]);
    await press(page, "cancel");
    await press(other, APPROVED);
    await other.waitForURL(`${SHOP}/**`);
    expect(new URL(other.url()).searchParams.get("status")).toBe("cancelled");
    await other.goto(url);
    expect(await other.getByTestId("outcome").innerText()).toBe("Payment cancelled");
    await sim.clock.settle();
    expect(charges(sim)).toBe(0);
  });

  test("after the session has expired is told so, and is not charged", async () => {
    const { sim, checkout } = await servedService();
    const { page } = await customerBrowser(browser);
    const url = await checkout();
    await page.goto(url);
    await sim.clock.advance("25 hours");
    await press(page, APPROVED);
    await page.waitForURL(`${SHOP}/**`);
    expect(new URL(page.url()).searchParams.get("status")).toBe("expired");
    await page.goBack();
    await page.reload();
    expect(await page.getByTestId("outcome").innerText()).toBe("This payment has expired");
    await sim.clock.settle();
    expect(charges(sim)).toBe(0);
  });

  test("with a card that is declined later may replace it as often as checkout.retry says", async () => {
    const { sim, checkout } = await servedService({ assumptions: { "checkout.retry": 1 } });
    const { page } = await customerBrowser(browser);
    const url = await checkout();
    await page.goto(url);
    await press(page, "test-card-pm_card_lost");
    await sim.clock.settle();
    await page.goto(url);
    expect(await page.getByTestId("problem").innerText()).toBe("Your payment was declined: lost card");
    expect(await page.locator("main").innerText()).toContain("This is the last try.");
    await press(page, "test-card-pm_card_stolen");
    await sim.clock.settle();
    await page.goto(url);
    expect(await page.locator("main").innerText()).toContain("Nothing was charged. Reason: stolen card.");
    expect(charges(sim)).toBe(0);
  });

  test("with a card that is declined at once stays on the page and pays with another", async () => {
    const { sim, checkout } = await servedService({ assumptions: { "checkout.retry": 1 } });
    const { page } = await customerBrowser(browser);
    await page.goto(await checkout());
    await press(page, "test-card-pm_card_insufficient_funds");
    expect(await page.getByTestId("problem").innerText()).toBe("The customer's balance is insufficient");
    await press(page, APPROVED);
    await sim.clock.settle();
    expect([sim.checkouts.last()?.status, charges(sim)]).toEqual(["completed", 1]);
  });

  test("while the processor is down is told to try again, and pays then", async () => {
    const { sim, checkout } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await checkout());
    await press(page, "test-card-pm_card_processor_unavailable");
    expect(await page.getByTestId("problem").innerText()).toBe("The processor is unavailable; try again");
    await press(page, "test-card-pm_card_processor_unavailable");
    await sim.clock.settle();
    expect([sim.checkouts.last()?.status, charges(sim)]).toEqual(["completed", 1]);
  });
});

describe("a customer at a challenge", () => {
  test("who confirms in two tabs is charged once", async () => {
    const { sim, challenge } = await servedService();
    const { context, page } = await customerBrowser(browser);
    const url = await challenge("gcash");
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(url);
      await press(tab, "log-in");
    }
    await press(page, "pass");
    await press(other, "fail");
    await other.waitForURL(`${SHOP}/**`);
    await sim.clock.settle();
    expect(charges(sim)).toBe(1);
    await page.goto(url);
    expect(await page.getByTestId("outcome").innerText()).toBe("Paid");
  });

  test("who leaves may go on with the question, or to the merchant, and nothing has happened", async () => {
    const { sim, challenge } = await servedService();
    const { page } = await customerBrowser(browser);
    await page.goto(await challenge("pm_card_challenge"));
    const before = sim.journal.length;
    await press(page, "leave");
    expect(await page.getByTestId("pass").isVisible()).toBe(false);
    const led = page.waitForEvent("framenavigated");
    await page.getByRole("link", { name: "Go back to the question" }).click();
    await led;
    expect(await page.getByTestId("pass").isVisible()).toBe(true);
    await press(page, "leave");
    await press(page, "return-to-merchant");
    expect(new URL(page.url()).searchParams.get("status")).toBe("requires_action");
    expect(sim.journal.length).toBe(before);
  });

  test("who comes too late is told that the payment was declined", async () => {
    const { sim, challenge } = await servedService();
    const { page } = await customerBrowser(browser);
    const url = await challenge("pm_card_challenge");
    await page.goto(url);
    await sim.clock.advance("2 hours");
    await press(page, "pass");
    expect(new URL(page.url()).searchParams.get("status")).toBe("failed");
    await page.goto(url);
    expect(await page.locator("main").innerText()).toContain("Nothing was charged. Reason: authentication expired.");
  });

  test("without an address at the merchant is told that the payment goes on, and to close the page", async () => {
    const { client, at } = await servedService();
    const { page } = await customerBrowser(browser);
    const { id } = await client.paymentIntents.create({ amount: 5000 });
    const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: "gcash" });
    await page.goto(at(redirectUrl));
    await press(page, "log-in");
    await press(page, "pass");
    expect(await page.getByTestId("outcome").innerText()).toBe("Done");
    expect(await page.locator("main").innerText()).toContain("You can close this page.");
    expect(await page.getByTestId("return-to-merchant").count()).toBe(0);
  });
});

test("an address of no payment is a page for a browser, and the error of the API for a program", async () => {
  const { sim, url } = await servedService();
  const { page } = await customerBrowser(browser);
  for (const path of ["/pay/nothing", "/authenticate/nothing"]) {
    const opened = await page.goto(url + path);
    expect([opened?.status(), await page.getByTestId("outcome").innerText()]).toEqual([
      404,
      "There is no such payment",
    ]);
    const answer = await sim.fetch(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json"]);
  }
});
