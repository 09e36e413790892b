import { createSimulator } from "centavo";
import type { AssumptionOverrides } from "centavo";
import { createClient } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import { deliverTwiceAtOnce, forgeDelivery } from "centavo/testing";
import type { Forgery } from "centavo/testing";
import { verifyWebhook } from "centavo/webhooks";
import type { VerifyWebhookOptions } from "centavo/webhooks";
import { describe, expect, test } from "vitest";

const SHOP = "https://shop.example";

interface ShopOptions {
  readonly assumptions?: AssumptionOverrides;
  readonly verifying?: VerifyWebhookOptions;
  /** What is between the look at the order and the parcel. */
  readonly pause?: () => Promise<unknown>;
  readonly isCareless?: boolean;
}

/** A shop that sends a parcel for each paid order, and one order that waits for its customer. */
async function openShop({ assumptions = {}, verifying = {}, pause, isCareless = false }: ShopOptions = {}) {
  const sim = createSimulator({ webhookUrl: `${SHOP}/hooks`, clock: "manual", assumptions });
  const parcels: string[] = [];
  const order = { status: "pending" };
  const overlaps = { now: 0, most: 0 };
  sim.connect(SHOP, async (request) => {
    overlaps.now += 1;
    overlaps.most = Math.max(overlaps.most, overlaps.now);
    try {
      const secret = sim.credentials.webhookSecret;
      const event = isCareless
        ? ((await request.json()) as { id: string; type: string })
        : await verifyWebhook(request, secret, verifying);
      if (!/\.(succeeded|completed|activated)$/.test(event.type) || order.status === "paid") return new Response();
      if (pause !== undefined) await pause();
      order.status = "paid";
      parcels.push(event.id);
      return new Response();
    } catch {
      return new Response(null, { status: 401 });
    } finally {
      overlaps.now -= 1;
    }
  });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id: intentId } = await client.paymentIntents.create({ amount: 49_900 });
  return { sim, client, parcels, intentId, overlaps };
}

/** A shop whose order was paid, and whose customer's payment it has not been told of. */
async function openPaidShop(options: ShopOptions = {}) {
  const shop = await openShop(options);
  const { sim, client, intentId } = shop;
  sim.faults.add({ kind: "webhook.drop", event: "payment_intent.*" });
  await client.paymentIntents.confirm(intentId, { paymentMethodId: "pm_card_approved" });
  await sim.clock.advance("1 minute");
  const eventId = sim.webhooks.events({ type: "payment_intent.succeeded" })[0]?.id ?? "";
  return { ...shop, eventId };
}

const answered = (status: number) => ({ kind: "answered", status });

describe("deliverTwiceAtOnce", () => {
  test("has both deliveries under way together, so that a shop that looks first and acts later sends two parcels", async () => {
    const { sim, eventId, parcels, overlaps } = await openPaidShop({ pause: () => Promise.resolve() });
    expect(await deliverTwiceAtOnce(sim, eventId)).toMatchObject([answered(200), answered(200)]);
    expect(overlaps.most).toBe(2);
    expect(parcels).toEqual([eventId, eventId]);
  });

  test("brings a shop that acts in one step to one parcel", async () => {
    const { sim, eventId, parcels } = await openPaidShop();
    await deliverTwiceAtOnce(sim, eventId);
    expect(parcels).toEqual([eventId]);
  });

  test("waits for an answer that depends on the other delivery", async () => {
    let met = 0;
    const both = Promise.withResolvers<void>();
    const pause = (): Promise<void> => {
      met += 1;
      if (met === 2) both.resolve();
      return both.promise;
    };
    const { sim, eventId } = await openPaidShop({ pause });
    expect(await deliverTwiceAtOnce(sim, eventId)).toMatchObject([answered(200), answered(200)]);
  });

  test("changes nothing at the service, and stands in the journal", async () => {
    const { sim, eventId } = await openPaidShop();
    const before = sim.clock.now();
    await deliverTwiceAtOnce(sim, eventId);
    expect(sim.clock.now()).toBe(before);
    expect(sim.webhooks.attempts({ eventId })).toEqual([]);
    const noted = sim.journal.entries.filter(({ kind }) => kind === "hostile");
    expect(noted.map(({ details }) => details)).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ name: "twice at once", status: 200 }) as unknown),
    );
  });
});

describe("forgeDelivery", () => {
  const forgeries: readonly Forgery[] = [
    { kind: "unsigned" },
    { kind: "wrong-signature" },
    { kind: "wrong-secret" },
    { kind: "stale-timestamp" },
    { kind: "stale-timestamp", age: "6 minutes" },
    { kind: "corrupt-body" },
    { kind: "corrupt-body", body: '{"id":"evt_1","type":"payment_intent.succeeded"}' },
  ];

  test.for(forgeries)("a shop that verifies refuses what nobody has paid for: %o", async (forgery) => {
    const { sim, intentId, parcels } = await openShop();
    expect(await forgeDelivery(sim, { intentId }, forgery)).toMatchObject(answered(401));
    expect(parcels).toEqual([]);
    expect(sim.intents.get(intentId)?.status).toBe("requires_payment_method");
    expect(sim.webhooks.events()).toEqual([]);
  });

  test.for(forgeries)("a shop that verifies refuses an event that happened: %o", async (forgery) => {
    const { sim, eventId, parcels } = await openPaidShop();
    expect(await forgeDelivery(sim, { eventId }, forgery)).toMatchObject(answered(401));
    expect(parcels).toEqual([]);
  });

  test.for(forgeries.filter(({ kind }) => kind !== "corrupt-body"))(
    "a shop that verifies nothing sends a parcel for: %o",
    async (forgery) => {
      const { sim, intentId, parcels } = await openShop({ isCareless: true });
      expect(await forgeDelivery(sim, { intentId }, forgery)).toMatchObject(answered(200));
      expect(parcels).toHaveLength(1);
    },
  );

  test("is refused for its kind alone: an age within the tolerance is accepted", async () => {
    const { sim, intentId, parcels } = await openShop();
    const forgery = { kind: "stale-timestamp", age: "4 minutes" } as const;
    expect(await forgeDelivery(sim, { intentId }, forgery)).toMatchObject(answered(200));
    expect(parcels).toHaveLength(1);
  });

  test.for<readonly [AssumptionOverrides, VerifyWebhookOptions]>([
    [{ "webhook.signature": "stripe" }, { scheme: "stripe" }],
    [{ "webhook.signature": "standard-webhooks" }, { scheme: "standard-webhooks" }],
  ])("signs as the service does: %o", async ([assumptions, verifying]) => {
    const { sim, intentId } = await openShop({ assumptions, verifying });
    for (const forgery of forgeries)
      expect(await forgeDelivery(sim, { intentId }, forgery)).toMatchObject(answered(401));
    const fresh = { kind: "stale-timestamp", age: "1 minute" } as const;
    expect(await forgeDelivery(sim, { intentId }, fresh)).toMatchObject(answered(200));
  });

  test.for(["checkout", "subscription"] as const)("says that a %s is paid which is not", async (what) => {
    const { sim, parcels } = await openShop({ isCareless: true });
    const make = fixtures(sim);
    const says =
      what === "checkout"
        ? { sessionToken: (await make.checkout()).sessionToken }
        : { intentId: (await make.subscription({ status: "incomplete" })).latestInvoice.paymentIntent.id };
    expect(await forgeDelivery(sim, says, { kind: "unsigned" })).toMatchObject(answered(200));
    expect(parcels).toHaveLength(1);
  });
});
