import { createSimulator } from "centavo";
import { simulated } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { describe, expect, test as base } from "vitest";
import { openSession, openShop, pay } from "./paid-orders.ts";

const test = withSimulator(base);
const error = (code: string, message: string): unknown =>
  expect.objectContaining({ name: "CentavoError", code, message: expect.stringContaining(message) as string });

describe("a bare id", () => {
  test("is found in the simulator of the running test", async ({ sim, client }) => {
    const id = await pay({ sim, client });
    expect(id).toHaveStatus("succeeded");
    expect("order-1").toHaveStatus("succeeded");
    expect("order-1").toHaveBeenPaidOnce();
    expect(await client.paymentIntents.status(id)).toHaveBeenPaidOnce();
  });

  test("is found in a simulated test, and not after it has ended", async () => {
    let ended = "";
    await simulated({ fakeDate: false }, async ({ sim, client }) => {
      ended = await pay({ sim, client });
      expect(ended).toHaveBeenPaidOnce();
    })();
    expect(() => expect(ended).toHaveBeenPaidOnce()).toThrow(error("NOT_FOUND", `cannot find "${ended}"`));
  });

  test("is refused when several simulators know it", async ({ sim, client }) => {
    await pay({ sim, client });
    await simulated({ fakeDate: false }, async (other) => {
      await pay(other);
      expect(() => expect("order-1").toHaveBeenPaidOnce()).toThrow(error("INVALID_STATE", "in 2 simulators"));
      expect("order-1").toHaveBeenPaidOnce({ sim });
    })();
  });

  base("of a simulator of your own needs that simulator", async () => {
    const shop = openShop();
    const id = await pay(shop);
    expect(() => expect(id).toHaveStatus("succeeded")).toThrow(
      error("NOT_FOUND", `with { sim } as the last argument, or give a view such as sim.intents.get("${id}")`),
    );
    expect(id).toHaveStatus("succeeded", { sim: shop.sim });
    expect(() => expect("pi_unknown").toHaveStatus("failed", { sim: shop.sim })).toThrow(
      error("NOT_FOUND", '"pi_unknown"'),
    );
  });

  test("that the simulator of the test does not have is called unknown", async ({ sim, client }) => {
    await pay({ sim, client });
    expect(() => expect("order-2").toHaveBeenPaidOnce()).toThrow(
      error("NOT_FOUND", "Nothing in the simulator of a running test has this id or external id."),
    );
  });

  base("that is an external id of several resources is refused where one is meant", async () => {
    const shop = openShop();
    const first = await pay(shop);
    const session = await openSession(shop);
    expect(() => expect("order-1").toHaveStatus("succeeded", shop)).toThrow(error("INVALID_OPTION", "{ sim }"));
    expect(() => expect("order-1").toHaveStatus("succeeded", { sim: shop.sim })).toThrow(
      error("INVALID_STATE", `${first}, ${session}`),
    );
  });
});

describe("a view", () => {
  base("leads to its own simulator, also from a fork and from inside another view", async () => {
    const shop = openShop();
    await openSession(shop);
    const fork = shop.sim.fork();
    const url = shop.sim.checkouts.last()?.checkoutUrl ?? "";
    await shop.sim.customer.pay(url, "pm_card_approved");
    await shop.sim.clock.advance("1 minute");
    expect(shop.sim.checkouts.last()).toHaveBeenPaidOnce();
    expect(fork.checkouts.last()).not.toHaveBeenPaidOnce();
    expect(fork.checkouts.last()).toHaveMoved(["pending"]);
  });

  base("of a world that was replaced is refused", async () => {
    const shop = openShop();
    const view = shop.sim.intents.get(await pay(shop));
    shop.sim.reset();
    expect(() => expect(view).toHaveBeenPaidOnce()).toThrow(error("INVALID_STATE", "has replaced since"));
  });

  base("looks, compares and copies as it did before it remembered its simulator", async () => {
    const shop = openShop();
    const id = await pay(shop);
    const view = shop.sim.intents.get(id);
    expect(Reflect.ownKeys({ ...view }).filter((key) => typeof key === "symbol")).toEqual([]);
    expect(structuredClone(view)).toStrictEqual(view);
    expect(JSON.parse(JSON.stringify(view))).toEqual(view);
  });
});

