import { type Fault, testMethods } from "centavo";
import { describe, expect, test } from "vitest";
import { declineCodes } from "../../src/service/payment-methods/test-methods.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

describe("processor.decline", () => {
  test.each(declineCodes)("declines an approved card with %s, later, as most declines come", async (code) => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.decline", code });
    const { id } = await shop.createIntent();
    expect(ok(await shop.confirm(id, "pm_card_approved")).status).toBe("processing");
    await shop.sim.clock.settle();
    expect(shop.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: code });
    expect(shop.eventTypes).toEqual(["payment_intent.processing", "payment_intent.failed"]);
  });

  const challenged = new Set(testMethods.filter(({ challenge }) => challenge !== undefined).map(({ id }) => id));

  test.each(testMethods.map(({ id }) => id))("takes the place of what %s would have answered", async (method) => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.decline", code: "fraudulent" });
    const { id } = await shop.createIntent();
    const { status, redirectUrl } = ok(await shop.confirm(id, method));
    expect(status).toBe(challenged.has(method) ? "requires_action" : "processing");
    if (challenged.has(method)) await shop.sim.customer.authenticate(redirectUrl ?? id);
    await shop.sim.clock.settle();
    expect(shop.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "fraudulent" });
  });

  test("comes after the method's challenge, and does not stand for one that was failed", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.decline", code: "stolen_card" });
    const { id } = await shop.createIntent();
    const { redirectUrl } = ok(await shop.confirm(id, "pm_card_challenge"));
    await shop.sim.customer.failAuthentication(redirectUrl);
    await shop.sim.clock.settle();
    expect(shop.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "authentication_failed" });
    // It was chosen where the payment was confirmed, and counts from there.
    expect(shop.sim.faults.list()).toMatchObject([{ occasions: 1, hits: 1 }]);
    expect(shop.sim.faults.unused()).toEqual([]);
  });

  test("that is synchronous comes before the challenge, and answers 402 for insufficient_funds", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.decline", code: "insufficient_funds", synchronous: true });
    const { id } = await shop.createIntent();
    const { status, body } = await shop.confirm(id, "pm_card_challenge");
    expect([status, body.code]).toEqual([402, "INSUFFICIENT_FUNDS"]);
    expect(shop.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "insufficient_funds" });
    await shop.sim.clock.settle();
    expect(shop.eventTypes).toEqual(["payment_intent.processing", "payment_intent.failed"]);
    expect(shop.sim.clock.pending()).toEqual([]);
  });

  test("that is synchronous with another code answers 200 and failed", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.decline", code: "blocked", synchronous: true });
    const { id } = await shop.createIntent();
    expect(ok(await shop.confirm(id, "pm_card_approved")).status).toBe("failed");
    expect(shop.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "blocked" });
  });

  test("makes a decline of the call one that comes later unless it is synchronous itself", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.decline", code: "blocked" });
    const { id } = await shop.createIntent();
    expect(ok(await shop.confirm(id, "pm_card_insufficient_funds")).status).toBe("processing");
  });

  test("declines a checkout session, which may be tried again once the fault is spent", async () => {
    const shop = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const fault = shop.sim.faults.add({
      kind: "processor.decline",
      code: "insufficient_funds",
      synchronous: true,
      times: 1,
    });
    const { sessionToken } = await shop.createCheckout();
    expect((await shop.processCheckout(sessionToken, "pm_card_approved")).status).toBe(402);
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("pending");
    ok(await shop.processCheckout(sessionToken, "pm_card_approved"));
    await shop.sim.clock.settle();
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("completed");
    expect(fault.hits).toBe(1);
  });
});

describe("processor.unavailable", () => {
  test("answers 500 and leaves the intent as it was, as often as it says", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.unavailable", times: 3 });
    const { id } = await shop.createIntent();
    const before = shop.sim.intents.get(id);
    for (const _ of [1, 2, 3]) {
      const { status, body } = await shop.confirm(id, "pm_card_approved");
      expect([status, body.code]).toEqual([500, "INTERNAL_ERROR"]);
      expect(shop.sim.intents.get(id)).toEqual(before);
    }
    await shop.sim.clock.settle();
    expect(shop.eventTypes).toEqual([]);
    expect(ok(await shop.confirm(id, "pm_card_approved")).status).toBe("processing");
    await shop.sim.clock.settle();
    expect(shop.sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("is not kept under an idempotency key, so that the same call may be sent again", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.unavailable", times: 1 });
    const { id } = await shop.createIntent();
    const key = { "idempotency-key": "one" };
    expect((await shop.confirm(id, "pm_card_approved", key)).status).toBe(500);
    expect((await shop.confirm(id, "pm_card_approved", key)).status).toBe(200);
  });

  test("does not use up the one failure of pm_card_processor_unavailable", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.unavailable", times: 1 });
    const { id } = await shop.createIntent();
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await shop.confirm(id, "pm_card_processor_unavailable")).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test("leaves a checkout session pending for the next try", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.unavailable", until: "2026-01-01T02:00:00Z" });
    const { sessionToken } = await shop.createCheckout();
    expect((await shop.processCheckout(sessionToken, "pm_card_approved")).status).toBe(500);
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("pending");
    await shop.sim.clock.advance("2 hours");
    ok(await shop.processCheckout(sessionToken, "pm_card_approved"));
    await shop.sim.clock.settle();
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("completed");
  });
});

