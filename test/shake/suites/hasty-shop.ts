import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClient } from "../../../src/client.ts";
import { simulated } from "../../../src/testing.ts";
import type { TestParts } from "../../../src/testing.ts";

const url = "https://shop.example";
const PRICE = 49_900;
/** A runner takes any text for a title. */
const title = process.env["TITLE"] ?? "a customer reads an event";

interface Told {
  readonly type: string;
  readonly data: { readonly attributes: { readonly externalId?: string } };
}

/** A shop that begins anew when a call has no answer, and fulfils whenever it is told of a payment. */
function open(sim: TestParts["sim"], network: TestParts["network"]) {
  const fulfilled = new Map<string, number>();
  const client = createClient({ ...sim.credentials, baseUrl: network.baseUrl, fetch: network.fetch });
  const pay = async (externalId: string, triesLeft = 1): Promise<void> => {
    try {
      const { id } = await client.paymentIntents.create({ amount: PRICE, externalId });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    } catch (error) {
      if (triesLeft === 0) throw error;
      await pay(externalId, triesLeft - 1);
    }
  };
  sim.connect(url, async (request) => {
    const { type, data } = (await request.json()) as Told;
    const { externalId = "" } = data.attributes;
    if (type === "payment_intent.succeeded") fulfilled.set(externalId, (fulfilled.get(externalId) ?? 0) + 1);
    return new Response();
  });
  return { pay, fulfilled };
}

const options = { webhookUrl: `${url}/hooks`, recording: process.env["RECORDING"] !== "no" };

void describe("the hasty shop", () => {
  void it(
    "a customer pays by card",
    simulated(options, async ({ sim, network }) => {
      const { pay, fulfilled } = open(sim, network);
      await pay("order-1");
      await sim.clock.settle();
      assert.ok(fulfilled.has("order-1"));
    }),
  );

  void it(
    "a customer gets one parcel",
    simulated(options, async ({ sim, network }) => {
      const { pay, fulfilled } = open(sim, network);
      await pay("order-1");
      await sim.clock.settle();
      assert.equal(fulfilled.get("order-1"), 1);
    }),
  );

  void it(
    title,
    simulated(options, async ({ sim, network }) => {
      const { pay } = open(sim, network);
      await pay("order-2");
      await sim.clock.settle();
      assert.equal(sim.webhooks.attempts().length, 2);
    }),
  );

  void it(
    "a customer goes away",
    simulated(options, async ({ sim }) => {
      await sim.clock.settle();
      assert.fail("This test fails already.");
    }),
  );
});
