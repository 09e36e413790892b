import { expect as jestExpect } from "expect";
import { exam } from "centavo/exam";
import { matchers as jestMatchers } from "centavo/jest";
import {
  assertBalance,
  assertDelivered,
  assertMoved,
  assertNoPendingWork,
  assertPaidOnce,
  assertPassed,
  assertStatus,
} from "centavo/testing";
import "centavo/vitest";
import { describe, expect, test } from "vitest";
import { openSmallShop } from "../../exam/small-shop.ts";
import type { Orders } from "../../exam/small-shop.ts";
import { messageOf, openSession, openShop, pay } from "../../matchers/paid-orders.ts";

jestExpect.extend(jestMatchers);

/** The same assertion in each runner. */
type Assert = (received: unknown, ...given: readonly unknown[]) => unknown;
type Method = Record<string, (...given: readonly unknown[]) => unknown>;

const plain: Record<string, unknown> = {
  toHaveStatus: assertStatus,
  toHaveBeenPaidOnce: assertPaidOnce,
  toHaveMoved: assertMoved,
  toHaveDelivered: assertDelivered,
  toHaveNoPendingWork: assertNoPendingWork,
  toBalance: assertBalance,
  toPass: assertPassed,
};

const runners: Record<string, (matcher: string) => Assert> = {
  vitest:
    (matcher) =>
    (received, ...given) =>
      (expect(received) as unknown as Method)[matcher]?.(...given),
  Jest:
    (matcher) =>
    (received, ...given) =>
      (jestExpect(received) as unknown as Method)[matcher]?.(...given),
  "a plain function": (matcher) => plain[matcher] as Assert,
};

const negated: Record<string, (matcher: string) => Assert> = {
  vitest:
    (matcher) =>
    (received, ...given) =>
      (expect(received).not as unknown as Method)[matcher]?.(...given),
  Jest:
    (matcher) =>
    (received, ...given) =>
      (jestExpect(received).not as unknown as Method)[matcher]?.(...given),
};