describe("processor.stuck", () => {
  test("keeps a payment in processing for good, without a timer on the clock", async () => {
    const shop = await Merchant.open();
    const fault = shop.sim.faults.add({ kind: "processor.stuck" });
    const { id } = await shop.createIntent();
    expect(ok(await shop.confirm(id, "pm_card_approved")).status).toBe("processing");
    await shop.sim.clock.settle();
    expect(shop.sim.clock.pending()).toEqual([]);
    await shop.sim.clock.advance("1 year");
    expect(shop.sim.intents.get(id)?.status).toBe("processing");
    expect(shop.eventTypes).toEqual(["payment_intent.processing"]);

    fault.remove();
    await shop.sim.clock.advance("30 days");
    expect(shop.sim.intents.get(id)?.status).toBe("processing");
    const other = await shop.createIntent();
    await shop.confirm(other.id, "pm_card_approved");
    await shop.sim.clock.settle();
    expect(shop.sim.intents.get(other.id)?.status).toBe("succeeded");
  });

  test("keeps it there after a passed challenge, and not after one that was failed or left", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.stuck", times: 3 });
    const [passed, failed, left] = await Promise.all(
      ["passed", "failed", "left"].map(async () => {
        const { id } = await shop.createIntent();
        return ok(await shop.confirm(id, "pm_card_challenge"));
      }),
    );
    await shop.sim.customer.authenticate(passed?.redirectUrl ?? "");
    await shop.sim.customer.failAuthentication(failed?.redirectUrl ?? "");
    await shop.sim.clock.advance("2 hours");
    const ends = [passed, failed, left].map((intent) => shop.sim.intents.get(intent?.id ?? ""));
    expect(ends.map((intent) => [intent?.status, intent?.declineCode])).toEqual([
      ["processing", undefined],
      ["failed", "authentication_failed"],
      ["failed", "authentication_expired"],
    ]);
  });

  test("keeps a session in processing beyond its expiresAt", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.stuck" });
    const { sessionToken } = await shop.createCheckout();
    ok(await shop.processCheckout(sessionToken, "pm_card_approved"));
    await shop.sim.clock.advance("30 days");
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("processing");
    expect(shop.eventTypes).toEqual(["checkout.processing"]);
  });

  test("is refused a second confirmation and a cancellation, as any payment in processing", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.stuck" });
    const { id } = await shop.createIntent();
    await shop.confirm(id, "pm_card_approved");
    expect((await shop.confirm(id, "pm_card_approved")).body.code).toBe("INTENT_ALREADY_CONFIRMED");
    expect(() => shop.sim.intents.cancel(id)).toThrow(/processing/);
  });

  test("stays so in a world that is restored and in a fork", async () => {
    const shop = await Merchant.open();
    const { id } = await shop.createIntent();
    shop.sim.faults.add({ kind: "processor.stuck" });
    await shop.confirm(id, "pm_card_approved");
    const snapshot = structuredClone(shop.sim.snapshot());
    const fork = shop.sim.fork();
    shop.sim.reset();
    shop.sim.restore(snapshot);
    for (const sim of [shop.sim, fork]) {
      await sim.clock.advance("1 day");
      expect(sim.intents.get(id)?.status).toBe("processing");
    }
  });
});

