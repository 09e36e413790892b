import { type Fault, testMethods } from "centavo";
import { describe, expect, test } from "vitest";
import { declineCodes } from "../../src/service/decline-codes.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { cardWith } from "../merchant/requests.ts";

describe("processor.decline", () => {
  test.each(declineCodes)("declines an approved card with %s, later, as most declines come", async (code) => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.decline", code });
    const { id } = await merchant.createIntent();
    expect(ok(await merchant.confirm(id, "pm_card_approved")).status).toBe("processing");
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: code });
    expect(merchant.eventTypes).toEqual(["payment_intent.processing", "payment_intent.failed"]);
  });

  const challenged = new Set(testMethods.filter(({ challenge }) => challenge !== undefined).map(({ id }) => id));

  test.each(testMethods.map(({ id }) => id))("takes the place of what %s would have answered", async (method) => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.decline", code: "fraudulent" });
    const { id } = await merchant.createIntent();
    const { status, redirectUrl } = ok(await merchant.confirm(id, method));
    expect(status).toBe(challenged.has(method) ? "requires_action" : "processing");
    if (challenged.has(method)) await merchant.sim.customer.authenticate(redirectUrl ?? id);
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "fraudulent" });
  });

  test("comes after the method's challenge, and does not stand for one that was failed", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.decline", code: "stolen_card" });
    const { id } = await merchant.createIntent();
    const { redirectUrl } = ok(await merchant.confirm(id, "pm_card_challenge"));
    await merchant.sim.customer.failAuthentication(redirectUrl);
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "authentication_failed" });
    // The delay was chosen when the payment was confirmed, and counts from then.
    expect(merchant.sim.faults.list()).toMatchObject([{ occasions: 1, hits: 1 }]);
    expect(merchant.sim.faults.unused()).toEqual([]);
  });

  test("comes before the challenge when it is synchronous, and answers 402 for insufficient_funds", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.decline", code: "insufficient_funds", synchronous: true });
    const { id } = await merchant.createIntent();
    const { status, body } = await merchant.confirm(id, "pm_card_challenge");
    expect([status, body.code]).toEqual([402, "INSUFFICIENT_FUNDS"]);
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "insufficient_funds" });
    await merchant.sim.clock.settle();
    expect(merchant.eventTypes).toEqual(["payment_intent.processing", "payment_intent.failed"]);
    expect(merchant.sim.clock.pending()).toEqual([]);
  });

  test("answers 200 and failed when it is synchronous with another code", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.decline", code: "blocked", synchronous: true });
    const { id } = await merchant.createIntent();
    expect(ok(await merchant.confirm(id, "pm_card_approved")).status).toBe("failed");
    expect(merchant.sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "blocked" });
  });

  test("makes a synchronous decline come later unless the fault is synchronous too", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.decline", code: "blocked" });
    const { id } = await merchant.createIntent();
    expect(ok(await merchant.confirm(id, "pm_card_insufficient_funds")).status).toBe("processing");
  });

  test("declines a checkout session, which may be tried again once the fault is spent", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 1 } });
    const fault = merchant.sim.faults.add({
      kind: "processor.decline",
      code: "insufficient_funds",
      synchronous: true,
      times: 1,
    });
    const { sessionToken } = await merchant.createCheckout();
    expect((await merchant.processCheckout(sessionToken, "pm_card_approved")).status).toBe(402);
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
    ok(await merchant.processCheckout(sessionToken, "pm_card_approved"));
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("completed");
    expect(fault.hits).toBe(1);
  });
});

