import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulator, type AssumptionOverrides, type FetchHandler, type Simulator } from "centavo";
import { createClient } from "centavo/client";
import {
  hostileDeliveries,
  type HostileDeliveriesOptions,
  type HostileReport,
  type PlacedOrder,
} from "centavo/testing";
import { verifyWebhook, type VerifyWebhookOptions } from "centavo/webhooks";
import { describe, expect, test } from "vitest";
import {
  honestShop,
  trustingTheOrderOfEvents,
  trustingTheRedirect,
  verifyingParsedJson,
  withoutAmountCheck,
  withoutDeduplication,
  withoutSignatureCheck,
  withoutStampCheck,
  type OpenShop,
} from "./careless-shops.ts";
import { honoShop } from "./hono-shop.ts";
import { failed, type PackOptions, packAgainst, SHOP_URL } from "./packs.ts";

const NO_MODES = "a signature in the field of the other mode";

describe("an honest merchant passes every case", () => {
  test.for<readonly [string, PackOptions]>([
    ["on Express, its customers challenged", {}],
    ["on Express, its payments under way", { paymentMethodId: "pm_card_approved" }],
    ["on Express, its customers on the hosted page", { checkout: true }],
    ["on Express, while the clock follows the code under test", { clock: "auto" }],
  ])("%s", async ([, options]) => {
    const { report } = await packAgainst(honestShop, options);
    expect(report.faults, String(report)).toEqual([]);
    expect(report.cases.length).toBeGreaterThan(30);
    expect(report.cases.filter(({ outcome }) => outcome === "skipped")).toEqual([]);
  });

  test.for<readonly [string, AssumptionOverrides | undefined, VerifyWebhookOptions]>([
    ["PayMongo's signatures", {}, { scheme: "paymongo" }],
    ["Stripe's signatures", { "webhook.signature": "stripe" }, { scheme: "stripe" }],
    ["Standard Webhooks", { "webhook.signature": "standard-webhooks" }, { scheme: "standard-webhooks" }],
    [
      "a header of another name",
      { "webhook.signature": { scheme: "stripe", header: "X-Pay-Signature" } },
      { headerName: "X-Pay-Signature" },
    ],
    ["bodies in another dress", { "webhook.body": "spaced" }, {}],
  ])("on Hono, with %s", async ([, assumptions = {}, verifying]) => {
    const sim = createSimulator({ assumptions });
    const { app, placeOrder, fulfilments, status } = honoShop(sim, verifying);
    sim.connect(SHOP_URL, app);
    const report = await hostileDeliveries(sim, { order: placeOrder, fulfilments, status });
    expect(report.faults, String(report)).toEqual([]);
    const isPayMongo = !("webhook.signature" in assumptions);
    expect(skipped(report)).toEqual(isPayMongo ? [] : [NO_MODES]);
  });

  test("on Hono, with stamps of virtual time", async () => {
    const sim = createSimulator({ assumptions: { "webhook.stamp": "virtual" }, now: "2030-01-01T00:00:00Z" });
    const { app, placeOrder, fulfilments, status } = honoShop(sim, { now: () => sim.clock.now() });
    sim.connect(SHOP_URL, app);
    const report = await hostileDeliveries(sim, { order: placeOrder, fulfilments, status });
    expect(report.faults, String(report)).toEqual([]);
  });
});