describe("processor.late", () => {
  test.each([
    ["pm_card_approved", { status: "succeeded" }],
    ["pm_card_lost", { status: "failed", declineCode: "lost_card" }],
  ])("makes processing last so long, after which %s ends as it does", async (method, end) => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.late", delay: { hours: 40 } });
    const { id } = await shop.createIntent();
    expect(ok(await shop.confirm(id, method)).status).toBe("processing");
    await shop.sim.clock.advance({ hours: 39, minutes: 59, seconds: 59, milliseconds: 999 });
    expect(shop.sim.intents.get(id)?.status).toBe("processing");
    await shop.sim.clock.advance("1 ms");
    expect(shop.sim.intents.get(id)).toMatchObject(end);
    expect(shop.eventTypes).toHaveLength(2);
  });

  test("counts from the moment at which the challenge is passed", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.late", delay: "1 hour" });
    const { id } = await shop.createIntent();
    const { redirectUrl } = ok(await shop.confirm(id, "pm_card_challenge"));
    await shop.sim.clock.advance("30 minutes");
    await shop.sim.customer.authenticate(redirectUrl);
    await shop.sim.clock.advance({ milliseconds: 3_599_999 });
    expect(shop.sim.intents.get(id)?.status).toBe("processing");
    await shop.sim.clock.advance("1 ms");
    expect(shop.sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("does not hold up a failed challenge, which never reaches the processor", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.late", delay: "1 day" });
    const { id } = await shop.createIntent();
    const { redirectUrl } = ok(await shop.confirm(id, "pm_card_challenge"));
    await shop.sim.customer.failAuthentication(redirectUrl);
    const { world } = shop.sim.snapshot();
    expect(world, "plain JSON, as every world").toStrictEqual(JSON.parse(JSON.stringify(world)));
    await shop.sim.clock.settle();
    expect(shop.sim.intents.get(id)?.status).toBe("failed");
  });

  test("lets a session succeed after the merchant gave it up: at expiresAt it is still processing, and then completed", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ kind: "processor.late", delay: "30 hours" });
    const { sessionToken, expiresAt } = await shop.createCheckout();
    ok(await shop.processCheckout(sessionToken, "pm_card_approved"));
    await shop.sim.clock.advanceTo(expiresAt);
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("processing");
    await shop.sim.clock.advance("6 hours");
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("completed");
    expect(shop.eventTypes).toEqual(["checkout.processing", "checkout.completed"]);
  });

  test("that declines a session after its expiresAt leaves no further try", async () => {
    const shop = await Merchant.open({ assumptions: { "checkout.retry": 3 } });
    shop.sim.faults.add({ kind: "processor.late", delay: "30 hours" });
    const { sessionToken } = await shop.createCheckout();
    ok(await shop.processCheckout(sessionToken, "pm_card_blocked"));
    await shop.sim.clock.advance("30 hours");
    expect(ok(await shop.pollCheckout(sessionToken)).status).toBe("failed");
    expect(shop.eventTypes).toEqual(["checkout.processing", "checkout.failed"]);
  });

  test("may be shorter than the processing time, which stays that of all other payments", async () => {
    const shop = await Merchant.open({ assumptions: { "intent.processing-time": "1 hour" } });
    shop.sim.faults.add({ kind: "processor.late", delay: "1 minute", times: 1 });
    const [early, usual] = [await shop.createIntent(), await shop.createIntent()];
    for (const { id } of [early, usual]) await shop.confirm(id, "pm_card_approved");
    await shop.sim.clock.advance("1 minute");
    const statuses = () => [early, usual].map(({ id }) => shop.sim.intents.get(id)?.status);
    expect(statuses()).toEqual(["succeeded", "processing"]);
    await shop.sim.clock.advance("59 minutes");
    expect(statuses()).toEqual(["succeeded", "succeeded"]);
  });
});

describe("of several faults on one charge", () => {
  test("the first that bites decides the answer, the first how long it takes, and the others have no occasion", async () => {
    const shop = await Merchant.open();
    const { faults } = shop.sim;
    const added = (
      [
        { kind: "processor.late", delay: "1 hour", times: 1 },
        { kind: "processor.decline", code: "lost_card", times: 1 },
        { kind: "processor.decline", code: "stolen_card" },
        { kind: "processor.stuck" },
      ] satisfies Fault[]
    ).map((fault) => faults.add(fault));
    const [first, second] = [await shop.createIntent(), await shop.createIntent()];
    await shop.confirm(first.id, "pm_card_approved");
    expect(added.map(({ hits }) => hits)).toEqual([1, 1, 0, 0]);
    expect(faults.list().map(({ occasions }) => occasions)).toEqual([1, 1, 0, 0]);
    await shop.confirm(second.id, "pm_card_approved");
    expect(added.map(({ hits }) => hits)).toEqual([1, 1, 1, 1]);
    await shop.sim.clock.advance("1 hour");
    expect(shop.sim.intents.get(first.id)).toMatchObject({ status: "failed", declineCode: "lost_card" });
    expect(shop.sim.intents.get(second.id)).toMatchObject({ status: "processing" });
  });

  test.each<[string, Fault | undefined]>([
    ["pm_card_approved", { kind: "processor.unavailable" }],
    ["pm_card_approved", { kind: "processor.decline", code: "blocked", synchronous: true }],
    ["pm_card_insufficient_funds", undefined],
    ["pm_card_processor_unavailable", undefined],
  ])("what answers the call at once has no processing to hold up (%s, %j)", async (method, fault) => {
    const shop = await Merchant.open();
    const stuck = shop.sim.faults.add({ kind: "processor.stuck" });
    if (fault !== undefined) shop.sim.faults.add(fault);
    const { id } = await shop.createIntent();
    await shop.confirm(id, method);
    expect(stuck.hits).toBe(0);
    expect(shop.sim.faults.list()[0]?.occasions).toBe(0);
  });
});

