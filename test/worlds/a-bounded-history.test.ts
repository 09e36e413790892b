import { CentavoError, createSimulator } from "centavo";
import type { Simulator, Snapshot } from "centavo";
import { simulated } from "centavo/testing";
import { describe, expect, test } from "vitest";
import { HOUR } from "../instants.ts";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP, planBody } from "../merchant/requests.ts";
import { transact, transactionsOf } from "../transactions/transactions.ts";

/** How far a small history may grow beyond its bound before it is trimmed. */
const EXCESS = 64;

/** Pays intents one after the other, and returns the ids of their transactions. */
async function payIntents(merchant: Merchant, count: number): Promise<string[]> {
  const paid: string[] = [];
  for (let index = 0; index < count; index += 1) {
    paid.push(await transact(merchant, {}, "pm_card_approved"));
    await merchant.sim.clock.settle();
  }
  return paid;
}

/** How many rows each table of a world has. */
function sizes(sim: Simulator): Record<string, number> {
  return Object.fromEntries(Object.entries(sim.snapshot().world.tables).map(([name, rows]) => [name, rows.length]));
}

async function through(sim: Simulator): Promise<Simulator> {
  const copy = createSimulator({ seed: sim.seed, keep: 5 });
  copy.restore(JSON.parse(JSON.stringify(sim.snapshot())) as Snapshot);
  return copy;
}