describe("processor.unavailable", () => {
  test("answers 500 and leaves the intent to be confirmed again, as often as it says", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.unavailable", times: 3 });
    const { id } = await merchant.createIntent();
    for (const _ of [1, 2, 3]) {
      const { status, body } = await merchant.confirm(id, "pm_card_approved");
      expect([status, body.code]).toEqual([500, "INTERNAL_ERROR"]);
      expect(merchant.sim.intents.get(id)).toMatchObject({
        status: "requires_confirmation",
        paymentMethod: { id: "pm_card_approved" },
      });
    }
    await merchant.sim.clock.settle();
    expect(merchant.eventTypes).toEqual([]);
    expect(ok(await merchant.confirm(id, "pm_card_approved")).status).toBe("processing");
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("is not kept under an idempotency key, so that the same call may be sent again", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.unavailable", times: 1 });
    const { id } = await merchant.createIntent();
    const key = { "idempotency-key": "one" };
    expect((await merchant.confirm(id, "pm_card_approved", key)).status).toBe(500);
    expect((await merchant.confirm(id, "pm_card_approved", key)).status).toBe(200);
  });

  test("does not use up the one failure of pm_card_processor_unavailable", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.unavailable", times: 1 });
    const { id } = await merchant.createIntent();
    const statuses = [];
    for (const _ of [1, 2, 3]) statuses.push((await merchant.confirm(id, "pm_card_processor_unavailable")).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test("leaves a checkout session pending for the next try", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.unavailable", until: "2026-01-01T02:00:00Z" });
    const { sessionToken } = await merchant.createCheckout();
    expect((await merchant.processCheckout(sessionToken, "pm_card_approved")).status).toBe(500);
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("pending");
    await merchant.sim.clock.advance("2 hours");
    ok(await merchant.processCheckout(sessionToken, "pm_card_approved"));
    await merchant.sim.clock.settle();
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("completed");
  });
});

describe("processor.stuck", () => {
  test("keeps a payment in processing forever, without a timer on the clock", async () => {
    const merchant = await Merchant.open();
    const fault = merchant.sim.faults.add({ kind: "processor.stuck" });
    const { id } = await merchant.createIntent();
    expect(ok(await merchant.confirm(id, "pm_card_approved")).status).toBe("processing");
    await merchant.sim.clock.settle();
    expect(merchant.sim.clock.pending()).toEqual([]);
    await merchant.sim.clock.advance("1 year");
    expect(merchant.sim.intents.get(id)?.status).toBe("processing");
    expect(merchant.eventTypes).toEqual(["payment_intent.processing"]);

    fault.remove();
    await merchant.sim.clock.advance("30 days");
    expect(merchant.sim.intents.get(id)?.status).toBe("processing");
    const other = await merchant.createIntent();
    await merchant.confirm(other.id, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(other.id)?.status).toBe("succeeded");
  });

  test("keeps it there after a passed challenge, and not after one that was failed or left", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.stuck", times: 3 });
    const [passed, failed, left] = await Promise.all(
      ["passed", "failed", "left"].map(async () => {
        const { id } = await merchant.createIntent();
        return ok(await merchant.confirm(id, "pm_card_challenge"));
      }),
    );
    await merchant.sim.customer.authenticate(passed?.redirectUrl ?? "");
    await merchant.sim.customer.failAuthentication(failed?.redirectUrl ?? "");
    await merchant.sim.clock.advance("2 hours");
    const ends = [passed, failed, left].map((intent) => merchant.sim.intents.get(intent?.id ?? ""));
    expect(ends.map((intent) => [intent?.status, intent?.declineCode])).toEqual([
      ["processing", undefined],
      ["failed", "authentication_failed"],
      ["failed", "authentication_expired"],
    ]);
  });

  test("keeps a session in processing beyond its expiresAt", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.stuck" });
    const { sessionToken } = await merchant.createCheckout();
    ok(await merchant.processCheckout(sessionToken, "pm_card_approved"));
    await merchant.sim.clock.advance("30 days");
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("processing");
    expect(merchant.eventTypes).toEqual(["checkout.processing"]);
  });

  test("is refused a second confirmation and a cancellation, as any payment in processing", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.stuck" });
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_approved");
    expect((await merchant.confirm(id, "pm_card_approved")).body.code).toBe("INTENT_ALREADY_CONFIRMED");
    expect(() => merchant.sim.intents.cancel(id)).toThrow(/processing/);
  });

  test("stays so in a world that is restored and in a fork", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    merchant.sim.faults.add({ kind: "processor.stuck" });
    await merchant.confirm(id, "pm_card_approved");
    const snapshot = structuredClone(merchant.sim.snapshot());
    const fork = merchant.sim.fork();
    merchant.sim.reset();
    merchant.sim.restore(snapshot);
    for (const sim of [merchant.sim, fork]) {
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
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.late", delay: { hours: 40 } });
    const { id } = await merchant.createIntent();
    expect(ok(await merchant.confirm(id, method)).status).toBe("processing");
    await merchant.sim.clock.advance({ hours: 39, minutes: 59, seconds: 59, milliseconds: 999 });
    expect(merchant.sim.intents.get(id)?.status).toBe("processing");
    await merchant.sim.clock.advance("1 ms");
    expect(merchant.sim.intents.get(id)).toMatchObject(end);
    expect(merchant.eventTypes).toHaveLength(2);
  });

  test("counts from the moment at which the challenge is passed", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.late", delay: "1 hour" });
    const { id } = await merchant.createIntent();
    const { redirectUrl } = ok(await merchant.confirm(id, "pm_card_challenge"));
    await merchant.sim.clock.advance("30 minutes");
    await merchant.sim.customer.authenticate(redirectUrl);
    await merchant.sim.clock.advance({ milliseconds: 3_599_999 });
    expect(merchant.sim.intents.get(id)?.status).toBe("processing");
    await merchant.sim.clock.advance("1 ms");
    expect(merchant.sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("does not hold up a failed challenge, which never reaches the processor", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.late", delay: "1 day" });
    const { id } = await merchant.createIntent();
    const { redirectUrl } = ok(await merchant.confirm(id, "pm_card_challenge"));
    await merchant.sim.customer.failAuthentication(redirectUrl);
    const { world } = merchant.sim.snapshot();
    expect(world, "plain JSON, as every world").toStrictEqual(JSON.parse(JSON.stringify(world)));
    await merchant.sim.clock.settle();
    expect(merchant.sim.intents.get(id)?.status).toBe("failed");
  });

  test("lets a session succeed after the merchant gave it up: at expiresAt it is still processing, and then completed", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "processor.late", delay: "30 hours" });
    const { sessionToken, expiresAt } = await merchant.createCheckout();
    ok(await merchant.processCheckout(sessionToken, "pm_card_approved"));
    await merchant.sim.clock.advanceTo(expiresAt);
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("processing");
    await merchant.sim.clock.advance("6 hours");
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("completed");
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.completed"]);
  });

  test("that declines a session after its expiresAt leaves no further try", async () => {
    const merchant = await Merchant.open({ assumptions: { "checkout.retry": 3 } });
    merchant.sim.faults.add({ kind: "processor.late", delay: "30 hours" });
    const { sessionToken } = await merchant.createCheckout();
    ok(await merchant.processCheckout(sessionToken, "pm_card_blocked"));
    await merchant.sim.clock.advance("30 hours");
    expect(ok(await merchant.pollCheckout(sessionToken)).status).toBe("failed");
    expect(merchant.eventTypes).toEqual(["checkout.processing", "checkout.failed"]);
  });

  test("may be shorter than the processing time, which all other payments keep", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "1 hour" } });
    merchant.sim.faults.add({ kind: "processor.late", delay: "1 minute", times: 1 });
    const [early, usual] = [await merchant.createIntent(), await merchant.createIntent()];
    for (const { id } of [early, usual]) await merchant.confirm(id, "pm_card_approved");
    await merchant.sim.clock.advance("1 minute");
    const statuses = () => [early, usual].map(({ id }) => merchant.sim.intents.get(id)?.status);
    expect(statuses()).toEqual(["succeeded", "processing"]);
    await merchant.sim.clock.advance("59 minutes");
    expect(statuses()).toEqual(["succeeded", "succeeded"]);
  });
});

