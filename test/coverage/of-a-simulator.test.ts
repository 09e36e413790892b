import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import { describe, expect, test } from "vitest";

async function pay(sim: Simulator, paymentMethodId = "pm_card_approved"): Promise<void> {
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  await client.paymentIntents.confirm(id, { paymentMethodId });
  await sim.clock.settle();
}

describe("sim.coverage()", () => {
  test("tells the states, moves, events and time rules that a payment went through", async () => {
    const sim = createSimulator();
    await pay(sim);
    const { states, moves, events, outcomes, timeRules } = await sim.coverage();
    expect(states.seen).toEqual(
      ["requires_payment_method", "requires_confirmation", "processing", "succeeded"].map(
        (state) => `payment_intent: ${state}`,
      ),
    );
    expect(states.missing).toContain("subscription: past_due");
    expect(states.percent).toBe(17);
    expect(moves.seen).toContain("payment_intent: processing → succeeded (decide)");
    expect(events.seen).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
    expect(outcomes.seen).toEqual(["pm_card_approved"]);
    expect(timeRules.seen).toEqual(["payment_intent: decide"]);
  });

  test("tells errors, faults and acts of customers", async () => {
    const sim = createSimulator();
    sim.faults.add({ kind: "webhook.duplicate", times: 1 });
    await sim.fetch("/api/payment-intent", { method: "POST" });
    const { checkoutUrl } = await fixtures(sim).checkout();
    await sim.customer.cancel(checkoutUrl);
    const { errors, faults, outcomes } = await sim.coverage();
    expect([errors.seen, faults.seen, outcomes.seen]).toEqual([
      ["UNAUTHORIZED"],
      ["webhook.duplicate"],
      ["customer.cancel"],
    ]);
  });

  test("knows the test method that a card in full behaves like", async () => {
    const sim = createSimulator();
    await pay(
      sim,
      sim.paymentMethods.create({ cardNumber: "5483530000001462", expMonth: "12", expYear: "30", cvc: "123" }),
    );
    expect((await sim.coverage()).outcomes.seen).toEqual(["pm_card_lost"]);
  });

  test("counts what fixtures make", async () => {
    const sim = createSimulator();
    await fixtures(sim).subscription({ status: "past_due" });
    expect((await sim.coverage()).states.seen).toContain("subscription: past_due");
  });

  test("keeps what a bounded journal forgets, once it has been asked", async () => {
    const sim = createSimulator({ journal: { keep: 1 } });
    await sim.coverage();
    await pay(sim, "pm_card_lost");
    for (let payment = 0; payment < 400; payment += 1) await pay(sim);
    const coverage = await sim.coverage();
    expect(coverage.states.seen).toContain("payment_intent: failed");
    expect(coverage.forgotten).toBe(0);
  });

  test("says what it missed of a journal that had forgotten before", async () => {
    const sim = createSimulator({ journal: { keep: 1 } });
    for (let payment = 0; payment < 400; payment += 1) await pay(sim);
    const coverage = await sim.coverage();
    expect(coverage.forgotten).toBeGreaterThan(0);
    expect(String(coverage)).toContain(`The journal had forgotten ${coverage.forgotten} entries`);
  });

  test("is a table as a string, with what was never tested and the lines that would", async () => {
    const sim = createSimulator();
    await pay(sim);
    expect(String(await sim.coverage())).toMatchInlineSnapshot(`
      "               seen        never seen
      States      4 of 23  17 %  payment_intent: requires_action, payment_intent: failed, payment_intent: canceled, checkout: pending and 15 more
      Moves       3 of 59   5 %  payment_intent: requires_payment_method → canceled (cancel) and 55 more
      Events      2 of 16  12 %  payment_intent.requires_action, payment_intent.failed, payment_intent.canceled, checkout.processing and 10 more
      Errors      0 of 24   0 %  VALIDATION_ERROR, MALFORMED_JSON, PAYMENT_METHOD_INVALID, IDEMPOTENCY_KEY_REUSED and 20 more
      Faults      0 of 34   0 %  request.status, request.malformed, request.refused, request.reset and 30 more
      Outcomes    1 of 25   4 %  customer.pay, customer.authenticate, customer.failAuthentication, customer.cancel and 20 more
      Time rules   1 of 9  11 %  payment_intent: challenge_expired, checkout: expire, subscription: first_payment_due and 5 more

      You never tested:
      - a payment intent whose time has come (its challenge expires)
          await make.intent({ status: "failed", decline: "authentication_expired" });
      - a payment intent that is requires_action
          await make.intent({ status: "requires_action" });
      - the event payment_intent.requires_action
          await make.intent({ status: "requires_action" });
      - a call that something in front of the service answers with an error
          sim.faults.add({ kind: "request.status", route: "payment-intent.confirm", status: 503, times: 1 });
          sim.connect("https://shop.example", app);
          const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);
          await sim.clock.advance("10 minutes");
      - a customer who does customer.pay()
          const { checkoutUrl } = await make.checkout();
          await customer.pay(checkoutUrl, "pm_card_approved");
      and 174 more: see neverTested, or centavo coverage --all after a suite."
    `);
  });

  test("is plain JSON", async () => {
    const coverage = await createSimulator().coverage();
    const { neverTested, states, forgotten } = JSON.parse(JSON.stringify(coverage)) as typeof coverage;
    expect([states.percent, forgotten, neverTested.length]).toEqual([0, 0, coverage.neverTested.length]);
  });

  test("has words for everything that was never tested, each different", async () => {
    const { neverTested } = await createSimulator().coverage();
    const words = neverTested.map(({ what }) => what);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((each) => each.includes("undefined"))).toEqual([]);
    expect(words).toContain("an event that comes twice");
  });
});