describe("a bounded history", () => {
  test("keeps the payments that came to their end last, and has the journal of one that keeps all", async () => {
    const [all, few] = [await Merchant.open(), await Merchant.open({ keep: 10 })];
    const paid = await payIntents(all, 100);
    expect(await payIntents(few, 100)).toEqual(paid);
    expect(few.sim.journal.digest()).toBe(all.sim.journal.digest());

    const kept = (await transactionsOf(few)).map(({ id }) => id);
    expect(kept.length).toBeLessThan(10 + EXCESS);
    expect(kept).toEqual(paid.slice(-kept.length).toReversed());
    expect(few.sim.intents.list()).toEqual(all.sim.intents.list().slice(-kept.length));
    expect((await few.client.transactions.list({ status: "succeeded", limit: 1 })).total).toBe(kept.length);
    expect((await few.client.transactions.list({ status: "succeeded", limit: 1, offset: kept.length })).items).toEqual(
      [],
    );
  });

  test("answers for a forgotten object as for an unknown one", async () => {
    const merchant = await Merchant.open({ keep: 1 });
    const { client, sim } = merchant;
    const { id, transactionId, clientKey } = await client.paymentIntents.create({ amount: 100, externalId: "order-9" });
    const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
    await sim.customer.authenticate(redirectUrl);
    const session = await merchant.createCheckout({ externalId: "order-8" });
    await sim.customer.pay(session.checkoutUrl, "pm_card_approved");
    await payIntents(merchant, 100);

    expect([sim.intents.get(id), sim.transactions.get(transactionId), sim.checkouts.get(session.id)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await expect(client.paymentIntents.status(id)).rejects.toMatchObject({ status: 404, code: "INTENT_NOT_FOUND" });
    const byKey = await sim.fetch(`/api/payment-intent/${id}/status`, {
      headers: { authorization: `Bearer ${clientKey}` },
    });
    expect([byKey.status, ((await byKey.json()) as { message: string }).message]).toEqual([
      401,
      "Invalid access token",
    ]);
    await expect(client.transactions.get(transactionId)).rejects.toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    await expect(client.checkout.poll(session.sessionToken)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    expect((await merchant.call("GET", `/api/transactions/payment-sessions/${session.sessionToken}`)).status).toBe(404);
    for (const page of [session.checkoutUrl, redirectUrl]) {
      expect((await sim.fetch(page ?? "")).status).toBe(404);
      await expect(sim.customer.abandon(page)).rejects.toThrow(/this is not a page of this simulator/);
    }
    expect((await client.transactions.list({ external_id: "order-9" })).total).toBe(0);
    expect(sizes(sim)["external-ids"]).toBe(0);
  });

  test("keeps an old payment that has only just come to its end", async () => {
    const merchant = await Merchant.open({ keep: 5 });
    const { client, sim } = merchant;
    const { id } = await client.paymentIntents.create({ amount: 100 });
    const session = await merchant.createCheckout();
    const { transactionId = "" } = sim.checkouts.get(session.id) ?? {};
    await payIntents(merchant, 200);
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    expect(await sim.customer.pay(session.checkoutUrl, "pm_card_approved")).toMatchObject({ status: "processing" });
    await sim.clock.settle();
    expect(await client.paymentIntents.status(id)).toMatchObject({ status: "succeeded" });
    expect(await client.checkout.poll(session.sessionToken)).toMatchObject({ status: "completed" });
    expect(await client.transactions.get(transactionId)).toMatchObject({ status: "succeeded" });
  });

  test("forgets the intents of every try of a session, and none of their deadlines fires", async () => {
    const merchant = await Merchant.open({ keep: 1, assumptions: { "checkout.retry": 2 } });
    for (let index = 0; index < 80; index += 1) {
      const { checkoutUrl } = await merchant.createCheckout({ externalId: `order-${index}` });
      for (const method of ["pm_card_insufficient_funds", "pm_card_insufficient_funds", "pm_card_approved"])
        await merchant.sim.customer.pay(checkoutUrl, method);
      await merchant.sim.clock.settle();
    }
    const sessions = merchant.sim.checkouts.list().length;
    expect(sessions).toBeLessThan(1 + EXCESS);
    expect(merchant.sim.intents.list()).toHaveLength(3 * sessions);
    expect(sizes(merchant.sim)["external-ids"]).toBe(sessions);
    await merchant.sim.clock.advance("2 days");
    expect(merchant.sim.clock.pending()).toEqual([]);
  });

  test("brings the ledger forward, to the centavo", async () => {
    const pay = async (merchant: Merchant): Promise<void> => {
      for (let index = 1; index <= 60; index += 1) {
        await transact(merchant, { amount: 10_000 + index }, index % 7 === 0 ? "pm_card_stolen" : "pm_card_approved");
        await merchant.sim.customer.pay(
          (await merchant.createCheckout({ amount: 20_000 + index })).checkoutUrl,
          "pm_card_approved",
        );
        await merchant.sim.clock.settle();
      }
    };
    const [all, few] = [await Merchant.open(), await Merchant.open({ keep: 1 })];
    await pay(all);
    await pay(few);
    const [whole, ledger] = [all.sim.ledger(), few.sim.ledger()];
    expect(whole).not.toHaveProperty("broughtForward");
    expect([ledger.balance, ledger.balances]).toEqual([0, whole.balances]);
    expect(ledger.lines.length).toBeLessThan(3 * (1 + EXCESS));
    expect(ledger.lines).toEqual(whole.lines.slice(-ledger.lines.length));
    const forgotten = whole.lines.slice(0, -ledger.lines.length);
    for (const account of ["customers", "merchant", "fees"] as const)
      expect(ledger.broughtForward?.[account]).toBe(
        forgotten.filter((line) => line.account === account).reduce((sum, { amount }) => sum + amount, 0),
      );
    expect((await through(few.sim)).ledger()).toEqual(ledger);
    few.sim.reset();
    expect(few.sim.ledger()).toEqual({
      currency: "PHP",
      lines: [],
      balances: { customers: 0, merchant: 0, fees: 0 },
      balance: 0,
    });
  });

  test("keeps the order of a merchant's transactions, even if those between them are forgotten", async () => {
    const merchant = await Merchant.open({ keep: 3 });
    const open: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      open.push(await transact(merchant, { externalId: `open-${round}`, amount: 777 }));
      await payIntents(merchant, 40);
    }
    const { client } = merchant;
    const check = async (on: Merchant): Promise<void> => {
      const listed = await transactionsOf(on);
      expect(listed.map(({ id }) => id)).toEqual(
        on.sim.transactions
          .list()
          .map(({ id }) => id)
          .toReversed(),
      );
      expect(listed.filter(({ status }) => status === "pending").map(({ id }) => id)).toEqual(open.toReversed());
    };
    await check(merchant);
    expect((await client.transactions.list({ status: "pending" })).items.map(({ id }) => id)).toEqual(
      open.toReversed(),
    );
    expect((await client.transactions.list({ amountMin: 777, amountMax: 777 })).total).toBe(6);
    for (const [round, id] of open.entries())
      expect((await client.transactions.list({ external_id: `open-${round}` })).items.map((item) => item.id)).toEqual([
        id,
      ]);
    await check(await merchant.in(merchant.sim.fork()));
    await check(await merchant.in(await through(merchant.sim)));

    const [oldest = ""] = open;
    merchant.sim.intents.cancel(merchant.sim.transactions.get(oldest)?.intentId ?? "");
    expect((await client.transactions.list({ status: "canceled" })).items.map(({ id }) => id)).toEqual([oldest]);
    expect((await client.transactions.list({ status: "pending" })).total).toBe(5);
  });

  test.for([0, 0.5, -1, "many"] as const)("of %j is refused", (keep) => {
    expect(() => createSimulator({ keep: keep as number })).toThrow(/the option keep is .* at least 1, such as 10_000/);
  });

  test.for(["journal", "history"])("under its old name, %s, is refused with the new one", (name) => {
    const options = { [name]: { keep: 1000 } };
    const refusal = `the option ${name} is gone: keep: 1000 bounds the journal, the recording and what has ended.`;
    expect(() => createSimulator(options)).toThrow(new CentavoError("INVALID_OPTION", `createSimulator: ${refusal}`));
    expect(() => simulated(options, () => Promise.resolve())).toThrow(refusal);
  });

  test("under its old name, recording, is refused with the new one", () => {
    expect(() => createSimulator({ recording: { keep: 1000 } as never })).toThrow(
      'the option recording is {"keep":1000}. It takes true or false; keep: 1000 bounds what is recorded.',
    );
  });
});

describe("a bounded history of subscriptions", () => {
  const METHODS = ["pm_card_approved", "pm_card_declines_renewals", "pm_card_recovers", "pm_card_challenge_always"];

  /** Subscriptions with every outcome, after a year. */
  async function club(keep?: number): Promise<{ merchant: Merchant; ids: string[] }> {
    const merchant = await Merchant.open(keep === undefined ? {} : { keep });
    const plan = await merchant.createPlan({ interval: "month" });
    const ids: string[] = [];
    for (let index = 0; index < 24; index += 1) {
      const { id } = await merchant.initiate(plan.id);
      await merchant.processPayment(id, METHODS[index % METHODS.length]);
      ids.push(id);
    }
    await merchant.sim.clock.settle();
    for (const { latestInvoice } of merchant.sim.subscriptions.list()) {
      const { redirectUrl } = latestInvoice.paymentIntent;
      if (redirectUrl !== undefined) await merchant.sim.customer.authenticate(redirectUrl);
    }
    await merchant.sim.clock.advance("1 year");
    return { merchant, ids };
  }

  test("of one payment changes nothing that a subscription shows, owes or does", async () => {
    const [{ merchant: all, ids }, { merchant: few }] = [await club(), await club(1)];
    expect(few.sim.journal.digest()).toBe(all.sim.journal.digest());
    expect(new Set(all.sim.subscriptions.list().map(({ status }) => status))).toEqual(
      new Set(["active", "past_due", "unpaid"]),
    );
    for (const id of ids) expect(await few.readSubscription(id)).toEqual(await all.readSubscription(id));
    const open = (merchant: Merchant) => merchant.sim.invoices.list().filter(({ status }) => status === "open");
    expect(open(all).length).toBeGreaterThan(100);
    expect(open(few)).toEqual(open(all));
    expect(few.sim.invoices.list().length).toBeLessThan(all.sim.invoices.list().length - 100);
    for (const { paymentIntent } of open(few)) {
      const transaction = few.sim.transactions.get(paymentIntent.transactionId);
      expect(transaction).toEqual(all.sim.transactions.get(paymentIntent.transactionId));
      expect(transaction).toBeDefined();
    }
    expect(few.webhooks).toEqual(all.webhooks);

    // Every old debt is paid by the new card, one invoice after the other.
    for (const merchant of [all, few]) {
      for (const id of ids)
        if (merchant.subscriptionStatus(id) !== "active") await merchant.changeMethod(id, "pm_card_approved");
      await merchant.sim.clock.settle();
      expect(open(merchant)).toEqual([]);
      await merchant.sim.clock.advance("2 months");
    }
    expect(few.sim.subscriptions.list()).toEqual(all.sim.subscriptions.list());
    expect(few.sim.journal.digest()).toBe(all.sim.journal.digest());
    expect(few.sim.ledger().balances).toEqual(all.sim.ledger().balances);
    expect(few.sim.invoices.list().length).toBeLessThan(24 + EXCESS);
  });

  test("leaves nothing behind that grows with the years", async () => {
    const merchant = await Merchant.open({ keep: 50 });
    for (const [interval, method] of [
      ["day", "pm_card_approved"],
      ["day", "pm_card_challenge"],
      ["week", "pm_card_recovers"],
    ] as const)
      await merchant.subscribe(method, { interval });
    await merchant.sim.clock.advance("100 days");
    const before = sizes(merchant.sim);
    await merchant.sim.clock.advance("300 days");
    const grown = Object.entries(sizes(merchant.sim)).filter(([name, size]) => size > (before[name] ?? 0) + EXCESS);
    expect(grown).toEqual([]);
    expect(merchant.sim.invoices.list().at(-1)?.number).toMatch(/INV-000[89]\d\d/);
    expect(merchant.sim.clock.pending().length).toBeLessThan(12);
    expect(JSON.stringify(merchant.sim.snapshot()).length).toBeLessThan(2_000_000);
  });

  test("goes on alike in a restored world and in a fork", async () => {
    const options = { webhookUrl: HOOKS, keep: 5 };
    const sim = createSimulator(options);
    sim.connect(SHOP, () => new Response());
    const merchant = new Merchant(sim);
    const plan = await merchant.client.plans.create({
      ...planBody({ interval: "day" }),
      name: "Daily",
      amount: 100,
    } as never);
    for (const paymentMethodId of METHODS) {
      const { id } = await merchant.client.subscriptions.initiate({
        planId: plan.id,
        contact: { name: "Ana", email: "ana@customer.example" },
      });
      await merchant.client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId });
    }
    await sim.clock.advance("45 days");
    const copy = createSimulator(options);
    copy.restore(JSON.parse(JSON.stringify(sim.snapshot())) as Snapshot);
    const fork = sim.fork();
    for (const world of [copy, fork]) world.connect(SHOP, () => new Response());
    for (const world of [sim, copy, fork]) await world.clock.advance("33 days");
    for (const world of [copy, fork]) {
      expect(world.journal.digest()).toBe(sim.journal.digest());
      expect(sizes(world)).toEqual(sizes(sim));
      expect(world.transactions.list()).toEqual(sim.transactions.list());
      expect(world.invoices.list()).toEqual(sim.invoices.list());
      expect(world.webhooks.events()).toEqual(sim.webhooks.events());
      expect(world.ledger()).toEqual(sim.ledger());
    }
  });
});

