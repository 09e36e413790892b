import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import { describe, expect, test } from "vitest";
import { hurtsMost } from "../../src/report/coverage/gap-rank.ts";
import { universe } from "../../src/report/coverage/universe.ts";

async function pay(sim: Simulator, paymentMethodId = "pm_card_approved"): Promise<void> {
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
  await client.paymentIntents.confirm(id, { paymentMethodId });
  await sim.clock.settle();
}

describe("sim.coverage()", () => {
  test("tells the states, moves, events and time rules that a payment went through", async () => {
    const sim = createSimulator();
    sim.connect("https://shop.example", () => new Response());
    await pay(sim);
    const { states, moves, events, outcomes, timeRules } = await sim.coverage();
    expect(states.seen).toEqual(
      ["requires_payment_method", "requires_confirmation", "processing", "succeeded"].map(
        (state) => `payment_intent: ${state}`,
      ),
    );
    expect(states.missing).toContain("subscription: past_due");
    expect(states.percent).toBe(Math.floor((100 * 4) / universe.states.length));
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

  test.for([
    ["no app is connected", undefined, []],
    ["the app refuses them", 500, []],
    ["the app accepts them", 204, ["payment_intent.processing", "payment_intent.succeeded"]],
  ] as const)("counts events that the app accepted, so when %s", async ([, status, seen]) => {
    const sim = createSimulator();
    if (status !== undefined) sim.connect("https://shop.example", () => new Response(null, { status }));
    await pay(sim);
    await sim.clock.advance("1 hour");
    const { events, timeRules } = await sim.coverage();
    expect(events.seen).toEqual(seen);
    expect(timeRules.seen).not.toContain("webhook.retries");
  });

  test("counts that an event is sent again once the app accepts it", async () => {
    const sim = createSimulator();
    let isDown = true;
    sim.connect("https://shop.example", () => {
      const status = isDown ? 503 : 200;
      isDown = false;
      return new Response(null, { status });
    });
    await pay(sim);
    await sim.clock.advance("1 hour");
    expect((await sim.coverage()).timeRules.seen).toContain("webhook.retries");
  });

  test("counts what fixtures make", async () => {
    const sim = createSimulator();
    await fixtures(sim).subscription({ status: "past_due" });
    expect((await sim.coverage()).states.seen).toContain("subscription: past_due");
  });

  test("keeps what a bounded journal forgets, once it has been asked", async () => {
    const sim = createSimulator({ keep: 1 });
    await sim.coverage();
    await pay(sim, "pm_card_lost");
    for (let payment = 0; payment < 400; payment += 1) await pay(sim);
    const coverage = await sim.coverage();
    expect(coverage.states.seen).toContain("payment_intent: failed");
    expect(coverage.forgotten).toBe(0);
  });

  test("says what it missed of a journal that had forgotten before", async () => {
    const sim = createSimulator({ keep: 1 });
    for (let payment = 0; payment < 400; payment += 1) await pay(sim);
    const coverage = await sim.coverage();
    expect(coverage.forgotten).toBeGreaterThan(0);
    expect(String(coverage)).toContain(`The journal had forgotten ${coverage.forgotten} entries`);
  });

  test("is a table as a string, with what was never tested and the lines that would", async () => {
    const sim = createSimulator();
    await pay(sim);
    const text = String(await sim.coverage({ only: ["payment_intent"] }));
    // Faults are about every kind of resource, and each service has its own.
    const numbers = [String(universe.faults.length), String(universe.faults.length - 4)];
    expect(text).toMatch(new RegExp(`^Faults +0 of ${numbers.join(" .* and ")} more$`, "m"));
    expect(text.replace(/^Faults .*$/m, "Faults …").replace(/^and \d+ more: /m, "and … more: ")).toMatchInlineSnapshot(`
      "               seen        never seen
      States       4 of 7  57 %  payment_intent: requires_action, payment_intent: failed, payment_intent: canceled
      Moves       3 of 12  25 %  payment_intent: requires_payment_method → canceled (cancel) and 8 more
      Events       0 of 5   0 %  payment_intent.requires_action, payment_intent.processing, payment_intent.succeeded and 2 more
      Errors      0 of 21   0 %  VALIDATION_ERROR, MALFORMED_JSON, PAYMENT_METHOD_INVALID, IDEMPOTENCY_KEY_REUSED and 17 more
      Faults …
      Outcomes    1 of 21   4 %  customer.authenticate, customer.failAuthentication, customer.abandon, pm_card_challenge and 16 more
      Time rules   1 of 5  20 %  payment_intent: challenge_expired, auth.token-lifetime, webhook.retries, webhook.timeout

      You never tested:
      - an event that arrives twice
          sim.faults.add({ kind: "webhook.duplicate", event: "payment_intent.succeeded", times: 1 });
          sim.connect("https://shop.example", app);
          const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);
          await sim.clock.advance("10 minutes");
      - a call that is carried out although its answer is lost
          sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", times: 1 });
          sim.connect("https://shop.example", app);
          const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);
          await sim.clock.advance("10 minutes");
      - the event payment_intent.failed
          sim.connect("https://shop.example", app);
          await make.intent({ status: "failed", webhookUrl: "https://shop.example/hooks" });
          await sim.clock.advance("5 seconds");
      - a payment intent at the moment when its challenge expires
          await make.intent({ status: "failed", decline: "authentication_expired" });
      - an event that is sent again, because its first delivery failed (how often a delivery is retried: webhook.retries)
          sim.faults.add({ kind: "webhook.refused", times: 1 });
          sim.connect("https://shop.example", app);
          const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);
          await sim.clock.advance("10 minutes");
      and … more: see neverTested, or centavo coverage --all after a suite.

      Let your own app make the payment or the membership, in place of make.… or client.…."
    `);
  });

  test("leaves out what is about resources that were never made, and says which", async () => {
    const sim = createSimulator();
    await fixtures(sim).subscription({ status: "active" });
    const coverage = await sim.coverage();
    expect(coverage.notUsed).toContain("checkout");
    expect(coverage.states.missing).toContain("checkout: completed");
    const told = coverage.neverTested.map(({ name }) => name);
    for (const name of ["checkout: completed", "checkout.completed", "checkout: expire", "customer.pay"])
      expect(told).not.toContain(name);
    expect(told).toEqual(
      expect.arrayContaining(["subscription: unpaid", "SESSION_NOT_FOUND", "customer.authenticate", "response.lost"]),
    );
    expect(String(coverage)).toMatch(
      /^Not used: checkout\b.* out of the count with only: \["payment_intent", "subscription", "invoice"\], or --only payment_intent,subscription,invoice\.$/m,
    );
  });

  test("tells first what hurts most in production: a renewal that fails, recovery, giving up, an event twice, a lost answer", async () => {
    const sim = createSimulator();
    await fixtures(sim).subscription({ status: "active" });
    const [told = ""] = /You never tested:[^]*/.exec(String(await sim.coverage())) ?? [];
    expect([...told.matchAll(/^- (.*)/gm)].map(([, what]) => what)).toEqual([
      "the event subscription.past_due",
      "a subscription that goes from past_due to active: recover",
      "the event subscription.unpaid",
      "an event that arrives twice",
      "a call that is carried out although its answer is lost",
    ]);
  });

  test("counts only what is about the kinds of resource that it is given", async () => {
    const sim = createSimulator();
    await fixtures(sim).subscription({ status: "past_due" });
    const { states, moves, events, errors, faults, outcomes, timeRules, resources, notUsed, neverTested } =
      await sim.coverage({ only: ["subscription", "invoice"] });
    const names = [states, moves, events, outcomes, timeRules].flatMap(({ seen, missing }) => [...seen, ...missing]);
    expect(names.filter((name) => /^(payment_intent|checkout)/.test(name))).toEqual([]);
    expect(states.percent).toBe(60);
    expect(events.seen.length + events.missing.length).toBe(6);
    expect(errors.missing).not.toContain("INTENT_NOT_FOUND");
    expect(errors.missing).toContain("TRANSACTION_NOT_FOUND");
    expect(faults.missing).toEqual(universe.faults);
    expect(outcomes.missing).not.toContain("customer.pay");
    expect([resources, notUsed]).toEqual([["subscription", "invoice"], []]);
    expect(neverTested.filter(({ name }) => name.includes("checkout"))).toEqual([]);
  });

  test("tells what is missing of a kind that it is given, although it was never made", async () => {
    const sim = createSimulator();
    await pay(sim);
    const { notUsed, neverTested } = await sim.coverage({ only: ["checkout"] });
    expect([notUsed, neverTested.map(({ name }) => name)]).toEqual([[], expect.arrayContaining(["checkout: pending"])]);
  });

  test.for([
    [{ only: ["subscripton"] }, 'sim.coverage: only is "subscripton"; the nearest is "subscription".'],
    [{ only: [] }, "sim.coverage: only is []. It takes a list of at least one of payment_intent, checkout,"],
    [{ onyl: ["invoice"] }, 'sim.coverage has no option "onyl".'],
  ] as const)("refuses %o", async ([scope, message]) => {
    await expect(createSimulator().coverage(scope as { readonly only?: readonly string[] })).rejects.toThrow(message);
  });

  test("knows every name that it tells first", () => {
    expect(
      hurtsMost.filter(
        (key) => !Object.entries(universe).some(([part, names]) => names.some((name) => key === `${part} ${name}`)),
      ),
    ).toEqual([]);
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
    expect(words).toContain("an event that arrives twice");
  });
});
