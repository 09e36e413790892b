import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { assumptionTable } from "../../src/service/assumption-table.ts";
import { callWith, order, tokensOf } from "../merchant/requests.ts";
import { furtherDecisions } from "./further-decisions.ts";

/** The rows of the decisions, in their order. */
const ROWS = `
  http.success-status http.error-body http.error-codes http.error-status http.token-messages http.refusals http.rate-limit http.bounds
  http.unknown-fields http.idempotency-key http.external-id http.routing http.versioning http.base-urls time.boundaries time.format
  auth.token-request auth.token-response auth.token-errors auth.refresh auth.jwt auth.registration auth.scope auth.client-key auth.secrets
  intent.create-fields intent.pending intent.moves intent.processing-time intent.authentication intent.challenge-error
  intent.confirm-twice intent.confirm-request intent.card-details intent.confirm-response intent.decline intent.cancel intent.display-details intent.return
  intent.fee intent.ids checkout.moves checkout.retry checkout.lifetime checkout.expired-token checkout.bodies checkout.url
  checkout.return checkout.payment subscription.plan subscription.initiate subscription.process-payment subscription.bodies
  subscription.session subscription.fields subscription.invoice subscription.first-failure subscription.late-first-payment
  subscription.renewal subscription.retries subscription.off-session-challenge subscription.open-invoices subscription.recovery subscription.manual-payment
  subscription.plan-change subscription.cancel subscription.wrong-state subscription.wallets subscription.events transaction.record
  transaction.page transaction.filters transaction.dates transaction.payment-session webhook.receiver webhook.event-id webhook.checkout webhook.intent
  webhook.subscription webhook.body webhook.signature webhook.stamp webhook.success webhook.timeout webhook.retries webhook.order`;
/** Values inside a row of the decisions that can be changed by themselves. */
const DETAILS = ["auth.token-lifetime", "return.schemes"];
/** What the decisions leave out; `what-the-code-decides.test.ts` has a test of each but the first. */
const FURTHER = [
  "http.bodies",
  "http.envelope",
  "http.endpoints",
  "auth.paths",
  "webhook.user-agent",
  ...Object.keys(furtherDecisions),
];
const APPROVED = { paymentMethodId: "pm_card_approved" };
const words = (text: string): string[] => text.trim().split(/\s+/);

const refusal = (assumptions: unknown): string => {
  try {
    createSimulator({ assumptions: assumptions as object });
  } catch (error) {
    expect(error).toMatchObject({ name: "CentavoError", code: "INVALID_ASSUMPTION" });
    return (error as Error).message;
  }
  return "not refused";
};

describe("the table", () => {
  test("has a row for everything that the service document leaves open", () => {
    expect(Object.keys(assumptionTable).toSorted()).toEqual([...words(ROWS), ...DETAILS, ...FURTHER].toSorted());
  });

  test("takes each of its own defaults, and says what was asked and answered", () => {
    for (const [id, entry] of Object.entries(assumptionTable)) {
      expect(entry.question.length * entry.answer.length, id).toBeGreaterThan(0);
      if (entry.values === "fixed") continue;
      const { value } = entry;
      expect(() => createSimulator({ assumptions: { [id]: value } })).not.toThrow();
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }
  });
});

test.each(["constructor", "__proto__"])("an override that is near to none, %s, is refused without one", (id) => {
  const message = refusal(JSON.parse(`{"${id}":1}`));
  expect(message).toBe(
    `createSimulator: no assumption has the id "${id}". node_modules/centavo/docs/reference/assumptions.md lists all of them.`,
  );
});

