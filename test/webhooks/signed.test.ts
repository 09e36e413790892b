import { createSimulator, type SimulatorOptions } from "centavo";
import { verifyWebhook, type WebhookScheme } from "centavo/webhooks";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Arrival, Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

type Assumptions = NonNullable<SimulatorOptions["assumptions"]>;

async function deliver(assumptions: Assumptions): Promise<{ arrivals: Arrival[]; secret: string }> {
  const merchant = await Merchant.open({ assumptions });
  const { sim, arrivals } = merchant;
  await merchant.pay({ webhookUrl: HOOKS, metadata: { note: "páid / 15" } });
  await sim.clock.settle();
  expect(arrivals).toHaveLength(2);
  return { arrivals, secret: sim.credentials.webhookSecret };
}

describe("every delivery is signed so that the merchant can verify it", () => {
  const schemes: [WebhookScheme, string][] = [
    ["paymongo", "x-webhook-signature"],
    ["stripe", "stripe-signature"],
    ["standard-webhooks", "webhook-signature"],
  ];
  for (const format of ["compact", "spaced"] as const) {
    test.each(schemes)(`as %s does, in the header %s, with a ${format} body`, async (scheme, header) => {
      const { arrivals, secret } = await deliver({ "webhook.signature": scheme, "webhook.body": format });
      for (const { headers, body } of arrivals) {
        expect(headers.get(header)).not.toBeNull();
        expect(await verifyWebhook({ headers, body }, secret, { scheme })).toEqual(JSON.parse(body));
        await expect(verifyWebhook({ headers, body: `${body} ` }, secret)).rejects.toMatchObject({
          code: "WEBHOOK_VERIFICATION_FAILED",
        });
      }
    });
  }

  for (const header of ["Shop-Signature", "X-Hook"]) {
    test.each(schemes)(`as %s does, in the header ${header} that the merchant expects`, async (scheme, usual) => {
      const { arrivals, secret } = await deliver({ "webhook.signature": { scheme, header } });
      const [{ headers, body }] = arrivals as [Arrival];
      expect(headers.has(usual)).toBe(false);
      expect(await verifyWebhook({ headers, body }, secret, { scheme, headerName: header })).toMatchObject({
        type: "payment_intent.processing",
      });
    });
  }

  test("so that the library of Standard Webhooks verifies it too", async () => {
    const { arrivals, secret } = await deliver({ "webhook.signature": "standard-webhooks" });
    for (const { headers, body } of arrivals) {
      expect(new Webhook(secret).verify(body, Object.fromEntries(headers))).toEqual(JSON.parse(body));
      expect(headers.get("webhook-id")).toBe((JSON.parse(body) as { id: string }).id);
    }
  });

  test("and a spaced body fails for a merchant that serializes it again before verifying", async () => {
    const { arrivals, secret } = await deliver({ "webhook.body": "spaced" });
    const [{ headers, body }] = arrivals as [Arrival];
    const rewritten = JSON.stringify(JSON.parse(body));
    await expect(verifyWebhook({ headers, body: rewritten }, secret)).rejects.toMatchObject({
      code: "WEBHOOK_VERIFICATION_FAILED",
    });
  });

  test("with the secret of the merchant whom the event concerns", async () => {
    const sim = createSimulator();
    const first = await Merchant.of(sim);
    const webhookUrl = "https://other.example/hooks";
    const other = await first.neighbour({ name: "Other", email: "other@example.com", webhookUrl });
    other.connect(undefined, "https://other.example");
    await other.pay({});
    await sim.clock.settle();

    const [arrival] = other.arrivals as [Arrival];
    expect(await verifyWebhook(arrival, other.credentials.webhookSecret)).toMatchObject({
      type: "payment_intent.processing",
    });
    await expect(verifyWebhook(arrival, sim.credentials.webhookSecret)).rejects.toThrow(/signature/);
  });
});

describe("the stamp", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const stampOf = ({ headers }: Arrival): number =>
    Number(/^t=(\d+),/.exec(headers.get("x-webhook-signature") ?? "")?.[1]);

  test("is the receiver's time by default, fresh on every attempt, and verified against its own Date", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2031-05-05T00:00:00Z") });
    const merchant = await Merchant.open({}, (_, count) => {
      vi.setSystemTime(Date.now() + 60_000);
      return new Response(null, { status: count === 1 ? 500 : 200 });
    });
    const { sim, arrivals } = merchant;
    await merchant.pay();
    await sim.clock.advance("2 seconds");
    const start = Date.parse("2031-05-05T00:00:00Z") / 1000;
    expect(arrivals.map(stampOf)).toEqual([start, start + 60, start + 120]);

    const retried = arrivals[2] as Arrival;
    expect(await verifyWebhook(retried, sim.credentials.webhookSecret)).toEqual(JSON.parse(arrivals[0]?.body ?? ""));
  });

  test("is the simulator's time by value", async () => {
    const merchant = await Merchant.open(
      {
        assumptions: { "webhook.stamp": "virtual" },
      },
      (_, count) => new Response(null, { status: count === 1 ? 500 : 200 }),
    );
    const { sim, arrivals } = merchant;
    await merchant.pay();
    await sim.clock.advance("2 seconds");
    const start = Date.parse("2026-01-01T00:00:00Z") / 1000;
    expect(arrivals.map(stampOf)).toEqual([start, start, start + 2]);
    const now = () => sim.clock.now();
    expect(await verifyWebhook(arrivals[2] as Arrival, sim.credentials.webhookSecret, { now })).toMatchObject({
      type: "payment_intent.processing",
    });
  });
});