describe("a processor fault concerns", () => {
  const decline = { kind: "processor.decline", code: "blocked" } as const;

  test("the intent, transaction, session token or externalId that it names", async () => {
    const shop = await Merchant.open();
    const names = ["id", "transactionId", "sessionToken", "externalId"] as const;
    for (const name of names) {
      const meant = { externalId: `order-${name}`, ...(await shop.createIntent({ externalId: `order-${name}` })) };
      const fault = shop.sim.faults.add({ ...decline, resource: meant[name] });
      const other = await shop.createIntent({ externalId: "another" });
      await shop.confirm(other.id, "pm_card_approved");
      expect(fault.hits).toBe(0);
      await shop.confirm(meant.id, "pm_card_approved");
      expect(fault.hits, name).toBe(1);
    }
  });

  test("the checkout session that it names, by its id or its token", async () => {
    const shop = await Merchant.open();
    for (const name of ["id", "sessionToken", "externalId"] as const) {
      const meant = { externalId: "order-1", ...(await shop.createCheckout()) };
      const fault = shop.sim.faults.add({ ...decline, resource: meant[name], times: 1 });
      ok(
        await shop.processCheckout(
          (await shop.createCheckout({ externalId: "order-2" })).sessionToken,
          "pm_card_approved",
        ),
      );
      expect(fault.hits).toBe(0);
      ok(await shop.processCheckout(meant.sessionToken, "pm_card_approved"));
      expect(fault.hits, name).toBe(1);
    }
  });

  test("the method by its id, its behaviour or its kind", async () => {
    const shop = await Merchant.open();
    const minted = shop.sim.paymentMethods.create(cardWith("4343434343434345"));
    const charges: readonly [string, string, number][] = [
      [minted, minted, 1],
      [minted, "pm_card_approved", 0],
      ["pm_card_approved", minted, 1],
      ["pm_card_approved", "pm_card_approved", 1],
      ["pm_card_approved", "pm_card_challenge", 0],
      ["card", minted, 1],
      ["card", "pm_card_challenge", 1],
      ["card", "pm_gcash", 0],
      ["gcash", "pm_gcash", 1],
      ["pm_gcash", "pm_gcash", 1],
      ["grab_pay", "pm_gcash", 0],
    ];
    for (const [paymentMethod, charged, hits] of charges) {
      const fault = shop.sim.faults.add({ ...decline, paymentMethod });
      await shop.confirm((await shop.createIntent()).id, charged);
      expect(fault.hits, `${paymentMethod} for ${charged}`).toBe(hits);
      fault.remove();
    }
  });

  test("the merchant that it names", async () => {
    const shop = await Merchant.open();
    const other = await shop.neighbour();
    const fault = shop.sim.faults.add({ ...decline, merchant: other.credentials.merchantId });
    await shop.confirm((await shop.createIntent()).id, "pm_card_approved");
    expect(fault.hits).toBe(0);
    await other.confirm((await other.createIntent()).id, "pm_card_approved");
    expect(fault.hits).toBe(1);
  });

  test("charges, and nothing else that is called", async () => {
    const shop = await Merchant.open();
    shop.sim.faults.add({ ...decline });
    const { id } = await shop.createIntent();
    await shop.intentStatus(id);
    await shop.confirm(id, "pm_nonsense");
    expect(shop.sim.faults.list()[0]).toMatchObject({ occasions: 0, hits: 0 });
    await shop.confirm(id, "pm_card_approved");
    await shop.confirm(id, "pm_card_approved");
    await shop.sim.clock.settle();
    expect(shop.sim.faults.list()[0]).toMatchObject({ occasions: 1, hits: 1 });
  });
});

test("the journal names the fault, the intent and the method", async () => {
  const shop = await Merchant.open();
  const { id } = await shop.createIntent();
  shop.sim.faults.add({ kind: "processor.decline", code: "blocked", id: "decline-once" });
  await shop.confirm(id, "pm_card_approved");
  expect(shop.sim.journal.entries.filter(({ kind }) => kind === "fault").map(({ details }) => details)).toEqual([
    { act: "add", kind: "processor.decline", code: "blocked", id: "decline-once" },
    {
      act: "strike",
      id: "decline-once",
      kind: "processor.decline",
      hit: 1,
      intent: id,
      method: "pm_card_approved",
      customer: "present",
    },
  ]);
});