describe.for(Object.entries(runners))("with %s", ([, runner]) => {
  test("toHaveStatus compares a view as it was read, and an id as it is now", async () => {
    const shop = openShop();
    const { sim } = shop;
    const assertHas = runner("toHaveStatus");
    const created = await shop.client.paymentIntents.create({ amount: 10000, externalId: "order-1" });
    const early = sim.intents.get(created.id);
    await shop.client.paymentIntents.confirm(created.id, { paymentMethod: "pm_card_approved" });
    await sim.clock.settle();
    assertHas(early, "requires_payment_method");
    assertHas(sim.intents.get(created.id), "succeeded");
    assertHas(created.id, "succeeded", { sim });
    assertHas("order-1", "succeeded", { sim });
    assertHas(sim.transactions.last(), "succeeded");
    expect(messageOf(() => assertHas(early, "succeeded"))).toContain(
      `${created.id} should have the status "succeeded". Its status is "requires_payment_method". This view was read earlier, and the status is "succeeded" by now: read it again with sim.intents.get("${created.id}").`,
    );
    expect(messageOf(() => assertHas(created.id, "failed", { sim }))).toContain(
      `${created.id} should have the status "failed". Its status is "succeeded".`,
    );
  });

  test("toHaveBeenPaidOnce counts the succeeded payments of an order", async () => {
    const shop = openShop();
    const { sim } = shop;
    const assertOnce = runner("toHaveBeenPaidOnce");
    const session = await openSession(shop);
    expect(messageOf(() => assertOnce("order-1", { sim }))).toContain(
      'The external id "order-1" should have exactly one succeeded payment of the full amount, 10000. It has 0.',
    );
    await sim.customer.pay(sim.checkouts.get(session)?.checkoutUrl ?? "", "pm_card_approved");
    await sim.clock.advance("1 minute");
    assertOnce("order-1", { sim });
    assertOnce(session, { sim });
    assertOnce(sim.checkouts.last());
    assertOnce(sim.intents.last());
    const second = await pay(shop);
    const [first, last] = sim.transactions.list();
    for (const received of ["order-1", second]) {
      expect(messageOf(() => assertOnce(received, { sim }))).toContain(
        `It has 2. ${first?.id}: 10000 PHP succeeded. ${last?.id}: 10000 PHP succeeded.`,
      );
    }
  });

  test("toHaveBeenPaidOnce asks for the largest amount, and for one payment of an invoice", async () => {
    const shop = openShop();
    const { sim, client } = shop;
    const assertOnce = runner("toHaveBeenPaidOnce");
    await client.paymentIntents.create({ amount: 50000, externalId: "order-1" });
    await pay(shop);
    expect(messageOf(() => assertOnce("order-1", { sim }))).toContain("of the full amount, 50000. It has 1.");
    const plan = await client.plans.create({ name: "Gold", amount: 20000, interval: "month" });
    const { id: subscriptionId } = await client.subscriptions.initiate({
      planId: plan.id,
      externalId: "member-1",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    });
    expect(messageOf(() => assertOnce(sim.invoices.last()))).toContain("of the full amount, 20000. It has 0.");
    await client.subscriptions.processPayment({ subscriptionId, paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    assertOnce(sim.invoices.last());
    assertOnce(sim.subscriptions.get(subscriptionId)?.latestInvoice);
    assertOnce(sim.intents.last());
    expect(messageOf(() => assertOnce(sim.subscriptions.get(subscriptionId)))).toContain("Give one of its invoices");
    expect(messageOf(() => assertOnce("member-1", { sim }))).toContain("Give one of its invoices");
  });

  test("toHaveMoved compares every status in order", async () => {
    const shop = openShop();
    const id = await pay(shop);
    const assertMoves = runner("toHaveMoved");
    const moves = ["requires_payment_method", "requires_confirmation", "processing", "succeeded"];
    const actual = /moved through (?<path>.*)\.$/m.exec(
      messageOf(() => assertMoves(shop.sim.intents.get(id), ["succeeded"])),
    )?.groups?.["path"];
    expect(actual?.split(" → ").at(-1)).toBe("succeeded");
    expect(moves).toEqual(expect.arrayContaining(actual?.split(" → ") ?? ["nothing"]));
    assertMoves(id, actual?.split(" → "), { sim: shop.sim });
  });

  test("toHaveDelivered counts what the app took, by the body", async () => {
    let status = 500;
    const shop = openShop({}, () => status);
    const { sim } = shop;
    const assertDeliveredIn = runner("toHaveDelivered");
    const type = "payment_intent.succeeded";
    expect(messageOf(() => assertDeliveredIn(sim, type))).toContain("There is no event of this type yet");
    const id = await pay(shop);
    expect(messageOf(() => assertDeliveredIn(sim, type))).toMatch(
      /It has done so 0 times\. evt_\w+ is pending after \d attempts?, the last answered 500\./,
    );
    assertDeliveredIn(sim, type, {}, { times: 0 });
    status = 200;
    await sim.clock.advance("1 day");
    assertDeliveredIn(sim, type);
    assertDeliveredIn(sim, type, { data: { id } });
    assertDeliveredIn(sim, type, { data: { id, attributes: expect.objectContaining({ amount: 10000 }) as unknown } });
    assertDeliveredIn(sim, type, { data: { id: jestExpect.any(String) } }, { times: 1 });
    expect(messageOf(() => assertDeliveredIn(sim, type, { data: { attributes: { amount: 1 } } }))).toContain(
      "It has done so 0 times. It delivered events of this type with other bodies once.",
    );
    expect(messageOf(() => assertDeliveredIn(sim, type, { id: jestExpect.any(Number) }))).toContain(
      'with a body like {"id":"Any<Number>"}.',
    );
    sim.webhooks.redeliver(sim.webhooks.events({ type })[0]?.id ?? "");
    await sim.clock.settle();
    assertDeliveredIn(sim, type, { data: { id } }, { times: 2 });
    expect(messageOf(() => assertDeliveredIn(sim, type, {}, { times: 1 }))).toContain(
      "should have delivered payment_intent.succeeded, once. It has done so 2 times.",
    );
  });

  test("toHaveDelivered lists the first events that nobody took, and counts the others", async () => {
    const shop = openShop({}, () => 500);
    for (let order = 1; order <= 12; order += 1) await pay(shop, `order-${order}`);
    const message = messageOf(() => runner("toHaveDelivered")(shop.sim, "payment_intent.succeeded"));
    expect(message.match(/ is pending after /g)).toHaveLength(10);
    expect(message).toContain("500. 2 more of this type are not delivered.");
  });

  test("toHaveNoPendingWork lists what is still to come", async () => {
    const shop = openShop();
    const assertNone = runner("toHaveNoPendingWork");
    await openSession(shop);
    expect(messageOf(() => assertNone(shop.sim))).toMatch(
      /Still to come:\n- 2026-01-02T00:00:00.000Z: checkout\/\S+\n/,
    );
    await shop.sim.clock.advance("2 days");
    assertNone(shop.sim);
  });

  test("toHaveNoPendingWork and toHaveBeenPaidOnce list five things, and count the others", async () => {
    const shop = openShop();
    const { sim } = shop;
    for (let order = 0; order < 8; order += 1) await openSession(shop);
    const pending = messageOf(() => runner("toHaveNoPendingWork")(sim));
    expect(pending.match(/^- 2026-01-02T00:00:00\.000Z: checkout\//gm)).toHaveLength(5);
    expect(pending).toContain("\n- and 3 more\n");
    for (let turn = 0; turn < 2; turn += 1) await pay(shop);
    const paid = messageOf(() => runner("toHaveBeenPaidOnce")("order-1", { sim }));
    expect(paid).toMatch(/It has 2\.(?: \w+: 10000 PHP succeeded\.){2}(?: \w+: 10000 PHP pending\.){3} And 5 more\./);
  });

  test("toHaveNoPendingWork sees events that wait for an app", async () => {
    const shop = openShop();
    const fork = shop.sim.fork();
    const { baseUrl, fetch } = fork;
    const token = shop.sim.credentials;
    const { createClient } = await import("centavo/client");
    await pay({ sim: fork, client: createClient({ baseUrl, fetch, ...token }) });
    expect(messageOf(() => runner("toHaveNoPendingWork")(fork))).toContain(
      "- held, or without a connected app: payment_intent.succeeded evt_",
    );
  });

  test("toBalance adds a ledger up", async () => {
    const shop = openShop();
    await pay(shop);
    const ledger = shop.sim.ledger();
    const assertBalances = runner("toBalance");
    assertBalances(ledger);
    assertBalances(shop.sim);
    const [first, ...others] = ledger.lines;
    const lines = [{ ...first, amount: 9000 }, ...others];
    expect(messageOf(() => assertBalances({ ...ledger, lines }))).toContain(
      `The ledger in PHP should balance. The lines of ${first?.transactionId} leave -1000. The lines of customers come to 9000.`,
    );
    const balances = { ...ledger.balances, customers: 1 };
    expect(messageOf(() => assertBalances({ ...ledger, balances }))).toContain("The accounts leave");
  });

  test("toPass tells the stories of an exam that is failed", async () => {
    const assertPasses = runner("toPass");
    const examine = (mistake?: "fulfils each time") =>
      exam<Orders>({
        open: (opening) => openSmallShop(opening, mistake),
        acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
        books: ({ store }) => ({ orders: [...store.values()] }),
        budget: { stories: mistake === undefined ? 1 : 250, failures: 1 },
      });
    const unfinished = await examine();
    assertPasses(unfinished, { unfinished: true });
    expect(messageOf(() => assertPasses(unfinished))).toMatch(
      /The exam is unfinished: 9 of its 10 flows [^]*toPass\(\{ unfinished: true \}\)/,
    );
    const failed = await examine("fulfils each time");
    expect(messageOf(() => assertPasses(failed))).toMatch(/The exam failed: .* broken\.[^]*✗ [^]*→ /);
    expect(() => assertPasses(failed.failures)).toThrow("toPass examines the verdict of an exam");
  });
});

describe.for(Object.entries(negated))("with %s, negated", ([, runner]) => {
  test("every matcher passes when the fact is not there, and says so when it is", async () => {
    const shop = openShop();
    const { sim } = shop;
    const id = await pay(shop);
    const view = sim.intents.get(id);
    runner("toHaveStatus")(view, "failed");
    runner("toHaveMoved")(view, ["succeeded"]);
    runner("toHaveDelivered")(sim, "payment_intent.failed");
    expect(messageOf(() => runner("toHaveStatus")(view, "succeeded"))).toContain(
      `${id} should not have the status "succeeded". Its status is "succeeded".`,
    );
    expect(messageOf(() => runner("toHaveBeenPaidOnce")(view))).toContain(
      'The external id "order-1" should not have exactly one succeeded payment of the full amount, 10000. It has 1.',
    );
    expect(messageOf(() => runner("toHaveDelivered")(sim, "payment_intent.succeeded"))).toContain(
      "The simulator should not have delivered payment_intent.succeeded. It has done so once.",
    );
    expect(messageOf(() => runner("toHaveNoPendingWork")(sim))).toContain(
      "The simulator should not be free of pending work. Nothing is on the clock, in flight or waiting.",
    );
    expect(messageOf(() => runner("toBalance")(sim.ledger()))).toContain("The ledger in PHP should not balance.");
    await pay(shop);
    runner("toHaveBeenPaidOnce")(view);
  });
});

describe("the diff", () => {
  test("is Jest's own in Jest, below the message", async () => {
    const shop = openShop();
    const view = shop.sim.intents.get(await pay(shop));
    const message = messageOf(() => (jestExpect(view) as unknown as Method)["toHaveStatus"]?.("failed"));
    expect(message).toBe(
      `expect(received).toHaveStatus(expected)\n\n${view?.id} should have the status "failed". Its status is "succeeded".\n\nExpected: "failed"\nReceived: "succeeded"`,
    );
  });

  test("is made from the values of the error in vitest and other runners", async () => {
    const shop = openShop();
    const view = shop.sim.intents.get(await pay(shop));
    const values = {
      expected: { data: { attributes: { amount: 1 } } },
      actual: { data: { attributes: { amount: 10000 } } },
    };
    const type = "payment_intent.succeeded";
    expect(() => expect(shop.sim).toHaveDelivered(type, values.expected)).toThrow(expect.objectContaining(values));
    expect(() => assertDelivered(shop.sim, type, values.expected)).toThrow(
      expect.objectContaining({
        ...values,
        name: "AssertionError",
        code: "ERR_ASSERTION",
        operator: "assertDelivered",
      }),
    );
    expect(() => expect(view).toHaveStatus("failed")).toThrow(
      expect.objectContaining({ expected: "failed", actual: "succeeded" }),
    );
  });
});
