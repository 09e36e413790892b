import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("checkout events", () => {
  test.each([
    [
      "completed",
      async (shop: Merchant, token: string) => shop.processCheckout(token, "pm_card_approved"),
      ["processing", "completed"],
    ],
    [
      "failed",
      async (shop: Merchant, token: string) => shop.processCheckout(token, "pm_card_stolen"),
      ["processing", "failed"],
    ],
    [
      "cancelled",
      async (shop: Merchant, token: string) => shop.sim.customer.cancel(`${shop.sim.baseUrl}/pay/${token}`),
      ["cancelled"],
    ],
    ["expired", async () => undefined, ["expired"]],
  ] as const)("of a session that ends %s carry the fields of webhook.checkout, in order", async (_, act, statuses) => {
    const shop = await Merchant.open();
    const { sessionToken } = await shop.createCheckout({ metadata: { table: 7 } });
    await act(shop, sessionToken);
    await shop.sim.clock.advance("1 day");
    const createdAt = statuses[0] === "expired" ? "2026-01-02T00:00:00.000Z" : "2026-01-01T00:00:00.000Z";
    expect(shop.webhooks).toStrictEqual(
      statuses.map((status) => ({
        id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/) as string,
        type: `checkout.${status}`,
        createdAt,
        status,
        externalId: "order-1",
        sessionToken,
        transactionId: shop.sim.checkouts.last()?.transactionId,
        amount: 10_000,
        metadata: { table: 7 },
      })),
    );
  });

  test("go to the session's own webhookUrl, not to the merchant's", async () => {
    const shop = await Merchant.open({ webhookUrl: "https://shop.example/merchant-hooks" });
    const { sessionToken } = await shop.createCheckout({ webhookUrl: "https://shop.example/order-1" });
    await shop.processCheckout(sessionToken, "pm_card_approved");
    expect(shop.sim.webhooks.events().map(({ url }) => url)).toEqual(["https://shop.example/order-1"]);
  });
});

describe("the embedded payment intent", () => {
  test("sends no events, has no calls, and its id appears in no answer, event or page", async () => {
    const shop = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const created = await shop.createCheckout();
    const { sessionToken, checkoutUrl } = created;
    const seen: unknown[] = [created, shop.visits, shop.webhooks];
    const look = async (): Promise<void> => {
      seen.push(
        (await shop.checkoutSession(sessionToken)).body,
        (await shop.pollCheckout(sessionToken)).body,
        await (await shop.sim.fetch(checkoutUrl)).text(),
      );
    };
    await look();
    await shop.processCheckout(sessionToken, "pm_card_stolen");
    await shop.sim.clock.settle();
    await look();
    const processed = ok(await shop.processCheckout(sessionToken, "gcash"));
    seen.push(
      processed,
      (await shop.processCheckout(sessionToken, "gcash")).body,
      await (await shop.sim.fetch(processed.redirectUrl)).text(),
    );
    seen.push(await shop.sim.customer.authenticate(processed.redirectUrl));
    await shop.sim.clock.settle();
    await look();
    const embedded = shop.sim.intents.list();
    expect(embedded).toHaveLength(2);
    for (const { id } of embedded) {
      expect(JSON.stringify(seen)).not.toContain(id);
      expect(await shop.call("GET", `/api/payment-intent/${id}/status`)).toMatchObject({
        status: 404,
        body: { code: "INTENT_NOT_FOUND" },
      });
      expect(await shop.confirm(id, "pm_card_approved")).toMatchObject({
        status: 404,
        body: { code: "INTENT_NOT_FOUND" },
      });
    }
    expect(shop.eventTypes).toEqual(["checkout.processing", "checkout.processing", "checkout.completed"]);
  });
});
