import { createSimulator } from "centavo";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { StoredEntry } from "../../src/kit/engine/journal-entries.ts";
import { toTimeline } from "../../src/simulator/timeline.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { HOOKS } from "../merchant/requests.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** The lines of a journal, with shortened ids. */
function linesOf(journal: { toString(): string }): string[] {
  const names = new Map<string, string>();
  const named = String(journal).replaceAll(/\b([a-z]{2,3})_(?:fake_)?[A-Za-z0-9]{24}\b/g, (id, prefix: string) => {
    const count = [...names.values()].filter((name) => name.startsWith(prefix)).length;
    names.set(id, names.get(id) ?? `${prefix}_${count + 1}`);
    return names.get(id) ?? "";
  });
  return named.split("\n");
}

test("a journal prints as a timeline that a newcomer can read", async () => {
  const merchant = await Merchant.open({}, (_, count) => new Response(null, { status: count === 1 ? 500 : 200 }));
  const { sim } = merchant;
  const { id } = await merchant.createIntent({ webhookUrl: HOOKS, externalId: "order-1" });
  ok(await merchant.confirm(id, "pm_display_details"));
  await sim.customer.authenticate(id);
  await sim.clock.advance("2 seconds");
  expect(linesOf(sim.journal)).toMatchInlineSnapshot(`
    [
      "2026-01-01 00:00:00.000Z  merchant  POST /oauth { client_id: "ci_1", client_secret: "[redacted]" }",
      "2026-01-01 00:00:00.000Z  service   issues a token to mer_1, valid until 2026-01-01 01:00:00.000Z",
      "2026-01-01 00:00:00.000Z  service   answers 200",
      "2026-01-01 00:00:00.000Z  merchant  POST /api/payment-intent { amount: 10000, externalId: "order-1", webhookUrl: "https://shop.example/hooks" }",
      "2026-01-01 00:00:00.000Z  service   payment_intent pi_1: requires_payment_method (create)",
      "2026-01-01 00:00:00.000Z  service   payment_intent.created pi_1",
      "2026-01-01 00:00:00.000Z  service   answers 200",
      "2026-01-01 00:00:00.000Z  merchant  POST /api/payment-intent/pi_1/confirm { paymentMethodId: "pm_display_details" }",
      "2026-01-01 00:00:00.000Z  service   payment_intent pi_1: requires_payment_method → requires_confirmation (attach_method)",
      "2026-01-01 00:00:00.000Z  service   payment_intent pi_1: requires_confirmation → requires_action (confirm)",
      "2026-01-01 00:00:00.000Z  service   payment_intent.requires_action pi_1",
      "2026-01-01 00:00:00.000Z  outbox    payment_intent.requires_action evt_1 is queued",
      "2026-01-01 00:00:00.000Z  service   answers 200",
      "2026-01-01 00:00:00.000Z  customer  authenticate /authenticate/ach_1",
      "2026-01-01 00:00:00.000Z  customer  GET /authenticate/ach_1",
      "2026-01-01 00:00:00.000Z  service   answers 200",
      "2026-01-01 00:00:00.000Z  customer  POST /authenticate/ach_1 { result: "pass" }",
      "2026-01-01 00:00:00.000Z  service   payment_intent pi_1: requires_action → processing (authenticate)",
      "2026-01-01 00:00:00.000Z  service   payment_intent.processing pi_1",
      "2026-01-01 00:00:00.000Z  outbox    payment_intent.processing evt_2 is queued",
      "2026-01-01 00:00:00.000Z  service   answers 200",
      "2026-01-01 00:00:00.000Z  outbox    payment_intent.requires_action evt_1 → https://shop.example/hooks, attempt 1: answered 500, next try 2026-01-01 00:00:02.000Z",
      "2026-01-01 00:00:00.000Z  clock     payment_intent pi_1: processing → succeeded (decide)",
      "2026-01-01 00:00:00.000Z  service   payment_intent.succeeded pi_1",
      "2026-01-01 00:00:00.000Z  outbox    payment_intent.succeeded evt_3 is queued",
      "2026-01-01 00:00:00.000Z  outbox    payment_intent.processing evt_2 → https://shop.example/hooks, attempt 1: answered 200, delivered",
      "2026-01-01 00:00:00.000Z  outbox    payment_intent.succeeded evt_3 → https://shop.example/hooks, attempt 1: answered 200, delivered",
      "2026-01-01 00:00:02.000Z  outbox    payment_intent.requires_action evt_1 → https://shop.example/hooks, attempt 2: answered 200, delivered",
    ]
  `);
});

