import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { Page } from "./page.ts";

async function challenged(
  merchant: Merchant,
  method = "pm_card_challenge",
  body: object = {},
): Promise<{ id: string; page: Page }> {
  const { id } = await merchant.createIntent(body);
  const { redirectUrl } = ok(await merchant.confirm(id, method));
  return { id, page: await Page.open(merchant.sim, redirectUrl) };
}

describe("the challenge page", () => {
  test.each([
    ["pm_card_challenge", "Your bank: Authorise this payment"],
    ["gcash", "GCash: Authorise this payment"],
    ["grab_pay", "GrabPay: Authorise this payment"],
  ])("of %s says who asks, how much and for what", async (method, title) => {
    const { page } = await challenged(await Merchant.open(), method, { amount: 123_456, description: "Two coffees" });
    expect(page.status).toBe(200);
    expect([page.texts("title"), page.texts("h1")]).toEqual([[title], ["Authorise this payment ₱1,234.56"]]);
    expect(["merchant", "amount", "order"].map((testId) => page.textOf(testId))).toEqual([
      "Test merchant",
      "₱1,234.56",
      "Two coffees",
    ]);
    expect(page.html).toMatch(/^<!doctype html>\s+<html lang="en">/);
  });

  test.each([
    ["pass", "succeeded"],
    ["fail", "failed"],
  ])("its button %s leads back to the merchant, and the intent to %s", async (button, end) => {
    const merchant = await Merchant.open();
    const { id, page } = await challenged(merchant, "gcash", {
      returnUrl: "https://shop.example/thanks",
      externalId: "order-1",
    });
    const back = await page.press(button);
    expect([back.status, back.location]).toEqual([
      303,
      `https://shop.example/thanks?intentId=${id}&externalId=order-1&status=processing`,
    ]);
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)?.status).toBe(end);
  });

  test("ends on a plain page if the intent has no returnUrl", async () => {
    const { page } = await challenged(await Merchant.open());
    const done = await page.press("pass");
    expect([done.status, done.location, done.texts("h1")]).toEqual([200, null, ["Done"]]);
  });

  test("leads back with the final status once it is closed, and acting on it changes nothing", async () => {
    const merchant = await Merchant.open();
    const { id, page } = await challenged(merchant, "gcash", { returnUrl: "https://shop.example/thanks" });
    await page.press("pass");
    await merchant.sim.clock.settle();
    const before = merchant.sim.intents.get(id);
    const location = `https://shop.example/thanks?intentId=${id}&status=succeeded`;
    expect(await Page.open(merchant.sim, page.url)).toMatchObject({ status: 303, location });
    expect(await page.press("fail")).toMatchObject({ status: 303, location });
    expect(merchant.sim.intents.get(id)).toEqual(before);
  });

  test("shows what the merchant wrote as text, never as markup", async () => {
    const attack = `</p><script>alert("1")</script><img src=x onerror='alert(2)'>&lt;b&gt;`;
    const { page } = await challenged(await Merchant.open(), "gcash", { description: attack });
    expect(page.html).not.toMatch(/<script|<img/);
    expect(page.textOf("order")).toBe(attack);
  });

  test("does not exist for an unknown challenge", async () => {
    const { sim } = await Merchant.open();
    expect((await Page.open(sim, `${sim.baseUrl}/authenticate/ach_unknown`)).status).toBe(404);
    const posted = await Page.open(sim, `${sim.baseUrl}/authenticate/ach_unknown`, {
      method: "POST",
      body: new URLSearchParams({ result: "pass" }),
    });
    expect(posted.status).toBe(404);
  });
});

describe("the way back", () => {
  test.each([
    ["https://shop.example/thanks", "https://shop.example/thanks?"],
    ["https://shop.example", "https://shop.example/?"],
    ["https://shop.example/thanks?cart=a%20b&flag&x=1+2#top", "https://shop.example/thanks?cart=a%20b&flag&x=1+2&"],
    ["https://shop.example/thanks?status=mine", "https://shop.example/thanks?status=mine&"],
    ["myshop://thanks", "myshop://thanks?"],
  ])("to %s keeps its own query as it was written", async (returnUrl, start) => {
    const merchant = await Merchant.open({ assumptions: { "return.schemes": ["myshop"] } });
    const { id, page } = await challenged(merchant, "gcash", { returnUrl });
    const { location } = await page.press("pass");
    expect(location).toBe(`${start}intentId=${id}&status=processing${new URL(returnUrl).hash}`);
  });

  test("escapes what it adds", async () => {
    const { page } = await challenged(await Merchant.open(), "gcash", {
      returnUrl: "https://shop.example/",
      externalId: "a&b=ç #1",
    });
    const { location } = await page.press("pass");
    expect(new URL(location ?? "").searchParams.get("externalId")).toBe("a&b=ç #1");
  });
});
