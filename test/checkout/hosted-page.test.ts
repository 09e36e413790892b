import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";
import { Page } from "../payment-intents/page.ts";

async function openPage(merchant: Merchant, body: object = {}): Promise<Page> {
  const { checkoutUrl } = await merchant.createCheckout(body);
  return Page.open(merchant.sim, checkoutUrl);
}

function wayBack(merchant: Merchant, status: string): string {
  return `https://shop.example/thanks?sessionToken=${merchant.sim.checkouts.last()?.sessionToken}&externalId=order-1&status=${status}`;
}

describe("the hosted page", () => {
  test("says how much and for what, in a document that a screen reader can follow", async () => {
    const page = await openPage(await Merchant.open(), { amount: 123_456_789, description: "Two coffees" });
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/^<!doctype html>\s+<html lang="en">/);
    expect([page.texts("title"), page.texts("h1")]).toEqual([["Pay ₱1,234,567.89"], ["Pay ₱1,234,567.89"]]);
    expect(page.texts("p")).toEqual(["Two coffees", "Centavo test payment: no money moves."]);
    expect(page.texts("button")).toEqual(["Pay", "Cancel"]);
    expect(page.texts("legend")).toHaveLength(page.html.split("<fieldset").length - 1);
  });

  test("labels every field, and tells a browser which card field is which", async () => {
    const page = await openPage(await Merchant.open());
    const labelled = [...page.html.matchAll(/<label>(.*?)<\/label>/gs)].map(([, inner = ""]) => inner);
    expect(labelled.filter((label) => label.includes("<input"))).toHaveLength(page.html.split("<input").length - 1);
    for (const purpose of ["cc-number", "cc-exp-month", "cc-exp-year", "cc-csc"])
      expect(page.html).toContain(`autocomplete="${purpose}"`);
  });

  test("shows what the merchant wrote as text, never as markup", async () => {
    const attack = `</p><script>alert("1")</script><img src=x onerror='alert(2)'>&lt;b&gt;`;
    const merchant = await Merchant.open();
    const page = await openPage(merchant, { description: attack, externalId: `"><script>alert(3)</script>` });
    expect(page.html).not.toMatch(/<script|<img/);
    expect(page.texts("p")[0]).toBe(attack);
    const { location } = await page.press("Cancel");
    expect(location).not.toMatch(/[<>"]/);
    expect(new URL(location ?? "").searchParams.get("externalId")).toBe(`"><script>alert(3)</script>`);
  });

  test("runs no script, lets a form lead to an app's own scheme, and is never cached", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const { headers } = await merchant.sim.fetch(checkoutUrl);
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect([headers.get("cache-control"), headers.get("content-type")]).toEqual([
      "no-store",
      "text/html; charset=utf-8",
    ]);
  });
});

