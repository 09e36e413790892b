import { verifyWebhook } from "centavo/webhooks";
import { decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP, tokensOf } from "../merchant/requests.ts";
import { promises } from "./promises.ts";

const checks: Readonly<Record<string, () => Promise<void>>> = {
  "A success is `{ success: true, data }`": async () => {
    const merchant = await Merchant.open();
    const { status, body } = await merchant.pollCheckout((await merchant.createCheckout()).sessionToken);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: expect.any(Object) as unknown } });
  },
  "The token service answers an `access_token`, which is a JWT": async () => {
    const { sim } = await Merchant.open();
    expect(decodeProtectedHeader((await tokensOf(sim)).access)).toMatchObject({ alg: "ES256" });
  },
  "After a challenge, the customer returns to the intent's `returnUrl`": async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent({ returnUrl: `${SHOP}/done?order=1` });
    await merchant.confirm(id, "gcash");
    await merchant.sim.customer.authenticate(id);
    expect(merchant.visits).toEqual([expect.stringContaining(`${SHOP}/done?order=1&`)]);
  },
  "After a payment, the customer returns to the session's `returnUrl`": async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout({ returnUrl: `${SHOP}/done` });
    await merchant.sim.customer.pay(checkoutUrl, "pm_card_approved");
    expect(merchant.visits).toEqual([expect.stringContaining(`${SHOP}/done?`)]);
  },
  "An event is a POST with a JSON body to the `webhookUrl`": async () => {
    const { merchant, arrivals } = await paid();
    expect(arrivals[0]?.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(arrivals[0]?.body ?? "")).toMatchObject({ type: "payment_intent.processing" });
    expect(merchant.sim.webhooks.events().map(({ url }) => url)).toEqual([HOOKS, HOOKS]);
  },
  "A receiver that answers 200 gets an event once": async () => {
    const { merchant, arrivals } = await paid();
    await merchant.sim.clock.advance("1 day");
    expect(arrivals).toHaveLength(2);
  },
  "A receiver knows a duplicate by the event's identifier": async () => {
    const { merchant, arrivals } = await paid((count) => new Response(null, { status: count === 1 ? 500 : 200 }));
    await merchant.sim.clock.advance("1 day");
    const ids = arrivals.map(({ body }) => (JSON.parse(body) as { readonly id: string }).id);
    expect([ids.length, new Set(ids).size]).toEqual([3, 2]);
  },
  "A receiver verifies the signature": async () => {
    const { merchant, arrivals } = await paid();
    for (const { headers, body } of arrivals) {
      const { webhookSecret } = merchant.sim.credentials;
      expect(await verifyWebhook({ headers, body }, webhookSecret)).toEqual(JSON.parse(body));
      await expect(verifyWebhook({ headers, body: `${body} ` }, webhookSecret)).rejects.toThrow();
    }
  },
};

/** A merchant whose receiver has heard of a payment. */
async function paid(answer: (count: number) => Response = () => new Response()) {
  const merchant = await Merchant.open({}, (_, count) => answer(count));
  await merchant.pay({ webhookUrl: HOOKS });
  await merchant.sim.clock.settle();
  return { merchant, arrivals: merchant.arrivals };
}

describe("the promises of the conformance table", () => {
  test.for(Object.keys(checks))("%s", async (promise) => {
    await checks[promise]?.();
  });

  test("have a check each", () => {
    expect(promises.map(({ promise }) => promise)).toEqual(Object.keys(checks));
  });
});
