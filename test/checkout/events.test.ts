import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("checkout events", () => {
  test.each([
    [
      "completed",
      async (merchant: Merchant, token: string) => merchant.processCheckout(token, "pm_card_approved"),
      ["processing", "completed"],
    ],
    [
      "failed",
      async (merchant: Merchant, token: string) => merchant.processCheckout(token, "pm_card_stolen"),
      ["processing", "failed"],
    ],
    [
      "cancelled",
      async (merchant: Merchant, token: string) => merchant.sim.customer.cancel(`${merchant.sim.baseUrl}/pay/${token}`),
      ["cancelled"],
    ],
    ["expired", async () => undefined, ["expired"]],
  ] as const)("of a session that ends %s carry the fields of webhook.checkout, in order", async (_, act, statuses) => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout({ metadata: { table: 7 } });
    await act(merchant, sessionToken);
    await merchant.sim.clock.advance("1 day");
    const createdAt = statuses[0] === "expired" ? "2026-01-02T00:00:00.000Z" : "2026-01-01T00:00:00.000Z";
    expect(merchant.webhooks).toStrictEqual(
      statuses.map((status) => ({
        id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/) as string,
        type: `checkout.${status}`,
        createdAt,
        status,
        externalId: "order-1",
        sessionToken,
        transactionId: merchant.sim.checkouts.last()?.transactionId,
        amount: 10_000,
        metadata: { table: 7 },
      })),
    );
  });

  test("carry empty metadata for a session without any", async () => {
    const merchant = await Merchant.open();
    const { sessionToken } = await merchant.createCheckout();
    await merchant.processCheckout(sessionToken, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(merchant.webhooks).toMatchObject([{ metadata: {} }, { metadata: {} }]);
  });

  test("go to the session's own webhookUrl, not to the merchant's", async () => {
    const merchant = await Merchant.open({ webhookUrl: "https://shop.example/merchant-hooks" });
    const { sessionToken } = await merchant.createCheckout({ webhookUrl: "https://shop.example/order-1" });
    await merchant.processCheckout(sessionToken, "pm_card_approved");
    expect(merchant.sim.webhooks.events().map(({ url }) => url)).toEqual(["https://shop.example/order-1"]);
  });
});

describe("the embedded payment intent", () => {
  test("sends no events, has no calls, and its id appears in no answer, event or page", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const created = await merchant.createCheckout();
    const { sessionToken, checkoutUrl } = created;
    const seen: unknown[] = [created, merchant.visits, merchant.webhooks];
    const look = async (): Promise<void> => {
      seen.push(
        (await merchant.checkoutSession(sessionToken)).body,
        (await merchant.pollCheckout(sessionToken)).body,
        await (await merchant.sim.fetch(checkoutUrl)).text(),
      );
    };
    await look();
    await merchant.processCheckout(sessionToken, "pm_card_stolen");
    await merchant.sim.clock.settle();
    await look();
    const processed = ok(await merchant.processCheckout(sessionToken, "gcash"));
    seen.push(
      processed,
      (await merchant.processCheckout(sessionToken, "gcash")).body,
      await (await merchant.sim.fetch(processed.redirectUrl)).text(),
    );
    seen.push(await merchant.sim.customer.authenticate(processed.redirectUrl));
    await merchant.sim.clock.settle();
    await look();
    const embedded = merchant.sim.intents.list();
    expect(embedded).toHaveLength(2);
    for (const { id } of embedded) {
      expect(JSON.stringify(seen)).not.toContain(id);
      expect(await merchant.call("GET", `/api/payment-intent/${id}/status`)).toMatchObject({
        status: 404,
        body: { code: "INTENT_NOT_FOUND" },
      });
      expect(await merchant.confirm(id, "pm_card_approved")).toMatchObject({
        status: 404,
        body: { code: "INTENT_NOT_FOUND" },
      });
    }
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.processing", "checkout.completed"]);
  });
});