describe("paying on the hosted page", () => {
  test("by a card in full leads back to the merchant", async () => {
    const merchant = await Merchant.open();
    const page = await openPage(merchant);
    const back = await page.press("Pay", { ...cardWith("4343 4343 4343 4345") });
    expect([back.status, back.location]).toEqual([303, wayBack(merchant, "processing")]);
    await merchant.sim.clock.settle();
    expect(merchant.sim.checkouts.last()).toMatchObject({
      status: "completed",
      fee: 1850,
      paymentMethod: { type: "card" },
    });
  });

  test("by a card that needs a challenge leads to it, and then back", async () => {
    const merchant = await Merchant.open();
    const challenge = await (await openPage(merchant)).press("Pay", { ...cardWith("4120000000000007") });
    expect(challenge.location).toMatch(/^https:\/\/api\.pay\.example\/authenticate\/ach_/);
    const back = await (await Page.open(merchant.sim, challenge.location ?? "")).press("Authorise");
    expect(back.location).toBe(wayBack(merchant, "processing"));
  });

  test.each([
    ["gcash", "Authorise", "completed"],
    ["grab_pay", "Authorise", "completed"],
    ["gcash", "Fail", "failed"],
    ["grab_pay", "Fail", "failed"],
  ])("by %s leads to the wallet, whose %s ends in %s", async (method, button, end) => {
    const merchant = await Merchant.open();
    const { location } = await (await openPage(merchant)).press("Pay", { method });
    await (await Page.open(merchant.sim, location ?? "")).press(button);
    await merchant.sim.clock.settle();
    expect(merchant.sim.checkouts.last()).toMatchObject({ status: end, paymentMethod: { type: method } });
  });

  test.each([
    ["nothing filled in", {}, "Check the card's number, expiry date and CVC"],
    ["a wrong month", cardWith("4343434343434345", { expMonth: "13" }), "Check the card's number, expiry date and CVC"],
    ["a number with a wrong digit", cardWith("4343434343434346"), "The card number is invalid"],
  ])("with %s shows the problem, and the session stays pending", async (_, card, problem) => {
    const merchant = await Merchant.open();
    const page = await (await openPage(merchant)).press("Pay", { ...card });
    expect([page.status, page.problem]).toEqual([400, problem]);
    expect(merchant.sim.checkouts.last()?.status).toBe("pending");
    const back = await page.press("Pay", { ...cardWith("4343434343434345") });
    expect(back.location).toBe(wayBack(merchant, "processing"));
  });

  test("a problem page shows neither the number nor the CVC again", async () => {
    const page = await (
      await openPage(await Merchant.open())
    ).press("Pay", { ...cardWith("4343434343434346", { cvc: "9876" }) });
    expect(page.html).not.toMatch(/4343|9876/);
  });

  test("by a card without funds leads back with the status failed", async () => {
    const merchant = await Merchant.open();
    const back = await (await openPage(merchant)).press("Pay", { ...cardWith("5100000000000198") });
    expect(back.location).toBe(wayBack(merchant, "failed"));
  });

  test("Cancel leads back with the status cancelled, and the embedded intent is canceled", async () => {
    const merchant = await Merchant.open();
    const back = await (await openPage(merchant)).press("Cancel", { ...cardWith("4343434343434345") });
    expect([back.status, back.location]).toEqual([303, wayBack(merchant, "cancelled")]);
    expect([merchant.sim.checkouts.last()?.status, merchant.sim.intents.last()?.status]).toEqual([
      "cancelled",
      "canceled",
    ]);
  });

  test("pm_display_details leads to a page on which the customer acts", async () => {
    const merchant = await Merchant.open();
    const { sessionToken, checkoutUrl } = await merchant.createCheckout();
    const processed = ok(await merchant.processCheckout(sessionToken, "pm_display_details"));
    expect(processed).not.toHaveProperty("redirectUrl");
    const { location } = await Page.open(merchant.sim, checkoutUrl);
    await (await Page.open(merchant.sim, location ?? "")).press("Authorise");
    await merchant.sim.clock.settle();
    expect(merchant.sim.checkouts.last()?.status).toBe("completed");
  });
});

describe("coming to the hosted page again", () => {
  test("leads to the challenge while it is open, so that a closed window loses nothing", async () => {
    const merchant = await Merchant.open();
    const page = await openPage(merchant);
    const { location } = await page.press("Pay", { method: "gcash" });
    expect(await Page.open(merchant.sim, page.url)).toMatchObject({ status: 303, location });
    expect(await page.press("Cancel")).toMatchObject({ status: 303, location });
    expect(merchant.sim.checkouts.last()?.status).toBe("processing");
  });

  test.each(["Pay", "Cancel"])("leads back with the final status, and %s changes nothing", async (button) => {
    const merchant = await Merchant.open();
    const page = await openPage(merchant);
    await page.press("Pay", { ...cardWith("4343434343434345") });
    await merchant.sim.clock.settle();
    const before = [merchant.sim.checkouts.last(), merchant.sim.intents.last()];
    expect(await Page.open(merchant.sim, page.url)).toMatchObject({
      status: 303,
      location: wayBack(merchant, "completed"),
    });
    expect(await page.press(button)).toMatchObject({ status: 303, location: wayBack(merchant, "completed") });
    expect([merchant.sim.checkouts.last(), merchant.sim.intents.last()]).toEqual(before);
  });
});
