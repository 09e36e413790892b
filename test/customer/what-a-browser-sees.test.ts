import { replay } from "centavo";
import type { Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { Page } from "../payment-intents/page.ts";

/** What Chromium asks for when it opens a page. */
const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const browser = { headers: { accept: ACCEPT } };
const form = (fields: Record<string, string>) => ({ ...browser, method: "POST", body: new URLSearchParams(fields) });

async function ended(merchant: Merchant, end: (url: string, sim: Simulator) => unknown): Promise<Page> {
  const { checkoutUrl } = await merchant.createCheckout();
  await end(checkoutUrl, merchant.sim);
  return Page.open(merchant.sim, checkoutUrl, browser);
}

describe("a browser that opens a session after its end", () => {
  test.each<[says: string, charged: string, end: (url: string, sim: Simulator) => unknown]>([
    ["Your payment is being processed", "once", (url, { customer }) => customer.pay(url, "card")],
    ["Payment cancelled", "Nothing was charged.", (url, { customer }) => customer.cancel(url)],
    ["This payment has expired", "Nothing was charged.", (_, { clock }) => clock.advance("2 days")],
    [
      "Paid",
      "charged once.",
      async (url, { customer, clock }) => {
        await customer.pay(url, "card");
        await clock.settle();
      },
    ],
    [
      "Payment declined",
      "Nothing was charged. Reason: lost card.",
      async (url, { customer, clock }) => {
        await customer.pay(url, "pm_card_lost");
        await clock.settle();
      },
    ],
  ])("sees: %s", async (says, charged, end) => {
    const merchant = await Merchant.open();
    const page = await ended(merchant, end);
    const { sessionToken, status } = merchant.sim.checkouts.last() ?? {};
    expect([page.status, page.location, page.textOf("outcome")]).toEqual([200, null, says]);
    if (says !== "Your payment is being processed") expect(page.texts("p").join(" ")).toContain(charged);
    expect(page.linkOf("return-to-merchant")).toBe(
      `https://shop.example/thanks?sessionToken=${sessionToken}&externalId=order-1&status=${status}`,
    );
    expect([page.textOf("amount"), page.textOf("order")]).toEqual(["₱100.00", "Two coffees order-1"]);
  });

  test("is led to the challenge while it is open, as a program is", async () => {
    const merchant = await Merchant.open();
    const page = await ended(merchant, (url, { customer }) => customer.pay(url, "gcash"));
    expect([page.status, page.location]).toEqual([303, expect.stringContaining("/authenticate/ach_")]);
  });

  test.each([
    ["TEXT/HTML", 200],
    ["application/xhtml+xml, text/html;q=0.9", 200],
    [`${"x".repeat(5000)},text/html`, 200],
    ["*/*", 303],
    ["application/json", 303],
  ])("is one whose Accept has HTML: %s is answered %i", async (accept, status) => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    await merchant.sim.customer.cancel(checkoutUrl);
    expect((await Page.open(merchant.sim, checkoutUrl, { headers: { accept } })).status).toBe(status);
  });
});

describe("an error on a page", () => {
  test.each<[what: string, path: string, init: RequestInit, status: number, says: string]>([
    ["no such session", "/pay/x", browser, 404, "There is no such payment"],
    ["no such challenge", "/authenticate/ach_x", browser, 404, "There is no such payment"],
    ["a form to no such session", "/pay/x", form({ action: "pay" }), 404, "There is no such payment"],
    ["a form without a button", "/pay/", form({ method: "card" }), 400, "Something went wrong"],
    ["a form with a button that does not exist", "/pay/", form({ action: "steal" }), 400, "Something went wrong"],
    ["a body of JSON", "/pay/", { ...form({}), body: "{}" }, 415, "Something went wrong"],
    ["a body of megabytes", "/pay/", form({ action: "x".repeat(2_000_000) }), 413, "Something went wrong"],
  ])("(%s) is a page for a browser, and JSON for a program", async (_, path, init, status, says) => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    const address = merchant.sim.baseUrl + (path === "/pay/" ? path + sessionToken : path);
    const page = await Page.open(merchant.sim, address, init);
    expect([page.status, page.textOf("outcome")]).toEqual([status, says]);
    expect(page.html).not.toContain(sessionToken);
    const { headers: _accept, ...rest } = init;
    const answer = await merchant.sim.fetch(address, rest);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json"]);
    expect(merchant.sim.checkouts.last()?.status).toBe("pending");
  });

  test("has its code in the journal, as for a program", async () => {
    const { sim } = await Merchant.open();
    await sim.fetch("/pay/x", browser);
    await sim.fetch("/pay/x");
    const [page, json] = sim.journal.entries.slice(-4).filter(({ kind }) => kind === "answer");
    expect(page?.details).toEqual(json?.details);
    expect(page?.details).toMatchObject({ status: 404, code: "SESSION_NOT_FOUND" });
  });
});

test("a run with a browser in it is replayed, byte for byte", async () => {
  const merchant = await Merchant.open();
  await ended(merchant, (url, { customer }) => customer.cancel(url));
  await merchant.sim.fetch("/pay/x", browser);
  const replayed = await replay(merchant.sim.recording());
  expect(replayed.journal.digest()).toBe(merchant.sim.journal.digest());
});

test("no page shows the token of its session where a report would keep it", async () => {
  const merchant = await Merchant.open();
  const { sim } = merchant;
  const { sessionToken, checkoutUrl } = await merchant.createCheckout();
  await Page.open(sim, checkoutUrl, browser);
  await Page.open(sim, checkoutUrl, form({ action: "pay", method: "card", cardNumber: "1" }));
  const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, "gcash"));
  await Page.open(sim, redirectUrl ?? "", browser);
  await sim.customer.authenticate(redirectUrl);
  await Page.open(sim, redirectUrl ?? "", browser);
  await Page.open(sim, checkoutUrl, browser);
  const html = await sim.report();
  expect(html).toContain("return-to-merchant");
  expect(html).not.toContain(sessionToken);
});

test("the card of a form counts only if the customer chose it", async () => {
  const merchant = await Merchant.open();
  const { checkoutUrl } = await merchant.createCheckout();
  const typed = { cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" };
  await Page.open(merchant.sim, checkoutUrl, form({ action: "pay", method: "gcash", ...typed }));
  const posted = merchant.sim.journal.entries.findLast(({ kind }) => kind === "request");
  expect(posted?.details["body"]).toEqual({ action: "pay", method: "gcash" });
  expect(merchant.sim.checkouts.last()?.paymentMethod).toMatchObject({ type: "gcash" });
});