describe("a careless merchant fails the cases about its carelessness, and no others", () => {
  test.for<readonly [string, OpenShop, readonly string[]]>([
    [
      "no signature check",
      withoutSignatureCheck,
      [
        "no signature: fulfilled",
        "an empty signature: fulfilled",
        "a garbled signature: fulfilled",
        "an unknown secret: fulfilled",
        "an empty secret: fulfilled",
        "a digest without a key: fulfilled",
        "a status changed after signing: fulfilled",
        "an amount changed after signing: fulfilled",
        "the same JSON in other bytes: fulfilled",
        "a stale stamp: fulfilled",
        "a stamp from the future: fulfilled",
        "a stamp changed after signing: fulfilled",
        "a forgery before the genuine event: accepted",
      ],
    ],
    [
      "no deduplication",
      withoutDeduplication,
      [
        "the same delivery twice: fulfilled",
        "the same event under another id: fulfilled",
        "the same delivery twice at once: fulfilled",
        "the way back before the event: fulfilled",
      ],
    ],
    ["trust in the redirect", trustingTheRedirect, ["a forged way back: fulfilled"]],
    [
      "trust in the order of events",
      trustingTheOrderOfEvents,
      ["a processing event after the payment: changed", "a failure after the payment: changed"],
    ],
    ["no amount check", withoutAmountCheck, ["another amount: fulfilled"]],
    ["no look at the stamp", withoutStampCheck, ["a stale stamp: fulfilled", "a stamp from the future: fulfilled"]],
    [
      "a signature over JSON that was parsed before",
      verifyingParsedJson,
      ["the same JSON in other bytes: fulfilled", "a body cut short: crashed", "a body that is not JSON: crashed"],
    ],
  ])("%s", async ([, open, faults]) => {
    const { report } = await packAgainst(open);
    expect(failed(report)).toEqual(faults);
  });
});

test("every case can fail", async () => {
  const sim = createSimulator();
  const { app, placeOrder } = honoShop(sim);
  const placed: string[] = [];
  const parcels: string[] = [];
  const told = new Map<string, string>();
  sim.connect(SHOP_URL, async (request) => {
    const text = await request.clone().text();
    if (request.headers.get("x-webhook-signature")?.includes(",te=,")) throw new Error("no test signature");
    if (text.includes("apiVersion")) return new Response("what is that?", { status: 400 });
    for (const id of placed) told.set(id, text);
    if (!/checkout\.processing|status=processing/.test(request.url + text)) parcels.push(...placed);
    return request.method === "GET" ? app.fetch(request) : new Response();
  });
  const order = async () => {
    const { id, sessionToken } = await placeOrder();
    placed.push(id);
    return { id, sessionToken };
  };
  const report = await hostileDeliveries(sim, {
    order,
    fulfilments: ({ id }) => parcels.filter((parcel) => parcel === id).length,
    status: ({ id }) => told.get(id),
  });
  expect(report.faults.map(({ name }) => name)).toEqual(report.cases.slice(1).map(({ name }) => name));
});