describe("a bounded history of webhooks", () => {
  interface Hooks {
    readonly merchant: Merchant;
    readonly arrived: string[];
    status: number;
  }

  function hooked(keep?: number): Hooks {
    const sim = createSimulator({
      webhookUrl: HOOKS,
      ...(keep === undefined ? {} : { keep }),
    });
    const hooks: Hooks = { merchant: new Merchant(sim), arrived: [], status: 200 };
    sim.connect(SHOP, async (request) => {
      hooks.arrived.push(((await request.json()) as { id: string }).id);
      return new Response(null, { status: hooks.status });
    });
    return hooks;
  }

  test("keeps events that are still to be delivered, retries them, and forgets attempts with their event", async () => {
    const hooks = hooked(1);
    const { sim } = hooks.merchant;
    hooks.status = 500;
    await payIntents(hooks.merchant, 3);
    const late = sim.webhooks.events().map(({ id }) => id);
    hooks.status = 200;
    await payIntents(hooks.merchant, 100);
    expect(sim.webhooks.events().slice(0, 6)).toMatchObject(late.map((id) => ({ id, status: "pending", attempts: 1 })));
    await sim.clock.advance({ milliseconds: 3 * HOUR });
    for (const id of late) expect(hooks.arrived.filter((arrived) => arrived === id)).toHaveLength(2);
    expect(sim.webhooks.events().length).toBeLessThan(1 + EXCESS);
    const known = new Set(sim.webhooks.events().map(({ id }) => id));
    expect(sim.webhooks.attempts().filter(({ eventId }) => !known.has(eventId))).toEqual([]);

    const forgotten = hooks.arrived.find((id) => !known.has(id)) ?? "";
    expect(() => sim.webhooks.redeliver(forgotten)).toThrow(/there is no such event/);
  });

  /** Two events of one intent that are delivered, in a world where nothing else has a receiver. */
  async function delivered(keep?: number): Promise<{ merchant: Merchant; eventId: string; arrived: string[] }> {
    const merchant = new Merchant(createSimulator(keep === undefined ? {} : { keep }));
    const arrived: string[] = [];
    merchant.sim.connect(SHOP, async (request) => {
      arrived.push(((await request.json()) as { id: string }).id);
      return new Response();
    });
    const { id } = await merchant.client.paymentIntents.create({ amount: 100, webhookUrl: HOOKS });
    await merchant.client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    await merchant.sim.clock.settle();
    expect(merchant.sim.webhooks.events()).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
    return { merchant, eventId: arrived[0] ?? "", arrived };
  }

  /** Events that are over as soon as they are made, while the clock stands still. */
  async function fill(merchant: Merchant): Promise<void> {
    for (let index = 0; index < 100; index += 1) {
      const { id } = await merchant.client.paymentIntents.create({ amount: 100 });
      merchant.sim.intents.cancel(id);
    }
  }

  test("keeps an event that is over for as long as a late answer about it is under way", async () => {
    const run = async (keep?: number): Promise<string> => {
      const { sim, client } = await Merchant.open(keep === undefined ? {} : { keep });
      sim.faults.add({ kind: "webhook.slow", delay: "1 day", times: 1 });
      for (let index = 0; index < 100; index += 1) {
        const { id } = await client.paymentIntents.create({ amount: 100 });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
        await sim.clock.advance("1 minute");
      }
      await sim.clock.advance("1 day");
      expect(sim.journal.entries.filter(({ kind }) => kind === "late-answer")).toHaveLength(1);
      return sim.journal.digest();
    };
    expect(await run(1)).toBe(await run());
  });

  test("loses no delivery by hand, however much happens before it", async () => {
    const run = async (keep?: number): Promise<Simulator> => {
      const { merchant, eventId, arrived } = await delivered(keep);
      merchant.sim.webhooks.redeliver(eventId);
      await fill(merchant);
      await merchant.sim.clock.settle();
      expect(arrived.filter((id) => id === eventId)).toHaveLength(2);
      return merchant.sim;
    };
    expect((await run(1)).journal.digest()).toBe((await run()).journal.digest());
  });

  test("loses no delivery by hand, however much happens while it is under way", async () => {
    const run = async (keep?: number): Promise<Simulator> => {
      const { merchant, eventId } = await delivered(keep);
      merchant.sim.connect(SHOP, async () => {
        await fill(merchant);
        return new Response();
      });
      merchant.sim.webhooks.redeliver(eventId);
      await merchant.sim.clock.settle();
      expect(merchant.sim.journal.entries.filter(({ kind }) => kind === "delivery")).toHaveLength(3);
      expect(merchant.sim.webhooks.attempts({ eventId })).toHaveLength(2);
      await fill(merchant);
      return merchant.sim;
    };
    const few = await run(1);
    expect(few.journal.digest()).toBe((await run()).journal.digest());
    expect(few.webhooks.events().length).toBeLessThan(1 + EXCESS);
    expect(few.webhooks.attempts()).toEqual([]);
  });

  test("keeps events that wait for an app to be connected", async () => {
    const { merchant, eventId } = await delivered(1);
    const fork = merchant.sim.fork();
    fork.webhooks.redeliver(eventId);
    await fork.clock.settle();
    await fill(await merchant.in(fork));
    const arrived: string[] = [];
    fork.connect(SHOP, async (request) => {
      arrived.push(((await request.json()) as { id: string }).id);
      return new Response();
    });
    await fork.clock.settle();
    expect(arrived).toEqual([eventId]);
  });
});

test("answers kept under idempotency keys are forgotten once they have expired, and never before", async () => {
  const merchant = await Merchant.open({ keep: 1 });
  const create = async (key: string): Promise<string> =>
    (await merchant.client.paymentIntents.create({ amount: 100 }, { idempotencyKey: key })).id;
  const first = await create("key 0");
  for (let index = 1; index < 100; index += 1) await create(`key ${index}`);
  expect(await create("key 0")).toBe(first);
  expect(sizes(merchant.sim)["idempotency-keys"]).toBe(100);
  await merchant.sim.clock.advance("1 day");
  for (let index = 100; index < 200; index += 1) await create(`key ${index}`);
  expect(sizes(merchant.sim)["idempotency-keys"]).toBeLessThan(1 + 100 + EXCESS);
});