describe("when several faults meet one charge", () => {
  test("the first outcome and the first delay apply, and the others have no occasion", async () => {
    const merchant = await Merchant.open();
    const { faults } = merchant.sim;
    const added = (
      [
        { kind: "processor.late", delay: "1 hour", times: 1 },
        { kind: "processor.decline", code: "lost_card", times: 1 },
        { kind: "processor.decline", code: "stolen_card" },
        { kind: "processor.stuck" },
      ] satisfies Fault[]
    ).map((fault) => faults.add(fault));
    const [first, second] = [await merchant.createIntent(), await merchant.createIntent()];
    await merchant.confirm(first.id, "pm_card_approved");
    expect(added.map(({ hits }) => hits)).toEqual([1, 1, 0, 0]);
    expect(faults.list().map(({ occasions }) => occasions)).toEqual([1, 1, 0, 0]);
    await merchant.confirm(second.id, "pm_card_approved");
    expect(added.map(({ hits }) => hits)).toEqual([1, 1, 1, 1]);
    await merchant.sim.clock.advance("1 hour");
    expect(merchant.sim.intents.get(first.id)).toMatchObject({ status: "failed", declineCode: "lost_card" });
    expect(merchant.sim.intents.get(second.id)).toMatchObject({ status: "processing" });
  });

  test.each<[string, Fault | undefined]>([
    ["pm_card_approved", { kind: "processor.unavailable" }],
    ["pm_card_approved", { kind: "processor.decline", code: "blocked", synchronous: true }],
    ["pm_card_insufficient_funds", undefined],
    ["pm_card_processor_unavailable", undefined],
  ])("what answers the call at once has no processing to hold up (%s, %j)", async (method, fault) => {
    const merchant = await Merchant.open();
    const stuck = merchant.sim.faults.add({ kind: "processor.stuck" });
    if (fault !== undefined) merchant.sim.faults.add(fault);
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, method);
    expect(stuck.hits).toBe(0);
    expect(merchant.sim.faults.list()[0]?.occasions).toBe(0);
  });
});

