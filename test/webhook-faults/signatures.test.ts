import { createSimulator, type Fault, type SimulatorOptions } from "centavo";
import express from "express";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { receive, merchantWith } from "./verifying-merchant.ts";

const signatures = ["paymongo", "stripe", "standard-webhooks"] as const;

/** How the merchant's code verifies the first attempt, on which a fault fires, and the second. */
async function twoAttempts(fault: Fault, assumptions: SimulatorOptions["assumptions"] = {}, mode?: "test" | "live") {
  const { sim, merchant, received } = await merchantWith([{ ...fault, nth: 1 }], {
    options: { assumptions },
    verify: { mode },
    answer: ({ refusal }) => new Response(null, { status: refusal === undefined ? 200 : 400 }),
  });
  await merchant.pay({}, "pm_display_details");
  await sim.clock.advance("10 seconds");
  return { sim, received, refusals: received.map(({ refusal }) => refusal) };
}

describe.each(signatures)(
  "under %s, the merchant's verification refuses once, and accepts the retry, when",
  (scheme) => {
    const assumptions = { "webhook.signature": scheme };

    test("the body was changed on the way, and is JSON still", async () => {
      const { received, refusals } = await twoAttempts({ kind: "webhook.corrupt-body" }, assumptions);
      expect(refusals).toEqual([
        expect.stringContaining("WEBHOOK_VERIFICATION_FAILED: verifyWebhook: no signature"),
        undefined,
      ]);
      const [corrupt, whole] = received.map(
        ({ body }) => JSON.parse(body) as { data: { attributes: { amount: number } } },
      );
      expect(corrupt?.data.attributes.amount).toBe(10001);
      expect(whole?.data.attributes.amount).toBe(10000);
    });

    test("it was signed with another secret", async () => {
      const { received, refusals } = await twoAttempts({ kind: "webhook.wrong-secret" }, assumptions);
      expect(refusals).toEqual([expect.stringContaining("no signature"), undefined]);
      expect(received[0]?.body).toBe(received[1]?.body);
    });

    test("its stamp is ten minutes old, and truly signed", async () => {
      const { refusals } = await twoAttempts({ kind: "webhook.stale-timestamp" }, assumptions);
      expect(refusals).toEqual([
        expect.stringMatching(/the signature is right, but its stamp is 60\d s old/),
        undefined,
      ]);
    });

    test("its stamp is as old as was asked for", async () => {
      const { refusals } = await twoAttempts({ kind: "webhook.stale-timestamp", age: "1 day" }, assumptions);
      expect(refusals).toEqual([expect.stringMatching(/864\d\d s old/), undefined]);
      const { refusals: none } = await twoAttempts({ kind: "webhook.stale-timestamp", age: "1 minute" }, assumptions);
      expect(none).toEqual([undefined]);
    });

    test("the signature is the other mode's", async () => {
      const { refusals } = await twoAttempts({ kind: "webhook.other-mode" }, assumptions, "test");
      expect(refusals).toEqual([expect.stringContaining("WEBHOOK_VERIFICATION_FAILED"), undefined]);
    });
  },
);

test("a body may be corrupted into anything", async () => {
  const { received, refusals } = await twoAttempts({ kind: "webhook.corrupt-body", body: '{"id":' });
  expect(received[0]?.body).toBe('{"id":');
  expect(refusals).toEqual([expect.stringContaining("no signature"), undefined]);
});

test("a spaced body is corrupted too, and is JSON still", async () => {
  const { received } = await twoAttempts({ kind: "webhook.corrupt-body" }, { "webhook.body": "spaced" });
  expect(JSON.parse(received[0]?.body ?? "")).not.toEqual(JSON.parse(received[1]?.body ?? ""));
  expect(received[0]?.refusal).toContain("no signature");
});

describe("PayMongo's signature of the live mode", () => {
  test("stands in li, and te is empty", async () => {
    const { sim, merchant } = await merchantWith([{ kind: "webhook.other-mode", times: 1 }]);
    const headers: (string | null)[] = [];
    sim.connect(SHOP, (request) => {
      headers.push(request.headers.get("x-webhook-signature"));
      return new Response(null, { status: headers.length === 1 ? 400 : 200 });
    });
    await merchant.pay({}, "pm_display_details");
    await sim.clock.advance("2 seconds");
    expect(headers[0]).toMatch(/^t=\d+,te=,li=[\da-f]{64}$/);
    expect(headers[1]).toMatch(/^t=\d+,te=[\da-f]{64},li=$/);
  });

  test("is accepted by a receiver of that mode, and by one that asks for none", async () => {
    expect((await twoAttempts({ kind: "webhook.other-mode" }, {}, "live")).refusals[0]).toBeUndefined();
    expect((await twoAttempts({ kind: "webhook.other-mode" })).refusals).toEqual([undefined]);
  });
});

test("the schemes' own libraries refuse a wrong signature", async () => {
  const kinds = [
    "webhook.corrupt-body",
    "webhook.wrong-secret",
    "webhook.stale-timestamp",
    "webhook.other-mode",
  ] as const;
  for (const kind of kinds) {
    const sim = createSimulator({ webhookUrl: HOOKS, assumptions: { "webhook.signature": "standard-webhooks" } });
    const library = new Webhook(sim.credentials.webhookSecret);
    const outcomes: string[] = [];
    sim.connect(SHOP, async (request) => {
      try {
        library.verify(await request.text(), Object.fromEntries(request.headers));
        outcomes.push("accepted");
      } catch (error) {
        outcomes.push(String(error));
      }
      return new Response(null, { status: outcomes.length === 1 ? 400 : 200 });
    });
    sim.faults.add({ kind, times: 1 });
    const merchant = await Merchant.of(sim);
    await merchant.pay({}, "pm_display_details");
    await sim.clock.advance("2 seconds");
    expect(outcomes, kind).toEqual([expect.stringContaining("Error"), "accepted"]);
  }
});

test("an Express app over a socket sees the same", async () => {
  const sim = createSimulator({ webhookUrl: HOOKS });
  await using _ = sim;
  const outcomes: string[] = [];
  const app = express().post("/hooks", express.raw({ type: "application/json" }), async (request, response) => {
    const headers = new Headers(Object.entries(request.headers) as [string, string][]);
    const body = String(request.body as Buffer);
    const { event, refusal } = await receive({ headers, body }, sim.credentials.webhookSecret);
    outcomes.push(event?.type ?? refusal?.slice(0, 56) ?? "");
    response.sendStatus(event === undefined ? 400 : 200);
  });
  sim.connect(SHOP, app);
  sim.faults.add({ kind: "webhook.wrong-secret", times: 1 });
  const merchant = await Merchant.of(sim);
  await merchant.pay({}, "pm_display_details");
  await sim.clock.advance("2 seconds");
  expect(outcomes).toEqual([
    "WEBHOOK_VERIFICATION_FAILED: verifyWebhook: no signature",
    "payment_intent.requires_action",
  ]);
});

test("what is wrong with one attempt adds up", async () => {
  const { sim, received } = await twoAttempts({ kind: "webhook.stale-timestamp" });
  expect(sim.faults.list()[0]?.hits).toBe(1);
  expect(received).toHaveLength(2);
  const both = await merchantWith([
    { kind: "webhook.corrupt-body", times: 1 },
    { kind: "webhook.stale-timestamp", times: 1 },
  ]);
  await both.merchant.pay({}, "pm_display_details");
  await both.sim.clock.settle();
  expect(both.sim.faults.unused()).toEqual([]);
  expect(both.received[0]?.refusal).toContain("no signature");
});