describe("a wrong override is refused, naming the nearest right one", () => {
  test.each([
    ["checkout.lifetim", '"checkout.lifetime"'],
    ["intent.feee", '"intent.fee"'],
    ["HTTP.rate_limit", '"http.rate-limit"'],
  ])("the id %s", (id, named) => {
    const message = refusal(JSON.parse(`{"${id}":1}`));
    expect(message).toContain(`createSimulator: no assumption has the id "${id}". The nearest is `);
    expect(message).toContain(named);
  });

  test.each([
    ["http.unknown-fields", "refused", 'It takes "ignore", "refuse". '],
    [
      "http.success-status",
      204,
      "It takes 200, 201, an object by name, such as payment-intent.create, of a whole number",
    ],
    ["http.success-status", { "checkout.make": 201 }, '"checkout.make"'],
    ["http.success-status", { "checkout.create": 204 }, "an answer of 204 or 205 has no body"],
    ["http.success-status", { "checkout.create": 302 }, "a whole number from 200 to 299"],
    ["webhook.signature", "strip", 'It takes "paymongo", "stripe", '],
    ["http.rate-limit", "non", 'It takes "none", an object of requests'],
    ["http.rate-limit", { requests: 0, per: "1 minute" }, "Rate limits: None"],
    ["auth.token-response", null, '"{access_token}" has to stand somewhere in it'],
    ["auth.token-response", { token: "{accessToken}" }, "{accessToken}"],
    ["intent.return", { id: "{sessionToken}" }, "{sessionToken}"],
    ["intent.return", ["{status}"], "It takes an object by parameter of texts"],
    ["webhook.user-agent", " ", "a header takes 1 to 200 printable ASCII characters"],
    ["intent.payment-methods", ["paypal"], 'It takes a list of "gcash", "grab_pay", "card"'],
    ["http.bounds", { text: 1001 }, "text (a whole number from 1 to 1000)"],
    ["http.bounds", { texts: 100 }, '"texts"'],
    ["intent.create-fields", ["amount"], 'It takes a list of "description", "externalId", "contact"'],
    ["http.order", { credential: "first" }, 'body ("after-credential", "first")'],
    ["http.texts", { email: "address" }, 'name ("filled", "any")'],
    ["intent.confirm-request", { method: "method" }, 'method ("either", "paymentMethodId", "paymentMethod")'],
    ["transaction.dates", { days: "whole", offset: "Asia/Manila" }, 'offset (an offset, such as "+08:00")'],
    ["auth.token-request", { format: "xml" }, 'format ("form", "json")'],
    ["auth.token-request", { names: { client_id: "id", client_secret: "id" } }, "two fields would have one name"],
    ["auth.token-request", { names: { client_id: "" } }, 'a name, such as "clientId"'],
    ["checkout.lifetime", "soon", 'the duration "soon" was not understood'],
    ["checkout.lifetime", "1 month", "use days"],
    ["checkout.lifetime", "-1 days", "negative"],
    ["checkout.retry", 1.5, "The default is 0."],
    ["intent.fee", { card: { percent: 3.5, fixed: 0 } }, "gcash"],
    ["intent.authentication", { card: "1 hour", gcash: "1 hour", grab_pay: "1 hour", maya: "1 hour" }, "maya"],
    ["return.schemes", "myshop", "The default is []."],
    ["webhook.signature", { scheme: "stripe", header: "Content-Type" }, "is another header of each delivery"],
    ["subscription.retries", ["1 day", "3 days", "3 days"], "each has to be longer than the one before"],
    ["subscription.retries", ["0 seconds", "1 day", "2 days"], "the first longer than nothing"],
    ["subscription.retries", ["1 day", "2 days"], "It takes a list of 3 lengths of time, such as"],
    ["subscription.retries", ["1 day", "soon", "2 days"], 'the duration "soon" was not understood'],
    ["subscription.events", ["intent", "intent"], "names one of them twice"],
    ["subscription.events", ["payment"], 'It takes a list of "intent", "invoice", "subscription". '],
    ["subscription.renewal", "month", 'It takes "instant", "day". Billing cycle: The anchor is'],
    ["subscription.first-failure", "never", 'It takes "retry", "expire". '],
    ["subscription.plan-change", false, 'It takes "allow-unpaid", "refuse-unpaid". '],
    ["subscription.wrong-state", 200, 'It takes "refuse", "ignore". '],
    ["transaction.filters", "exclusive", "It takes an object of dates ("],
    ["transaction.filters", { dates: "inclusive" }, 'amounts ("inclusive", "exclusive-end")'],
    ["intent.decline", 402, 'It takes "by-method", "at-once", "later". '],
    ["intent.confirm-twice", "again", 'It takes "refuse", "repeat". '],
    ["intent.challenge-error", "last", 'It takes "repeat", "never", "first". '],
    ["checkout.moves", "hide", 'It takes "show-processing", "hide-processing". '],
    ["webhook.success", 200, 'It takes "any-2xx", "200-alone". '],
    ["webhook.retries", 25, "It takes a whole number from 0 to 24, a list of at most 24 lengths of time, such as"],
    ["webhook.retries", Array.from({ length: 25 }, () => "1s"), "a list of at most 24 lengths of time"],
    ["webhook.retries", ["1 minute", "soon"], 'the duration "soon" was not understood'],
    ["http.endpoints", { "payment-intent.make": "/v1/payments" }, '"payment-intent.make"'],
    ["http.endpoints", { "checkout.create": "v1/sessions" }, 'a path begins with "/", and "v1/sessions" does not'],
    ["http.endpoints", { "checkout.create": "/v1/sessions?x=1" }, '"sessions?x=1" cannot stand between two slashes'],
    ["http.endpoints", { "checkout.create": "/v1//sessions" }, '"" cannot stand between two slashes'],
    ["http.endpoints", { "checkout.create": "/v1/{id}" }, '"{id}" is no variable of it; it has none'],
    ["http.endpoints", { "checkout.polling": "/v1/{id}" }, '"{id}" is no variable of it; it has "{sessionToken}"'],
    ["http.endpoints", { "checkout.polling": "/v1/sessions" }, '"{sessionToken}" has to stand in it once'],
    ["http.endpoints", { "checkout.polling": "/v1/s-{sessionToken}" }, '"s-{sessionToken}" cannot stand'],
    ["auth.paths", { token: "https://auth.pay.example/token" }, 'a path begins with "/"'],
    ["auth.paths", { tokens: "/token" }, '"tokens"'],
    ["subscription.session", "/api/sessions", 'It takes a path, such as "/api/subscription/session/{sessionToken}". '],
    ["checkout.url", { session: "/../{sessionToken}" }, '".." cannot stand between two slashes'],
  ])("%s: %j", (id, value, named) => {
    const message = refusal({ [id]: value });
    expect(message).toContain(`the assumption "${id}" is ${JSON.stringify(value)}`);
    expect(message).toContain(named);
  });

  test("two operations with one path, whatever the names of its variables", () => {
    const endpoints = { "subscription.get": "/s/{subscriptionId}", "checkout.polling": "/s/{sessionToken}" };
    expect(refusal({ "http.endpoints": endpoints })).toBe(
      'createSimulator: under the assumptions "http.endpoints", checkout.polling and subscription.get are both GET /s/{subscriptionId}. Give one of them another path.',
    );
    expect(refusal({ "auth.paths": { token: "/api/checkout" } })).toContain(
      "checkout.create and oauth.token are both POST /api/checkout.",
    );
  });

  test("an override that is changed afterwards changes nothing", async () => {
    const assumptions = { "http.rate-limit": { requests: 1, per: "1 minute" } };
    const sim = createSimulator({ assumptions });
    assumptions["http.rate-limit"].requests = 100;
    const { access } = await tokensOf(sim);
    await callWith(access, sim, "/api/checkout/polling/x");
    expect((await callWith(access, sim, "/api/checkout/polling/x")).status).toBe(429);
  });
});