describe("a processor fault concerns", () => {
  const decline = { kind: "processor.decline", code: "blocked" } as const;

  test("the intent, transaction, session token or externalId that it names", async () => {
    const merchant = await Merchant.open();
    const names = ["id", "transactionId", "sessionToken", "externalId"] as const;
    for (const name of names) {
      const meant = { externalId: `order-${name}`, ...(await merchant.createIntent({ externalId: `order-${name}` })) };
      const fault = merchant.sim.faults.add({ ...decline, resource: meant[name] });
      const other = await merchant.createIntent({ externalId: "another" });
      await merchant.confirm(other.id, "pm_card_approved");
      expect(fault.hits).toBe(0);
      await merchant.confirm(meant.id, "pm_card_approved");
      expect(fault.hits, name).toBe(1);
    }
  });

  test("the checkout session that it names, by its id or its token", async () => {
    const merchant = await Merchant.open();
    for (const name of ["id", "sessionToken", "externalId"] as const) {
      const meant = { externalId: "order-1", ...(await merchant.createCheckout()) };
      const fault = merchant.sim.faults.add({ ...decline, resource: meant[name], times: 1 });
      ok(
        await merchant.processCheckout(
          (await merchant.createCheckout({ externalId: "order-2" })).sessionToken,
          "pm_card_approved",
        ),
      );
      expect(fault.hits).toBe(0);
      ok(await merchant.processCheckout(meant.sessionToken, "pm_card_approved"));
      expect(fault.hits, name).toBe(1);
    }
  });

  test("the method by its id, its behaviour or its kind", async () => {
    const merchant = await Merchant.open();
    const minted = merchant.sim.paymentMethods.create(cardWith("4343434343434345"));
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
      const fault = merchant.sim.faults.add({ ...decline, paymentMethod });
      await merchant.confirm((await merchant.createIntent()).id, charged);
      expect(fault.hits, `${paymentMethod} for ${charged}`).toBe(hits);
      fault.remove();
    }
  });

  test("the merchant that it names", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    const fault = merchant.sim.faults.add({ ...decline, merchant: other.credentials.merchantId });
    await merchant.confirm((await merchant.createIntent()).id, "pm_card_approved");
    expect(fault.hits).toBe(0);
    await other.confirm((await other.createIntent()).id, "pm_card_approved");
    expect(fault.hits).toBe(1);
  });

  test("charges, and nothing else that is called", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ ...decline });
    const { id } = await merchant.createIntent();
    await merchant.intentStatus(id);
    await merchant.confirm(id, "pm_nonsense");
    expect(merchant.sim.faults.list()[0]).toMatchObject({ occasions: 0, hits: 0 });
    await merchant.confirm(id, "pm_card_approved");
    await merchant.confirm(id, "pm_card_approved");
    await merchant.sim.clock.settle();
    expect(merchant.sim.faults.list()[0]).toMatchObject({ occasions: 1, hits: 1 });
  });
});

test("the journal names the fault, the intent and the method", async () => {
  const merchant = await Merchant.open();
  const { id } = await merchant.createIntent();
  merchant.sim.faults.add({ kind: "processor.decline", code: "blocked", id: "decline-once" });
  await merchant.confirm(id, "pm_card_approved");
  expect(merchant.sim.journal.entries.filter(({ kind }) => kind === "fault").map(({ details }) => details)).toEqual([
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