describe("a handler that does not answer as it should is reported", () => {
  async function packOf(
    spoilt: (request: Request, honest: FetchHandler) => Response | Promise<Response>,
    receiverTimeout = 60_000,
  ) {
    const sim = createSimulator({ receiverTimeout });
    const { app, placeOrder, fulfilments, status } = honoShop(sim);
    sim.connect(SHOP_URL, (request) => spoilt(request, (each) => app.fetch(each)));
    return hostileDeliveries(sim, { order: placeOrder, fulfilments, status });
  }

  test("one that accepts nothing, which would pass all the rest", async () => {
    const report = await packOf(() => new Response("no", { status: 401 }));
    expect(failed(report)).toEqual(["an honest delivery: refused"]);
    expect(report.faults[0]).toMatchObject({ why: 'It is genuine, and was answered 401 "no".' });
    expect(report.cases.slice(1).every(({ outcome }) => outcome === "skipped")).toBe(true);
  });

  test("one that answers and does nothing", async () => {
    const report = await packOf(() => new Response());
    expect(report.faults).toMatchObject([
      { name: "an honest delivery", why: "The order was paid, and fulfilled 0 times instead of once." },
    ]);
  });

  test("one that hears of nothing because of a planned fault, which the remedy names", async () => {
    const sim = createSimulator();
    const { app, placeOrder, fulfilments, status } = honoShop(sim);
    sim.connect(SHOP_URL, app);
    const { id } = sim.faults.add({ kind: "webhook.drop" });
    const report = await hostileDeliveries(sim, { order: placeOrder, fulfilments, status });
    expect(failed(report)).toEqual(["an honest delivery: refused"]);
    expect(report.faults[0]?.remedy).toContain(`A planned fault is the likely cause: ${id} (webhook.drop).`);
  });

  test("one that throws over what it does not understand", async () => {
    const report = await packOf(async (request, honest) => {
      if (request.method === "POST") JSON.parse(await request.clone().text());
      return honest(request);
    });
    expect(failed(report)).toEqual(["a body cut short: crashed", "a body that is not JSON: crashed"]);
    expect(report.faults[0]?.why).toContain("SyntaxError");
  });

  test("one that never settles, without hanging", async () => {
    const report = await packOf(async (request, honest) => {
      const isUnsigned = request.method === "POST" && !request.headers.has("x-webhook-signature");
      return isUnsigned ? new Promise<Response>(() => undefined) : honest(request);
    }, 2000);
    expect(failed(report)).toEqual(["no signature: crashed"]);
    expect(report.faults[0]?.why).toContain("did not answer POST https://shop.example/webhooks within 2000 ms");
  });

  test("one that refuses what is repeated, so that the service never stops sending it", async () => {
    const seen = new Set<string>();
    const report = await packOf(async (request, honest) => {
      const body = await request.clone().text();
      const answer = await honest(request);
      if (request.method === "GET" || !answer.ok) return answer;
      return seen.size < seen.add(body).size ? answer : new Response("seen it", { status: 409 });
    });
    expect(failed(report)).toEqual(["the same delivery twice: refused"]);
  });
});

describe("a report", () => {
  test("shows what the service delivered itself, such as a late event that was refused", async () => {
    const sim = createSimulator();
    const { app, placeOrder, fulfilments, status } = honoShop(sim);
    const paid = new Set<unknown>();
    sim.connect(SHOP_URL, async (request) => {
      const { type, sessionToken } = eventIn(await request.clone().text());
      if (type === "checkout.completed") paid.add(sessionToken);
      const isLate = type === "checkout.processing" && paid.has(sessionToken);
      return isLate ? new Response("too late", { status: 409 }) : app.fetch(request);
    });
    const report = await hostileDeliveries(sim, { order: placeOrder, fulfilments, status });
    expect(failed(report)).toEqual(["a processing event after the payment: refused"]);
    expect(report.faults[0]?.deliveries).toMatchObject([{ method: "POST", answer: { status: 409 } }]);
  });

  test("names for each failure what was sent, what was answered, why it is wrong, and what to do", async () => {
    const { report } = await packAgainst(trustingTheRedirect);
    const [fault] = report.faults;
    expect(fault).toMatchObject({
      name: "a forged way back",
      kind: "fulfilled",
      why: "The order was fulfilled once, though it was unpaid.",
      deliveries: [{ method: "GET", answer: { kind: "answered", status: 200 } }],
    });
    expect(fault?.remedy).toContain("never what the address says");
    expect(fault?.deliveries[0]?.url).toMatch(
      /^https:\/\/shop\.example\/return\?order=order_\d+&intentId=pi_\w+&externalId=order_\d+&status=succeeded$/,
    );
  });

  test("holds each delivery as it was sent, so that it can be sent again", async () => {
    const { sim, report } = await packAgainst(withoutAmountCheck);
    const [delivery] = report.faults[0]?.deliveries ?? [];
    const { method = "", url = "", headers = {}, body = "" } = delivery ?? {};
    expect(JSON.parse(body)).toMatchObject({ type: "payment_intent.succeeded", data: { attributes: { amount: 1 } } });
    const event = await verifyWebhook(new Request(url, { method, headers, body }), sim.credentials.webhookSecret);
    expect(event.id).toMatch(/^evt_\w{24}$/);
  });

  test("prints as a table", async () => {
    const { report } = await packAgainst(withoutAmountCheck);
    const lines = String(report).split("\n");
    expect(lines[0]).toBe(`Hostile deliveries: ${report.cases.length - 1} passed, 1 failed, 0 skipped`);
    expect(lines).toContain("passed   an unknown payment");
    const index = lines.findIndex((line) => line.startsWith("failed"));
    expect(lines[index]).toMatch(/^failed {3}another amount {2,}The order was fulfilled once, though it was unpaid\.$/);
    expect(lines[index + 1]).toMatch(
      /^ +→ Before you fulfil an order, check that the event's payment is the one that you created/,
    );
    expect(lines).toHaveLength(report.cases.length + 2);
  });
});