describe("wrong values are refused, negated too", () => {
  base.for([
    [undefined, "undefined, which a reader returns for an unknown id"],
    [null, "got null"],
    [42, "got 42"],
    [{}, "got {}"],
    [Promise.resolve("pi_1"), "a promise: await it first"],
    [createSimulator(), "got [Simulator] (at 2026-01-01T00:00:00.000Z, 0 journal entries)"],
  ] as const)("a status of %o", ([received, message]) => {
    expect(() => expect(received).toHaveStatus("succeeded")).toThrow(error("INVALID_OPTION", message));
    expect(() => expect(received).not.toHaveBeenPaidOnce()).toThrow(error("INVALID_OPTION", message));
    expect(() => expect(received).not.toHaveMoved([])).toThrow(error("INVALID_OPTION", message));
  });

  base("a status that such a resource never has", async () => {
    const shop = openShop();
    const view = shop.sim.intents.get(await pay(shop));
    expect(() => expect(view).not.toHaveStatus("cancelled")).toThrow(
      error("INVALID_OPTION", 'The nearest is "canceled"'),
    );
    expect(() => expect(view).not.toHaveMoved(["completed"])).toThrow(error("INVALID_OPTION", '"completed"'));
    expect(() => expect(view).toHaveStatus(undefined as never)).toThrow(error("INVALID_OPTION", "got undefined"));
    expect(() => expect(view).toHaveMoved("succeeded" as never)).toThrow(
      error("INVALID_OPTION", "every status in order"),
    );
    expect(() => expect(shop.sim.transactions.last()).toHaveMoved(["succeeded"])).toThrow(
      error("INVALID_OPTION", "Give the one that the transaction"),
    );
  });

  base("a delivery that could never be", () => {
    const { sim } = openShop();
    expect(() => expect(sim).not.toHaveDelivered("payment_intent.succeded")).toThrow(
      error("INVALID_OPTION", 'The nearest is "payment_intent.succeeded"'),
    );
    expect(() => expect(sim).toHaveDelivered("payment_intent.succeeded", { times: 1 })).toThrow(
      error("INVALID_OPTION", '("payment_intent.succeeded", {}, { times: 1 })'),
    );
    expect(() => expect(sim).toHaveDelivered("payment_intent.succeeded", {}, { times: -1 })).toThrow(
      error("INVALID_OPTION", "a whole number from 0"),
    );
    expect(() => expect(sim).toHaveDelivered("payment_intent.succeeded", "x" as never)).toThrow(
      error("INVALID_OPTION", "a part of the event's body"),
    );
    expect(() => expect(sim.ledger()).not.toHaveDelivered("payment_intent.succeeded")).toThrow(
      error("INVALID_OPTION", "expect(sim).toHaveDelivered(…)"),
    );
  });

  base("a simulator in another argument, of which the message has no inner parts", () => {
    const shop = openShop();
    const { sim } = shop;
    const wrong: Record<string, () => unknown> = {
      "takes the options { sim }, a simulator, and got [Simulator] (": () =>
        expect("order-1").toHaveBeenPaidOnce(sim as never),
      'takes the options { sim }, a simulator, and got {"simulator":"[Simulator]"}': () =>
        expect("order-1").toHaveBeenPaidOnce({ simulator: sim } as never),
      "toHaveDelivered takes a part of the event's body, as in { data: { id } }, and got [Simulator] (": () =>
        expect(sim).toHaveDelivered("payment_intent.succeeded", sim),
      'toHaveNoPendingWork(…), and got ["[Simulator]"]': () => expect([sim]).toHaveNoPendingWork(),
    };
    for (const [message, act] of Object.entries(wrong)) expect(act).toThrow(error("INVALID_OPTION", message));
  });

  base("anything but a ledger or a simulator, and a ledger in place of a simulator", () => {
    const { sim } = openShop();
    expect(() => expect(sim.transactions).not.toBalance()).toThrow(
      error("INVALID_OPTION", "expect(sim.ledger()).toBalance()"),
    );
    expect(() => expect(sim.ledger()).not.toHaveNoPendingWork()).toThrow(error("INVALID_OPTION", "expect(sim)"));
  });

  base("moves whose beginning is no longer known", async () => {
    const shop = openShop({ keep: 1 });
    const { id } = await shop.client.paymentIntents.create({ amount: 10000 });
    for (let order = 1; order <= 400; order += 1) await pay(shop, `order-${order}`);
    expect(() => expect(id).toHaveMoved(["requires_payment_method"], { sim: shop.sim })).toThrow(
      error("INVALID_STATE", "no longer has the creation"),
    );
  });
});