describe("what does not go as planned has its line too", () => {
  test("warnings, events without a receiver, and refusals", async () => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ colour: "red" });
    await merchant.intentStatus("pi_unknown").catch(() => undefined);
    expect(linesOf(sim.journal).slice(3)).toMatchInlineSnapshot(`
      [
        "2026-01-01 00:00:00.000Z  merchant  POST /api/payment-intent { amount: 10000 }",
        "2026-01-01 00:00:00.000Z  note      unknown fields were ignored: colour",
        "2026-01-01 00:00:00.000Z  service   payment_intent pi_1: requires_payment_method (create)",
        "2026-01-01 00:00:00.000Z  service   payment_intent.created pi_1",
        "2026-01-01 00:00:00.000Z  service   answers 200",
        "2026-01-01 00:00:00.000Z  merchant  POST /api/payment-intent/pi_1/confirm { paymentMethodId: "pm_card_approved" }",
        "2026-01-01 00:00:00.000Z  service   payment_intent pi_1: requires_payment_method → requires_confirmation (attach_method)",
        "2026-01-01 00:00:00.000Z  service   payment_intent pi_1: requires_confirmation → processing (confirm)",
        "2026-01-01 00:00:00.000Z  service   payment_intent.processing pi_1",
        "2026-01-01 00:00:00.000Z  outbox    payment_intent.processing evt_1 has no receiver",
        "2026-01-01 00:00:00.000Z  service   answers 200",
        "2026-01-01 00:00:00.000Z  merchant  GET /api/payment-intent/pi_unknown/status",
        "2026-01-01 00:00:00.000Z  service   answers 404 INTENT_NOT_FOUND",
      ]
    `);
  });

  test("the fields for which a request was refused, which are not in the digest", async () => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    const refusals = [
      { amount: 0 },
      { amount: "5", externalId: 1, returnUrl: "x", webhookUrl: "y", description: 2 },
      [],
    ];
    for (const body of refusals) await merchant.call("POST", "/api/payment-intent", body);
    expect(linesOf(sim.journal).filter((line) => line.includes("answers 4"))).toEqual([
      "2026-01-01 00:00:00.000Z  service   answers 400 VALIDATION_ERROR (amount)",
      "2026-01-01 00:00:00.000Z  service   answers 400 VALIDATION_ERROR (amount, description, externalId and 2 more)",
      "2026-01-01 00:00:00.000Z  service   answers 400 VALIDATION_ERROR",
    ]);
    const { details } = sim.journal.entries.findLast(({ kind }) => kind === "answer") ?? {};
    expect(details).toEqual({ route: "payment-intent.create", status: 400, code: "VALIDATION_ERROR" });
  });

  test("receivers that fail, events that wait, and answers that come too late", async () => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    const fork = sim.fork();
    await sim.clock.settle();
    await fork.clock.settle();
    const late = Promise.withResolvers<Response>();
    const arrived = Promise.withResolvers<void>();
    sim.connect("https://shop.example", () => {
      arrived.resolve();
      return late.promise;
    });
    const moving = sim.clock.advance("2 seconds");
    await arrived.promise;
    const failed = linesOf(sim.journal).at(-1);
    sim.reset();
    late.resolve(new Response());
    await moving;
    expect([failed, linesOf(fork.journal).at(-1), ...linesOf(sim.journal)]).toMatchInlineSnapshot(`
      [
        "2026-01-01 00:00:00.000Z  outbox    payment_intent.requires_action evt_1 → https://shop.example/hooks, attempt 1: failed (not-connected), next try 2026-01-01 00:00:02.000Z. No app is connected at https://shop.example, so POST https://shop.example/hooks was not sent. Connect the merchant's app with sim.connect("https://shop.example", app), or use the loopback URL of a server that this test runs. Of an app in a container, give the loopback address of its published port as webhookUrl; to send to any other host, connect { fetch: (request) => fetch(request) }.",
        "2026-01-01 00:00:00.000Z  outbox    payment_intent.requires_action evt_1 waits until an app is connected at https://shop.example/hooks",
        "2026-01-01 00:00:00.000Z  outbox    payment_intent.requires_action evt_1 → https://shop.example/hooks: answered after the world was replaced, and dropped",
      ]
    `);
  });

  test("an entry of a kind that this version does not know", () => {
    const entry = { sequence: 1, at: 0, kind: "comet", details: { seen: true } } as unknown as StoredEntry;
    expect(toTimeline([entry])).toBe("1970-01-01 00:00:00.000Z  comet     { seen: true }");
  });
});

test("an entry is one line, even if a receiver throws text of several lines", async () => {
  const merchant = await Merchant.open({}, () => {
    throw new Error("no stock\n    at somewhere\n    at elsewhere");
  });
  const { sim } = merchant;
  await merchant.pay();
  await sim.clock.settle();
  expect(linesOf(sim.journal)).toHaveLength(sim.journal.entries.length);
});

test("no secret is printed, not even one that a receiver throws", async () => {
  // The stamps of signatures are the process's time, whose digits could happen to contain those of the card.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-06-01T00:00:00Z") });
  const merchant = await Merchant.open({}, () => {
    throw new Error(`the secret is ${sim.credentials.webhookSecret}, the card 4343 4343 4343 4345`);
  });
  const { sim, arrivals } = merchant;
  const creditCardDetails = { cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "987" };
  const { id, clientKey } = await merchant.createIntent();
  ok(await merchant.confirm(id, { paymentMethod: "card", creditCardDetails }));
  await sim.clock.settle();
  expect(arrivals).toHaveLength(2);
  const { clientSecret, adminKey, webhookSecret } = sim.credentials;
  for (const text of [String(sim.journal), JSON.stringify(sim.journal.entries)]) {
    for (const secret of [
      clientSecret,
      adminKey,
      webhookSecret,
      clientKey,
      "4343434343434345",
      "4343 4343 4343 4345",
      "987",
      "eyJ",
      "rt_fake_",
    ]) {
      expect(text).not.toContain(secret);
    }
  }
});