test("the documentation says of every case what to do about it", async () => {
  const { report } = await packAgainst(honestShop);
  const page = readFileSync(join(import.meta.dirname, "../../docs/guide/hostile-deliveries.md"), "utf8");
  const [, tables = ""] = page.split("## The cases");
  const rows = [...tables.matchAll(/^\| ([^|]+?) +\|[^|]+\|[^|]+\|$/gm)].map(([, name]) => name);
  const names = rows.filter((name) => name !== "Case" && !/^-+$/.test(name ?? ""));
  expect(new Set(names)).toEqual(new Set(report.cases.map(({ name }) => name)));
  expect(names).toHaveLength(report.cases.length);
});

test("each hostile delivery is in the journal, which is the same for the same seed", async () => {
  const { sim } = await packAgainst(honestShop);
  const { sim: again } = await packAgainst(honestShop);
  const timeline = String(sim.journal);
  expect(timeline).toContain("hostile   no signature: POST https://shop.example/webhooks: answered 401");
  expect(timeline).toContain("hostile   a forged way back: GET https://shop.example/return: answered 200");
  expect(timeline).toMatch(/outbox {4}payment_intent\.processing evt_\w+ is held back by the test/);
  expect(sim.journal.digest()).toBe(again.journal.digest());
});

describe("unusable arguments are refused with a reason", () => {
  test.for<readonly [string, (sim: Simulator) => Promise<unknown>, string | RegExp]>([
    [
      "an order without a payment",
      (sim) => hostileDeliveries(sim, { order: () => ({}), fulfilments: () => 0 }),
      "the option order returned {}. Return the { intentId } or { sessionToken }",
    ],
    [
      "an order that is not returned",
      (sim) => hostileDeliveries(sim, { order: (() => undefined) as never, fulfilments: () => 0 }),
      "the option order returned undefined. Return the { intentId } or { sessionToken }",
    ],
    [
      "an order of another world",
      (sim) => hostileDeliveries(sim, { order: () => ({ intentId: "pi_unknown" }), fulfilments: () => 0 }),
      'returned {"intentId":"pi_unknown"}',
    ],
    [
      "an order that is already paid",
      (sim) => {
        const { app, placeOrder, fulfilments } = honoShop(sim);
        sim.connect(SHOP_URL, app);
        const order = async () => {
          const placed = await placeOrder();
          await sim.customer.pay(sim.checkouts.get(placed.sessionToken)?.checkoutUrl, "pm_card_approved");
          await sim.clock.settle();
          return placed;
        };
        return hostileDeliveries(sim, { order, fulfilments });
      },
      "is already completed",
    ],
    [
      "an order whose customer cannot pay",
      async (sim) => {
        const { id } = await confirmed(sim, "pm_card_stolen", { webhookUrl: `${SHOP_URL}/webhooks` });
        return hostileDeliveries(sim, { order: () => ({ intentId: id }), fulfilments: () => 0 });
      },
      "ended as failed when its customer paid",
    ],
    [
      "a payment that a planned fault holds up, which is named",
      (sim) => {
        const { app, placeOrder, fulfilments } = honoShop(sim);
        sim.connect(SHOP_URL, app);
        sim.faults.add({ kind: "processor.stuck" });
        return hostileDeliveries(sim, { order: placeOrder, fulfilments });
      },
      /^hostileDeliveries: the option order returned an order whose payment [\w-]+ was still processing a year after its customer paid\. A planned fault is the likely cause: \w+ \(processor\.stuck\)\./,
    ],
    [
      "a payment without a receiver",
      async (sim) => {
        const { id } = await confirmed(sim, "pm_card_challenge");
        const order = () => ({ intentId: id });
        return hostileDeliveries(sim, {
          order,
          fulfilments: () => (sim.intents.get(id)?.status === "succeeded" ? 1 : 0),
        });
      },
      "has no receiver for its events",
    ],
    [
      "a count that is not a number",
      (sim) => {
        const { app, placeOrder } = honoShop(sim);
        sim.connect(SHOP_URL, app);
        return hostileDeliveries(sim, { order: placeOrder, fulfilments: () => Number.NaN });
      },
      "the option fulfilments returned NaN",
    ],
  ])("%s", async ([, pack, message]) => {
    const sim = createSimulator();
    await expect(pack(sim)).rejects.toThrow(message);
  });
});

