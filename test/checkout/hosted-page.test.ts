import { testMethods } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith, register } from "../merchant/requests.ts";
import type { Registered } from "../merchant/requests.ts";
import { Page } from "../payment-intents/page.ts";

async function openPage(merchant: Merchant, body: object = {}): Promise<Page> {
  const { checkoutUrl } = await merchant.createCheckout(body);
  return Page.open(merchant.sim, checkoutUrl);
}

function wayBack(merchant: Merchant, status: string): string {
  return `https://shop.example/thanks?sessionToken=${merchant.sim.checkouts.last()?.sessionToken}&externalId=order-1&status=${status}`;
}

describe("the hosted page", () => {
  test("says to whom, how much, for what and until when, in a document that a screen reader can follow", async () => {
    const merchant = await Merchant.open();
    await merchant.sim.clock.advance("1 hour");
    const page = await openPage(merchant, { amount: 123_456_789, description: "Two coffees" });
    await merchant.sim.clock.advance("90 minutes");
    const later = await Page.open(merchant.sim, page.url);
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/^<!doctype html>\s+<html lang="en">/);
    expect([page.texts("title"), page.texts("h1")]).toEqual([
      ["Pay ₱1,234,567.89 to Test merchant"],
      ["Pay ₱1,234,567.89"],
    ]);
    expect(["merchant", "amount", "order"].map((testId) => page.textOf(testId))).toEqual([
      "Test merchant",
      "₱1,234,567.89",
      "Two coffees order-1",
    ]);
    expect([page.textOf("time-left"), later.textOf("time-left")]).toEqual([
      "1 day, until 2026-01-02 01:00 UTC",
      "22 hours and 30 minutes, until 2026-01-02 01:00 UTC",
    ]);
    expect(page.texts("header")).toEqual(["Simulation by Centavo: no money moves"]);
    expect([page.textOf("pay"), page.textOf("cancel")]).toEqual(["Pay ₱1,234,567.89", "Cancel"]);
    expect(page.texts("legend")).toHaveLength(page.html.split("<fieldset").length - 1);
  });

  test("names the merchant that an administrator registered", async () => {
    const { sim } = await Merchant.open();
    const registered = ok<Registered>(await register(sim, { name: "Kape & Co", email: "kape@example.com" }));
    const second = await Merchant.of(sim, { credentials: { ...registered, merchantId: registered.id } });
    expect((await openPage(second)).textOf("merchant")).toBe("Kape & Co");
  });

  test("offers the methods of the service, and every test card with what it does", async () => {
    const page = await openPage(await Merchant.open());
    const radios = page.controls.filter(({ type }) => type === "radio").map(({ value }) => value);
    expect(radios).toEqual(["card", "gcash", "grab_pay"]);
    const cards = testMethods.filter(({ kind }) => kind === "card").map(({ id }) => id);
    const texts = Object.fromEntries(cards.map((id) => [id, page.textOf(`test-card-${id}`)]));
    expect(page.html.split('data-testid="test-card-')).toHaveLength(cards.length + 1);
    expect(texts).toMatchInlineSnapshot(`
      {
        "pm_card_approved": "Visa •••• 4345 Paid pm_card_approved",
        "pm_card_blocked": "Visa •••• 0014 Declined: blocked pm_card_blocked",
        "pm_card_challenge": "Visa •••• 0007 Asks for 3-D Secure, then paid pm_card_challenge",
        "pm_card_challenge_always": "Stored card Asks for 3-D Secure, then paid; on renewals too pm_card_challenge_always",
        "pm_card_cvc_invalid": "Visa •••• 0017 Declined: CVC invalid pm_card_cvc_invalid",
        "pm_card_declined_after_challenge": "Mastercard •••• 0106 Asks for 3-D Secure, then declined: generic decline pm_card_declined_after_challenge",
        "pm_card_declined_before_challenge": "Visa •••• 0004 Declined: generic decline pm_card_declined_before_challenge",
        "pm_card_declines_renewals": "Mastercard •••• 0001 Paid; renewals are declined pm_card_declines_renewals",
        "pm_card_expired": "Visa •••• 0018 Declined: card expired pm_card_expired",
        "pm_card_fraudulent": "Visa •••• 0015 Declined: fraudulent pm_card_fraudulent",
        "pm_card_generic_decline": "Visa •••• 0016 Declined: generic decline pm_card_generic_decline",
        "pm_card_insufficient_funds": "Mastercard •••• 0198 Declined at once: insufficient funds pm_card_insufficient_funds",
        "pm_card_lost": "Mastercard •••• 0196 Declined: lost card pm_card_lost",
        "pm_card_processor_blocked": "Mastercard •••• 0197 Declined: processor blocked pm_card_processor_blocked",
        "pm_card_processor_unavailable": "Mastercard •••• 0194 Fails once with an error, then paid pm_card_processor_unavailable",
        "pm_card_recovers": "Stored card Paid; a renewal recovers on its second retry pm_card_recovers",
        "pm_card_stolen": "Mastercard •••• 0195 Declined: stolen card pm_card_stolen",
        "pm_display_details": "Stored card Shows details to act on, then paid pm_display_details",
      }
    `);
  });

  test("labels every field, and tells a browser which card field is which", async () => {
    const page = await openPage(await Merchant.open());
    const wrapped = [...page.html.matchAll(/<label\b[^>]*>(.*?)<\/label>/gs)].filter(([, inner = ""]) =>
      inner.includes("<input"),
    );
    const named = [...page.html.matchAll(/<label for="([^"]+)"/g)].filter(
      ([, id = ""]) => page.html.includes(`<input id="${id}"`) || new RegExp(`<input\\s+id="${id}"`).test(page.html),
    );
    expect(wrapped.length + named.length).toBe(
      page.html.split("<input").length - page.html.split('type="hidden"').length,
    );
    for (const purpose of ["cc-number", "cc-exp-month", "cc-exp-year", "cc-csc"])
      expect(page.html).toContain(`autocomplete="${purpose}"`);
  });

  test("shows what the merchant wrote as text, never as markup", async () => {
    const attack = `</p><script>alert("1")</script><img src=x onerror='alert(2)'>&lt;b&gt;`;
    const merchant = await Merchant.open();
    const page = await openPage(merchant, { description: attack, externalId: `"><script>alert(3)</script>` });
    expect(page.html).not.toMatch(/<script|<img/);
    expect(page.textOf("order")).toBe(`${attack} "><script>alert(3)</script>`);
    const { location } = await page.press("cancel");
    expect(location).not.toMatch(/[<>"]/);
    expect(new URL(location ?? "").searchParams.get("externalId")).toBe(`"><script>alert(3)</script>`);
  });

  test("runs no script, lets a form lead to an app's own scheme, and is never cached", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const { headers } = await merchant.sim.fetch(checkoutUrl);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
    );
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
    const back = await page.press("pay", { ...cardWith("4343 4343 4343 4345") });
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
    const challenge = await (await openPage(merchant)).press("pay", { ...cardWith("4120000000000007") });
    expect(challenge.location).toMatch(/^https:\/\/api\.pay\.example\/authenticate\/ach_/);
    const back = await (await Page.open(merchant.sim, challenge.location ?? "")).press("pass");
    expect(back.location).toBe(wayBack(merchant, "processing"));
  });

  test.each([
    ["gcash", "pass", "completed"],
    ["grab_pay", "pass", "completed"],
    ["gcash", "fail", "failed"],
    ["grab_pay", "fail", "failed"],
  ])("by %s leads to the wallet, whose %s ends in %s", async (method, button, end) => {
    const merchant = await Merchant.open();
    const { location } = await (await openPage(merchant)).press("pay", { method });
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
    const page = await (await openPage(merchant)).press("pay", { ...card });
    expect([page.status, page.problem]).toEqual([400, problem]);
    expect(merchant.sim.checkouts.last()?.status).toBe("pending");
    const back = await page.press("pay", { ...cardWith("4343434343434345") });
    expect(back.location).toBe(wayBack(merchant, "processing"));
  });

  test("a problem page shows neither the number nor the CVC again", async () => {
    const page = await (
      await openPage(await Merchant.open())
    ).press("pay", { ...cardWith("4343434343434346", { cvc: "9876" }) });
    expect(page.html).not.toMatch(/4343|9876/);
  });

  test("by a card without funds leads back with the status failed", async () => {
    const merchant = await Merchant.open();
    const back = await (await openPage(merchant)).press("pay", { ...cardWith("5100000000000198") });
    expect(back.location).toBe(wayBack(merchant, "failed"));
  });

  test("Cancel leads back with the status cancelled, and the embedded intent is canceled", async () => {
    const merchant = await Merchant.open();
    const back = await (await openPage(merchant)).press("cancel", { ...cardWith("4343434343434345") });
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
    await (await Page.open(merchant.sim, location ?? "")).press("pass");
    await merchant.sim.clock.settle();
    expect(merchant.sim.checkouts.last()?.status).toBe("completed");
  });
});

describe("coming to the hosted page again", () => {
  test("leads to the challenge while it is open, so that a closed window loses nothing", async () => {
    const merchant = await Merchant.open();
    const page = await openPage(merchant);
    const { location } = await page.press("pay", { method: "gcash" });
    expect(await Page.open(merchant.sim, page.url)).toMatchObject({ status: 303, location });
    expect(await page.press("cancel")).toMatchObject({ status: 303, location });
    expect(merchant.sim.checkouts.last()?.status).toBe("processing");
  });

  test.each(["pay", "cancel"])("leads back with the final status, and %s changes nothing", async (button) => {
    const merchant = await Merchant.open();
    const page = await openPage(merchant);
    await page.press("pay", { ...cardWith("4343434343434345") });
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