describe("what a run relied on", () => {
  test("is nothing before the first request", () => {
    expect(createSimulator().assumptions.used()).toEqual([]);
  });

  test("is told in the table's order, with the values of this simulator", async () => {
    const sim = createSimulator({ assumptions: { "http.success-status": 201, "checkout.lifetime": "1 hour" } });
    const { access } = await tokensOf(sim);
    await callWith(access, sim, "/api/payment-intent", { amount: 1 });
    const used = sim.assumptions.used();
    const ids = used.map(({ id }) => id);
    expect(ids).toEqual(Object.keys(assumptionTable).filter((id) => ids.some((usedId) => usedId === id)));
    expect(used[0]).toEqual({
      id: "http.success-status",
      question: "Success status codes",
      answer: assumptionTable["http.success-status"].answer,
      values: expect.stringMatching(/^200, 201, an object by name/) as string,
      value: 201,
      changed: true,
    });
    expect(ids).toEqual(
      expect.arrayContaining(["auth.token-request", "auth.jwt", "intent.create-fields", "intent.ids"]),
    );
    expect(ids).not.toContain("checkout.lifetime");
    expect(ids).not.toContain("http.error-body");
  });

  test("grows with errors", async () => {
    const sim = createSimulator();
    await sim.fetch("/nothing");
    expect(sim.assumptions.used().map(({ id }) => id)).toEqual([
      "http.error-body",
      "http.error-codes",
      "http.error-status",
      "http.refusals",
      "http.paths",
      "http.order",
      "http.base-urls",
    ]);
  });

  test("grows with payments and their events", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const usedOf = (area: string): string[] => {
      const ids = sim.assumptions.used().map(({ id }) => id);
      return ids.filter((id) => id.startsWith(area) && /challenge-error|twice|details|\.(checkout|intent)$/.test(id));
    };
    await callWith(access, sim, "/api/payment-intent", { amount: 1 });
    expect([usedOf("intent."), usedOf("webhook.")]).toEqual([[], []]);
    await callWith(access, sim, `/api/payment-intent/${sim.intents.last()?.id}/confirm`, APPROVED);
    const ofConfirm = [
      "intent.challenge-error",
      "intent.confirm-twice",
      "intent.card-details",
      "intent.display-details",
    ];
    expect([usedOf("intent."), usedOf("webhook.")]).toEqual([ofConfirm, ["webhook.intent"]]);
    await callWith(access, sim, "/api/checkout", order());
    await callWith(access, sim, `/api/checkout/process/${sim.checkouts.last()?.sessionToken}`, APPROVED);
    expect(usedOf("webhook.")).toEqual(["webhook.checkout", "webhook.intent"]);
  });
});