describe("options are held to what they take, before anything is sent", () => {
  const order = () => ({ intentId: "pi_unknown" });
  const fulfilments = () => 0;
  const tolerances =
    'It takes a whole number of seconds of at least 0, or a duration of whole seconds such as "5 minutes".';

  test.for<readonly [string, unknown, string]>([
    [
      "none at all",
      undefined,
      "hostileDeliveries takes its options as an object with order, fulfilments, status, tolerance, not undefined.",
    ],
    [
      "an unknown name",
      { order, fulfilments, toleranse: 1 },
      'hostileDeliveries has no option "toleranse". The nearest is "tolerance".',
    ],
    ["no order", { fulfilments }, "the option order is undefined. It takes a function that places a fresh order"],
    [
      "an order that is not a function",
      { order: "o_1", fulfilments },
      'the option order is "o_1". It takes a function',
    ],
    [
      "no fulfilments",
      { order },
      "the option fulfilments is undefined. It takes a function that takes an order and returns",
    ],
    ["a status that is not a function", { order, fulfilments, status: "paid" }, 'the option status is "paid".'],
    ["a tolerance that is not a number", { order, fulfilments, tolerance: Number.NaN }, `is NaN. ${tolerances}`],
    ["a negative tolerance", { order, fulfilments, tolerance: -100 }, `is -100. ${tolerances}`],
    ["a negative duration", { order, fulfilments, tolerance: "-5 minutes" }, 'is "-5 minutes": the duration'],
    ["half a second", { order, fulfilments, tolerance: "500 ms" }, `is "500 ms". ${tolerances}`],
    ["words", { order, fulfilments, tolerance: "a while" }, 'the option tolerance is "a while": the duration'],
  ])("%s", async ([, options, message]) => {
    const pack = hostileDeliveries(createSimulator(), options as HostileDeliveriesOptions<PlacedOrder>);
    await expect(pack).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(message) as string,
    });
  });

  test.for([86_400, "1 day", { hours: 24 }])(
    "a merchant that accepts a day passes with the tolerance %j",
    async (tolerance) => {
      const sim = createSimulator();
      const { app, placeOrder, fulfilments: shipped, status } = honoShop(sim, { tolerance: 86_400 });
      sim.connect(SHOP_URL, app);
      const report = await hostileDeliveries(sim, { order: placeOrder, fulfilments: shipped, status, tolerance });
      expect(report.faults, String(report)).toEqual([]);
    },
  );
});

async function confirmed(sim: Simulator, paymentMethodId: string, more: object = {}) {
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const intent = await client.paymentIntents.create({ amount: 10_000, ...more });
  await client.paymentIntents.confirm(intent.id, { paymentMethodId });
  return intent;
}

function skipped(report: HostileReport): string[] {
  return report.cases.filter(({ outcome }) => outcome === "skipped").map(({ name }) => name);
}

function eventIn(text: string): { readonly type?: unknown; readonly sessionToken?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}
