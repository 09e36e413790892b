import { createSimulator } from "centavo";
import type { RouteName, Simulator } from "centavo";
import { createClient } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import type { Fixtures } from "centavo/fixtures";
import { intercept } from "centavo/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Network } from "centavo/node";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { allKinds } from "../../src/fixtures/kinds.ts";
import { paymentService } from "../../src/service/service.ts";
import { answerOf } from "../merchant/answers.ts";
import { tokensOf } from "../merchant/requests.ts";
import { everyStatus, makeOne } from "../fixtures/every-kind.ts";
import { failureOf } from "./waiting-intent.ts";

/** A call that changes something. */
interface Change {
  readonly method?: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
  /** The body of a call that takes a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Counts of what a retry could make twice. */
interface Tally {
  readonly intents: number;
  readonly checkouts: number;
  readonly plans: number;
  readonly subscriptions: number;
  readonly invoices: number;
  readonly attempts: number;
  readonly transactions: number;
  readonly events: number;
  readonly merchants: number;
  readonly tokens: number;
  /** Centavos that customers have paid. */
  readonly charged: number;
}

/** The expected effects of a call whose answer is lost. */
interface Row {
  readonly route: RouteName;
  /** The situation of this call of the route. */
  readonly when?: string;
  /** Prepares the world for the call. */
  readonly prepare: (make: Fixtures, sim: Simulator) => Change | Promise<Change>;
  /** The status and code of the answer that was lost; 200 without a code by default. */
  readonly lost?: readonly [status: number, code?: string];
  /** The status and code that a retry without a key is answered; those of any second call by default. */
  readonly blind?: readonly [status: number, code?: string];
  /** What a retry without a key makes twice, if `blind` is given. */
  readonly twice?: Partial<Tally>;
  /** Whether an `Idempotency-Key` gives the lost answer to the retry; it does on everything that an API client calls but the token. */
  readonly keyed?: false;
}

const APPROVED = { paymentMethodId: "pm_card_approved" };
const DECLINED = { paymentMethodId: "pm_card_insufficient_funds" };
const CHALLENGED = { paymentMethodId: "pm_card_challenge" };
const contact = { name: "Ana Reyes", email: "ana@example.com" };
const order = {
  externalId: "order-1",
  amount: 10_000,
  description: "Two coffees",
  webhookUrl: "https://shop.example/hooks",
  returnUrl: "https://shop.example/thanks",
  contact,
};

const intentConfirmed = async (make: Fixtures, body: object): Promise<Change> => {
  const { id } = await make.intent();
  return { path: `/api/payment-intent/${id}/confirm`, body };
};

const told: readonly Row[] = [
  {
    route: "payment-intent.create",
    prepare: () => ({ path: "/api/payment-intent", body: { amount: 10_000 } }),
    blind: [200],
    twice: { intents: 1, transactions: 1 },
  },
  {
    route: "payment-intent.confirm",
    when: "the payment is approved",
    prepare: (make) => intentConfirmed(make, APPROVED),
    blind: [409, "INTENT_ALREADY_CONFIRMED"],
  },
  {
    route: "payment-intent.confirm",
    when: "it is declined, which a retry does not tell",
    prepare: (make) => intentConfirmed(make, DECLINED),
    lost: [402, "INSUFFICIENT_FUNDS"],
    blind: [409, "INTENT_ALREADY_CONFIRMED"],
  },
  {
    route: "payment-intent.confirm",
    when: "a challenge opens, whose address a retry gets too",
    prepare: (make) => intentConfirmed(make, CHALLENGED),
    blind: [402, "3D_SECURE_REQUIRED"],
  },
  {
    route: "challenge.answer",
    prepare: async (make, sim) => {
      const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
      const { redirectUrl = "" } = await client.paymentIntents.confirm((await make.intent()).id, CHALLENGED);
      return { path: new URL(redirectUrl).pathname, form: { result: "pass" } };
    },
    lost: [200],
    blind: [200],
    keyed: false,
  },
  {
    route: "checkout.create",
    prepare: () => ({ path: "/api/checkout", body: order }),
    blind: [200],
    twice: { checkouts: 1, intents: 1, transactions: 1 },
  },
  {
    route: "checkout.process",
    when: "the payment is approved",
    prepare: async (make) => ({
      path: `/api/checkout/process/${(await make.checkout()).sessionToken}`,
      body: APPROVED,
    }),
    blind: [409, "INTENT_ALREADY_CONFIRMED"],
  },
  {
    route: "checkout.process",
    when: "a challenge opens, whose address a retry gets too",
    prepare: async (make) => ({
      path: `/api/checkout/process/${(await make.checkout()).sessionToken}`,
      body: CHALLENGED,
    }),
    blind: [402, "3D_SECURE_REQUIRED"],
  },
  {
    route: "checkout.submit",
    prepare: async (make) => ({
      path: `/pay/${(await make.checkout()).sessionToken}`,
      form: { action: "pay", method: "pm_card_approved" },
    }),
    lost: [303],
    blind: [303],
    keyed: false,
  },
  {
    route: "subscription.initiate",
    prepare: async (make) => ({
      path: "/api/subscription/initiate",
      body: { planId: (await make.plan()).id, contact },
    }),
    blind: [200],
    twice: { subscriptions: 1, invoices: 1, intents: 1, transactions: 1 },
  },
  {
    route: "subscription.process-payment",
    when: "the first payment is approved",
    prepare: async (make) => {
      const { id } = await make.subscription({ status: "incomplete" });
      return { path: "/api/subscription/process-payment", body: { subscriptionId: id, ...APPROVED } };
    },
    blind: [409, "INVALID_STATE"],
  },
  {
    route: "subscription.process-payment",
    when: "it is declined: a retry asks the bank once more",
    prepare: async (make) => {
      const { id } = await make.subscription({ status: "incomplete" });
      return { path: "/api/subscription/process-payment", body: { subscriptionId: id, ...DECLINED } };
    },
    lost: [402, "INSUFFICIENT_FUNDS"],
    blind: [402, "INSUFFICIENT_FUNDS"],
    twice: { attempts: 1, intents: 1, transactions: 1, events: 3 },
  },
  {
    route: "subscription.change-plan",
    prepare: async (make) => {
      const { id } = await make.subscription();
      const plan = await make.plan();
      return { method: "PATCH", path: `/api/subscription/${id}/plan`, body: { planId: plan.id } };
    },
    blind: [200],
  },
  {
    route: "subscription.change-payment-method",
    when: "nothing is owed",
    prepare: async (make) => {
      const { id } = await make.subscription();
      return { method: "PATCH", path: `/api/subscription/${id}/payment-method`, body: APPROVED };
    },
    blind: [200],
  },
  {
    route: "subscription.change-payment-method",
    when: "an invoice is owed and charged at once",
    prepare: async (make) => {
      const { id } = await make.subscription({ status: "past_due" });
      return { method: "PATCH", path: `/api/subscription/${id}/payment-method`, body: APPROVED };
    },
    blind: [409, "INVALID_STATE"],
  },
  {
    route: "subscription.cancel",
    prepare: async (make) => ({ method: "DELETE", path: `/api/subscription/${(await make.subscription()).id}` }),
    blind: [409, "INVALID_STATE"],
  },
  {
    route: "oauth.token",
    prepare: (_, { credentials: { clientId, clientSecret } }) => ({ path: "/oauth", body: { clientId, clientSecret } }),
    blind: [200],
    twice: { tokens: 1 },
    keyed: false,
  },
  {
    route: "merchant.register",
    prepare: (_, { credentials: { adminKey } }) => ({
      path: "/merchants",
      body: { name: "Second", email: "second@shop.example" },
      headers: { "x-admin-key": adminKey },
    }),
    blind: [200],
    twice: { merchants: 1 },
  },
];

/** The other routes that change something: with the call that a fixture makes. */
const others = routesIn(paymentService)
  .filter(({ method, name }) => method !== "GET" && !told.some(({ route }) => route === name))
  .map(({ name }): Row => {
    const route = name as RouteName;
    return { route, when: "a fixture calls it", prepare: (_, sim) => callOfAFixture(route, sim) };
  });

/** Brings a world to the moment before a fixture calls a route, and returns that call. */
async function callOfAFixture(route: RouteName, sim: Simulator): Promise<Change> {
  const ways = [...everyStatus, ...allKinds.map((kind) => ({ maker: kind.make, status: undefined }))];
  for (const { maker, status } of ways) {
    const options = status === undefined ? {} : { status };
    const ahead = sim.fork();
    await makeOne(ahead, maker, options);
    const call = ahead.journal.entries.find(({ kind, details }) => kind === "request" && details["route"] === route);
    if (call === undefined) continue;
    const refused = sim.faults.add({ kind: "request.refused", route, times: 1 });
    await failureOf(makeOne(sim, maker, options));
    expect(refused.hits).toBe(1);
    return call.details as unknown as Change;
  }
  throw new Error(`No fixture calls ${route}. Give it a row, which says how it is called.`);
}

const rows: readonly Row[] = [...told, ...others];

function tallyOf(sim: Simulator): Tally {
  const { tables } = sim.snapshot().world;
  return {
    intents: sim.intents.list().length,
    checkouts: sim.checkouts.list().length,
    plans: sim.plans.list().length,
    subscriptions: sim.subscriptions.list().length,
    invoices: sim.invoices.list().length,
    attempts: sim.invoices.list().reduce((sum, { attemptCount }) => sum + attemptCount, 0),
    transactions: sim.transactions.list().length,
    events: sim.webhooks.events().length,
    merchants: tables["merchants"]?.length ?? 0,
    tokens: tables["refresh-tokens"]?.length ?? 0,
    charged: sim.ledger().balances.customers,
  };
}

/** The world as the next call meets it: all but the journal, and the faults with their counters. */
function worldOf(sim: Simulator): object {
  const { journal: _, tables, ...world } = sim.snapshot().world;
  return { ...world, tables: { ...tables, faults: [] } };
}

async function inBrief(response: Response): Promise<unknown[]> {
  const isJson = response.headers.get("content-type") === "application/json";
  const code = isJson ? (await answerOf(response)).body["code"] : undefined;
  return code === undefined ? [response.status] : [response.status, code];
}

describe.each(rows.map((row) => [`${row.route}${row.when === undefined ? "" : `, when ${row.when}`}`, row] as const))(
  "when the answer is lost of %s",
  (_, { route, prepare, lost = [200], blind, twice = {}, keyed }) => {
    let sim: Simulator;
    /** The world in which the same call is made once, and answered. */
    let undisturbed: Simulator;
    let network: Network;
    let send: (call: typeof fetch, key?: string) => Promise<Response>;

    beforeEach(async () => {
      sim = createSimulator({ baseUrl: "https://api.pay.example", webhookUrl: "https://shop.example/hooks" });
      sim.connect("https://shop.example", () => new Response());
      const { path, method = "POST", body, form, headers = {} } = await prepare(fixtures(sim), sim);
      const { access } = await tokensOf(sim);
      const sent = {
        authorization: `Bearer ${access}`,
        ...(body && { "content-type": "application/json" }),
        ...headers,
      };
      send = (call, key) =>
        call(sim.baseUrl + path, {
          method,
          redirect: "manual",
          headers: key === undefined ? sent : { ...sent, "idempotency-key": key },
          ...(body && { body: JSON.stringify(body) }),
          ...(form && { body: new URLSearchParams(form) }),
        });
      undisturbed = sim.fork();
      undisturbed.connect("https://shop.example", () => new Response());
      network = intercept(sim);
      sim.faults.add({ kind: "response.lost", route, times: 1 });
    });

    afterEach(() => network.close());

    test("the call was still processed, and the client saw ECONNRESET", async () => {
      expect(await inBrief(await send(undisturbed.fetch))).toEqual(lost);
      expect(await failureOf(send(fetch))).toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
      expect(worldOf(sim)).toEqual(worldOf(undisturbed));
      expect(sim.faults.unused()).toEqual([]);
    });

    test(`a retry without a key is answered ${blind?.join(" ") ?? "like a second call"}`, async () => {
      await send(undisturbed.fetch);
      await failureOf(send(fetch));
      const retried = await inBrief(await send(fetch));
      if (blind === undefined) {
        expect(retried).toEqual(await inBrief(await send(undisturbed.fetch)));
        expect(worldOf(sim)).toEqual(worldOf(undisturbed));
        return;
      }
      expect(retried).toEqual(blind);
      for (const each of [sim, undisturbed]) await each.clock.settle();
      const [once, twiceSent] = [tallyOf(undisturbed), tallyOf(sim)];
      const more = Object.entries(twiceSent).map(([name, count]) => [name, count - once[name as keyof Tally]] as const);
      expect(Object.fromEntries(more.filter(([, difference]) => difference !== 0))).toEqual(twice);
    });

    test("a retry with the same key gets the lost answer, and nothing happened twice", async ({ skip }) => {
      skip(keyed === false, "this call takes no key");
      const answer = await answerOf(await send(undisturbed.fetch, "order-1"));
      await failureOf(send(fetch, "order-1"));
      const again = await answerOf(await send(fetch, "order-1"));
      expect([again.status, again.body]).toEqual([answer.status, answer.body]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      for (const each of [sim, undisturbed]) await each.clock.settle();
      expect(worldOf(sim)).toEqual(worldOf(undisturbed));
      expect([tallyOf(sim), sim.ledger()]).toEqual([tallyOf(undisturbed), undisturbed.ledger()]);
    });
  },
);

describe("a merchant that starts its whole payment over when an answer is lost", () => {
  async function charged(keyOf: (step: string) => { idempotencyKey?: string }): Promise<number> {
    const sim = createSimulator({ baseUrl: "https://api.pay.example" });
    using _network = intercept(sim);
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl });
    const pay = async (): Promise<void> => {
      const { id } = await client.paymentIntents.create({ amount: 10_000 }, keyOf("create"));
      await client.paymentIntents.confirm(id, APPROVED, keyOf("confirm"));
    };
    sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", times: 1 });
    await failureOf(pay());
    await pay();
    await sim.clock.settle();
    return sim.ledger().balances.customers;
  }

  test("charges twice without keys", async () => {
    expect(await charged(() => ({}))).toBe(20_000);
  });

  test("charges once with a key for each step of an order", async () => {
    expect(await charged((step) => ({ idempotencyKey: `order-1/${step}` }))).toBe(10_000);
  });
});

test("a refusal changed nothing, so the fault waits for the answer to a call that did", async () => {
  const sim = createSimulator();
  const { access } = await tokensOf(sim);
  const fault = sim.faults.add({ kind: "response.lost", route: "payment-intent.create", times: 1 });
  const create = (body: object, token = access): Promise<Response> =>
    sim.fetch("/api/payment-intent", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await create({ amount: 10_000 }, "expired")).status).toBe(401);
  expect((await create({ amount: 0.5 })).status).toBe(400);
  expect(fault.hits).toBe(0);
  await expect(create({ amount: 10_000 })).rejects.toThrow(TypeError);
  expect(fault.hits).toBe(1);
  expect(sim.intents.list()).toHaveLength(1);
});
