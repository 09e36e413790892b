import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

describe("the customer", () => {
  test.each([
    ["a readable id", "pm_card_approved"],
    ["a kind", "card"],
    ["a card in full", cardWith("4343434343434345")],
  ])("pays by %s, and never moves the clock", async (_, method) => {
    const merchant = await Merchant.open();
    const { checkoutUrl, sessionToken } = await merchant.createCheckout();
    const visit = await merchant.sim.customer.pay(checkoutUrl, method);
    const redirectedTo = `https://shop.example/thanks?sessionToken=${sessionToken}&externalId=order-1&status=processing`;
    expect(visit).toEqual({ status: "processing", redirectedTo });
    expect(merchant.sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    expect(merchant.webhooks).toEqual([]);
    await merchant.sim.clock.settle();
    expect(merchant.sim.checkouts.last()?.status).toBe("completed");
  });

  test("is led to a wallet's page, and acts there", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const { status, redirectedTo = "" } = await merchant.sim.customer.pay(checkoutUrl, "gcash");
    expect([status, redirectedTo]).toEqual(["processing", expect.stringContaining("/authenticate/ach_")]);
    expect(merchant.visits).toEqual([]);
    const { status: after } = await merchant.sim.customer.failAuthentication(redirectedTo);
    expect(after).toBe("processing");
    await merchant.sim.clock.settle();
    expect(merchant.sim.checkouts.last()?.status).toBe("failed");
  });

  test("sees on the page what is wrong with a card, and stays there", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const { customer } = merchant.sim;
    const invalid = { status: "pending", problem: "The card number is invalid" };
    expect(await customer.pay(checkoutUrl, cardWith("4343434343434346"))).toEqual(invalid);
    expect(await customer.pay(checkoutUrl, cardWith("4343434343434345", { cvc: "" }))).toEqual({
      status: "pending",
      problem: "Check the card's number, expiry date and CVC",
    });
    expect(await customer.pay(checkoutUrl, "pm_unknownUnknownUnknown000")).toEqual({
      status: "pending",
      problem: "The payment method is invalid",
    });
    expect(merchant.visits).toEqual([]);
  });

  test("gives up", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    expect((await merchant.sim.customer.cancel(checkoutUrl)).status).toBe("cancelled");
    await merchant.sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["checkout.cancelled"]);
  });

  test("leaves any page without a trace but in the journal", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl, sessionToken } = await merchant.createCheckout();
    const { redirectUrl } = ok(await merchant.processCheckout(sessionToken, "gcash"));
    const { tables } = merchant.sim.snapshot().world;
    for (const url of [checkoutUrl, redirectUrl])
      expect(await merchant.sim.customer.abandon(url)).toEqual({ status: "processing" });
    expect(merchant.sim.snapshot().world.tables).toEqual(tables);
    const acts = merchant.sim.journal.entries
      .filter(({ kind }) => kind === "customer")
      .map(({ details }) => details["act"]);
    expect(acts).toEqual(["abandon", "abandon"]);
  });

  test("uses the routes that a browser would, and the journal says so", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl, sessionToken } = await merchant.createCheckout();
    await merchant.sim.customer.pay(checkoutUrl, "pm_card_approved");
    const requests = merchant.sim.journal.entries.filter(({ kind }) => kind === "request").slice(-2);
    expect(requests.map(({ details }) => [details["method"], details["path"], details["caller"]])).toEqual([
      ["GET", `/pay/${sessionToken.slice(0, 8)}…`, "nobody"],
      ["POST", `/pay/${sessionToken.slice(0, 8)}…`, "nobody"],
    ]);
  });
});

describe("on a page that is closed, the customer", () => {
  test("changes nothing on the hosted page, and is led back with the final status", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    await merchant.sim.customer.cancel(checkoutUrl);
    const before = merchant.sim.checkouts.last();
    const visit = { status: "cancelled", redirectedTo: expect.stringContaining("status=cancelled") as string };
    expect(await merchant.sim.customer.pay(checkoutUrl, "card")).toEqual(visit);
    expect(await merchant.sim.customer.cancel(checkoutUrl)).toEqual(visit);
    expect(merchant.sim.checkouts.last()).toEqual(before);
  });

  test.each(["succeeded", "failed"])("changes nothing on a challenge that has %s", async (end) => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent({ returnUrl: "https://shop.example/thanks" });
    const { redirectUrl } = ok(await merchant.confirm(id, "gcash"));
    const { customer } = merchant.sim;
    await (end === "succeeded" ? customer.authenticate(redirectUrl) : customer.failAuthentication(redirectUrl));
    await merchant.sim.clock.settle();
    const visit = { status: end, redirectedTo: `https://shop.example/thanks?intentId=${id}&status=${end}` };
    expect(await customer.authenticate(redirectUrl)).toEqual(visit);
    expect(await customer.failAuthentication(redirectUrl)).toEqual(visit);
    expect(await customer.abandon(redirectUrl)).toEqual({ status: end });
    expect(merchant.sim.intents.get(id)?.status).toBe(end);
  });
});
